package value

import (
	"math"
	"math/bits"

	"fsql/types"
)

// DecPow10 is 10^n as an unscaled value, n from 0 to 38.
func DecPow10(n int) types.Dec { return pow10[n].signed(false) }

// DecFits tells whether a value has at most precision digits.
func DecFits(d types.Dec, precision int) bool {
	if v, ok := d.Small(); ok {
		if precision > 18 {
			return true
		}
		limit := int64(pow10[precision].lo)
		return v < limit && v > -limit
	}
	_, m := magnitude(d)
	return m.less(pow10[precision])
}

// DecSign is -1, 0 or 1.
func DecSign(d types.Dec) int {
	if d.Hi < 0 {
		return -1
	}
	if d.Hi == 0 && d.Lo == 0 {
		return 0
	}
	return 1
}

// DecNeg is -d.
func DecNeg(d types.Dec) types.Dec {
	lo, borrow := bits.Sub64(0, d.Lo, 0)
	hi, _ := bits.Sub64(0, uint64(d.Hi), borrow)
	return types.Dec{Lo: lo, Hi: int64(hi)}
}

// DecCmp compares two values of one scale.
func DecCmp(a, b types.Dec) int {
	if a.Hi != b.Hi {
		if a.Hi < b.Hi {
			return -1
		}
		return 1
	}
	if a.Lo != b.Lo {
		if a.Lo < b.Lo {
			return -1
		}
		return 1
	}
	return 0
}

// DecCompare compares two values of the scales as and bs, exactly.
func DecCompare(a types.Dec, as int, b types.Dec, bs int) int {
	if as == bs {
		return DecCmp(a, b)
	}
	an, am := magnitude(a)
	bn, bm := magnitude(b)
	if an != bn {
		if an {
			return -1
		}
		return 1
	}
	m := max(as, bs)
	aw, _ := am.wide().scaleUp(m - as)
	bw, _ := bm.wide().scaleUp(m - bs)
	if an {
		return bw.cmp(aw)
	}
	return aw.cmp(bw)
}

// DecAdd adds two values of one scale; ok is false beyond 128 bits.
func DecAdd(a, b types.Dec) (sum types.Dec, ok bool) {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(uint64(a.Hi), uint64(b.Hi), carry)
	sum = types.Dec{Lo: lo, Hi: int64(hi)}
	return sum, (a.Hi^sum.Hi)&(b.Hi^sum.Hi) >= 0
}

// DecSub subtracts two values of one scale; ok is false beyond 128 bits.
func DecSub(a, b types.Dec) (diff types.Dec, ok bool) {
	lo, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	hi, _ := bits.Sub64(uint64(a.Hi), uint64(b.Hi), borrow)
	diff = types.Dec{Lo: lo, Hi: int64(hi)}
	return diff, (a.Hi^b.Hi)&(a.Hi^diff.Hi) >= 0
}

// DecSum adds values of the scales as and bs (subtracts with minus) into scale
// s, rounding half up; ok is false beyond 38 digits.
func DecSum(a types.Dec, as int, b types.Dec, bs int, s int, minus bool) (types.Dec, bool) {
	if minus {
		b = DecNeg(b)
	}
	if x, ok := DecRescaleUp(a, s-as); ok {
		if y, ok := DecRescaleUp(b, s-bs); ok {
			sum, ok := DecAdd(x, y)
			return sum, ok && DecFits(sum, 38)
		}
	}
	m := max(as, bs)
	an, am := magnitude(a)
	bn, bm := magnitude(b)
	aw, _ := am.wide().scaleUp(m - as)
	bw, _ := bm.wide().scaleUp(m - bs)
	neg := an
	switch {
	case an == bn:
		aw, _ = aw.add(bw)
	case aw.cmp(bw) >= 0:
		aw = aw.sub(bw)
	default:
		aw, neg = bw.sub(aw), bn
	}
	if s < m {
		aw = aw.scaleDown(m - s)
	} else {
		var ok bool
		if aw, ok = aw.scaleUp(s - m); !ok {
			return types.Dec{}, false
		}
	}
	r, ok := aw.narrow()
	return r.signed(neg), ok
}

// DecRescaleUp multiplies by 10^n; ok is false when n is negative or the
// product has more than 38 digits.
func DecRescaleUp(d types.Dec, n int) (types.Dec, bool) {
	if n == 0 {
		return d, true
	}
	if n < 0 {
		return d, false
	}
	if v, ok := d.Small(); ok && n <= 18 {
		p := int64(pow10[n].lo)
		if hi, lo := mulSigned(v, p); hi == int64(lo)>>63 {
			return types.Dec{Lo: lo, Hi: hi}, true
		}
	}
	if n > 38 {
		return types.Dec{}, DecSign(d) == 0
	}
	neg, m := magnitude(d)
	r, ok := m.mul(pow10[n]).narrow()
	return r.signed(neg), ok
}

// mulSigned is the 128-bit product of two signed words.
func mulSigned(a, b int64) (hi int64, lo uint64) {
	h, l := bits.Mul64(uint64(a), uint64(b))
	h -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	return int64(h), l
}

