package types

// Dec is the unscaled 128-bit two's complement value of a DECIMAL; the scale
// is the column's. The word order is that of Arrow's decimal128.
type Dec struct {
	Lo uint64
	Hi int64
}

// DecOf widens an unscaled 64-bit value.
func DecOf(v int64) Dec { return Dec{Lo: uint64(v), Hi: v >> 63} }

// Small reports the value as int64 when it fits: the fast path of kernels.
func (d Dec) Small() (int64, bool) {
	v := int64(d.Lo)
	return v, d.Hi == v>>63
}
