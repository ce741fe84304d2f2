package relop

import (
	"unsafe"

	"fsql/expr/agg"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// groupAgg follows Flink's GroupAggFunction row by row, as it runs without
// mini-batch (flink-sql 4.5):
//
//	no group, row added        the group begins    +I new
//	no group, row taken away   ignored
//	group, rows are left       result unchanged: nothing; else -U old, +U new
//	group, no row is left      the group ends      -D old
//
// A batch is worked on in columns all the same. One pass over its rows finds out
// with the row counts alone which of these each row does (decide). Then every
// call gives its results before the batch and after each row as one column
// (fold), in which the old result of a row is the new one of the row before it
// in its group. The output is gathered from these columns (emit).
type groupAgg struct {
	spec  *GroupAggSpec
	ctx   *op.Context
	set   *agg.Set
	table *state.Table
	state []group      // by slot
	since []types.Time // by slot, with a TTL: when the group got its last row

	// seq is the number of the batch's first row among those of all batches,
	// from 1.
	seq int64

	// The batch at work.
	keys  row.Keys
	cols  []*row.Vec // key columns
	slots []int32    // group of each row
	young []int32    // groups that were not there before
	acts  []act
	fed   fed
	prior []int32 // groups whose results before the batch are needed
	ended []int32 // groups that ended; one may begin and end several times
	cuts  []cut
	pairs []pair
	vals  []*row.Vec // per call: results of prior, then one after each row of fed
	res   results
	none  []*row.Vec // the columns of a batch without rows
	pace  pace
}

// group is what the operator itself keeps of a group.
type group struct {
	rows int64 // added less taken away; 0: there is no group
	last int64 // the number of the row that changed it last
}

// act is what a row does to its group. old and new are results: of the rows of
// fed from 0 on, of prior from -1 down.
type act struct {
	row      int32
	kind     row.Kind // +I, +U for an update, -D
	old, new int32
}

// fed are the rows that the accumulators get, with their slots and signs. A row
// that ends its group is none of them: the group is emptied instead.
type fed struct {
	rows, slots []int32
	signs       []int8
	retracts    bool // a sign is -1
}

// cut stands where groups begin that ended in the same batch: after so many rows
// of fed so many of ended are emptied.
type cut struct{ rows, ended int }

// OnBatch implements op.Operator.
func (o *groupAgg) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	b, more := o.pace.next(b)
	o.acts = o.acts[:0]
	if b.Rows > 0 {
		o.find(b)
		if o.spec.TTL > 0 {
			o.expire()
		}
		o.decide(b)
		if err := o.fold(b); err != nil {
			return false, err
		}
	}
	if err := o.emit(b, out); err != nil {
		return false, err
	}
	o.pace.measure(o.vals, len(o.prior)+len(o.fed.rows))
	return more, nil
}

// find gives every row the slot of its group.
func (o *groupAgg) find(b *row.Batch) {
	o.slots, o.young = sized(o.slots, b.Rows), o.young[:0]
	if len(o.spec.Keys) == 0 && o.table.Len() > 0 {
		clear(o.slots) // the one group, whose slot is never given back
		o.table.Touch(o.slots[:1])
		return
	}
	for i, k := range o.spec.Keys {
		o.cols[i] = b.Cols[k]
	}
	o.keys.Encode(o.cols, b.Rows, nil)
	o.young = o.table.FindOrAdd(&o.keys, o.slots, o.young)
	o.table.Touch(o.slots)
	o.room()
}

// room grows what is kept by slot.
func (o *groupAgg) room() {
	o.set.Grow(o.table.Cap())
	o.state = grown(o.state, o.table.Cap())
	if o.spec.TTL > 0 {
		o.since = grown(o.since, o.table.Cap())
	}
}

// decide finds out what each row does.
func (o *groupAgg) decide(b *row.Batch) {
	f := &o.fed
	f.rows, f.slots, f.signs, f.retracts = f.rows[:0], f.slots[:0], f.signs[:0], false
	o.prior, o.ended, o.cuts = o.prior[:0], o.ended[:0], o.cuts[:0]
	if b.Kinds == nil {
		o.decideInserts()
	} else {
		o.decideChanges(b.Kinds)
	}
	o.seq += int64(b.Rows)
}

