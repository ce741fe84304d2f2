package builtin

import (
	"encoding/binary"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func singleFunc() *agg.Func {
	const name = "SINGLE_VALUE"
	return &agg.Func{
		Name:    name,
		Doc:     "The value of the only row, NULL if there is none; a second row fails the job. A scalar subquery is computed with it.",
		Syntax:  name + "(x)",
		Example: "SELECT city, SINGLE_VALUE(stars) AS stars FROM reviews GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if err := takes(name, args, 1, 1, opts); err != nil {
				return types.Type{}, err
			}
			return args[0].Plain().AsNullable(), nil
		},
		New: func(args []types.Type, _ types.Type, _ agg.Options) (agg.Accumulator, error) {
			return &single{end: end{typ: args[0]}}, nil
		},
	}
}

// single keeps the value of the one row of a slot, in the arena of end: NULL is a
// value like any other. A row that is taken back makes room for another.
type single struct {
	end
	rows []int64 // of each slot
	last []int32 // of each slot: its last row in the batch at work, -1: none
}

func (a *single) Grow(n int) {
	a.end.Grow(n)
	a.rows, a.last = extended(a.rows, n), extended(a.last, n)
}

func (a *single) Reset(slots []int32) {
	a.end.Reset(slots)
	for _, s := range slots {
		a.rows[s] = 0
	}
}

func (a *single) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	for k, s := range slots {
		r := int32(k)
		if sel != nil {
			r = sel[k]
		}
		if signs != nil && signs[k] < 0 {
			a.rows[s]--
			a.last[s] = -1
			continue
		}
		if a.rows[s]++; a.rows[s] > 1 {
			return secondRow()
		}
		a.last[s] = r
	}
	a.sel, a.slots = a.sel[:0], a.slots[:0]
	a.batch++
	for _, s := range slots {
		if a.marked[s] == a.batch {
			continue
		}
		a.marked[s] = a.batch
		if a.last[s] < 0 {
			a.arena.Drop(a.cells[s].ref)
			a.cells[s] = endCell{}
			continue
		}
		a.sel, a.slots = append(a.sel, a.last[s]), append(a.slots, s)
	}
	if len(a.sel) > 0 {
		a.keys.Encode(args, args[0].Len, a.sel)
		for i, s := range a.slots {
			a.cells[s] = endCell{ref: a.arena.Set(a.cells[s].ref, a.keys.At(i)), seq: 1}
		}
	}
	return nil
}

func secondRow() error {
	return diag.New(diag.BadValue, diag.Span{}, "a scalar subquery (SINGLE_VALUE) got more than one row").
		WithHint("aggregate in the subquery (MAX, FIRST_VALUE), or make its WHERE name one row")
}

func (a *single) Merge(dst, src []int32) error {
	for i, s := range src {
		if a.rows[s] == 0 {
			continue
		}
		if a.rows[dst[i]] += a.rows[s]; a.rows[dst[i]] > 1 {
			return secondRow()
		}
	}
	return a.end.Merge(dst, src)
}

func (a *single) Bytes() int64 { return a.end.Bytes() + int64(cap(a.rows))*8 + int64(cap(a.last))*4 }

func (a *single) Save(dst []byte, slot int32) []byte {
	return a.end.Save(binary.AppendVarint(append(dst, 1), a.rows[slot]), slot)
}

func (a *single) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	a.rows[slot] = d.Varint()
	if d.Err != nil {
		return d.Err
	}
	return a.end.Load(slot, d.Data)
}
