package format

import (
	"strconv"

	"fsql/internal/value"
	"fsql/types"
)

// AppendShort writes a DECIMAL as Flink's csv and json writers do: without
// trailing zeros, and with an exponent where Java's BigDecimal.toString has
// one (100000 is 1E+5, 0.0000001 is 1E-7).
func AppendShort(dst []byte, d types.Dec, scale int) []byte {
	var buf [48]byte
	digits := value.AppendDec(buf[:0], d, 0)
	neg := digits[0] == '-'
	if neg {
		digits = digits[1:]
	}
	return AppendShortDigits(dst, neg, digits, scale)
}

// AppendShortDigits is AppendShort for the number digits * 10^-scale.
func AppendShortDigits(dst []byte, neg bool, digits []byte, scale int) []byte {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if len(digits) == 0 || digits[0] == '0' {
		return append(dst, '0')
	}
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		scale--
	}
	if neg {
		dst = append(dst, '-')
	}
	exp := len(digits) - 1 - scale // of the first digit
	switch {
	case scale == 0:
		return append(dst, digits...)
	case scale > 0 && exp >= 0:
		point := len(digits) - scale
		dst = append(dst, digits[:point]...)
		dst = append(dst, '.')
		return append(dst, digits[point:]...)
	case scale > 0 && exp >= -6:
		dst = append(dst, "0."...)
		for i := exp + 1; i < 0; i++ {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(dst, '.')
		dst = append(dst, digits[1:]...)
	}
	dst = append(dst, 'E')
	if exp > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(exp), 10)
}
