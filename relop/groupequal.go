package relop

import (
	"fsql/row"
	"fsql/types"
)

// pair is an update: the places of its old and its new result.
type pair struct{ old, new, act int32 }

// equalPairs keeps, in place, the pairs whose values in v are the same (row.Same).
func equalPairs(v *row.Vec, pairs []pair) []pair {
	switch v.Type.Layout() {
	case types.LayoutBool:
		return equalIn(v.Bool, v.Valid, pairs)
	case types.LayoutI32:
		return equalIn(v.I32, v.Valid, pairs)
	case types.LayoutI64:
		return equalIn(v.I64, v.Valid, pairs)
	case types.LayoutF32:
		return equalIn(v.F32, v.Valid, pairs)
	case types.LayoutF64:
		return equalIn(v.F64, v.Valid, pairs)
	case types.LayoutDec:
		return equalIn(v.Dec, v.Valid, pairs)
	case types.LayoutNano:
		return equalIn(v.Nano, v.Valid, equalIn(v.I64, v.Valid, pairs))
	case types.LayoutStr:
		return equalIn(v.Str, v.Valid, pairs)
	}
	kept := pairs[:0]
	for _, p := range pairs {
		if row.Same(v, int(p.old), v, int(p.new)) {
			kept = append(kept, p)
		}
	}
	return kept
}

func equalIn[T comparable](vals []T, valid row.Bitmap, pairs []pair) []pair {
	kept := pairs[:0]
	if valid == nil {
		for _, p := range pairs {
			if vals[p.old] == vals[p.new] {
				kept = append(kept, p)
			}
		}
		return kept
	}
	for _, p := range pairs {
		was, is := valid.Valid(int(p.old)), valid.Valid(int(p.new))
		if was == is && (!is || vals[p.old] == vals[p.new]) {
			kept = append(kept, p)
		}
	}
	return kept
}
