package row

import "fsql/types"

// Reserve makes room for n more values, so that a column filled value by value
// does not grow step by step. It changes neither length nor values; only the
// owner of the column may call it.
func (v *Vec) Reserve(n int) {
	switch v.Type.Layout() {
	case types.LayoutBool:
		v.Bool = reserve(v.Bool, v.Len, n)
	case types.LayoutI32:
		v.I32 = reserve(v.I32, v.Len, n)
	case types.LayoutI64:
		v.I64 = reserve(v.I64, v.Len, n)
	case types.LayoutF32:
		v.F32 = reserve(v.F32, v.Len, n)
	case types.LayoutF64:
		v.F64 = reserve(v.F64, v.Len, n)
	case types.LayoutDec:
		v.Dec = reserve(v.Dec, v.Len, n)
	case types.LayoutNano:
		v.I64, v.Nano = reserve(v.I64, v.Len, n), reserve(v.Nano, v.Len, n)
	case types.LayoutStr:
		v.Str = reserve(v.Str, v.Len, n)
	case types.LayoutList:
		v.Off, v.Size = reserve(v.Off, v.Len, n), reserve(v.Size, v.Len, n)
	case types.LayoutRow:
		for _, k := range v.Kids {
			k.Reserve(n)
		}
	}
}

func reserve[T any](s []T, length, n int) []T {
	if cap(s)-length >= n {
		return s
	}
	grown := make([]T, length, length+n)
	copy(grown, s)
	return grown
}
