package builtin

import (
	"encoding/binary"

	"fsql/expr/agg"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// endFunc is FIRST_VALUE or LAST_VALUE.
func endFunc(name string, last bool) *agg.Func {
	which := "first"
	if last {
		which = "last"
	}
	return &agg.Func{
		Name:    name,
		Doc:     "The " + which + " value that is not NULL, in the order of arrival; NULL if there is none.",
		Syntax:  name + "(x)",
		Example: "SELECT city, " + name + "(driver) AS driver FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if err := takes(name, args, 1, 1, opts); err != nil {
				return types.Type{}, err
			}
			return args[0].Plain(), nil
		},
		New: func(args []types.Type, _ types.Type, opts agg.Options) (agg.Accumulator, error) {
			if opts.Retract {
				return newList(args[0], true, opts, ended(last)), nil
			}
			return &end{last: last, typ: args[0]}, nil
		},
	}
}

// end keeps the first or last value of each slot, encoded, in an arena, with
// the number of its row by which merged slots are told apart.
type end struct {
	last bool
	typ  types.Type

	arena state.Arena
	cells []endCell
	seq   int64 // rows seen

	keys   row.Keys
	sel    []int32 // rows to keep, with their slots
	slots  []int32
	marked []int64 // by slot: the number of the last batch that it was in
	batch  int64
	found  [][]byte
}

type endCell struct {
	ref state.Ref
	seq int64 // 0: no value
}

func (a *end) Grow(n int) { a.cells, a.marked = extended(a.cells, n), extended(a.marked, n) }

func (a *end) Reset(slots []int32) {
	for _, s := range slots {
		a.arena.Drop(a.cells[s].ref)
		a.cells[s] = endCell{}
	}
}

func (a *end) Add(args []*row.Vec, sel, slots []int32, _ []int8) error {
	v := args[0]
	a.sel, a.slots = a.sel[:0], a.slots[:0]
	a.batch++
	// A slot's value changes at most once in a batch: to the row that is met
	// first, going backward for the last value.
	for k := range slots {
		i := k
		if a.last {
			i = len(slots) - 1 - k
		}
		r, s := int32(i), slots[i]
		if sel != nil {
			r = sel[i]
		}
		if v.IsNull(int(r)) || a.marked[s] == a.batch || !a.last && a.cells[s].seq != 0 {
			continue
		}
		a.marked[s] = a.batch
		a.sel, a.slots = append(a.sel, r), append(a.slots, s)
		a.cells[s].seq = a.seq + int64(i) + 1
	}
	a.seq += int64(len(slots))
	if len(a.sel) > 0 {
		a.keys.Encode(args, v.Len, a.sel)
		for i, s := range a.slots {
			a.cells[s].ref = a.arena.Set(a.cells[s].ref, a.keys.At(i))
		}
	}
	return nil
}

func (a *end) Merge(dst, src []int32) error {
	for i, s := range src {
		d, c := &a.cells[dst[i]], a.cells[s]
		if c.seq == 0 || d.seq != 0 && (c.seq < d.seq) == a.last {
			continue
		}
		d.seq = c.seq
		d.ref = a.arena.Set(d.ref, append([]byte(nil), a.arena.Get(c.ref)...))
	}
	return nil
}

func (a *end) Result(slots []int32, out *row.Vec) {
	cols := []*row.Vec{out}
	a.found = a.found[:0]
	for _, s := range slots {
		if c := a.cells[s]; c.seq != 0 {
			a.found = append(a.found, a.arena.Get(c.ref))
			continue
		}
		row.DecodeKeys(a.found, 0, cols)
		a.found = a.found[:0]
		out.AppendNull(1)
	}
	row.DecodeKeys(a.found, 0, cols)
}

func (a *end) Bytes() int64 {
	return a.arena.Bytes() + int64(cap(a.cells))*24 + int64(cap(a.marked))*8
}

func (a *end) Save(dst []byte, slot int32) []byte {
	c := a.cells[slot]
	key := a.arena.Get(c.ref)
	dst = binary.AppendVarint(append(dst, 1), c.seq)
	return append(binary.AppendUvarint(dst, uint64(len(key))), key...)
}

func (a *end) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	a.cells[slot].seq = d.Varint()
	a.cells[slot].ref = a.arena.Put(d.Bytes())
	a.seq = max(a.seq, a.cells[slot].seq)
	return d.Err
}
