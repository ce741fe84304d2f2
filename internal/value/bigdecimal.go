package value

import (
	"slices"
	"strconv"
	"strings"
)

// BigDecimal is a number as Java's BigDecimal holds it: Digits are those of
// the unscaled value, without zeros before them.
type BigDecimal struct {
	Negative bool
	Digits   string
	Scale    int64
}

// ParseBigDecimal reads a JSON number. Not ok: its scale is beyond 32 bits.
func ParseBigDecimal(s string) (b BigDecimal, ok bool) {
	exp := int64(0)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		var err error
		if exp, err = strconv.ParseInt(s[i+1:], 10, 64); err != nil {
			return b, false
		}
		s = s[:i]
	}
	s, b.Negative = strings.CutPrefix(s, "-")
	b.Digits = s
	if i := strings.IndexByte(s, '.'); i >= 0 {
		b.Scale = int64(len(s) - i - 1)
		if b.Digits = s[i+1:]; strings.Trim(s[:i], "0") != "" {
			b.Digits = s[:i] + s[i+1:]
		}
	}
	if b.Scale -= exp; b.Scale != int64(int32(b.Scale)) {
		return b, false
	}
	if b.Digits = strings.TrimLeft(b.Digits, "0"); b.Digits == "" {
		b.Digits, b.Negative = "0", false
	}
	return b, true
}

// Append spells it as BigDecimal.toString does.
func (b BigDecimal) Append(dst []byte) []byte {
	adjusted := int64(len(b.Digits)) - 1 - b.Scale
	if b.Scale >= 0 && adjusted >= -6 {
		return b.AppendPlain(dst)
	}
	if b.Negative {
		dst = append(dst, '-')
	}
	dst = append(dst, b.Digits[0])
	if len(b.Digits) > 1 {
		dst = append(append(dst, '.'), b.Digits[1:]...)
	}
	if adjusted == 0 {
		return dst
	}
	dst = append(dst, 'E')
	if adjusted > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, adjusted, 10)
}

// AppendPlain spells it without an exponent; the scale must not
// be negative.
func (b BigDecimal) AppendPlain(dst []byte) []byte {
	if b.Negative {
		dst = append(dst, '-')
	}
	for n := len(b.Digits); n <= int(b.Scale); n++ {
		dst = append(dst, '0')
	}
	dst = append(dst, b.Digits...)
	if b.Scale > 0 {
		dst = slices.Insert(dst, len(dst)-int(b.Scale), '.')
	}
	return dst
}

// AppendBigDecimal spells a number as BigDecimal.toString does; it has no
// negative zero.
func AppendBigDecimal(dst []byte, s string) ([]byte, bool) {
	b, ok := ParseBigDecimal(s)
	if !ok {
		return dst, false
	}
	return b.Append(dst), true
}

// Exponent is that of the first digit.
func (b BigDecimal) Exponent() int64 { return int64(len(b.Digits)) - 1 - b.Scale }

// Round rounds half up to a scale, which may be negative, and fills up with
// zeros.
func (b BigDecimal) Round(scale int64) BigDecimal {
	if scale >= b.Scale {
		b.Digits += strings.Repeat("0", int(scale-b.Scale))
		b.Digits = strings.TrimLeft(b.Digits, "0")
	} else {
		keep := int64(len(b.Digits)) - (b.Scale - scale)
		switch {
		case keep < 0:
			b.Digits = ""
		default:
			up := b.Digits[keep] >= '5'
			b.Digits = b.Digits[:keep]
			if up {
				b.Digits = increment(b.Digits)
			}
		}
	}
	if b.Scale = scale; b.Digits == "" {
		b.Digits = "0"
	}
	return b
}

// increment adds one to digits.
func increment(digits string) string {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != '9' {
			b[i]++
			return string(b)
		}
		b[i] = '0'
	}
	return "1" + string(b)
}
