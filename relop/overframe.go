package relop

import (
	"fsql/expr/agg"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// frames holds the accumulators of the partitions of an OVER and, of bounded
// frames, the rows in them.
type frames struct {
	spec  *OverSpec
	set   *agg.Set
	table *state.Table
	parts []overPart // by slot
	rows  state.Kept // rows that wait or are in a frame

	// The step at work: columns of its rows, then of those that leave frames.
	keys   row.Keys
	cols   []*row.Vec
	slots  []int32
	form   *row.Form
	steps  overSteps
	gone   []int32 // rows that leave their frames
	places []int32 // of gone in work
	raw    [][]byte
	at     []int32 // per row of the step: its result
	vals   []*row.Vec
}

// overPart is what is kept of a partition.
type overPart struct {
	frame []int32 // ids of the rows in the frame, oldest first, from head on
	head  int
	last  types.Time // the last time that came out; MinTime: none
	// ends are, for a RANGE frame, when the state was to be dropped; it is at
	// the last one. See overLater.expire.
	ends []types.Time
	used bool
}

// overSteps are what the accumulators get, in order: rows added (sign 1) and
// taken away (-1).
type overSteps struct {
	sel, slots []int32
	signs      []int8
}

// find gives the rows sel (nil: all) of a batch their partitions.
func (f *frames) find(b *row.Batch, sel []int32) {
	f.cols = f.cols[:0]
	for _, c := range f.spec.Partition {
		f.cols = append(f.cols, b.Cols[c])
	}
	f.keys.Encode(f.cols, b.Rows, sel)
	f.slots = sized(f.slots, f.keys.Len())
	f.table.FindOrAdd(&f.keys, f.slots, nil)
	f.room()
}

// room grows what is kept by slot.
func (f *frames) room() {
	n := f.table.Cap()
	f.set.Grow(n)
	f.parts = grown(f.parts, n)
}

func (f *frames) part(slot int32) *overPart {
	p := &f.parts[slot]
	if !p.used {
		*p = overPart{used: true, last: types.MinTime}
	}
	return p
}

func (f *frames) begin() {
	s := &f.steps
	s.sel, s.slots, s.signs = s.sel[:0], s.slots[:0], s.signs[:0]
	f.gone, f.places, f.at = f.gone[:0], f.places[:0], f.at[:0]
}

// add is the step of row i of the work; its result is noted.
func (f *frames) add(i, slot int32) {
	s := &f.steps
	f.at = append(f.at, int32(len(s.sel)))
	s.sel, s.slots, s.signs = append(s.sel, i), append(s.slots, slot), append(s.signs, 1)
}

// leave is the step of a row that leaves its frame.
func (f *frames) leave(id, slot int32) {
	s := &f.steps
	f.gone, f.places = append(f.gone, id), append(f.places, int32(len(s.sel)))
	s.sel, s.slots, s.signs = append(s.sel, 0), append(s.slots, slot), append(s.signs, -1)
}

// size is the number of rows in the frame; shift takes the oldest away.
func (p *overPart) size() int { return len(p.frame) - p.head }

func (p *overPart) shift() (id int32) {
	id = p.frame[p.head]
	if p.head++; p.head*2 > len(p.frame) && p.head > 8 {
		p.frame = p.frame[:copy(p.frame, p.frame[p.head:])]
		p.head = 0
	}
	return id
}

// fold runs the steps over the columns of the step's n rows, and leaves the
// results in vals.
func (f *frames) fold(cols []*row.Vec, n int) error {
	b := &row.Batch{Schema: f.spec.In, Rows: n, Cols: cols}
	if len(f.gone) > 0 {
		// The rows that leave stand behind the others.
		f.raw = f.raw[:0]
		for i, id := range f.gone {
			f.raw = append(f.raw, f.rows.Get(id))
			f.steps.sel[f.places[i]] = int32(n + i)
		}
		w := row.NewBuilder(f.spec.In)
		for i, c := range cols {
			w.Cols[i].Reserve(n + len(f.gone))
			w.Cols[i].AppendRange(c, 0, n)
		}
		f.form.Decode(f.raw, w.Cols)
		b.Cols, b.Rows = w.Cols, n+len(f.gone)
	}
	for i, v := range f.vals {
		v.Reset(f.spec.Calls[i].Type, 0)
		v.Reserve(len(f.steps.sel))
	}
	f.table.Touch(f.steps.slots)
	var signs []int8
	if f.spec.bounded() {
		signs = f.steps.signs
	}
	return f.set.AddEach(b, f.steps.sel, f.steps.slots, signs, f.vals)
}

// results are the columns of the calls for the step's rows [from, to).
func (f *frames) results(cols []*row.Vec, from, to int) []*row.Vec {
	for _, v := range f.vals {
		cols = append(cols, v.Gather(f.at[from:to]))
	}
	return cols
}

// drop lets the rows go that have left.
func (f *frames) drop() {
	for _, id := range f.gone {
		f.rows.Drop(id)
	}
}

func (f *frames) bytes() int64 {
	return f.table.Bytes() + f.set.Bytes() + f.rows.Bytes() + int64(cap(f.parts))*72
}
