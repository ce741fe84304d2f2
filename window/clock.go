package window

import (
	"math"

	"fsql/internal/value"
	"fsql/types"
)

const hour = 3_600_000

// lookAround is further than any zone's clock ever jumped (24 hours, at the
// date line); steadyFor is how far around an instant the zone is asked whether
// its clock jumps. No zone jumped twice within such a time.
const (
	lookAround = 26 * hour
	steadyFor  = 52 * hour
)

// clock is the wall clock on which the windows of one operator lie.
type clock struct {
	zone value.Zone // nil: instants are wall-clock values (TIMESTAMP)

	// Between the instants from and to the zone's clock does not jump.
	from, to, ahead int64
}

// newClock is the clock of a session time zone, "" for that of TIMESTAMP columns.
func newClock(name string) (*clock, error) {
	if name == "" {
		return &clock{}, nil
	}
	zone, err := value.LoadZone(name)
	return &clock{zone: zone}, err
}

func (c *clock) offset(at int64) int64 { return c.zone.Local(at) - at }

// steady tells that the clock does not jump between at and more later, and
// leaves how far it is ahead of UTC in c.ahead.
func (c *clock) steady(at, more int64) bool {
	if at >= c.from && at+more < c.to {
		return true
	}
	d := c.offset(at)
	if c.offset(at-steadyFor) != d || c.offset(at+steadyFor) != d {
		return false
	}
	c.from, c.to, c.ahead = at-steadyFor, at+steadyFor, d
	return true
}

// local is the wall clock at an instant.
func (c *clock) local(at int64) int64 {
	if c.zone == nil {
		return at
	}
	if c.steady(at, 0) {
		return at + c.ahead
	}
	return c.zone.Local(at)
}

// reach is the instants around at whose wall clock lies between start and end;
// it may leave some out.
func (c *clock) reach(at, start, end int64) (from, to int64) {
	if c.zone == nil {
		return start, end
	}
	if !c.steady(at, 0) {
		return at, at + 1
	}
	return max(start-c.ahead, c.from), min(end-c.ahead, c.to)
}

// instant is when the wall clock shows local (Flink: the first time if twice; a
// time that is skipped moves forward by the gap).
func (c *clock) instant(local int64) int64 {
	if c.zone == nil {
		return local
	}
	return c.zone.UTC(local)
}

// passed is the end of the last window that is over once event time reached w:
// a window has fired, and its rows are late, if it ends at passed or before.
// Without a zone it is w + 1: a window ending at 10:00 waits for 09:59:59.999.
//
// An hour that the wall clock shows twice is over after its second pass. A
// window that ends in a gap of the clock is over at the first instant after the
// gap (Flink: toEpochMillsForTimer).
func (c *clock) passed(w types.Time) int64 {
	switch {
	case w >= types.MaxTime>>1:
		return math.MaxInt64
	case w <= types.MinTime>>1:
		return math.MinInt64
	case c.zone == nil:
		return int64(w) + 1
	}
	now, next := int64(w), int64(w)+1
	if c.steady(now, lookAround) {
		return next + c.ahead
	}
	low := min(c.zone.Local(now)+1, c.zone.Local(next))
	if c.offset(next+lookAround) < c.offset(next) { // it will show times before next again
		low = min(low, c.zone.Local(c.jump(next, next+lookAround)))
	}
	return low
}

// trigger is the event time at which a window ending at end is over: the first
// w for which passed(w) is at or after end.
func (c *clock) trigger(end int64) types.Time {
	last := end - 1
	if c.zone == nil {
		return types.Time(last)
	}
	at := c.zone.UTC(last)
	if c.zone.Local(at) != last { // in a gap
		return types.Time(c.jump(at-lookAround, at))
	}
	if again := last - c.offset(at+lookAround); again > at && c.zone.Local(again) == last {
		return types.Time(again)
	}
	return types.Time(at)
}

// jump is the first instant after the clock's jump that lies between from and to.
func (c *clock) jump(from, to int64) int64 {
	for after := c.offset(to); to-from > 1; {
		if mid := from + (to-from)/2; c.offset(mid) == after {
			to = mid
		} else {
			from = mid
		}
	}
	return to
}
