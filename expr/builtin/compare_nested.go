package builtin

import (
	"cmp"

	"fsql/expr"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// nestedKernel is = and <> of arrays, maps and rows. A row with a NULL field
// may leave = open; <> of rows counts NULL as a value (flink-sql 2.4).
func nestedKernel(r relation, t types.Type) expr.Kernel {
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, b := args[0], args[1]
		for i := range expr.Rows(sel, out.Len) {
			if t.Kind == types.Row && r == eq {
				open := false
				same := true
				for f := range a.Kids {
					if a.Kids[f].IsNull(int(i)) || b.Kids[f].IsNull(int(i)) {
						open = true
					} else if !sameValue(a.Kids[f], int(i), b.Kids[f], int(i)) {
						same = false
					}
				}
				if same && open {
					out.SetNull(int(i))
				}
				out.Bool[i] = same
				continue
			}
			out.Bool[i] = sameValue(a, int(i), b, int(i)) == (r == eq)
		}
		return nil
	}
}

// sameRow compares rows field by field, NULL equal to NULL.
func sameRow(a *row.Vec, i int, b *row.Vec, j int) bool {
	for f := range a.Kids {
		if !sameOrNull(a.Kids[f], i, b.Kids[f], j) {
			return false
		}
	}
	return true
}

func sameOrNull(a *row.Vec, i int, b *row.Vec, j int) bool {
	an, bn := a.IsNull(i), b.IsNull(j)
	if an || bn {
		return an && bn
	}
	return sameValue(a, i, b, j)
}

// sameValue compares two values that are not NULL. An array that holds a NULL
// equals none.
func sameValue(a *row.Vec, i int, b *row.Vec, j int) bool {
	switch a.Type.Kind {
	case types.Array:
		if a.Size[i] != b.Size[j] {
			return false
		}
		for k := 0; k < int(a.Size[i]); k++ {
			x, y := int(a.Off[i])+k, int(b.Off[j])+k
			if a.Kids[0].IsNull(x) || b.Kids[0].IsNull(y) || !sameValue(a.Kids[0], x, b.Kids[0], y) {
				return false
			}
		}
		return true
	case types.Map, types.Multiset:
		if a.Size[i] != b.Size[j] {
			return false
		}
		for k := 0; k < int(a.Size[i]); k++ {
			x := int(a.Off[i]) + k
			y := findKey(b, j, a.Kids[0], x)
			if y < 0 || !sameOrNull(a.Kids[1], x, b.Kids[1], y) {
				return false
			}
		}
		return true
	case types.Row:
		return sameRow(a, i, b, j)
	}
	return compareValue(a, i, b, j) == 0
}

// findKey is the position of a key in map j of m, or -1; of equal keys the
// last one counts.
func findKey(m *row.Vec, j int, keys *row.Vec, k int) int {
	for y := int(m.Off[j]+m.Size[j]) - 1; y >= int(m.Off[j]); y-- {
		if sameOrNull(m.Kids[0], y, keys, k) {
			return y
		}
	}
	return -1
}

// compareValue orders two values of one type that are not NULL. NaN is the
// largest number here, so that sorting has an order.
func compareValue(a *row.Vec, i int, b *row.Vec, j int) int {
	switch a.Type.Layout() {
	case types.LayoutBool:
		return number(a.Bool[i]) - number(b.Bool[j])
	case types.LayoutI32:
		return cmp.Compare(a.I32[i], b.I32[j])
	case types.LayoutI64:
		return cmp.Compare(a.I64[i], b.I64[j])
	case types.LayoutF32:
		return compareFloat(float64(a.F32[i]), float64(b.F32[j]))
	case types.LayoutF64:
		return compareFloat(a.F64[i], b.F64[j])
	case types.LayoutDec:
		return value.DecCompare(a.Dec[i], int(a.Type.Scale), b.Dec[j], int(b.Type.Scale))
	case types.LayoutNano:
		if c := cmp.Compare(a.I64[i], b.I64[j]); c != 0 {
			return c
		}
		return cmp.Compare(a.Nano[i], b.Nano[j])
	case types.LayoutStr:
		return cmp.Compare(a.Str[i], b.Str[j])
	case types.LayoutList:
		n := min(a.Size[i], b.Size[j])
		for k := int32(0); k < n; k++ {
			if c := compareOrNull(a.Kids[0], int(a.Off[i]+k), b.Kids[0], int(b.Off[j]+k)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.Size[i], b.Size[j])
	}
	for f := range a.Kids {
		if c := compareOrNull(a.Kids[f], i, b.Kids[f], j); c != 0 {
			return c
		}
	}
	return 0
}

func compareOrNull(a *row.Vec, i int, b *row.Vec, j int) int {
	an, bn := a.IsNull(i), b.IsNull(j)
	if an || bn {
		return number(bn) - number(an)
	}
	return compareValue(a, i, b, j)
}

func compareFloat(a, b float64) int {
	if a != a || b != b {
		return number(a != a) - number(b != b)
	}
	return cmp.Compare(a, b)
}
