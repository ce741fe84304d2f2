package row

import "fsql/types"

// Gather returns the values of v at the positions sel, in that order, as a
// dense column. Strings and list views share memory with v.
func (v *Vec) Gather(sel []int32) *Vec {
	w := &Vec{Type: v.Type, Len: len(sel)}
	switch v.Type.Layout() {
	case types.LayoutBool:
		w.Bool = gather(v.Bool, sel)
	case types.LayoutI32:
		w.I32 = gather(v.I32, sel)
	case types.LayoutI64:
		w.I64 = gather(v.I64, sel)
	case types.LayoutF32:
		w.F32 = gather(v.F32, sel)
	case types.LayoutF64:
		w.F64 = gather(v.F64, sel)
	case types.LayoutDec:
		w.Dec = gather(v.Dec, sel)
	case types.LayoutNano:
		w.I64, w.Nano = gather(v.I64, sel), gather(v.Nano, sel)
	case types.LayoutStr:
		w.Str = gather(v.Str, sel)
	case types.LayoutList:
		w.Off, w.Size, w.Kids = gather(v.Off, sel), gather(v.Size, sel), v.Kids
	case types.LayoutRow:
		for _, k := range v.Kids {
			w.Kids = append(w.Kids, k.Gather(sel))
		}
	}
	if v.Valid != nil {
		w.Valid = make(Bitmap, (len(sel)+63)/64)
		for i, s := range sel {
			if v.Valid.Valid(int(s)) {
				w.Valid.Set(i)
			}
		}
	}
	return w
}

// GatherOrNull is Gather that gives NULL for negative positions.
func (v *Vec) GatherOrNull(at []int32) *Vec {
	first := -1
	for i, a := range at {
		if a < 0 {
			first = i
			break
		}
	}
	if first < 0 {
		return v.Gather(at)
	}
	if v.Len == 0 {
		return AllNull(v.Type, len(at))
	}
	some := make([]int32, len(at))
	copy(some, at[:first])
	for i := first; i < len(at); i++ {
		some[i] = max(at[i], 0)
	}
	w := v.Gather(some)
	for i := first; i < len(at); i++ {
		if at[i] < 0 {
			w.SetNull(i)
		}
	}
	return w
}

func gather[T any](src []T, sel []int32) []T {
	out := make([]T, len(sel))
	for i, s := range sel {
		out[i] = src[s]
	}
	return out
}

// Copy sets value i of v (which its caller owns) to value j of src, of the
// same layout. It is for rare, row-wise paths.
func (v *Vec) Copy(i int, src *Vec, j int) {
	if src.IsNull(j) {
		v.SetNull(i)
		return
	}
	if v.Valid != nil {
		v.Valid.Set(i)
	}
	switch v.Type.Layout() {
	case types.LayoutBool:
		v.Bool[i] = src.Bool[j]
	case types.LayoutI32:
		v.I32[i] = src.I32[j]
	case types.LayoutI64:
		v.I64[i] = src.I64[j]
	case types.LayoutF32:
		v.F32[i] = src.F32[j]
	case types.LayoutF64:
		v.F64[i] = src.F64[j]
	case types.LayoutDec:
		v.Dec[i] = src.Dec[j]
	case types.LayoutNano:
		v.I64[i], v.Nano[i] = src.I64[j], src.Nano[j]
	case types.LayoutStr:
		v.Str[i] = src.Str[j]
	case types.LayoutList:
		v.Off[i], v.Size[i] = int32(v.Kids[0].Len), src.Size[j]
		for k := range v.Kids {
			v.Kids[k].AppendRange(src.Kids[k], int(src.Off[j]), int(src.Off[j]+src.Size[j]))
		}
	case types.LayoutRow:
		for k := range v.Kids {
			v.Kids[k].Copy(i, src.Kids[k], j)
		}
	}
}

