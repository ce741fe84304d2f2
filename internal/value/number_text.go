package value

import (
	"math"
	"strconv"
	"unsafe"
)

// ParseInt reads a whole number as CAST does: blanks around, a sign, a
// well-formed fraction that is cut off ("12.9" is 12, ".5" is 0). bits is the
// width of the type; ErrRange is a number beyond it.
func ParseInt[T Text](s T, bits int) (int64, error) {
	from, to := 0, len(s)
	for from < to && s[from] == ' ' {
		from++
	}
	for from < to && s[to-1] == ' ' {
		to--
	}
	neg := false
	if from < to && (s[from] == '-' || s[from] == '+') {
		neg = s[from] == '-'
		from++
	}
	if from == to {
		return 0, ErrSyntax
	}
	limit := uint64(1) << uint(bits-1) // of the magnitude of a negative number
	if !neg {
		limit--
	}
	var v uint64
	tooBig := false
	i := from
	for ; i < to && s[i] != '.'; i++ {
		d := s[i] - '0'
		if d > 9 {
			return 0, ErrSyntax
		}
		if v > limit/10 {
			tooBig = true
		}
		v = v*10 + uint64(d)
		if v > limit {
			tooBig = true
		}
	}
	for i++; i < to; i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, ErrSyntax
		}
	}
	if tooBig {
		return 0, ErrRange
	}
	if neg {
		return -int64(v), nil
	}
	return int64(v), nil
}

// ParseBool reads a BOOLEAN as CAST does: true t yes y 1, false f no n 0, in
// any case and without blanks.
func ParseBool[T Text](s T) (v, ok bool) {
	var low [5]byte
	if len(s) == 0 || len(s) > len(low) {
		return false, false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low[i] = c
	}
	switch string(low[:len(s)]) {
	case "true", "t", "yes", "y", "1":
		return true, true
	case "false", "f", "no", "n", "0":
		return false, true
	}
	return false, false
}

// ParseDouble reads a DOUBLE in the forms of Java's Double.parseDouble, which
// has "NaN", "Infinity", "1d", "1f" and "0x1p3" but no underscores, "inf" or
// "nan". Numbers beyond the range are infinite or zero.
func ParseDouble[T Text](s T) (float64, error) { return parseFloat(s, 64) }

// ParseFloat reads a FLOAT, rounding once.
func ParseFloat[T Text](s T) (float32, error) {
	f, err := parseFloat(s, 32)
	return float32(f), err
}

func parseFloat[T Text](s T, bits int) (float64, error) {
	from, to := trimControl(s)
	if !javaFloat(s, from, &to) {
		return 0, ErrSyntax
	}
	if s[to-1] == 'N' {
		return math.NaN(), nil // strconv has it without a sign only
	}
	f, err := strconv.ParseFloat(view(s[from:to]), bits)
	if err != nil && err.(*strconv.NumError).Err == strconv.ErrSyntax {
		return 0, ErrSyntax
	}
	return f, nil
}

// javaFloat checks the characters and takes a type suffix away.
func javaFloat[T Text](s T, from int, to *int) bool {
	i := from
	if i < *to && (s[i] == '-' || s[i] == '+') {
		i++
	}
	if i == *to {
		return false
	}
	switch s[i] {
	case 'N':
		return string(s[i:*to]) == "NaN"
	case 'I':
		return string(s[i:*to]) == "Infinity"
	}
	hex := *to-i > 2 && s[i] == '0' && (s[i+1] == 'x' || s[i+1] == 'X')
	switch c := s[*to-1]; {
	case c == 'd' || c == 'D' || c == 'f' || c == 'F':
		if hex {
			// A hexadecimal number has its exponent before the suffix.
			exponent := false
			for j := i; j < *to; j++ {
				exponent = exponent || s[j] == 'p' || s[j] == 'P'
			}
			if !exponent {
				return false
			}
		}
		*to--
	}
	if i == *to {
		return false
	}
	for ; i < *to; i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		case hex && ('a' <= c && c <= 'f' || 'A' <= c && c <= 'F' || c == 'x' || c == 'X' || c == 'p' || c == 'P'):
		default:
			return false
		}
	}
	return true
}

// view is a string over the bytes of s, for calls that do not keep it. A slice
// begins with the two words of a string.
func view[T Text](s T) string { return *(*string)(unsafe.Pointer(&s)) }