func (o *groupAgg) decideInserts() {
	f := &o.fed
	for r, s := range o.slots {
		g := &o.state[s]
		a := act{row: int32(r), kind: row.Insert, new: int32(r)}
		if g.rows > 0 {
			a.kind, a.old = row.UpdateAfter, o.before(g, s)
		}
		g.rows++
		g.last = o.seq + int64(r)
		o.acts = append(o.acts, a)
		f.rows = append(f.rows, int32(r))
	}
	f.slots = append(f.slots, o.slots...)
}

func (o *groupAgg) decideChanges(kinds []row.Kind) {
	f := &o.fed
	for r, s := range o.slots {
		g, sign := &o.state[s], int8(1)
		a := act{row: int32(r), kind: row.UpdateAfter, new: int32(len(f.rows))}
		if !kinds[r].Adds() {
			sign, f.retracts = -1, true
		}
		if g.rows == 0 {
			if sign < 0 {
				continue
			}
			a.kind = row.Insert
			o.again(g)
		} else {
			a.old = o.before(g, s)
		}
		g.rows += int64(sign)
		g.last = o.seq + int64(len(f.rows))
		if g.rows == 0 {
			a.kind = row.Delete
			o.ended = append(o.ended, s)
		} else {
			f.rows, f.slots, f.signs = append(f.rows, int32(r)), append(f.slots, s), append(f.signs, sign)
		}
		o.acts = append(o.acts, a)
	}
}

// before is the result of a group before the row at hand.
func (o *groupAgg) before(g *group, slot int32) int32 {
	if g.last >= o.seq {
		return int32(g.last - o.seq)
	}
	o.prior = append(o.prior, slot)
	return -int32(len(o.prior))
}

// again sees to it that a group that ended in this batch begins empty.
func (o *groupAgg) again(g *group) {
	if g.last < o.seq {
		return
	}
	done := 0
	if n := len(o.cuts); n > 0 {
		done = o.cuts[n-1].ended
	}
	if done < len(o.ended) {
		o.cuts = append(o.cuts, cut{len(o.fed.rows), len(o.ended)})
	}
}

// fold makes vals.
func (o *groupAgg) fold(b *row.Batch) error {
	f := &o.fed
	for i, v := range o.vals {
		v.Reset(o.spec.Calls[i].Type, 0)
		v.Reserve(len(o.prior) + len(f.rows))
	}
	o.set.Results(o.prior, o.vals)
	from, done := 0, 0
	o.cuts = append(o.cuts, cut{len(f.rows), len(o.ended)})
	for _, c := range o.cuts {
		if c.rows > from {
			signs := []int8(nil)
			if f.retracts {
				signs = f.signs[from:c.rows]
			}
			if err := o.set.AddEach(b, f.rows[from:c.rows], f.slots[from:c.rows], signs, o.vals); err != nil {
				return err
			}
		}
		if c.ended > done {
			o.set.Reset(o.ended[done:c.ended])
		}
		from, done = c.rows, c.ended
	}
	if b.Kinds != nil {
		o.forget()
	}
	return nil
}

// forget gives back the slots without a group: those that ended, and those that
// a row taken away has asked for in vain.
func (o *groupAgg) forget() {
	if len(o.spec.Keys) == 0 {
		return
	}
	const listed = -1
	gone := o.young[:0]
	for _, from := range [][]int32{o.young, o.ended} {
		for _, s := range from {
			if o.state[s].rows == 0 {
				o.state[s].rows = listed
				gone = append(gone, s)
			}
		}
	}
	o.young = gone
	o.drop(gone)
}

// drop gives slots back, whose accumulators are empty.
func (o *groupAgg) drop(slots []int32) {
	for _, s := range slots {
		o.state[s] = group{}
	}
	if len(o.spec.Keys) > 0 && len(slots) > 0 {
		o.table.Remove(slots)
	}
}

// OnBarrier implements op.Operator.
func (o *groupAgg) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *groupAgg) StateBytes() int64 {
	return o.table.Bytes() + o.set.Bytes() + int64(cap(o.state))*int64(unsafe.Sizeof(group{})) + int64(cap(o.since))*8
}

// sized returns n elements, reusing the memory of s.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// grown returns s with at least n elements, the new ones zero, some to spare.
func grown[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, max(n, len(s)+len(s)/2, 64)-len(s))...)
}
