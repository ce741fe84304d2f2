package window

import (
	"math"
	"slices"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// assignSession is the table function SESSION: it keeps the rows of the open
// sessions.
type assignSession struct {
	spec  *AssignSpec
	ctx   *op.Context
	clock *clock
	set   *sessionSet
	out   *row.Builder
	late  int64

	// The rows: columns and kinds by row number; next chains the rows of a
	// session, whose first and last row are in ends by session.
	cols  []*row.Vec
	kinds []row.Kind // nil while all are inserts
	next  []int32    // next row of the session, -1: last; gone: not kept any more
	chain []chain
	live  int

	progress types.Time
	passed   int64
	trigger  types.Time // of the first session to close, or earlier
	first    int64

	// The batch at work.
	cur    *row.Batch
	times  times
	row    int
	mark   int
	firing bool

	ready  []int32 // rows of closed sessions, from pos on to be emitted
	starts []int64
	ends   []int64
	pos    int

	keys  row.Keys
	parts []*row.Vec
	key   []int32
	sel   []int32
	fresh []int32
	now   []int64
}

type chain struct{ first, last int32 }

const gone = -2

func newAssignSession(s *AssignSpec, ctx *op.Context, k *clock) op.Operator {
	o := &assignSession{
		spec: s, ctx: ctx, clock: k, set: newSessionSet(int64(s.Window.Size)), out: row.NewBuilder(s.Out),
		progress: types.MinTime, passed: math.MinInt64, first: math.MaxInt64, trigger: types.MaxTime, keys: row.Keys{Zero: ctx.ZeroHash},
	}
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
		o.begin(b)
	}
	return o.run(out)
}

func (o *assignSession) begin(b *row.Batch) {
	o.cur, o.row, o.mark = b, 0, 0
	o.parts = columns(o.parts, b, o.spec.PartitionKeys)
	o.keys.Encode(o.parts, b.Rows, nil)
	if cap(o.key) < b.Rows {
		o.key = make([]int32, b.Rows)
	}
	o.key = o.key[:b.Rows]
	o.fresh = o.set.find(&o.keys, o.key, o.fresh[:0])
}

func (o *assignSession) run(out op.Emitter) (more bool, err error) {
	for {
		if o.firing {
			if done, err := o.fire(out); !done || err != nil {
				return true, err
			}
			o.firing = false
			o.out.Mark(o.cur.Marks[o.mark].Time)
			o.mark++
		}
		o.assign()
		if !o.firing {
			o.cur = nil
			o.set.sweep()
			o.compact()
			return false, emit(o.out, out)
		}
	}
}

// assign keeps the rows up to the next mark at which a session closes.
func (o *assignSession) assign() {
	b := o.cur
	o.sel = o.sel[:0]
	for !o.firing {
		end := b.Rows
		if o.mark < len(b.Marks) {
			end = int(b.Marks[o.mark].Row)
		}
		for ; o.row < end; o.row++ {
			o.take(o.row)
		}
		if o.mark == len(b.Marks) {
			break
		}
		w := b.Marks[o.mark].Time
		if !o.spec.Window.Proctime {
			o.progress, o.passed = w, o.clock.passed(w)
			if w >= o.trigger {
				o.firing = true
				break
			}
		}
		o.out.Mark(w)
		o.mark++
	}
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
}

// take puts a row at the end of its session.
func (o *assignSession) take(r int) {
	if !o.spec.Window.Proctime && o.cur.Cols[o.spec.Window.Time].IsNull(r) {
		return
	}
	t := o.clock.local(o.times.millis(o.times.at[r]))
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
		if end < o.first {
			o.first, o.trigger = end, o.clock.trigger(end)
		}
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

// fire emits the rows of the sessions that end at passed or before until a
// batch of output is full. It reports whether it is done.
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

// schedule finds the first session to close.
func (o *assignSession) schedule() {
	o.first, o.trigger = math.MaxInt64, types.MaxTime
	if end, ok := o.set.first(); ok {
		o.first, o.trigger = end, o.clock.trigger(end)
	}
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
	if o.cur != b {
		o.progress = max(o.progress, o.ctx.Now())
		o.times = sameTime(o.now, o.progress, b.Rows)
		o.now = o.times.at
		o.begin(b)
	}
	return o.run(out)
}

// NextClock implements op.ClockHandler.
func (o assignSessionByClock) NextClock() types.Time {
	if o.first == math.MaxInt64 {
		return types.MaxTime
	}
	return o.trigger + 1
}

// OnClock implements op.ClockHandler.
func (o assignSessionByClock) OnClock(now types.Time, out op.Emitter) error {
	o.progress = max(o.progress, now)
	o.passed = o.clock.passed(now - 1)
	for {
		done, err := o.fire(out)
		if err != nil {
			return err
		}
		if done {
			o.set.sweep()
			o.compact()
			return emit(o.out, out)
		}
	}
}
