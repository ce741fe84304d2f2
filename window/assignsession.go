package window

import (
	"slices"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// assignSession is the table function SESSION: it keeps the rows of the open
// sessions.
type assignSession struct {
	sessionRun
	spec *AssignSpec
	late int64

	// The rows: columns and kinds by row number; next chains the rows of a
	// session, whose first and last row are in ends by session.
	cols  []*row.Vec
	kinds []row.Kind // nil while all are inserts
	next  []int32    // next row of the session, -1: last; gone: not kept any more
	chain []chain
	live  int

	ready  []int32 // rows of closed sessions, from pos on to be emitted
	starts []int64
	ends   []int64
	pos    int

	sel []int32
}

type chain struct{ first, last int32 }

const gone = -2

func newAssignSession(s *AssignSpec, ctx *op.Context, k *clock) op.Operator {
	o := &assignSession{sessionRun: newSessionRun(s.Window, ctx, k, row.NewBuilder(s.Out)), spec: s}
	o.by = o
	for _, c := range s.In.Columns {
		o.cols = append(o.cols, row.NewVec(c.Type, 0))
	}
	if s.Window.Proctime {
		return assignSessionByClock{o}
	}
	return o
}

// OnBatch implements op.Operator.
func (o *assignSession) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.cur != b {
		o.times = timesOf(b.Cols[o.spec.Window.Time])
		o.begin(b, o.spec.PartitionKeys)
	}
	return o.run(out)
}

// take implements sessionWork.
func (o *assignSession) take(from, to int) error {
	for r := from; r < to; r++ {
		o.one(r)
	}
	return nil
}

// kept implements sessionWork.
func (o *assignSession) kept() error {
	b := o.cur
	for i, c := range o.cols {
		c.AppendGather(b.Cols[i], o.sel)
	}
	if b.Kinds != nil && o.kinds == nil {
		o.kinds = make([]row.Kind, len(o.next)-len(o.sel))
	}
	for _, r := range o.sel {
		if o.kinds != nil {
			o.kinds = append(o.kinds, b.Kind(int(r)))
		}
	}
	o.sel = o.sel[:0]
	return nil
}

// one puts a row at the end of its session.
func (o *assignSession) one(r int) {
	if !o.spec.Window.Proctime && o.cur.Cols[o.spec.Window.Time].IsNull(r) {
		return
	}
	t := o.local(r)
	at, other := o.set.touching(o.key[r], t)
	id := int32(len(o.next))
	if at < 0 {
		end := t + o.set.gap
		if end <= o.passed {
			o.late++
			return
		}
		at = o.set.open(o.key[r], t)
		o.room()
		o.chain[at] = chain{id, id}
		o.opened(end)
	} else {
		c := &o.chain[at]
		if other >= 0 {
			o.next[c.last] = o.chain[other].first
			c.last = o.chain[other].last
			o.set.join(at, other)
		}
		o.set.extend(at, t)
		o.next[c.last] = id
		c.last = id
	}
	o.next = append(o.next, -1)
	o.sel = append(o.sel, int32(r))
	o.live++
}

// room grows what is kept by session.
func (o *assignSession) room() {
	for len(o.chain) < len(o.set.list) {
		o.chain = append(o.chain, chain{})
	}
}

// fire implements sessionWork.
func (o *assignSession) fire(out op.Emitter) (done bool, err error) {
	for {
		if o.pos == len(o.ready) {
			i, ok := o.set.pop(o.passed)
			if !ok {
				break
			}
			o.close(i)
		}
		for o.pos < len(o.ready) {
			room := o.ctx.BatchRows - o.out.Len()
			if room <= 0 {
				return false, emit(o.out, out)
			}
			o.emit(min(room, len(o.ready)-o.pos))
		}
	}
	o.schedule()
	return true, nil
}

// tidy implements sessionWork.
func (o *assignSession) tidy() {
	o.set.sweep()
	o.compact()
}

// close makes the rows of a session ready, in the order in which they came.
func (o *assignSession) close(i int32) {
	x := o.set.list[i]
	o.ready, o.starts, o.ends, o.pos = o.ready[:0], o.starts[:0], o.ends[:0], 0
	for id := o.chain[i].first; id >= 0; {
		next := o.next[id]
		o.next[id] = gone
		o.ready, o.starts, o.ends = append(o.ready, id), append(o.starts, x.start), append(o.ends, x.end)
		id = next
	}
	slices.Sort(o.ready) // sessions that were joined came interleaved
	o.live -= len(o.ready)
	o.set.close(i)
}

// emit appends the next n ready rows to the output.
func (o *assignSession) emit(n int) {
	from, to := o.pos, o.pos+n
	rows := o.ready[from:to]
	for i, c := range o.cols {
		o.out.Cols[i].AppendGather(c, rows)
	}
	for i, p := range assigned {
		o.clock.property(p, o.starts[from:to], o.ends[from:to], o.out.Cols[len(o.cols)+i])
	}
	for _, id := range rows {
		k := row.Insert
		if o.kinds != nil {
			k = o.kinds[id]
		}
		o.out.Added(1, k)
	}
	o.pos = to
}

// compact forgets emitted rows when they are most of those kept.
func (o *assignSession) compact() {
	if n := len(o.next); n < 1024 || o.live > n/2 {
		return
	}
	sel, moved := make([]int32, 0, o.live), make([]int32, len(o.next))
	for id, next := range o.next {
		if next != gone {
			moved[id] = int32(len(sel))
			sel = append(sel, int32(id))
		}
	}
	next := make([]int32, len(sel))
	for i, id := range sel {
		if next[i] = o.next[id]; next[i] >= 0 {
			next[i] = moved[next[i]]
		}
	}
	for _, first := range o.set.head {
		for i := first; i >= 0; i = o.set.list[i].next {
			c := &o.chain[i]
			c.first, c.last = moved[c.first], moved[c.last]
		}
	}
	for i, c := range o.cols {
		o.cols[i] = row.NewVec(c.Type, 0)
		o.cols[i].AppendGather(c, sel)
	}
	if o.kinds != nil {
		for i, id := range sel {
			o.kinds[i] = o.kinds[id]
		}
		o.kinds = o.kinds[:len(sel)]
	}
	o.next = next
}

// OnBarrier implements op.Operator.
func (o *assignSession) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *assignSession) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *assignSession) StateBytes() int64 {
	n := o.set.bytes() + int64(cap(o.next))*5 + int64(cap(o.chain))*8
	for _, c := range o.cols {
		n += c.Bytes()
	}
	return n
}

// assignSessionByClock is the table function by processing time.
type assignSessionByClock struct{ *assignSession }

// OnBatch implements op.Operator.
func (o assignSessionByClock) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	return o.byClock(b, o.spec.PartitionKeys, out)
}

// NextClock implements op.ClockHandler.
func (o assignSessionByClock) NextClock() types.Time { return o.nextClock() }

// OnClock implements op.ClockHandler.
func (o assignSessionByClock) OnClock(now types.Time, out op.Emitter) error {
	return o.onClock(now, out)
}
