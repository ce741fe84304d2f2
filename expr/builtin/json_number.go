package builtin

import (
	"slices"
	"strconv"
	"strings"
)

// bigDecimal is a number as Java's BigDecimal holds it: the digits are those of
// the unscaled value, without zeros before them.
type bigDecimal struct {
	negative bool
	digits   string
	scale    int64
}

// parseBigDecimal reads a JSON number. Not ok: its scale is beyond 32 bits.
func parseBigDecimal(s string) (b bigDecimal, ok bool) {
	exp := int64(0)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		var err error
		if exp, err = strconv.ParseInt(s[i+1:], 10, 64); err != nil {
			return b, false
		}
		s = s[:i]
	}
	s, b.negative = strings.CutPrefix(s, "-")
	b.digits = s
	if i := strings.IndexByte(s, '.'); i >= 0 {
		b.scale = int64(len(s) - i - 1)
		if b.digits = s[i+1:]; strings.Trim(s[:i], "0") != "" {
			b.digits = s[:i] + s[i+1:]
		}
	}
	if b.scale -= exp; b.scale != int64(int32(b.scale)) {
		return b, false
	}
	if b.digits = strings.TrimLeft(b.digits, "0"); b.digits == "" {
		b.digits, b.negative = "0", false
	}
	return b, true
}

// append spells it as BigDecimal.toString does.
func (b bigDecimal) append(dst []byte) []byte {
	adjusted := int64(len(b.digits)) - 1 - b.scale
	if b.scale >= 0 && adjusted >= -6 {
		return b.appendPlain(dst)
	}
	if b.negative {
		dst = append(dst, '-')
	}
	dst = append(dst, b.digits[0])
	if len(b.digits) > 1 {
		dst = append(append(dst, '.'), b.digits[1:]...)
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

// appendPlain spells it without an exponent; the scale must not be negative.
func (b bigDecimal) appendPlain(dst []byte) []byte {
	if b.negative {
		dst = append(dst, '-')
	}
	for n := len(b.digits); n <= int(b.scale); n++ {
		dst = append(dst, '0')
	}
	dst = append(dst, b.digits...)
	if b.scale > 0 {
		dst = slices.Insert(dst, len(dst)-int(b.scale), '.')
	}
	return dst
}

// appendBigDecimal spells a number as BigDecimal.toString does; it has no
// negative zero.
func appendBigDecimal(dst []byte, s string) ([]byte, bool) {
	b, ok := parseBigDecimal(s)
	if !ok {
		return dst, false
	}
	return b.append(dst), true
}
