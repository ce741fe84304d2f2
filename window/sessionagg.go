package window

import (
	"math"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// sessionAgg is the window aggregation over SESSION. The keys of a batch are
// looked up together; then each row finds its session, since one row may join
// what the next one meets. Rows are folded in runs: up to a mark at which a
// session closes, or a row that joins two sessions.
//
// A row whose own window has passed is late, unless it reaches a session that
// is still open: it counts there and extends it backwards.
type sessionAgg struct {
	spec  *AggSpec
	ctx   *op.Context
	clock *clock
	calls *calls
	set   *sessionSet
	res   results
	late  int64

	// Event time, or processing time: sessions ending at passed or before are
	// closed; first is the end, or earlier, of the first to close, trigger when.
	progress types.Time
	passed   int64
	first    int64
	trigger  types.Time

	// The batch at work: rows before row and marks before mark are done.
	cur    *row.Batch
	times  times
	row    int
	mark   int
	firing bool // sessions up to passed, for the mark at mark

	keys   row.Keys
	cols   []*row.Vec
	key    []int32 // per row: its key
	sel    []int32 // rows to fold
	slots  []int32 // and their sessions
	fresh  []int32
	closed []int32
	owners []int32
	starts []int64
	ends   []int64
	now    []int64
}

func newSessions(s *AggSpec, ctx *op.Context, k *clock, calls *calls) op.Operator {
	o := &sessionAgg{
		spec: s, ctx: ctx, clock: k, calls: calls, set: newSessionSet(int64(s.Window.Size)),
		progress: types.MinTime, passed: math.MinInt64, first: math.MaxInt64, trigger: types.MaxTime, keys: row.Keys{Zero: ctx.ZeroHash},
	}
	o.res = results{out: row.NewBuilder(s.Out), table: o.set.table, calls: calls, clock: k, keys: len(s.Keys), aggs: len(s.Calls), props: s.Props}
	if s.Window.Proctime {
		return sessionAggByClock{o}
	}
	return o
}

// OnBatch implements op.Operator.
func (o *sessionAgg) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.cur != b {
		var err error
		if o.times, err = rowtimes(b, o.spec.Window.Time); err != nil {
			return false, err
		}
		o.begin(b)
	}
	return o.run(out)
}

func (o *sessionAgg) begin(b *row.Batch) {
	o.cur, o.row, o.mark = b, 0, 0
	o.cols = columns(o.cols, b, o.spec.Keys)
	o.keys.Encode(o.cols, b.Rows, nil)
	if cap(o.key) < b.Rows {
		o.key, o.sel, o.slots = make([]int32, b.Rows), make([]int32, b.Rows), make([]int32, b.Rows)
	}
	o.key = o.key[:b.Rows]
	o.fresh = o.set.find(&o.keys, o.key, o.fresh[:0])
}

func (o *sessionAgg) run(out op.Emitter) (more bool, err error) {
	for {
		if o.firing {
			if done, err := o.fire(out); !done || err != nil {
				return true, err
			}
			o.firing = false
			o.res.out.Mark(o.cur.Marks[o.mark].Time)
			o.mark++
		}
		if err := o.assign(); err != nil {
			return false, err
		}
		if !o.firing {
			o.cur = nil
			o.set.sweep()
			return false, emit(o.res.out, out)
		}
	}
}

