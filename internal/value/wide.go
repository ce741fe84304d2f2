package value

import (
	"math/bits"

	"fsql/types"
)

// u128 is the magnitude of a DECIMAL, u256 that of a product or of a scaled
// dividend before it is rounded. Both hold the least significant word last in
// u128 (hi, lo) and first in u256, as the algorithms want them.
type u128 struct{ hi, lo uint64 }

type u256 [4]uint64

// magnitude splits a value into sign and size.
func magnitude(d types.Dec) (neg bool, m u128) {
	hi, lo := uint64(d.Hi), d.Lo
	if d.Hi < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
		return true, u128{hi, lo}
	}
	return false, u128{hi, lo}
}

// signed puts a magnitude below 2^127 under its sign.
func (m u128) signed(neg bool) types.Dec {
	if !neg {
		return types.Dec{Lo: m.lo, Hi: int64(m.hi)}
	}
	lo, borrow := bits.Sub64(0, m.lo, 0)
	hi, _ := bits.Sub64(0, m.hi, borrow)
	return types.Dec{Lo: lo, Hi: int64(hi)}
}

func (m u128) less(n u128) bool { return m.hi < n.hi || m.hi == n.hi && m.lo < n.lo }

func (m u128) wide() u256 { return u256{m.lo, m.hi} }

// mul is the full product.
func (m u128) mul(n u128) u256 {
	var w u256
	h00, l00 := bits.Mul64(m.lo, n.lo)
	h01, l01 := bits.Mul64(m.lo, n.hi)
	h10, l10 := bits.Mul64(m.hi, n.lo)
	h11, l11 := bits.Mul64(m.hi, n.hi)
	w[0] = l00
	s, c1 := bits.Add64(h00, l01, 0)
	s, c2 := bits.Add64(s, l10, 0)
	w[1] = s
	s, c3 := bits.Add64(h01, h10, 0)
	s, c4 := bits.Add64(s, l11, 0)
	s, c5 := bits.Add64(s, c1+c2, 0)
	w[2] = s
	w[3] = h11 + c3 + c4 + c5
	return w
}

// narrow returns the value as a magnitude if it has at most 38 digits.
func (w u256) narrow() (u128, bool) {
	m := u128{w[1], w[0]}
	return m, w[2] == 0 && w[3] == 0 && m.less(pow10[38])
}

func (w u256) cmp(v u256) int {
	for i := 3; i >= 0; i-- {
		if w[i] != v[i] {
			if w[i] < v[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

func (w u256) add(v u256) (u256, bool) {
	var c uint64
	for i := range w {
		w[i], c = bits.Add64(w[i], v[i], c)
	}
	return w, c == 0
}

// sub returns w - v for w >= v.
func (w u256) sub(v u256) u256 {
	var b uint64
	for i := range w {
		w[i], b = bits.Sub64(w[i], v[i], b)
	}
	return w
}

// mul128 returns w * m and whether it fits.
func (w u256) mul128(m u128) (u256, bool) {
	low := u128{w[1], w[0]}.mul(m)
	high := u128{w[3], w[2]}.mul(m)
	if high[2]|high[3] != 0 {
		return low, false
	}
	var c uint64
	low[2], c = bits.Add64(low[2], high[0], 0)
	low[3], c = bits.Add64(low[3], high[1], c)
	return low, c == 0
}

// scaleUp returns w * 10^n, n up to 76, and whether it fits.
func (w u256) scaleUp(n int) (u256, bool) {
	ok := true
	for n > 0 && ok {
		k := min(n, 38)
		w, ok = w.mul128(pow10[k])
		n -= k
	}
	return w, ok
}

// divRem is schoolbook long division by words (Knuth's algorithm D).
func (w u256) divRem(d u256) (q, r u256) {
	n := 4
	for n > 0 && d[n-1] == 0 {
		n--
	}
	if n == 1 {
		var rem uint64
		for i := 3; i >= 0; i-- {
			q[i], rem = bits.Div64(rem, w[i], d[0])
		}
		return q, u256{rem}
	}
	// Shift both so that the top word of the divisor has its high bit set.
	s := uint(bits.LeadingZeros64(d[n-1]))
	var v u256
	for i := n - 1; i > 0; i-- {
		v[i] = d[i]<<s | shr(d[i-1], 64-s)
	}
	v[0] = d[0] << s
	var u [5]uint64
	u[4] = shr(w[3], 64-s)
	for i := 3; i > 0; i-- {
		u[i] = w[i]<<s | shr(w[i-1], 64-s)
	}
	u[0] = w[0] << s
	for j := 4 - n; j >= 0; j-- {
		// Estimate the digit from the top words, then correct it.
		var qhat, rhat uint64
		over := false
		if u[j+n] >= v[n-1] {
			qhat = ^uint64(0)
			var c uint64
			rhat, c = bits.Add64(u[j+n-1], v[n-1], 0)
			over = c != 0
		} else {
			qhat, rhat = bits.Div64(u[j+n], u[j+n-1], v[n-1])
		}
		for !over {
			hi, lo := bits.Mul64(qhat, v[n-2])
			if hi < rhat || hi == rhat && lo <= u[j+n-2] {
				break
			}
			qhat--
			var c uint64
			rhat, c = bits.Add64(rhat, v[n-1], 0)
			over = c != 0
		}
		var borrow, carry uint64
		for i := 0; i < n; i++ {
			hi, lo := bits.Mul64(qhat, v[i])
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			carry = hi + c
			u[j+i], borrow = bits.Sub64(u[j+i], lo, borrow)
		}
		u[j+n], borrow = bits.Sub64(u[j+n], carry, borrow)
		if borrow != 0 {
			qhat--
			var c uint64
			for i := 0; i < n; i++ {
				u[j+i], c = bits.Add64(u[j+i], v[i], c)
			}
			u[j+n] += c
		}
		q[j] = qhat
	}
	for i := 0; i < n; i++ {
		r[i] = u[i]>>s | shl(u[i+1], 64-s)
	}
	return q, r
}

// shr and shl shift by up to 64 bits (Go shifts of 64 give 0, which is meant).
func shr(x uint64, n uint) uint64 { return x >> n }
func shl(x uint64, n uint) uint64 { return x << n }

// divRound divides and rounds half away from zero (HALF_UP).
func (w u256) divRound(d u256) u256 {
	q, r := w.divRem(d)
	if r.cmp(d.sub(r)) >= 0 {
		q, _ = q.add(u256{1})
	}
	return q
}

// scaleDown divides by 10^n, n up to 76, and rounds half up.
func (w u256) scaleDown(n int) u256 {
	if n <= 38 {
		return w.divRound(pow10[n].wide())
	}
	return w.divRound(pow10[38].mul(pow10[n-38]))
}