// DecRescale moves a value from one scale to another, rounding half up where
// digits go; ok is false beyond 38 digits.
func DecRescale(d types.Dec, from, to int) (types.Dec, bool) {
	if to >= from {
		return DecRescaleUp(d, to-from)
	}
	n := from - to
	if v, ok := d.Small(); ok {
		if n > 18 {
			if n == 19 {
				// Half of 10^19 is within a word, so it can still round to 1.
				const half = 5_000_000_000_000_000_000
				if v >= half {
					return types.DecOf(1), true
				}
				if v <= -half {
					return types.DecOf(-1), true
				}
			}
			return types.Dec{}, true
		}
		return types.DecOf(divHalfUp(v, int64(pow10[n].lo))), true
	}
	neg, m := magnitude(d)
	r, ok := m.wide().scaleDown(n).narrow()
	return r.signed(neg), ok
}

// divHalfUp divides by a positive number, rounding half away from zero.
func divHalfUp(v, d int64) int64 {
	q, r := v/d, v%d
	if r < 0 {
		if -r >= d-(-r) {
			q--
		}
	} else if r >= d-r {
		q++
	}
	return q
}

// DecTruncate moves to a smaller scale, dropping digits (toward zero).
func DecTruncate(d types.Dec, from, to int) types.Dec {
	if to >= from {
		return d
	}
	neg, m := magnitude(d)
	if from-to > 38 {
		return types.Dec{}
	}
	q, _ := m.wide().divRem(pow10[from-to].wide())
	return u128{q[1], q[0]}.signed(neg)
}

// DecMul multiplies and rounds the last drop digits of the product off; ok is
// false beyond 38 digits.
func DecMul(a, b types.Dec, drop int) (types.Dec, bool) {
	x, okx := a.Small()
	y, oky := b.Small()
	if okx && oky {
		hi, lo := mulSigned(x, y)
		p := types.Dec{Lo: lo, Hi: hi}
		if drop == 0 {
			return p, DecFits(p, 38)
		}
		if v, ok := p.Small(); ok && drop <= 18 {
			return types.DecOf(divHalfUp(v, int64(pow10[drop].lo))), true
		}
	}
	an, am := magnitude(a)
	bn, bm := magnitude(b)
	w := am.mul(bm)
	if drop > 0 {
		w = w.scaleDown(drop)
	}
	r, ok := w.narrow()
	return r.signed(an != bn), ok
}

// DecDiv divides values of the scales as and bs into scale s, rounding half
// up; b must not be zero, ok is false beyond 38 digits.
func DecDiv(a types.Dec, as int, b types.Dec, bs int, s int) (types.Dec, bool) {
	an, am := magnitude(a)
	bn, bm := magnitude(b)
	n := s - as + bs
	num, den := am.wide(), bm.wide()
	var ok bool
	if n >= 0 {
		// 10^76 is below 2^256: what does not fit has too many digits anyway.
		if num, ok = num.scaleUp(n); !ok {
			return types.Dec{}, false
		}
	} else if den, ok = den.scaleUp(-n); !ok {
		return types.Dec{}, true
	}
	r, ok := num.divRound(den).narrow()
	return r.signed(an != bn), ok
}

// DecRem is the remainder of values of the scales as and bs in scale s, with
// the sign of a; b must not be zero.
func DecRem(a types.Dec, as int, b types.Dec, bs int, s int) (types.Dec, bool) {
	an, am := magnitude(a)
	_, bm := magnitude(b)
	m := max(as, bs)
	aw, _ := am.wide().scaleUp(m - as)
	bw, _ := bm.wide().scaleUp(m - bs)
	_, r := aw.divRem(bw)
	var ok bool
	if s < m {
		r = r.scaleDown(m - s)
	} else if r, ok = r.scaleUp(s - m); !ok {
		return types.Dec{}, false
	}
	q, ok := r.narrow()
	return q.signed(an), ok
}

// DecFloor and DecCeil round to a whole number, still in unscaled form.
func DecFloor(d types.Dec, scale int) types.Dec {
	t := DecTruncate(d, scale, 0)
	if d.Hi < 0 {
		if back, _ := DecRescaleUp(t, scale); back != d {
			t, _ = DecSub(t, types.DecOf(1))
		}
	}
	return t
}

// DecCeil rounds up to a whole number.
func DecCeil(d types.Dec, scale int) types.Dec { return DecNeg(DecFloor(DecNeg(d), scale)) }

// DecToInt64 cuts the fraction off and keeps the low 64 bits, as Java's
// BigDecimal.longValue does.
func DecToInt64(d types.Dec, scale int) int64 {
	if v, ok := d.Small(); ok && scale <= 18 {
		return v / int64(pow10[scale].lo)
	}
	return int64(DecTruncate(d, scale, 0).Lo)
}

// DecToFloat64 is the nearest double. Flink divides unscaled longs by a power
// of ten up to 18 digits of precision, which is the same number: both operands
// are exact there or differ by the rounding that Java does too.
func DecToFloat64(d types.Dec, scale, precision int) float64 {
	if v, ok := d.Small(); ok && precision <= 18 {
		return float64(v) / float64(pow10[scale].lo)
	}
	var buf [64]byte
	f, _ := ParseDouble(AppendDec(buf[:0], d, scale))
	return f
}

// DecFromFloat64 reads the shortest decimal text of f (Java's
// BigDecimal.valueOf) into the type; ok is false for too many digits and for
// NaN and infinities.
func DecFromFloat64(f float64, precision, scale int) (types.Dec, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return types.Dec{}, false
	}
	var buf [32]byte
	d, err := ParseDec(AppendDouble(buf[:0], f), precision, scale)
	return d, err == nil
}
