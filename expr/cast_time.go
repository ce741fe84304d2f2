package expr

import (
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Moment reads a timestamp of either layout: milliseconds since 1970 and the
// nanoseconds of the millisecond.
func Moment(v *row.Vec, i int32) (ms int64, nano int32) { return getTime(v, i) }

// SetMoment writes a timestamp of either layout.
func SetMoment(v *row.Vec, i int32, ms int64, nano int32) { putTime(v, i, ms, nano) }

func getTime(v *row.Vec, i int32) (ms int64, nano int32) {
	if v.Type.Precision > 6 {
		return v.I64[i], v.Nano[i]
	}
	ms = value.FloorDiv(v.I64[i], 1000)
	return ms, int32(v.I64[i]-ms*1000) * 1000
}

func putTime(v *row.Vec, i int32, ms int64, nano int32) {
	if v.Type.Precision > 6 {
		v.I64[i], v.Nano[i] = ms, nano
		return
	}
	v.I64[i] = ms*1000 + int64(nano)/1000
}

// setTime writes a timestamp that was read from text: digits beyond the
// precision are cut off.
func setTime(v *row.Vec, i int32, ms int64, nano int32, precision int32) {
	if precision < 3 {
		ms -= value.FloorMod(ms, pow10(3-precision))
		nano = 0
	}
	putTime(v, i, ms, cutNano(nano, precision))
}

func cutNano(nano int32, precision int32) int32 {
	if precision <= 3 {
		return 0
	}
	if precision < 9 {
		nano -= nano % int32(pow10(9-precision))
	}
	return nano
}

func pow10(n int32) int64 {
	p := int64(1)
	for ; n > 0; n-- {
		p *= 10
	}
	return p
}

// narrowTime cuts a timestamp to a precision as Flink does: whole
// milliseconds toward 1970, so that earlier times move forward.
func narrowTime(ms int64, nano int32, precision int32) (int64, int32) {
	if precision < 3 {
		unit := pow10(3 - precision)
		return ms / unit * unit, 0
	}
	return ms, cutNano(nano, precision)
}

func cutTime(ms, precision int32) int32 {
	if precision >= 3 {
		return ms
	}
	return ms - ms%int32(pow10(3-precision))
}

// times converts between DATE, TIME and the timestamps; TIMESTAMP and
// TIMESTAMP_LTZ through the session zone.
func (k caster) times() (conversion, bool) {
	f, t := k.from, k.to
	if f.Kind == t.Kind {
		switch {
		case f.Kind == types.Date || f.Precision <= t.Precision && f.Layout() == t.Layout():
			return conversion{safe: true}, true
		case f.Kind == types.TimeOfDay:
			return conversion{safe: true, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range each(sel, out.Len) {
					out.I32[i] = cutTime(args[0].I32[i], t.Precision)
				}
				return nil
			}}, true
		}
		return conversion{safe: true, eval: moments(func(c *Ctx) func(int64) int64 { return nil }, t)}, true
	}
	if f.Kind == types.Date && t.Kind == types.TimeOfDay || f.Kind == types.TimeOfDay && t.Kind == types.Date {
		return conversion{}, false
	}
	zone := (f.Kind == types.TimestampLTZ) != (t.Kind == types.TimestampLTZ)
	switch {
	case f.IsTimestamp() && t.IsTimestamp():
		return conversion{safe: true, zone: true, eval: moments(func(c *Ctx) func(int64) int64 {
			if f.Kind == types.TimestampLTZ {
				return c.SessionZone().Local
			}
			return c.SessionZone().UTC
		}, t)}, true
	case f.IsTimestamp():
		return conversion{safe: true, zone: zone, eval: k.partOf()}, true
	}
	unit := value.Day
	if f.Kind == types.TimeOfDay {
		unit = 1
	}
	return conversion{safe: true, zone: zone, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		z := c.SessionZone()
		for i := range each(sel, out.Len) {
			ms := int64(args[0].I32[i]) * unit
			if zone {
				ms = z.UTC(ms)
			}
			putTime(out, i, ms, 0)
		}
		return nil
	}}, true
}

// moments converts timestamps to another precision, through a zone if shift
// gives a function.
func moments(shift func(c *Ctx) func(int64) int64, t types.Type) Kernel {
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		move := shift(c)
		for i := range each(sel, out.Len) {
			ms, nano := getTime(args[0], i)
			if move != nil {
				ms = move(ms)
			}
			ms, nano = narrowTime(ms, nano, t.Precision)
			putTime(out, i, ms, nano)
		}
		return nil
	}
}

// partOf takes the DATE or TIME of a timestamp. Flink divides a TIMESTAMP
// toward 1970, so a time of day before 1970 gives the day after it; a
// TIMESTAMP_LTZ goes through the wall clock and has its own day.
func (k caster) partOf() Kernel {
	local, date, precision := k.from.Kind == types.TimestampLTZ, k.to.Kind == types.Date, k.to.Precision
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		z := c.SessionZone()
		for i := range each(sel, out.Len) {
			ms, nano := getTime(args[0], i)
			switch {
			case local && date:
				out.I32[i] = int32(value.FloorDiv(z.Local(ms), value.Day))
			case date:
				out.I32[i] = int32(ms / value.Day)
			default:
				if local {
					out.I32[i] = cutTime(int32(value.FloorMod(z.Local(ms), value.Day)), precision)
					continue
				}
				ms, _ = narrowTime(ms, nano, precision)
				out.I32[i] = int32(value.FloorMod(ms, value.Day))
			}
		}
		return nil
	}
}
