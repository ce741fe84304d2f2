package value

import (
	"math"
	"strconv"
)

// AppendDouble writes a DOUBLE as Java's Double.toString does on the JDK that
// Flink 2.3 runs on (17): "1.0", "1.23456789E7", "NaN", "-Infinity". Plain form
// from 10^-3 to below 10^7, else one digit before the point and an exponent.
func AppendDouble(dst []byte, f float64) []byte { return appendFloat(dst, f, 64) }

// AppendFloat writes a FLOAT as Java's Float.toString does.
func AppendFloat(dst []byte, f float32) []byte { return appendFloat(dst, float64(f), 32) }

func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case f != f:
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	if math.Signbit(f) {
		dst = append(dst, '-')
		f = -f
	}
	if f == 0 {
		return append(dst, "0.0"...)
	}
	var buf [48]byte
	digits, exp := javaDigits(buf[:0], f, bits)
	return layout(dst, digits, exp)
}

// layout writes 0.d1d2d3.. * 10^(exp+1) in Java's form.
func layout(dst, digits []byte, exp int) []byte {
	switch {
	case exp >= 0 && exp < 7:
		n := exp + 1
		for i := 0; i < n; i++ {
			if i < len(digits) {
				dst = append(dst, digits[i])
			} else {
				dst = append(dst, '0')
			}
		}
		dst = append(dst, '.')
		if len(digits) <= n {
			return append(dst, '0')
		}
		return append(dst, digits[n:]...)
	case exp < 0 && exp >= -3:
		dst = append(dst, "0."...)
		for i := -1; i > exp; i-- {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = append(dst, digits[0], '.')
	if len(digits) == 1 {
		dst = append(dst, '0')
	} else {
		dst = append(dst, digits[1:]...)
	}
	dst = append(dst, 'E')
	return strconv.AppendInt(dst, int64(exp), 10)
}

// javaDigits returns the significant digits (no zeros at the end) of a
// positive number and the exponent of the first one.
//
// Java before 19 does not always write the shortest text, so the shortest form
// of strconv is used only where both agree. They part in three cases: whole
// numbers are written from their exact digits less those that the binary
// precision cannot tell; powers of two take the narrower of the two rounding
// intervals on both sides; and an interval never contains its ends, which
// matters only where an end has few digits.
func javaDigits(buf []byte, f float64, bits int) (digits []byte, exp int) {
	if digits, exp, ok := wholeDigits(buf, f, bits); ok {
		return digits, exp
	}
	if f < 1e11 && f >= 1e-3 {
		// Few decimals, the usual case: a number below 10^15 over 10^4 that
		// divides back to f is its only text of up to 15 digits.
		if n := f * 1e4; n < 1e15 && bits == 64 {
			if w := uint64(n + 0.5); float64(w)/1e4 == f {
				digits = strconv.AppendUint(buf, w, 10)
				exp = len(digits) - 5
				return trimZeros(digits), exp
			}
		}
	}
	frac, e := math.Frexp(f)
	limit := 50 // ends of intervals with few digits begin here
	if bits == 32 {
		limit = 21
	}
	if frac == 0.5 || e > limit || e < -1000 || bits == 32 && e < -120 {
		return freeFormat(buf, f, bits)
	}
	text := strconv.AppendFloat(buf, f, 'e', -1, bits)
	i := 0
	for text[i] != 'e' {
		i++
	}
	for _, c := range text[i+2:] {
		exp = exp*10 + int(c-'0')
	}
	if text[i+1] == '-' {
		exp = -exp
	}
	digits = text[:i]
	if i > 1 {
		text[1] = text[0]
		digits = text[1:i]
	}
	return digits, exp
}

// wholeDigits handles whole numbers below 2^63.
func wholeDigits(buf []byte, f float64, bits int) ([]byte, int, bool) {
	if f >= 1<<63 || f != math.Trunc(f) {
		return nil, 0, false
	}
	v := uint64(f)
	_, e := math.Frexp(f)
	mantissa := 53
	if bits == 32 {
		mantissa = 24
	}
	dropped := 0
	// The last digits of numbers above the precision carry no information:
	// as many as 10^n is below half a unit in the last place.
	for unit := e - 1 - mantissa - 1; dropped < 18 && unit > 1 && pow10[dropped+1].lo <= 1<<uint(unit); dropped++ {
	}
	if dropped > 0 {
		p := pow10[dropped].lo
		r := v % p
		v /= p
		if r >= p/2 {
			v++
		}
	}
	digits := strconv.AppendUint(buf, v, 10)
	exp := len(digits) - 1 + dropped
	return trimZeros(digits), exp, true
}

func trimZeros(digits []byte) []byte {
	n := len(digits)
	for n > 1 && digits[n-1] == '0' {
		n--
	}
	return digits[:n]
}
