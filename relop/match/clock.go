package match

import (
	"fsql/op"
	"fsql/types"
)

// byClock takes rows in processing time: at once in the order of arrival, or,
// where the order has further keys, when the millisecond is over. The clock wakes
// it for them, and for runs that become too long.
type byClock struct{ *operator }

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
	for {
		if more, err := o.fire(now-1, out); !more || err != nil {
			if err != nil {
				return err
			}
			return o.end(out)
		}
	}
}
