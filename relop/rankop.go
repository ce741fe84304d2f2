package relop

import (
	"bytes"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// rank goes through the rows one by one: where a row comes in depends on the one
// before it. Keys are encoded and looked up for the whole batch.
type rank struct {
	spec  *RankSpec
	ctx   *op.Context
	parts *state.Table
	lists []ranked // by partition
	ends  []int64  // by partition, if a column holds the last rank; 0: not known yet
	rows  rankRows
	// number is that of the last row; with Newest sign is -1, and it counts
	// down.
	number int64
	sign   int64
	send   *stored
	quiet  bool // nothing is sent as rows come

	// The batch at work.
	partKeys row.Keys
	cols     []*row.Vec
	partOf   []int32
	young    []int32 // partitions that may be empty
	form     *row.Form
	order    row.Order
	keys     row.Keys
	values   row.Keys // of RankUpdate: sort key and row
	sel      []int32  // rows that may have a rank
	slots    []int32
	fresh    []int32
	empty    []int32 // slots that may have no row
	dropped  []state.Ref
	one      [1]int32
}

// OnBatch implements op.Operator.
func (o *rank) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	marks := b.Marks
	if b.Rows > 0 {
		o.begin(b)
		for i, r := range o.sel {
			for len(marks) > 0 && marks[0].Row <= r {
				o.send.mark(marks[0].Time)
				marks = marks[1:]
			}
			o.row(b, i)
			if o.send.full() {
				if err := o.send.flush(out); err != nil {
					return false, err
				}
			}
		}
	}
	for _, m := range marks {
		o.send.mark(m.Time)
	}
	if err := o.send.flush(out); err != nil {
		return false, err
	}
	if b.Rows > 0 {
		o.end()
	}
	return false, nil
}

// begin finds partitions and slots of the rows.
func (o *rank) begin(b *row.Batch) {
	s := o.spec
	o.cols = o.cols[:0]
	for _, c := range s.Partition {
		o.cols = append(o.cols, b.Cols[c])
	}
	o.partKeys.Encode(o.cols, b.Rows, nil)
	o.partOf = sized(o.partOf, b.Rows)
	o.young = o.parts.FindOrAdd(&o.partKeys, o.partOf, o.young[:0])
	o.room()
	o.order.Encode(s.OrderBy, b.Cols, b.Rows)
	o.sel = o.sel[:0]
	for r := range o.partOf {
		if s.EndCol >= 0 {
			o.firstEnd(b, r)
		}
		if s.Strategy != RankAppend || o.mayRank(o.partOf[r], o.order.At(r)) {
			o.sel = append(o.sel, int32(r))
		}
	}
	o.form.Encode(b.Cols, b.Rows)
	if s.Strategy == RankUpdate {
		o.cols = o.cols[:0]
		for _, c := range s.Key {
			o.cols = append(o.cols, b.Cols[c])
		}
		o.keys.Encode(o.cols, b.Rows, o.sel)
		o.values.EncodeOrdered(&o.order, &o.form.Keys, b.Rows, o.sel)
	} else {
		o.keys.EncodeOrdered(&o.order, &o.form.Keys, b.Rows, o.sel)
	}
	o.slots = sized(o.slots, len(o.sel))
	o.fresh = o.rows.table.FindOrAdd(&o.keys, o.slots, o.fresh[:0])
	o.rows.grow(o.fresh)
	o.empty = append(o.empty[:0], o.fresh...)
}

func (o *rank) room() {
	o.lists = grown(o.lists, o.parts.Cap())
	if o.spec.EndCol >= 0 {
		o.ends = grown(o.ends, o.parts.Cap())
	}
}

// firstEnd takes the last rank of a partition from its first row.
func (o *rank) firstEnd(b *row.Batch, r int) {
	p := o.partOf[r]
	if o.ends[p] != 0 {
		return
	}
	o.one[0] = p
	o.parts.Touch(o.one[:])
	v := b.Cols[o.spec.EndCol]
	end := int64(0)
	if !v.IsNull(r) {
		if v.Type.Layout() == types.LayoutI32 {
			end = int64(v.I32[r])
		} else {
			end = v.I64[r]
		}
	}
	if end <= 0 {
		end = -1
	}
	o.ends[p] = end
}

// last is the last rank of a partition.
func (o *rank) last(p int32) int64 {
	if o.spec.EndCol >= 0 {
		return o.ends[p]
	}
	return o.spec.End
}

// mayRank tells whether a row that is never taken back can have a rank: ranks
// only get better, so that one behind the last now is behind it for ever.
func (o *rank) mayRank(p int32, key []byte) bool {
	l := &o.lists[p]
	if end := o.last(p); int64(l.n) < end {
		return true
	} else if end <= 0 {
		return false
	}
	run := l.runs[len(l.runs)-1]
	c := bytes.Compare(key, o.rows.sortKey(run[len(run)-1]))
	return c < 0 || c == 0 && o.spec.Newest
}

