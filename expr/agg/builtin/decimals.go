package builtin

import (
	"encoding/binary"

	"fsql/expr/agg"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// decimals sums DECIMAL(p, s) in DECIMAL(38, s). A sum that overflows is NULL:
// SUM starts anew with the next value, AVG stays NULL (asked of Flink).
type decimals struct {
	mean     bool
	from, to int // scales of the sum and of the result
	cells    []decimalCell
}

type decimalCell struct {
	sum  types.Dec
	n    int64
	null bool // the sum overflowed
}

func (a *decimals) Grow(n int) { a.cells = extended(a.cells, n) }

func (a *decimals) Reset(slots []int32) {
	for _, s := range slots {
		a.cells[s] = decimalCell{}
	}
}

func (a *decimals) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	v := args[0]
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if v.Valid != nil && !v.Valid.Valid(r) {
			continue
		}
		a.add(&a.cells[s], v.Dec[r], signs != nil && signs[i] < 0)
	}
	return nil
}

func (a *decimals) add(c *decimalCell, x types.Dec, minus bool) {
	c.n++
	if minus {
		c.n, x = c.n-2, value.DecNeg(x)
	}
	a.plus(c, x)
}

func (a *decimals) plus(c *decimalCell, x types.Dec) {
	if c.null {
		if a.mean {
			return
		}
		c.sum, c.null = types.Dec{}, false
	}
	sum, ok := value.DecAdd(c.sum, x)
	c.sum = sum
	if _, small := sum.Small(); !ok || !small && !value.DecFits(sum, 38) {
		c.null = true
	}
}

// AddEach sums row by row.
func (a *decimals) AddEach(args []*row.Vec, sel, slots []int32, signs []int8, out *row.Vec) error {
	v := args[0]
	at := out.Extend(len(slots))
	for i, s := range slots {
		c := &a.cells[s]
		if r := sel[i]; r >= 0 && v.Valid.Valid(int(r)) {
			a.add(c, v.Dec[r], signs != nil && signs[i] < 0)
		}
		a.put(c, out, at+i)
	}
	return nil
}

func (a *decimals) Merge(dst, src []int32) error {
	for i, s := range src {
		d, c := &a.cells[dst[i]], a.cells[s]
		d.n += c.n
		if !c.null {
			a.plus(d, c.sum)
		} else if a.mean {
			d.null = true
		}
	}
	return nil
}

func (a *decimals) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		a.put(&a.cells[s], out, at+i)
	}
}

func (a *decimals) put(c *decimalCell, out *row.Vec, i int) {
	if c.n == 0 || c.null {
		out.SetNull(i)
		return
	}
	if !a.mean {
		out.Dec[i] = c.sum
		return
	}
	mean, ok := value.DecDiv(c.sum, a.from, types.DecOf(c.n), 0, a.to)
	if !ok || !value.DecFits(mean, 38) {
		out.SetNull(i)
		return
	}
	out.Dec[i] = mean
}

func (a *decimals) Bytes() int64 { return int64(cap(a.cells)) * 32 }

func (a *decimals) Save(dst []byte, slot int32) []byte {
	c := a.cells[slot]
	dst = binary.AppendVarint(append(dst, 1), c.n)
	if c.null {
		return append(dst, 1)
	}
	dst = binary.LittleEndian.AppendUint64(append(dst, 0), c.sum.Lo)
	return binary.LittleEndian.AppendUint64(dst, uint64(c.sum.Hi))
}

func (a *decimals) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	c := decimalCell{n: d.Varint()}
	if c.null = d.Uvarint() != 0; !c.null {
		c.sum.Lo = d.Uint64()
		c.sum.Hi = int64(d.Uint64())
	}
	a.cells[slot] = c
	return d.Err
}
