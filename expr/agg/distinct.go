package agg

import (
	"fsql/row"
	"fsql/types"
)

// Distinct wraps the accumulator of a call with DISTINCT: a value reaches it
// when its first copy comes and leaves it when its last copy is taken back.
func Distinct(inner Accumulator, args []types.Type, opts Options) Accumulator {
	return &distinct{inner: inner, args: args, values: NewValues(opts.ZeroHash)}
}

type distinct struct {
	inner  Accumulator
	args   []types.Type
	values *Values

	sel, slots []int32 // rows that reach inner
	signs      []int8
	gone       []int32 // values whose count fell to 0
}

func (d *distinct) Grow(n int) {
	d.inner.Grow(n)
	d.values.Grow(n)
}

func (d *distinct) Reset(slots []int32) {
	d.inner.Reset(slots)
	d.values.Reset(slots)
}

func (d *distinct) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	d.sel, d.slots, d.signs, d.gone = d.sel[:0], d.slots[:0], d.signs[:0], d.gone[:0]
	for i, id := range d.values.FindOrAdd(args, sel, slots) {
		sign := int8(1)
		if signs != nil {
			sign = signs[i]
		}
		n := d.values.Count(id)
		*n += int64(sign)
		if *n == 0 {
			d.gone = append(d.gone, id)
		}
		// A value that was taken back before it came (-1 to 0) never shows.
		if sign > 0 && *n == 1 || sign < 0 && *n == 0 {
			r := int32(i)
			if sel != nil {
				r = sel[i]
			}
			d.sel, d.slots, d.signs = append(d.sel, r), append(d.slots, slots[i]), append(d.signs, sign)
		}
	}
	d.values.Sweep(d.gone)
	if len(d.sel) == 0 {
		return nil
	}
	if signs == nil {
		return d.inner.Add(args, d.sel, d.slots, nil)
	}
	return d.inner.Add(args, d.sel, d.slots, d.signs)
}

// Merge adds the values of src to dst: those that are new there reach the inner
// accumulator, which therefore never merges itself.
func (d *distinct) Merge(dst, src []int32) error {
	var ids, to []int32
	for k, s := range src {
		for id := d.values.First(s); id != none; id = d.values.Next(id) {
			ids, to = append(ids, id), append(to, dst[k])
		}
	}
	if len(ids) == 0 {
		return nil
	}
	counts := make([]int64, len(ids))
	for i, id := range ids {
		counts[i] = *d.values.Count(id)
	}
	cols := make([]*row.Vec, len(d.args))
	for i, t := range d.args {
		cols[i] = row.NewVec(t, 0)
	}
	d.values.Decode(ids, cols)
	d.sel, d.slots, d.gone = d.sel[:0], d.slots[:0], d.gone[:0]
	for i, id := range d.values.FindOrAdd(cols, nil, to) {
		n := d.values.Count(id)
		before := *n
		*n += counts[i]
		if before <= 0 && *n > 0 {
			d.sel, d.slots = append(d.sel, int32(i)), append(d.slots, to[i])
		}
		if *n == 0 {
			d.gone = append(d.gone, id)
		}
	}
	d.values.Sweep(d.gone)
	return d.inner.Add(cols, d.sel, d.slots, nil)
}

func (d *distinct) Result(slots []int32, out *row.Vec) { d.inner.Result(slots, out) }

func (d *distinct) Bytes() int64 { return d.inner.Bytes() + d.values.Bytes() }

func (d *distinct) Save(dst []byte, slot int32) []byte {
	return d.inner.Save(d.values.Save(append(dst, 1), slot), slot)
}

func (d *distinct) Load(slot int32, saved []byte) error {
	v := Decoder{Data: saved}
	if v.Version(1); v.Err != nil {
		return v.Err
	}
	rest, err := d.values.Load(slot, v.Data)
	if err != nil {
		return err
	}
	return d.inner.Load(slot, rest)
}
