package window

import (
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
	sessionRun
	spec  *AggSpec
	calls *calls
	res   results
	late  int64

	sel    []int32 // rows to fold
	slots  []int32 // and their sessions
	closed []int32
	owners []int32
	starts []int64
	ends   []int64
}

func newSessions(s *AggSpec, ctx *op.Context, k *clock, calls *calls) op.Operator {
	o := &sessionAgg{sessionRun: newSessionRun(s.Window, ctx, k, row.NewBuilder(s.Out)), spec: s, calls: calls}
	o.by = o
	o.res = results{out: o.out, table: o.set.table, calls: calls, clock: k, keys: len(s.Keys), aggs: len(s.Calls), props: s.Props}
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
		o.begin(b, o.spec.Keys)
	}
	return o.run(out)
}

// take implements sessionWork.
func (o *sessionAgg) take(from, to int) error {
	for r := from; r < to; r++ {
		if err := o.one(r); err != nil {
			return err
		}
	}
	return nil
}

// kept implements sessionWork.
func (o *sessionAgg) kept() error { return o.fold() }

// one finds the session of a row.
func (o *sessionAgg) one(r int) error {
	t := o.local(r)
	at, other := o.set.touching(o.key[r], t)
	switch {
	case at < 0:
		end := t + o.set.gap
		if end <= o.passed {
			o.late++
			return nil
		}
		at = o.set.open(o.key[r], t)
		o.opened(end)
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

// fire implements sessionWork.
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

// tidy implements sessionWork.
func (o *sessionAgg) tidy() { o.set.sweep() }

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
	return o.byClock(b, o.spec.Keys, out)
}

// NextClock implements op.ClockHandler.
func (o sessionAggByClock) NextClock() types.Time { return o.nextClock() }

// OnClock implements op.ClockHandler.
func (o sessionAggByClock) OnClock(now types.Time, out op.Emitter) error { return o.onClock(now, out) }