// AppendRange appends the values [from, to) of src, of the same layout, to v,
// which its caller owns.
func (v *Vec) AppendRange(src *Vec, from, to int) {
	n := to - from
	if n <= 0 {
		return
	}
	old := v.Len
	v.grow(n)
	switch v.Type.Layout() {
	case types.LayoutBool:
		copy(v.Bool[old:], src.Bool[from:to])
	case types.LayoutI32:
		copy(v.I32[old:], src.I32[from:to])
	case types.LayoutI64:
		copy(v.I64[old:], src.I64[from:to])
	case types.LayoutF32:
		copy(v.F32[old:], src.F32[from:to])
	case types.LayoutF64:
		copy(v.F64[old:], src.F64[from:to])
	case types.LayoutDec:
		copy(v.Dec[old:], src.Dec[from:to])
	case types.LayoutNano:
		copy(v.I64[old:], src.I64[from:to])
		copy(v.Nano[old:], src.Nano[from:to])
	case types.LayoutStr:
		copy(v.Str[old:], src.Str[from:to])
	case types.LayoutList:
		for r := 0; r < n; r++ {
			v.Off[old+r], v.Size[old+r] = int32(v.Kids[0].Len), src.Size[from+r]
			for k := range v.Kids {
				o := int(src.Off[from+r])
				v.Kids[k].AppendRange(src.Kids[k], o, o+int(src.Size[from+r]))
			}
		}
	case types.LayoutRow:
		for k := range v.Kids {
			v.Kids[k].AppendRange(src.Kids[k], from, to)
		}
	}
	if src.Valid != nil {
		for r := 0; r < n; r++ {
			if src.IsNull(from + r) {
				v.SetNull(old + r)
			}
		}
	}
}

// AppendGather appends the values of src at the positions sel to v, which its
// caller owns.
func (v *Vec) AppendGather(src *Vec, sel []int32) {
	old := v.Len
	switch v.Type.Layout() {
	case types.LayoutList, types.LayoutRow:
		g := src.Gather(sel)
		v.AppendRange(g, 0, g.Len)
		return
	}
	v.grow(len(sel))
	switch v.Type.Layout() {
	case types.LayoutBool:
		into(v.Bool[old:], src.Bool, sel)
	case types.LayoutI32:
		into(v.I32[old:], src.I32, sel)
	case types.LayoutI64:
		into(v.I64[old:], src.I64, sel)
	case types.LayoutF32:
		into(v.F32[old:], src.F32, sel)
	case types.LayoutF64:
		into(v.F64[old:], src.F64, sel)
	case types.LayoutDec:
		into(v.Dec[old:], src.Dec, sel)
	case types.LayoutNano:
		into(v.I64[old:], src.I64, sel)
		into(v.Nano[old:], src.Nano, sel)
	case types.LayoutStr:
		into(v.Str[old:], src.Str, sel)
	}
	if src.Valid != nil {
		for i, s := range sel {
			if src.IsNull(int(s)) {
				v.SetNull(old + i)
			}
		}
	}
}

func into[T any](dst, src []T, sel []int32) {
	for i, s := range sel {
		dst[i] = src[s]
	}
}

// AppendNull appends n NULLs to v, which its caller owns.
func (v *Vec) AppendNull(n int) {
	old := v.Len
	v.grow(n)
	if v.Type.Layout() == types.LayoutRow {
		for _, k := range v.Kids {
			k.AppendNull(n)
		}
	}
	for i := old; i < v.Len; i++ {
		v.SetNull(i)
	}
}

// grow adds n valid values of undefined content.
func (v *Vec) grow(n int) {
	old := v.Len
	v.Len += n
	switch v.Type.Layout() {
	case types.LayoutBool:
		v.Bool = extend(v.Bool, old, n)
	case types.LayoutI32:
		v.I32 = extend(v.I32, old, n)
	case types.LayoutI64:
		v.I64 = extend(v.I64, old, n)
	case types.LayoutF32:
		v.F32 = extend(v.F32, old, n)
	case types.LayoutF64:
		v.F64 = extend(v.F64, old, n)
	case types.LayoutDec:
		v.Dec = extend(v.Dec, old, n)
	case types.LayoutNano:
		v.I64, v.Nano = extend(v.I64, old, n), extend(v.Nano, old, n)
	case types.LayoutStr:
		v.Str = extend(v.Str, old, n)
	case types.LayoutList:
		v.Off, v.Size = extend(v.Off, old, n), extend(v.Size, old, n)
		for i := old; i < v.Len; i++ {
			v.Off[i], v.Size[i] = int32(v.Kids[0].Len), 0
		}
	}
	if v.Valid != nil {
		for len(v.Valid) < (v.Len+63)/64 {
			v.Valid = append(v.Valid, 0)
		}
		for i := old; i < v.Len; i++ {
			v.Valid.Set(i)
		}
	}
	// The kids of a LayoutRow column grow with their own appends.
}

func extend[T any](s []T, old, n int) []T {
	s = s[:old]
	if cap(s)-old < n {
		grown := make([]T, old, max(2*cap(s), old+n, 16))
		copy(grown, s)
		s = grown
	}
	return s[:old+n]
}
