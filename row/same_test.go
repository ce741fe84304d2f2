package row

import (
	"math"
	"testing"

	"fsql/types"
)

func TestSame(t *testing.T) {
	d := NewVec(types.Of(types.Double), 6)
	d.F64 = []float64{0, math.Copysign(0, -1), math.NaN(), 1, 1, 0}
	d.SetNull(4)
	d.SetNull(5)
	// {a: 0, b: 1}, {b: 1, a: -0}, {a: 0}, {a: 0, b: NULL}, {a: NaN}
	m := &Vec{Type: types.MapOf(types.String().NotNull(), types.Of(types.Double)), Len: 5,
		Off: []int32{0, 2, 4, 5, 7}, Size: []int32{2, 2, 1, 2, 1}}
	keys, vals := NewVec(types.String().NotNull(), 8), NewVec(types.Of(types.Double), 8)
	keys.Str = []string{"a", "b", "b", "a", "a", "a", "b", "a"}
	vals.F64 = []float64{0, 1, 1, math.Copysign(0, -1), 0, 0, 0, math.NaN()}
	vals.SetNull(6)
	m.Kids = []*Vec{keys, vals}
	r := &Vec{Type: types.RowOf(types.Field{Name: "x", Type: types.Of(types.Double)}), Len: 6, Kids: []*Vec{d}}
	for _, c := range []struct {
		name string
		v    *Vec
		i, j int
		want bool
	}{
		{"zeros", d, 0, 1, true},
		{"NaN", d, 2, 2, false},
		{"NULL and a value", d, 3, 4, false},
		{"NULLs", d, 4, 5, true},
		{"map in another order", m, 0, 1, true},
		{"shorter map", m, 0, 2, false},
		{"NULL in a map", m, 3, 3, true},
		{"NULL and a value in a map", m, 0, 3, false},
		{"NaN in a map", m, 4, 4, false},
		{"rows of zeros", r, 0, 1, true},
		{"rows of NaN", r, 2, 2, false},
		{"rows of NULLs", r, 4, 5, true},
	} {
		if got := Same(c.v, c.i, c.v, c.j); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
