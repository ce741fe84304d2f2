package relop

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// overByClock is OVER of a bounded RANGE by processing time: the rows of a
// millisecond come out when it is over, all of them at the end of the input.
type overByClock struct{ *overLater }

// OnRows implements op.Simple.
func (o *overByClock) OnRows(_ int, b *row.Batch, _ op.Emitter) (bool, error) {
	o.times = sized(o.times, b.Rows)
	for i := range o.times {
		o.times[i] = int64(o.ctx.Now())
	}
	o.wait(b)
	return false, nil
}

// OnWatermark implements op.Simple.
func (o *overByClock) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	if w != types.MaxTime {
		return w, false, nil
	}
	if o.pos == len(o.ready) {
		o.collect(w)
	}
	err := o.fire(out)
	return w, o.pos < len(o.ready), err
}

// NextClock implements op.ClockHandler.
func (o *overByClock) NextClock() types.Time {
	next := types.MaxTime
	if t, ok := o.due.First(); ok {
		next = types.Time(t.At) + 1
	}
	if t, ok := o.ends.First(); ok && types.Time(t.At) < types.MaxTime {
		next = min(next, types.Time(t.At)+1)
	}
	return next
}

// OnClock implements op.ClockHandler.
func (o *overByClock) OnClock(now types.Time, out op.Emitter) error {
	o.collect(now - 1)
	for o.pos < len(o.ready) {
		if err := o.fire(out); err != nil {
			return err
		}
	}
	o.clear(now - 1)
	return nil
}