// row takes row i of the selected ones.
func (o *rank) row(b *row.Batch, i int) {
	r := o.sel[i]
	p, slot := o.partOf[r], o.slots[i]
	l := &o.lists[p]
	switch {
	case o.spec.Strategy == RankUpdate:
		o.upsert(l, p, slot, i)
	case b.Kind(int(r)).Adds():
		o.add(l, p, slot, o.order.At(int(r)))
	default:
		o.remove(l, p, slot, o.order.At(int(r)))
	}
}

// add brings a row in.
func (o *rank) add(l *ranked, p, slot int32, key []byte) {
	o.number++
	seq := o.sign * o.number
	at := o.rows.seek(l, key, seq)
	end := o.last(p)
	rank := l.rank(at, end)
	keepAll := o.spec.Strategy == RankRetract
	if rank > end && !keepAll {
		return
	}
	o.touch(slot)
	e := o.rows.add(slot, p, seq)
	l.insert(at, e)
	if rank > end {
		return
	}
	switch {
	case o.quiet:
	case o.spec.numbered():
		o.shiftDown(l, rank, end)
	default:
		if int64(l.n) > end {
			o.send.add(row.Delete, o.rows.row(l.entry(l.at(end+1))), 0)
		}
		o.send.add(row.Insert, o.rows.row(e), 0)
	}
	if int64(l.n) > end && !keepAll {
		o.evict(l, l.at(end+1))
	}
}

// shiftDown sends what a row that came in at a rank has changed: the ranks from
// there to the last one.
func (o *rank) shiftDown(l *ranked, rank, end int64) {
	q := max(rank, o.spec.Start)
	if q > int64(l.n) {
		return
	}
	at := l.at(q)
	now := o.rows.row(l.entry(at))
	for ; q <= end; q++ {
		if at = l.next(at); q == int64(l.n) {
			o.send.add(row.Insert, now, q)
			return
		}
		was := o.rows.row(l.entry(at))
		o.update(was, now, q)
		now = was
	}
}

// remove takes a row away; one that is not there is ignored.
func (o *rank) remove(l *ranked, p, slot int32, key []byte) {
	s := &o.rows.slots[slot]
	if s.head == 0 {
		return
	}
	e := s.head - 1
	at := l.exact(o.rows.seek(l, key, o.rows.entries[e].seq))
	end := o.last(p)
	rank := l.rank(at, end)
	o.touch(slot)
	switch {
	case rank > end || o.quiet:
	case o.spec.numbered():
		o.shiftUp(l, rank, end)
	default:
		o.send.add(row.Delete, o.rows.row(e), 0)
		if int64(l.n) > end {
			o.send.add(row.Insert, o.rows.row(l.entry(l.at(end+1))), 0)
		}
	}
	o.evict(l, at)
	if l.n == 0 {
		o.young = append(o.young, p)
	}
}

// shiftUp sends what taking away the row of a rank will change.
func (o *rank) shiftUp(l *ranked, rank, end int64) {
	q := max(rank, o.spec.Start)
	if q > int64(l.n) {
		return
	}
	at := l.at(q)
	was := o.rows.row(l.entry(at))
	for ; q <= end; q++ {
		if at = l.next(at); q == int64(l.n) {
			o.send.add(row.Delete, was, q)
			return
		}
		now := o.rows.row(l.entry(at))
		o.update(was, now, q)
		was = now
	}
}

// update sends that a rank has another row.
func (o *rank) update(was, now []byte, rank int64) {
	if o.spec.UpdateBefore {
		o.send.add(row.UpdateBefore, was, rank)
	}
	o.send.add(row.UpdateAfter, now, rank)
}

// evict forgets the entry at a place.
func (o *rank) evict(l *ranked, at place) {
	e := l.entry(at)
	slot := o.rows.entries[e].slot
	o.touch(slot)
	l.remove(at)
	o.rows.drop(e)
	if o.rows.slots[slot].head == 0 {
		o.empty = append(o.empty, slot)
	}
}

func (o *rank) touch(slot int32) {
	o.one[0] = slot
	o.rows.table.Touch(o.one[:])
}

// end gives back the slots without a row, and then the partitions without one:
// those tell the key groups of these.
func (o *rank) end() {
	gone := o.empty[:0]
	for _, s := range o.empty {
		if w := &o.rows.slots[s]; w.used && w.head == 0 {
			w.used = false
			gone = append(gone, s)
			if o.rows.byKey {
				o.rows.arena.Drop(o.rows.vals[s])
				o.rows.vals[s] = state.Ref{}
			}
		}
	}
	o.rows.table.Remove(gone)
	o.empty = gone[:0]
	for _, d := range o.dropped {
		o.rows.arena.Drop(d)
	}
	o.dropped = o.dropped[:0]
	if o.spec.EndCol >= 0 {
		return // Flink remembers the last rank of a partition for ever
	}
	left := o.young[:0]
	for _, p := range o.young {
		if l := &o.lists[p]; l.n == 0 {
			l.n = -1 // so that it is taken once
			left = append(left, p)
		}
	}
	for _, p := range left {
		o.lists[p] = ranked{}
	}
	o.parts.Remove(left)
	o.young = left[:0]
}

// OnBarrier implements op.Operator.
func (o *rank) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *rank) StateBytes() int64 {
	return o.parts.Bytes() + o.rows.bytes() + int64(cap(o.lists))*32 + int64(cap(o.ends))*8
}
