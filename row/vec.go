package row

import "fsql/types"

// Vec is one column as Go slices. Exactly the slices of its layout
// (types.Type.Layout) are used, each of length Len:
//
//	LayoutBool  Bool      LayoutF32  F32     LayoutStr   Str
//	LayoutI32   I32       LayoutF64  F64     LayoutList  Off, Size, Kids (1; MAP 2; MULTISET elem and I32 count)
//	LayoutI64   I64       LayoutDec  Dec     LayoutRow   Kids (one per field, each of length Len)
//	LayoutNano  I64 (milliseconds) and Nano (nanoseconds within it, 0..999999)
//
// Units: DATE days since 1970; TIME milliseconds of the day; TIMESTAMP and
// TIMESTAMP_LTZ up to 6 digits microseconds since 1970; intervals whole months
// or milliseconds. What a NULL's slot holds is undefined.
//
// Ownership: a Vec inside a Batch is immutable and shared freely; the garbage
// collector owns its memory (docs/adr/0001). Strings and list views may point
// into memory shared with other Vecs: nobody may write through them.
type Vec struct {
	Type  types.Type
	Len   int
	Valid Bitmap

	Bool []bool
	I32  []int32
	I64  []int64
	F32  []float32
	F64  []float64
	Dec  []types.Dec
	Nano []int32
	Str  []string
	Off  []int32
	Size []int32
	Kids []*Vec
}

// NewVec returns a column of n zero values, all valid, of layout t.
func NewVec(t types.Type, n int) *Vec {
	v := &Vec{}
	v.Reset(t, n)
	return v
}

// Reset makes v a column of n values of type t, all valid, reusing its memory
// where it is large enough. The values are undefined. Only the owner of a Vec
// that never left its operator may call it.
func (v *Vec) Reset(t types.Type, n int) {
	v.Type, v.Len, v.Valid = t, n, nil
	switch t.Layout() {
	case types.LayoutBool:
		v.Bool = sized(v.Bool, n)
	case types.LayoutI32:
		v.I32 = sized(v.I32, n)
	case types.LayoutI64:
		v.I64 = sized(v.I64, n)
	case types.LayoutF32:
		v.F32 = sized(v.F32, n)
	case types.LayoutF64:
		v.F64 = sized(v.F64, n)
	case types.LayoutDec:
		v.Dec = sized(v.Dec, n)
	case types.LayoutNano:
		v.I64, v.Nano = sized(v.I64, n), sized(v.Nano, n)
	case types.LayoutStr:
		v.Str = sized(v.Str, n)
	case types.LayoutList:
		v.Off, v.Size = sized(v.Off, n), sized(v.Size, n)
		v.Kids = kids(t)
		for i := range v.Off {
			v.Off[i], v.Size[i] = 0, 0
		}
	case types.LayoutRow:
		v.Kids = v.Kids[:0:0]
		for _, f := range t.Fields {
			v.Kids = append(v.Kids, NewVec(f.Type, n))
		}
	}
}

// kids returns empty child columns for a list layout.
func kids(t types.Type) []*Vec {
	switch t.Kind {
	case types.Map:
		return []*Vec{NewVec(t.Elem(), 0), NewVec(t.Value(), 0)}
	case types.Multiset:
		return []*Vec{NewVec(t.Elem(), 0), NewVec(types.Of(types.Int).NotNull(), 0)}
	}
	return []*Vec{NewVec(t.Elem(), 0)}
}

func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// IsNull tells whether value i is NULL.
func (v *Vec) IsNull(i int) bool { return !v.Valid.Valid(i) }

// SetNull marks value i as NULL.
func (v *Vec) SetNull(i int) {
	if v.Valid == nil {
		v.Valid = NewBitmap(v.Len)
	}
	v.Valid.Clear(i)
}

// AllNull returns a column of n NULLs.
func AllNull(t types.Type, n int) *Vec {
	v := NewVec(t, n)
	v.Valid = make(Bitmap, (n+63)/64)
	return v
}

// Slice returns the values [from, to) sharing memory with v, but the validity
// bits, which are copied when from is not a multiple of 64.
func (v *Vec) Slice(from, to int) *Vec {
	if from == 0 && to == v.Len {
		return v
	}
	w := &Vec{Type: v.Type, Len: to - from, Valid: v.Valid.slice(from, to)}
	switch v.Type.Layout() {
	case types.LayoutBool:
		w.Bool = v.Bool[from:to]
	case types.LayoutI32:
		w.I32 = v.I32[from:to]
	case types.LayoutI64:
		w.I64 = v.I64[from:to]
	case types.LayoutF32:
		w.F32 = v.F32[from:to]
	case types.LayoutF64:
		w.F64 = v.F64[from:to]
	case types.LayoutDec:
		w.Dec = v.Dec[from:to]
	case types.LayoutNano:
		w.I64, w.Nano = v.I64[from:to], v.Nano[from:to]
	case types.LayoutStr:
		w.Str = v.Str[from:to]
	case types.LayoutList:
		w.Off, w.Size, w.Kids = v.Off[from:to], v.Size[from:to], v.Kids
	case types.LayoutRow:
		for _, k := range v.Kids {
			w.Kids = append(w.Kids, k.Slice(from, to))
		}
	}
	return w
}

func (b Bitmap) slice(from, to int) Bitmap {
	if b == nil {
		return nil
	}
	n := (to - from + 63) / 64
	if from&63 == 0 {
		return b[from>>6 : from>>6+n]
	}
	out := make(Bitmap, n)
	shift := uint(from) & 63
	for i := range out {
		out[i] = b[from>>6+i] >> shift
		if j := from>>6 + i + 1; j < len(b) {
			out[i] |= b[j] << (64 - shift)
		}
	}
	return out
}
