package format

import "fsql/types"

// Whole reads a sign and up to 18 digits at p, the usual integer. next is the
// position behind, 0 for anything else. The buffer ends with a byte that is no
// digit.
func Whole(b []byte, p int) (x int64, next int) {
	neg := b[p] == '-'
	if neg {
		p++
	}
	start := p
	var v uint64
	for c := b[p] - '0'; c <= 9; c = b[p] - '0' {
		v = v*10 + uint64(c)
		p++
	}
	if n := p - start; n == 0 || n > 18 {
		return 0, 0
	}
	x = int64(v)
	if neg {
		x = -x
	}
	return x, p
}

// exact is how many digits a float64 holds in any case.
const exact = 15

// Plain reads a number of up to 15 digits without an exponent as
// x * 10^-scale; next is 0 for anything else, and for -0, which is a double of
// its own.
func Plain(b []byte, p int) (x int64, scale, next int) {
	neg := b[p] == '-'
	if neg {
		p++
	}
	start := p
	var v uint64
	for c := b[p] - '0'; c <= 9; c = b[p] - '0' {
		v = v*10 + uint64(c)
		p++
	}
	n := p - start
	if n == 0 {
		return 0, 0, 0
	}
	if b[p] == '.' {
		p++
		point := p
		for c := b[p] - '0'; c <= 9; c = b[p] - '0' {
			v = v*10 + uint64(c)
			p++
		}
		if scale = p - point; scale == 0 {
			return 0, 0, 0
		}
		n += scale
	}
	if n > exact || neg && v == 0 {
		return 0, 0, 0
	}
	x = int64(v)
	if neg {
		x = -x
	}
	return x, scale, p
}

// maxShift is by how many digits Decimal widens a number.
const maxShift = 3

// pow10 holds what Plain's digits and maxShift need.
var pow10 = [exact + maxShift + 1]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// Quotient is the double nearest to a number read by Plain: both parts are
// exact, so the quotient is rounded once.
func Quotient(x int64, scale int) float64 { return float64(x) / float64(pow10[scale]) }

// Decimal is the value of a DECIMAL column for a number read by Plain, where
// neither rounding nor a range check beyond 64 bits is needed.
func Decimal(x int64, scale int, t types.Type) (types.Dec, bool) {
	shift := int(t.Scale) - scale
	if shift < 0 || shift > maxShift {
		return types.Dec{}, false
	}
	x *= pow10[shift]
	if int(t.Precision) < len(pow10) {
		if limit := pow10[t.Precision]; x >= limit || x <= -limit {
			return types.Dec{}, false
		}
	}
	return types.DecOf(x), true
}

// ParseInt reads a whole number as Java's parseInt does: a sign and digits,
// nothing else. bits is the width of the type.
func ParseInt(b []byte, bits int) (int64, bool) {
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, false
	}
	limit := uint64(1) << (bits - 1) // of the magnitude
	if !neg {
		limit--
	}
	var v uint64
	for _, c := range b {
		d := c - '0'
		if d > 9 || v > limit/10 {
			return 0, false
		}
		if v = v*10 + uint64(d); v > limit {
			return 0, false
		}
	}
	if neg {
		return -int64(v), true
	}
	return int64(v), true
}
