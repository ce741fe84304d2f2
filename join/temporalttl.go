package join

import (
	"fsql/op"
	"fsql/state"
	"fsql/types"
)

// keyLife drops keys that were not touched for a time to live, by processing
// time, as Flink does it: the drop is put off to one and a half of the time to
// live when less than one of it is left, not with every row.
type keyLife struct {
	ttl  types.Time
	now  types.Time
	ends []types.Time // by slot: when the key is dropped
	due  state.Timers // ends that were set; those that were put off stay
	one  [1]int32
}

func (l *keyLife) grow(slots int, added []int32) {
	for len(l.ends) < slots {
		l.ends = append(l.ends, 0)
	}
	l.forget(added)
}

func (l *keyLife) forget(slots []int32) {
	for _, s := range slots {
		l.ends[s] = 0
	}
}

func (l *keyLife) set(slot int32, end types.Time) {
	l.ends[slot] = end
	l.due.Push(state.Timer{At: int64(end), Who: slot})
}

func (l *keyLife) bytes() int64 { return int64(cap(l.ends))*8 + l.due.Bytes() }

// touch puts the end of keys off.
func (o *temporalJoin) touch(slots []int32) {
	l := o.life
	if l == nil {
		return
	}
	l.now = o.ctx.Now()
	for _, s := range slots {
		if l.ends[s] == 0 || l.now+l.ttl > l.ends[s] {
			l.one[0] = s
			o.table.Touch(l.one[:])
			l.set(s, l.now+l.ttl+l.ttl/2)
		}
	}
}

// touchSpent is touch for the keys of left rows that came out.
func (o *temporalJoin) touchSpent() {
	for _, id := range o.spent {
		o.life.one[0] = o.waiting.Row(id).Part
		o.touch(o.life.one[:])
	}
}

// expiringTemporal is a temporal join whose keys have a time to live.
type expiringTemporal struct{ *temporalJoin }

// NextClock implements op.ClockHandler.
func (o *expiringTemporal) NextClock() types.Time {
	l := o.life
	for {
		t, ok := l.due.First()
		if !ok || o.batch != nil {
			return types.MaxTime
		}
		if types.Time(t.At) == l.ends[t.Who] {
			return types.Time(t.At)
		}
		l.due.Pop()
	}
}

// OnClock implements op.ClockHandler. In the middle of a batch the clock stands
// still.
func (o *expiringTemporal) OnClock(now types.Time, _ op.Emitter) error {
	if o.batch != nil {
		return nil
	}
	over := map[int32]bool{}
	for t := o.NextClock(); t <= now; t = o.NextClock() {
		w, _ := o.life.due.First()
		o.life.one[0] = w.Who
		o.table.Touch(o.life.one[:])
		o.life.forget(o.life.one[:])
		over[w.Who] = true
		k := &o.keyed[w.Who]
		for ; k.list.n > 0; o.lists.pop(&k.list) {
			o.versions.Drop(o.idOf(o.lists.first(&k.list)))
		}
		o.fresh = append(o.fresh, w.Who)
	}
	if len(over) == 0 {
		return nil
	}
	for id := int32(0); int(id) < o.waiting.Ids(); id++ {
		if r := o.waiting.Row(id); r.Seq != 0 && over[r.Part] {
			o.keyed[r.Part].waits--
			o.waiting.Drop(id)
		}
	}
	o.forgetKeys()
	return nil
}
