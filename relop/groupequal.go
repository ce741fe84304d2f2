package relop

import (
	"fsql/row"
	"fsql/types"
)

// pair is an update: the places of its old and its new result.
type pair struct{ old, new, act int32 }

// equalPairs keeps, in place, the pairs whose values in v are equal as Flink
// compares the results of an aggregation: NULL equals NULL; numbers are
// compared by ==, so that NaN always is a change and 0.0 to -0.0 never is
// (asked of Flink 2.3.0).
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
		if equal(v, int(p.old), int(p.new)) {
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

// equal compares two values of one column, for nested types.
func equal(v *row.Vec, i, j int) bool {
	if v.IsNull(i) || v.IsNull(j) {
		return v.IsNull(i) && v.IsNull(j)
	}
	switch v.Type.Layout() {
	case types.LayoutBool:
		return v.Bool[i] == v.Bool[j]
	case types.LayoutI32:
		return v.I32[i] == v.I32[j]
	case types.LayoutI64:
		return v.I64[i] == v.I64[j]
	case types.LayoutF32:
		return v.F32[i] == v.F32[j]
	case types.LayoutF64:
		return v.F64[i] == v.F64[j]
	case types.LayoutDec:
		return v.Dec[i] == v.Dec[j]
	case types.LayoutNano:
		return v.I64[i] == v.I64[j] && v.Nano[i] == v.Nano[j]
	case types.LayoutStr:
		return v.Str[i] == v.Str[j]
	case types.LayoutRow:
		for _, k := range v.Kids {
			if !equal(k, i, j) {
				return false
			}
		}
		return true
	}
	n := int(v.Size[i])
	if n != int(v.Size[j]) {
		return false
	}
	a, b := int(v.Off[i]), int(v.Off[j])
	if len(v.Kids) == 2 {
		return equalMaps(v.Kids[0], v.Kids[1], a, b, n)
	}
	for e := 0; e < n; e++ {
		if !equal(v.Kids[0], a+e, b+e) {
			return false
		}
	}
	return true
}

// equalMaps compares two maps of n entries, which begin at a and b, in whatever
// order the entries are. Keys are unique. Entries mostly are in the same order.
func equalMaps(keys, vals *row.Vec, a, b, n int) bool {
	for e := 0; e < n; e++ {
		at := -1
		for d := 0; d < n && at < 0; d++ {
			if f := b + (e+d)%n; equal(keys, a+e, f) {
				at = f
			}
		}
		if at < 0 || !equal(vals, a+e, at) {
			return false
		}
	}
	return true
}
