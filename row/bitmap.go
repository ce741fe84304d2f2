package row

import "math/bits"

// Bitmap is a validity bitmap, one bit per value, least significant first: the
// memory layout of Arrow on little-endian machines. A nil Bitmap means that
// every value is valid, the common case, which costs nothing.
type Bitmap []uint64

// NewBitmap returns a bitmap for n values, all valid (set).
func NewBitmap(n int) Bitmap {
	b := make(Bitmap, (n+63)/64)
	for i := range b {
		b[i] = ^uint64(0)
	}
	return b
}

// Valid tells whether value i is not NULL.
func (b Bitmap) Valid(i int) bool { return b == nil || b[i>>6]&(1<<(uint(i)&63)) != 0 }

// Clear marks value i as NULL. The bitmap must not be nil.
func (b Bitmap) Clear(i int) { b[i>>6] &^= 1 << (uint(i) & 63) }

// Set marks value i as valid. The bitmap must not be nil.
func (b Bitmap) Set(i int) { b[i>>6] |= 1 << (uint(i) & 63) }

// Nulls counts the NULLs among the first n values.
func (b Bitmap) Nulls(n int) int {
	if b == nil {
		return 0
	}
	valid := 0
	for i := 0; i < n>>6; i++ {
		valid += bits.OnesCount64(b[i])
	}
	if r := uint(n) & 63; r != 0 {
		valid += bits.OnesCount64(b[n>>6] & (1<<r - 1))
	}
	return n - valid
}

// And returns the values valid in both a and b, over n values; it may return
// one of its arguments.
func And(a, b Bitmap, n int) Bitmap {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := make(Bitmap, (n+63)/64)
	for i := range out {
		out[i] = a[i] & b[i]
	}
	return out
}
