package row

import "fsql/types"

// Same compares value i of v with value j of w, a column of the same type, as
// Flink compares an old result with a new one: NULL is the same as NULL; numbers
// are compared by ==, so that NaN always is a change and 0.0 to -0.0 never is
// (asked of Flink 2.3.0). As keys of groups they are told apart by their bytes:
// Keys.
func Same(v *Vec, i int, w *Vec, j int) bool {
	if v.IsNull(i) || w.IsNull(j) {
		return v.IsNull(i) && w.IsNull(j)
	}
	switch v.Type.Layout() {
	case types.LayoutBool:
		return v.Bool[i] == w.Bool[j]
	case types.LayoutI32:
		return v.I32[i] == w.I32[j]
	case types.LayoutI64:
		return v.I64[i] == w.I64[j]
	case types.LayoutF32:
		return v.F32[i] == w.F32[j]
	case types.LayoutF64:
		return v.F64[i] == w.F64[j]
	case types.LayoutDec:
		return v.Dec[i] == w.Dec[j]
	case types.LayoutNano:
		return v.I64[i] == w.I64[j] && v.Nano[i] == w.Nano[j]
	case types.LayoutStr:
		return v.Str[i] == w.Str[j]
	case types.LayoutRow:
		for k := range v.Kids {
			if !Same(v.Kids[k], i, w.Kids[k], j) {
				return false
			}
		}
		return true
	}
	return v.Size[i] == w.Size[j] && sameEntries(v, int(v.Off[i]), w, int(w.Off[j]), int(v.Size[i]))
}

// sameEntries compares n elements or entries of two collections, which begin at
// a and b. Those of a map may stand in any order; its keys are unique, and
// mostly the orders are the same.
func sameEntries(v *Vec, a int, w *Vec, b, n int) bool {
	for e := 0; e < n; e++ {
		f := b + e
		if len(v.Kids) == 2 {
			for d := 0; !Same(v.Kids[0], a+e, w.Kids[0], f); f = b + (e+d)%n {
				if d++; d == n {
					return false
				}
			}
			if !Same(v.Kids[1], a+e, w.Kids[1], f) {
				return false
			}
		} else if !Same(v.Kids[0], a+e, w.Kids[0], f) {
			return false
		}
	}
	return true
}
