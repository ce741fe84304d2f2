package row

import "fsql/types"

// Extend adds n valid values of undefined content to v, which its caller owns,
// and returns where they begin. The kids of a ROW column are extended with it.
func (v *Vec) Extend(n int) (first int) {
	first = v.Len
	v.grow(n)
	if v.Type.Layout() == types.LayoutRow {
		for _, k := range v.Kids {
			k.Extend(n)
		}
	}
	return first
}
