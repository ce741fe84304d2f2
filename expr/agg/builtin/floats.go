package builtin

import (
	"encoding/binary"
	"math"

	"fsql/expr/agg"
	"fsql/row"
	"fsql/types"
)

// floats sums FLOAT and DOUBLE in the order of the rows, as Flink does: SUM in
// the type of the column, AVG of either in DOUBLE. SUM begins with the first
// value, AVG with 0, which shows in a sum of -0.0 alone. What retracting leaves
// behind by rounding stays in the sum.
type floats[T float32 | float64] struct {
	mean  bool
	cells []floatCell[T]
}

type floatCell[T float32 | float64] struct {
	sum T
	n   int64
}

// empty is the sum of nothing: adding -0.0 changes no value.
func (a *floats[T]) empty() floatCell[T] {
	if a.mean {
		return floatCell[T]{}
	}
	return floatCell[T]{sum: T(math.Copysign(0, -1))}
}

func (a *floats[T]) Grow(n int) {
	old := len(a.cells)
	a.cells = extended(a.cells, n)
	for i := old; i < n; i++ {
		a.cells[i] = a.empty()
	}
}

func (a *floats[T]) Reset(slots []int32) {
	for _, s := range slots {
		a.cells[s] = a.empty()
	}
}

func (a *floats[T]) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	if v := args[0]; v.Type.Layout() == types.LayoutF32 {
		addFloats(a.cells, v.F32, v.Valid, sel, slots, signs)
	} else {
		addFloats(a.cells, v.F64, v.Valid, sel, slots, signs)
	}
	return nil
}

func addFloats[T, V float32 | float64](cells []floatCell[T], vals []V, valid row.Bitmap, sel, slots []int32, signs []int8) {
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if valid != nil && !valid.Valid(r) {
			continue
		}
		c, x := &cells[s], T(vals[r])
		if signs != nil && signs[i] < 0 {
			c.sum, c.n = c.sum-x, c.n-1
			continue
		}
		c.sum, c.n = c.sum+x, c.n+1
	}
}

// AddEach sums row by row.
func (a *floats[T]) AddEach(args []*row.Vec, sel, slots []int32, signs []int8, out *row.Vec) error {
	v := args[0]
	single := v.Type.Layout() == types.LayoutF32
	at := out.Extend(len(slots))
	for i, s := range slots {
		c := &a.cells[s]
		if r := sel[i]; r >= 0 && v.Valid.Valid(int(r)) {
			var x T
			if single {
				x = T(v.F32[r])
			} else {
				x = T(v.F64[r])
			}
			if signs != nil && signs[i] < 0 {
				c.sum, c.n = c.sum-x, c.n-1
			} else {
				c.sum, c.n = c.sum+x, c.n+1
			}
		}
		a.put(c, out, at+i)
	}
	return nil
}

func (a *floats[T]) Merge(dst, src []int32) error {
	for i, s := range src {
		d := &a.cells[dst[i]]
		d.sum, d.n = d.sum+a.cells[s].sum, d.n+a.cells[s].n
	}
	return nil
}

func (a *floats[T]) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		a.put(&a.cells[s], out, at+i)
	}
}

func (a *floats[T]) put(c *floatCell[T], out *row.Vec, i int) {
	if c.n == 0 {
		out.SetNull(i)
		return
	}
	x := float64(c.sum)
	if a.mean {
		x /= float64(c.n)
	}
	if out.Type.Layout() == types.LayoutF32 {
		out.F32[i] = float32(x)
	} else {
		out.F64[i] = x
	}
}

func (a *floats[T]) Bytes() int64 { return int64(cap(a.cells)) * 16 }

func (a *floats[T]) Save(dst []byte, slot int32) []byte {
	c := a.cells[slot]
	dst = binary.AppendVarint(append(dst, 1), c.n)
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(c.sum)))
}

func (a *floats[T]) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	a.cells[slot].n = d.Varint()
	a.cells[slot].sum = T(d.Float64())
	return d.Err
}
