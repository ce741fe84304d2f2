package builtin

import (
	"encoding/binary"

	"fsql/expr/agg"
	"fsql/row"
	"fsql/types"
)

// integers sums TINYINT, SMALLINT, INT and BIGINT. Flink adds SUM in the type
// of the column and AVG in BIGINT; as both wrap around, one 64-bit sum gives
// either.
type integers struct {
	kind  types.Kind
	mean  bool
	cells []integerCell
}

type integerCell struct{ sum, n int64 }

func (a *integers) Grow(n int) { a.cells = extended(a.cells, n) }

func (a *integers) Reset(slots []int32) {
	for _, s := range slots {
		a.cells[s] = integerCell{}
	}
}

func (a *integers) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	if v := args[0]; v.I64 != nil {
		addIntegers(a.cells, v.I64, v.Valid, sel, slots, signs)
	} else {
		addIntegers(a.cells, v.I32, v.Valid, sel, slots, signs)
	}
	return nil
}

func addIntegers[T int32 | int64](cells []integerCell, vals []T, valid row.Bitmap, sel, slots []int32, signs []int8) {
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if valid != nil && !valid.Valid(r) {
			continue
		}
		c, x := &cells[s], int64(vals[r])
		if signs != nil && signs[i] < 0 {
			c.sum, c.n = c.sum-x, c.n-1
			continue
		}
		c.sum, c.n = c.sum+x, c.n+1
	}
}

// AddEach sums row by row.
func (a *integers) AddEach(args []*row.Vec, sel, slots []int32, signs []int8, out *row.Vec) error {
	v := args[0]
	at := out.Extend(len(slots))
	for i, s := range slots {
		c := &a.cells[s]
		if r := sel[i]; r >= 0 && v.Valid.Valid(int(r)) {
			x := int64(0)
			if v.I64 != nil {
				x = v.I64[r]
			} else {
				x = int64(v.I32[r])
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

func (a *integers) Merge(dst, src []int32) error {
	for i, s := range src {
		d := &a.cells[dst[i]]
		d.sum, d.n = d.sum+a.cells[s].sum, d.n+a.cells[s].n
	}
	return nil
}

func (a *integers) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		a.put(&a.cells[s], out, at+i)
	}
}

// put sets value i of out. The sum is NULL when no value is left, though it
// may not be 0 then; the mean is cut toward zero.
func (a *integers) put(c *integerCell, out *row.Vec, i int) {
	if c.n == 0 {
		out.SetNull(i)
		return
	}
	x := c.sum
	if a.mean {
		x /= c.n
	}
	switch a.kind {
	case types.TinyInt:
		out.I32[i] = int32(int8(x))
	case types.SmallInt:
		out.I32[i] = int32(int16(x))
	case types.Int:
		out.I32[i] = int32(x)
	default:
		out.I64[i] = x
	}
}

func (a *integers) Bytes() int64 { return int64(cap(a.cells)) * 16 }

func (a *integers) Save(dst []byte, slot int32) []byte {
	c := a.cells[slot]
	return binary.AppendVarint(binary.AppendVarint(append(dst, 1), c.n), c.sum)
}

func (a *integers) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	a.cells[slot].n = d.Varint()
	a.cells[slot].sum = d.Varint()
	return d.Err
}
