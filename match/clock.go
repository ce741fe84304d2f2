package match

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// byClock takes rows in processing time: at once in the order of arrival, or,
// where the order has further keys, when the millisecond is over.
type byClock struct {
	*operator
	next int // row of the batch at work
}

// OnRows implements op.Simple.
func (o *byClock) OnRows(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.next == 0 {
		o.times, o.keep = o.times[:0], o.keep[:0]
		for r := range b.Rows {
			o.times, o.keep = append(o.times, int64(o.ctx.Now())), append(o.keep, int32(r))
		}
		o.store(b)
	}
	if o.rows.order != nil {
		o.enqueue()
		return false, nil
	}
	for ; o.next < len(o.ids); o.next++ {
		if o.out.full(o.ctx.BatchRows) {
			return true, o.out.flush(o.operator, out)
		}
		slot, id := o.slots[o.next], o.ids[o.next]
		p := &o.parts[slot]
		o.begin(slot)
		if err := o.feed(p, id, types.Time(o.rows.at[id])); err != nil {
			return false, err
		}
		if err := o.leave(p, o.at); err != nil {
			return false, err
		}
	}
	o.next = 0
	return false, o.end(out)
}

// OnWatermark implements op.Simple. Event time means nothing here; at the end of
// the input rows do not wait for the next millisecond.
func (o *byClock) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	if w != types.MaxTime || o.rows.order == nil {
		return w, false, nil
	}
	now := o.ctx.Now()
	if o.pos == len(o.ready) {
		o.collect(now)
	}
	more, err := o.fire(now, out)
	return w, more, err
}

// NextClock implements op.ClockHandler.
func (o *byClock) NextClock() types.Time {
	if t, ok := o.due.First(); ok {
		return types.Time(t.At) + 1
	}
	return types.MaxTime
}

// OnClock implements op.ClockHandler.
func (o *byClock) OnClock(now types.Time, out op.Emitter) error {
	o.collect(now - 1)
	for more := true; more; {
		var err error
		if more, err = o.fire(now-1, out); err != nil {
			return err
		}
	}
	return nil
}
