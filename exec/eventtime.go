package exec

import (
	"slices"

	"fsql/row"
	"fsql/types"
)

// eventTime makes the marks of a source from the values of its watermark
// expression, by the rule of Flink's WatermarkAssignerOperator: the running
// maximum is emitted after the row that made it rise by strictly more than the
// interval since the last emission; NULL changes nothing. It starts from a
// value, 0 for tables without a generator of their own in Flink, so that times
// before 1970 never move it (flink-sql 3.1).
type eventTime struct {
	top      types.Time // running maximum
	emitted  types.Time
	interval types.Time
}

func newEventTime(start, interval types.Time) *eventTime {
	return &eventTime{top: start, emitted: start, interval: interval}
}

// marks looks at the n rows of a batch.
func (e *eventTime) marks(v *row.Vec, n int) []row.Mark {
	var out []row.Mark
	unit := int64(1000) // microseconds
	if v.Type.Layout() == types.LayoutNano {
		unit = 1 // milliseconds, the rest apart
	}
	// A value rises if it is in a later millisecond than the top.
	next := threshold(e.top, unit)
	for r, t := range v.I64[:n] {
		if t < next || v.Valid != nil && !v.Valid.Valid(r) {
			continue
		}
		e.top = floorMillis(t, unit)
		next = threshold(e.top, unit)
		if e.due() {
			if out == nil {
				out = make([]row.Mark, 0, min(n-r, 64))
			}
			out = append(out, row.Mark{Row: int32(r + 1), Time: e.top})
			e.emitted = e.top
		}
	}
	return slices.Clip(out)
}

// due tells that the top has risen by more than the interval. The difference
// may be larger than an int64 when the start is types.MinTime.
func (e *eventTime) due() bool {
	return e.top > e.emitted && uint64(e.top-e.emitted) > uint64(e.interval)
}

// pending returns the top if it has not been emitted, else types.MinTime. It is
// for the passage of processing time, which emits it whatever the interval.
func (e *eventTime) pending() types.Time {
	if e.top == e.emitted {
		return types.MinTime
	}
	e.emitted = e.top
	return e.top
}

func threshold(top types.Time, unit int64) int64 {
	if top == types.MinTime {
		return int64(types.MinTime)
	}
	return (int64(top) + 1) * unit
}

func floorMillis(t, unit int64) types.Time {
	ms := t / unit
	if t%unit < 0 {
		ms--
	}
	return types.Time(ms)
}