// assign gives the rows up to the next mark at which a session closes to their
// sessions and folds them.
func (o *sessionAgg) assign() error {
	b := o.cur
	o.sel, o.slots = o.sel[:0], o.slots[:0]
	for !o.firing {
		end := b.Rows
		if o.mark < len(b.Marks) {
			end = int(b.Marks[o.mark].Row)
		}
		for ; o.row < end; o.row++ {
			if err := o.take(o.row); err != nil {
				return err
			}
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
		o.res.out.Mark(w)
		o.mark++
	}
	return o.fold()
}

// take finds the session of a row.
func (o *sessionAgg) take(r int) error {
	t := o.clock.local(o.times.millis(o.times.at[r]))
	at, other := o.set.touching(o.key[r], t)
	switch {
	case at < 0:
		end := t + o.set.gap
		if end <= o.passed {
			o.late++
			return nil
		}
		at = o.set.open(o.key[r], t)
		if end < o.first {
			o.first, o.trigger = end, o.clock.trigger(end)
		}
	case other >= 0:
		if err := o.join(at, other); err != nil {
			return err
		}
		fallthrough
	default:
		o.set.extend(at, t)
	}
	o.sel, o.slots = append(o.sel, int32(r)), append(o.slots, at)
	return nil
}

// join folds what is assigned so far, then the later session into the earlier
// one: the order that LISTAGG shows in Flink.
func (o *sessionAgg) join(at, other int32) error {
	if err := o.fold(); err != nil {
		return err
	}
	o.slots = append(o.slots[:0], at, other)
	if err := o.calls.merge(o.slots[:1], o.slots[1:]); err != nil {
		return err
	}
	o.calls.reset(o.slots[1:])
	o.set.join(at, other)
	o.slots = o.slots[:0]
	return nil
}

func (o *sessionAgg) fold() error {
	if len(o.sel) == 0 {
		return nil
	}
	sel := o.sel
	if len(sel) == o.cur.Rows {
		sel = nil
	}
	o.calls.grow(len(o.set.list))
	err := o.calls.add(o.cur, sel, o.slots)
	o.sel, o.slots = o.sel[:0], o.slots[:0]
	return err
}

// fire emits the sessions that end at passed or before until a batch of output
// is full. It reports whether it is done.
func (o *sessionAgg) fire(out op.Emitter) (done bool, err error) {
	for more := true; more; {
		room := o.ctx.BatchRows - o.res.out.Len()
		if room <= 0 {
			return false, emit(o.res.out, out)
		}
		more = o.close(room)
	}
	o.schedule()
	return true, nil
}

// schedule finds the first session to close.
func (o *sessionAgg) schedule() {
	o.first, o.trigger = math.MaxInt64, types.MaxTime
	if end, ok := o.set.first(); ok {
		o.first, o.trigger = end, o.clock.trigger(end)
	}
}

// close emits and forgets sessions, n of them that are not empty; false: there
// are no more. Sessions are closed in the order in which they end, whatever n:
// it decides which numbers later ones get.
func (o *sessionAgg) close(n int) (more bool) {
	o.closed, o.fresh, o.owners, o.starts, o.ends = o.closed[:0], o.fresh[:0], o.owners[:0], o.starts[:0], o.ends[:0]
	for len(o.fresh) < n {
		i, ok := o.set.pop(o.passed)
		if !ok {
			break
		}
		o.closed = append(o.closed, i)
		if !o.calls.empty(i) {
			x := &o.set.list[i]
			o.fresh, o.owners = append(o.fresh, i), append(o.owners, x.key)
			o.starts, o.ends = append(o.starts, x.start), append(o.ends, x.end)
		}
	}
	if len(o.fresh) > 0 {
		o.res.add(o.owners, o.fresh, o.starts, o.ends)
	}
	o.calls.reset(o.closed)
	for _, i := range o.closed {
		o.set.close(i)
	}
	return len(o.fresh) == n
}

// OnBarrier implements op.Operator.
func (o *sessionAgg) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *sessionAgg) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *sessionAgg) StateBytes() int64 { return o.set.bytes() + o.calls.bytes() }

// sessionAggByClock is the aggregation by processing time: a session closes
// when the clock shows its end.
type sessionAggByClock struct{ *sessionAgg }

// OnBatch implements op.Operator.
func (o sessionAggByClock) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.cur != b {
		o.progress = max(o.progress, o.ctx.Now())
		o.times = sameTime(o.now, o.progress, b.Rows)
		o.now = o.times.at
		o.begin(b)
	}
	return o.run(out)
}

// NextClock implements op.ClockHandler.
func (o sessionAggByClock) NextClock() types.Time {
	if o.first == math.MaxInt64 {
		return types.MaxTime
	}
	return o.trigger + 1
}

// OnClock implements op.ClockHandler.
func (o sessionAggByClock) OnClock(now types.Time, out op.Emitter) error {
	o.progress = max(o.progress, now)
	o.passed = o.clock.passed(now - 1)
	for {
		done, err := o.fire(out)
		if err != nil {
			return err
		}
		if done {
			o.set.sweep()
			return emit(o.res.out, out)
		}
	}
}
