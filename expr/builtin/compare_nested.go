package builtin

import (
	"cmp"

	"fsql/expr"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// nestedKernel is = and <> of arrays, maps and rows. Of two rows that are
// written out (ROW(..) = ROW(..)) Flink compares field by field, so that a NULL
// leaves = open, but not <>; elsewhere NULL is a value in rows. Of two arrays
// that are written out, and two constant maps, the bytes are compared, NULL
// with NULL too; of others one that holds a NULL equals none.
func nestedKernel(r relation, t types.Type, written bool) expr.Kernel {
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, b := args[0], args[1]
		for i := range expr.Rows(sel, out.Len) {
			var same bool
			switch {
			case written && t.Kind == types.Row && r == eq:
				var open bool
				if same, open = fieldsEqual(a, b, int(i)); same && open {
					out.SetNull(int(i))
				}
			case written && t.Kind == types.Array:
				same = sameElements(a, int(i), b, int(i))
			case written && t.Kind == types.Map:
				same = sameEntries(a, int(i), b, int(i), sameOrNull)
			default:
				same = sameValue(a, int(i), b, int(i))
			}
			out.Bool[i] = same == (r == eq)
		}
		return nil
	}
}

// fieldsEqual compares the fields of two rows that are not NULL; open tells
// whether one is.
func fieldsEqual(a, b *row.Vec, i int) (same, open bool) {
	same = true
	for f := range a.Kids {
		if a.Kids[f].IsNull(i) || b.Kids[f].IsNull(i) {
			open = true
		} else if !sameValue(a.Kids[f], i, b.Kids[f], i) {
			same = false
		}
	}
	return same, open
}

// sameElements compares arrays element by element, NULL equal to NULL.
func sameElements(a *row.Vec, i int, b *row.Vec, j int) bool {
	if a.Size[i] != b.Size[j] {
		return false
	}
	for k := range int(a.Size[i]) {
		if !sameOrNull(a.Kids[0], int(a.Off[i])+k, b.Kids[0], int(b.Off[j])+k) {
			return false
		}
	}
	return true
}

// sameEntries compares maps, their values by the given rule.
func sameEntries(a *row.Vec, i int, b *row.Vec, j int, same func(*row.Vec, int, *row.Vec, int) bool) bool {
	if a.Size[i] != b.Size[j] {
		return false
	}
	for k := range int(a.Size[i]) {
		x := int(a.Off[i]) + k
		if y := findKey(b, j, a.Kids[0], x); y < 0 || !same(a.Kids[1], x, b.Kids[1], y) {
			return false
		}
	}
	return true
}

func sameNoNull(a *row.Vec, i int, b *row.Vec, j int) bool {
	return !a.IsNull(i) && !b.IsNull(j) && sameValue(a, i, b, j)
}

// allConstant tells operands that do not depend on rows.
func allConstant(args []expr.Node) bool {
	for _, a := range args {
		n, err := expr.Fold(a, nil)
		if err != nil {
			return false
		}
		if _, ok := expr.IsConst(n); !ok {
			return false
		}
	}
	return true
}

// constructed tells operands that are both written out as name[..] or name(..).
func constructed(name string, args []expr.Node) bool {
	for _, a := range args {
		if c, ok := a.(*expr.Call); !ok || c.Fn == nil || c.Fn.Name != name {
			return false
		}
	}
	return true
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
		// A map that holds a NULL equals none, as an array.
		return sameEntries(a, i, b, j, sameNoNull)
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
