package exec

import (
	"fsql/row"
	"fsql/types"
)

// valve combines the event times of several channels: the lowest of those that
// count, never falling. The rules are those of Flink's StatusWatermarkValve: an
// idle channel does not count; one that becomes active again counts from where
// its own event time has caught up with what was announced; when all are idle
// the highest of them is announced, then idleness. One rule is ours: a channel
// that has ended (it said types.MaxTime) does not count either, so that the end
// of one input does not close the windows of another that is only idle.
type valve struct {
	channels []*channel
	last     types.Time // announced
	step     types.Time // of what is announced; 0: none
	idle     bool       // announced
	fault    Fault
}

type channel struct {
	time types.Time
	idle bool
	late bool // active again, but not yet caught up
}

func (c *channel) ended() bool  { return c.time == types.MaxTime }
func (c *channel) counts() bool { return !c.idle && !c.late && !c.ended() }

func newValve(f Fault) valve { return valve{last: types.MinTime, fault: f} }

func (v *valve) add(c *channel) {
	v.channels = append(v.channels, c)
}

// marks replaces the marks of a batch of channel c by those of the combined
// event time; same tells that they stay as they are.
func (v *valve) marks(c *channel, marks []row.Mark) (out []row.Mark, same bool) {
	if len(marks) == 0 {
		return nil, true
	}
	final := marks[len(marks)-1].Time
	c.time = max(c.time, final)
	if c.idle {
		return nil, false
	}
	if c.time >= v.last {
		c.late = false
	}
	most := v.lowest(c) // how far the others let event time go
	if marks[0].Time > v.last && final <= most && (final < types.MaxTime || v.combined() == final) {
		v.last = final
		return marks, true
	}
	for _, m := range marks {
		t := min(m.Time, most)
		if m.Time == types.MaxTime {
			t = v.combined()
		}
		if t > v.last {
			v.last = t
			out = append(out, row.Mark{Row: m.Row, Time: t})
		}
	}
	return out, false
}

// rise notes a mark of channel c and returns the combined event time if that
// made it rise, else types.MinTime.
func (v *valve) rise(c *channel, t types.Time) types.Time {
	c.time = max(c.time, t)
	if c.idle {
		return types.MinTime
	}
	if c.time >= v.last {
		c.late = false
	}
	if t == types.MaxTime {
		t = v.combined()
	} else {
		t = min(t, v.lowest(c))
	}
	if t = v.round(t); t <= v.last {
		return types.MinTime
	}
	v.last = t
	return t
}

// setIdle notes that a channel became idle or active and returns the combined
// event time if that made it rise, else types.MinTime.
func (v *valve) setIdle(c *channel, idle bool) types.Time {
	c.idle = idle
	if !idle {
		c.late = c.time < v.last
		return types.MinTime
	}
	if v.allIdle() && c.time != v.last {
		return types.MinTime // Flink: only if it was this channel that held the others back
	}
	if t := v.round(v.combined()); t > v.last {
		v.last = t
		return t
	}
	return types.MinTime
}

// round is event time as far as a valve with a step goes by it: a multiple of the
// step.
func (v *valve) round(t types.Time) types.Time {
	if v.step <= 1 || t < lastTick || t == types.MaxTime {
		return t
	}
	r := t % v.step
	if r < 0 {
		r += v.step
	}
	return t - r
}

// turned reports whether the valve as a whole has become idle or active.
func (v *valve) turned() bool {
	if v.allIdle() == v.idle {
		return false
	}
	v.idle = !v.idle
	return true
}

// lowest is the lowest event time of the channels that count, but for one;
// types.MaxTime if there are none.
func (v *valve) lowest(but *channel) types.Time {
	t := types.MaxTime
	if but != nil && strikes(v.fault, MaxMark) {
		return t
	}
	for _, c := range v.channels {
		if c != but && c.counts() {
			t = min(t, c.time)
		}
	}
	return t
}

// combined is the event time of all channels together.
func (v *valve) combined() types.Time {
	if t := v.lowest(nil); t < types.MaxTime {
		return t
	}
	if v.allIdle() {
		return v.highest()
	}
	for _, c := range v.channels {
		if !c.ended() {
			return v.last // it is catching up
		}
	}
	return types.MaxTime
}

// highest is the highest event time of the channels that have not ended.
func (v *valve) highest() types.Time {
	t := types.MinTime
	for _, c := range v.channels {
		if !c.ended() {
			t = max(t, c.time)
		}
	}
	return t
}

// allIdle tells that some channel is idle and all others are idle or ended.
func (v *valve) allIdle() bool {
	some := false
	for _, c := range v.channels {
		if !c.idle && !c.ended() {
			return false
		}
		some = some || c.idle && !c.ended()
	}
	return some
}
