package value

import (
	"math"
	"math/bits"
)

// freeFormat generates digits by the free-format algorithm of Steele and White
// ("How to print floating-point numbers accurately", 1990) in exact integers:
// digit after digit of f until what is left is below half the distance to the
// next number, or within it of the next digit. f is r / s; m is half the
// distance in the same scale. Java computes some FLOATs near 5E25 with words that
// overflow and then rounds the last digit down; that is not copied.
func freeFormat(buf []byte, f float64, size int) (digits []byte, exp int) {
	mantissa, e := decompose(f, size)
	width := bits.Len64(mantissa)
	var r, s, m natural
	r.setUint(mantissa)
	s.setUint(1)
	m.setUint(1)
	// Everything doubled, so that half a unit is whole.
	shift := 1
	if mantissa&(mantissa-1) == 0 {
		shift = 2 // a power of two: the number below is only half as far away
	}
	r.shl(uint(shift))
	s.shl(uint(shift))
	if e >= 0 {
		r.shl(uint(e))
		m.shl(uint(e))
	} else {
		s.shl(uint(-e))
	}
	// The exponent by Gay's approximation of the logarithm around 1.5: exact or
	// too high by one, which shows as a leading zero.
	lead := float64(mantissa) / float64(uint64(1)<<uint(width-1))
	exp = int(math.Floor((lead-1.5)*0.289529654602168 + 0.1760912590558 + float64(width-1+e)*0.301029995663981))
	if exp >= 0 {
		s.mulPow10(exp)
	} else {
		r.mulPow10(-exp)
		m.mulPow10(-exp)
	}
	// Java gives the exponential form at least two digits, and counts the
	// leading zero of a wrong estimate as one.
	atLeast := 1
	if exp < -3 || exp >= 7 {
		atLeast = 2
	}
	if r.cmp(&s) < 0 {
		exp--
		r.mul(10)
		m.mul(10)
		atLeast = 1
	}
	for {
		d := r.divSmall(&s)
		digits = append(buf, byte('0'+d))
		buf = digits
		low := r.cmp(&m) < 0
		high := r.cmpSum(&m, &s) > 0
		if (low || high) && len(digits) >= atLeast {
			up := high
			if low && high {
				// Both fit: the nearer one, the even digit half way.
				c := r.cmpSum(&r, &s)
				up = c > 0 || c == 0 && d&1 == 1
			}
			if up {
				return roundUp(digits, exp)
			}
			return trimZeros(digits), exp
		}
		r.mul(10)
		m.mul(10)
	}
}

// roundUp adds one to the last digit.
func roundUp(digits []byte, exp int) ([]byte, int) {
	i := len(digits) - 1
	for i >= 0 && digits[i] == '9' {
		i--
	}
	if i < 0 {
		digits[0] = '1'
		return digits[:1], exp + 1
	}
	digits[i]++
	return trimZeros(digits[:i+1]), exp
}

// decompose returns f = mantissa * 2^e with the full width of the type.
func decompose(f float64, size int) (mantissa uint64, e int) {
	if size == 32 {
		b := math.Float32bits(float32(f))
		mantissa, e = uint64(b&(1<<23-1)), int(b>>23&0xff)
		if e == 0 {
			return mantissa, -149
		}
		return mantissa | 1<<23, e - 150
	}
	b := math.Float64bits(f)
	mantissa, e = b&(1<<52-1), int(b>>52&0x7ff)
	if e == 0 {
		return mantissa, -1074
	}
	return mantissa | 1<<52, e - 1075
}

// natural is a natural number of up to 1,216 bits, enough for the terms of every
// double; least significant word first. It lives on the stack.
type natural struct {
	w [38]uint32
	n int
}

func (b *natural) setUint(v uint64) {
	b.w[0], b.w[1] = uint32(v), uint32(v>>32)
	b.n = 2
	b.trim()
}

func (b *natural) trim() {
	for b.n > 0 && b.w[b.n-1] == 0 {
		b.n--
	}
}

func (b *natural) mul(k uint32) {
	var carry uint64
	for i := 0; i < b.n; i++ {
		carry += uint64(b.w[i]) * uint64(k)
		b.w[i] = uint32(carry)
		carry >>= 32
	}
	if carry != 0 {
		b.w[b.n] = uint32(carry)
		b.n++
	}
}

func (b *natural) mulPow10(n int) {
	for ; n >= 9; n -= 9 {
		b.mul(1e9)
	}
	b.mul(uint32(pow10[n].lo))
}

func (b *natural) shl(s uint) {
	words, s := int(s/32), s%32
	if b.n == 0 {
		return
	}
	b.w[b.n] = 0
	for i := b.n; i >= 0; i-- {
		v := b.w[i] << s
		if i > 0 && s > 0 {
			v |= b.w[i-1] >> (32 - s)
		}
		b.w[i+words] = v
	}
	for i := 0; i < words; i++ {
		b.w[i] = 0
	}
	b.n += words + 1
	b.trim()
}

func (b *natural) cmp(c *natural) int {
	if b.n != c.n {
		if b.n < c.n {
			return -1
		}
		return 1
	}
	for i := b.n - 1; i >= 0; i-- {
		if b.w[i] != c.w[i] {
			if b.w[i] < c.w[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// cmpSum compares b + x with y.
func (b *natural) cmpSum(x, y *natural) int {
	var sum natural
	n := max(b.n, x.n)
	var carry uint64
	for i := 0; i < n; i++ {
		carry += uint64(b.w[i]) + uint64(x.w[i])
		sum.w[i] = uint32(carry)
		carry >>= 32
	}
	sum.n = n
	if carry != 0 {
		sum.w[n] = uint32(carry)
		sum.n++
	}
	sum.trim()
	return sum.cmp(y)
}

// divSmall divides b by d, whose quotient is a digit, and leaves the rest.
func (b *natural) divSmall(d *natural) int {
	q := 0
	for b.cmp(d) >= 0 {
		var borrow int64
		for i := 0; i < b.n; i++ {
			v := int64(b.w[i]) - int64(d.w[i]) + borrow
			b.w[i] = uint32(v)
			borrow = v >> 32
		}
		b.trim()
		q++
	}
	return q
}
