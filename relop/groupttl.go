package relop

import (
	"strconv"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// expire empties the groups of the batch whose time to live is over, so that
// their next row begins a group: without -D for the old one, and rows taken away
// are ignored, as in Flink, where expired state is never seen again.
func (o *groupAgg) expire() {
	now, over := o.ctx.Now(), o.ended[:0]
	for _, s := range o.slots {
		if g := &o.state[s]; g.rows > 0 && now-o.since[s] >= o.spec.TTL {
			*g = group{}
			over = append(over, s)
		}
		o.since[s] = now
	}
	o.set.Reset(over)
	o.young = append(o.young, over...)
	o.ended = over[:0]
}

// expiringAgg also gives back the memory of groups that no row asks for: once
// per time to live it looks at all of them.
type expiringAgg struct {
	*groupAgg
	sweep
}

// OnBatch implements op.Operator.
func (o *expiringAgg) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	more, err := o.groupAgg.OnBatch(in, b, out)
	if o.at == types.MaxTime {
		o.plan(o.ctx.Now(), o.table.Len())
	}
	return more, err
}

// OnClock implements op.ClockHandler.
func (o *expiringAgg) OnClock(now types.Time, _ op.Emitter) error {
	o.slots = o.table.Slots(o.slots[:0])
	over := o.slots[:0]
	for _, s := range o.slots {
		if now-o.since[s] >= o.spec.TTL {
			over = append(over, s)
		}
	}
	o.table.Touch(over)
	o.set.Reset(over)
	o.drop(over)
	o.plan(now, o.table.Len())
	return nil
}

// age writes a time to live in the largest unit that fits.
func age(t types.Time) string {
	for _, u := range []struct {
		ms   types.Time
		name string
	}{{24 * 3600_000, " d"}, {3600_000, " h"}, {60_000, " min"}, {1000, " s"}} {
		if t%u.ms == 0 {
			return strconv.FormatInt(int64(t/u.ms), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(t), 10) + " ms"
}
