package value

import (
	"errors"
	"math/bits"

	"fsql/types"
)

// Reasons why a text is no value of a type; callers add what and where.
var (
	// ErrSyntax: the text is malformed.
	ErrSyntax = errors.New("malformed text")
	// ErrRange: the text is well formed but the type cannot hold it.
	ErrRange = errors.New("value out of range")
)

// Text is what the parsers take: a string, or bytes of a buffer.
type Text interface{ ~string | ~[]byte }

// AppendDec writes a DECIMAL plainly, with exactly scale digits behind the
// point: "-0.05", "1E+2" never.
func AppendDec(dst []byte, d types.Dec, scale int) []byte {
	var digits [40]byte
	at := len(digits)
	neg, m := magnitude(d)
	if m.hi != 0 {
		// 38 digits are two groups of 19.
		const group = 1e19
		q, r := bits.Div64(m.hi, m.lo, group) // m.hi is below 2^63, so below the divisor
		for i := 0; i < 19; i++ {
			at--
			digits[at] = byte('0' + r%10)
			r /= 10
		}
		m.lo = q
	}
	for v := m.lo; v > 0; {
		at--
		digits[at] = byte('0' + v%10)
		v /= 10
	}
	for len(digits)-at <= scale {
		at--
		digits[at] = '0'
	}
	if neg {
		dst = append(dst, '-')
	}
	point := len(digits) - scale
	dst = append(dst, digits[at:point]...)
	if scale > 0 {
		dst = append(dst, '.')
		dst = append(dst, digits[point:]...)
	}
	return dst
}

// ParseDec reads a decimal number ("12", " -1.5e3 ", ".5", "5.") rounding half
// up to scale. ErrRange is a number with more digits than precision.
func ParseDec[T Text](s T, precision, scale int) (types.Dec, error) {
	from, to := trimControl(s)
	neg := false
	if from < to && (s[from] == '-' || s[from] == '+') {
		neg = s[from] == '-'
		from++
	}
	// The digits as one number, how many of them stand behind the point.
	var m u128
	any, started, lost := false, false, false
	count, fraction := 0, 0
	firstLost := byte(0)
	point := false
	i := from
	for ; i < to; i++ {
		c := s[i]
		if c == '.' {
			if point {
				return types.Dec{}, ErrSyntax
			}
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		any = true
		if c != '0' {
			started = true
		}
		if !started {
			if point {
				fraction++
			}
			continue
		}
		if count < 38 {
			m = m.push(c - '0')
			count++
			if point {
				fraction++
			}
			continue
		}
		// More digits than a DECIMAL holds: they only matter for rounding.
		if !lost {
			lost, firstLost = true, c
		}
		if !point {
			fraction--
		}
	}
	if !any {
		return types.Dec{}, ErrSyntax
	}
	exp := 0
	if i < to {
		if s[i] != 'e' && s[i] != 'E' {
			return types.Dec{}, ErrSyntax
		}
		i++
		eneg := false
		if i < to && (s[i] == '-' || s[i] == '+') {
			eneg = s[i] == '-'
			i++
		}
		if i == to {
			return types.Dec{}, ErrSyntax
		}
		for ; i < to; i++ {
			if s[i] < '0' || s[i] > '9' {
				return types.Dec{}, ErrSyntax
			}
			if exp < 1<<20 {
				exp = exp*10 + int(s[i]-'0')
			}
		}
		if eneg {
			exp = -exp
		}
	}
	return scaled(m, fraction-exp, lost, firstLost, neg, precision, scale)
}

// scaled brings m * 10^-from to the type.
func scaled(m u128, from int, lost bool, firstLost byte, neg bool, precision, scale int) (types.Dec, error) {
	if m == (u128{}) {
		return types.Dec{}, nil
	}
	w := m.wide()
	switch drop := from - scale; {
	case drop > 76:
		return types.Dec{}, nil
	case drop > 0:
		w = w.scaleDown(drop)
	case drop < -38:
		return types.Dec{}, ErrRange
	default:
		w, _ = w.scaleUp(-drop)
		if lost && drop == 0 && firstLost >= '5' {
			w, _ = w.add(u256{1})
		}
	}
	r, ok := w.narrow()
	if !ok || !r.less(pow10[precision]) {
		return types.Dec{}, ErrRange
	}
	return r.signed(neg), nil
}

// push appends a decimal digit.
func (m u128) push(digit byte) u128 {
	if m.hi == 0 && m.lo < 1<<60 {
		return u128{0, m.lo*10 + uint64(digit)}
	}
	h, l := bits.Mul64(m.lo, 10)
	lo, c := bits.Add64(l, uint64(digit), 0)
	return u128{m.hi*10 + h + c, lo}
}

// trimControl finds the text within characters up to the space, as Java's
// String.trim does.
func trimControl[T Text](s T) (from, to int) {
	to = len(s)
	for from < to && s[from] <= ' ' {
		from++
	}
	for from < to && s[to-1] <= ' ' {
		to--
	}
	return from, to
}
