package window

import (
	"slices"

	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// results turns groups of fired windows into output rows: the group keys, the
// results of the calls, the window's properties.
type results struct {
	out   *row.Builder
	table *state.Table
	calls *calls
	clock *clock
	skip  int // bytes of the keys before the group key
	keys  int // columns of the group key
	aggs  int // columns of results
	props []Prop

	raw [][]byte
}

// add appends one row per group i: the key of slot keys[i] of the table, the
// results of slot slots[i] of the calls, the window [start[i], end[i]).
func (r *results) add(keys, slots []int32, start, end []int64) {
	r.raw = r.table.Keys(r.raw[:0], keys)
	cols := r.out.Cols
	row.DecodeKeys(r.raw, r.skip, cols[:r.keys])
	cols = cols[r.keys:]
	r.calls.Results(slots, cols)
	cols = cols[r.aggs:]
	for i, p := range r.props {
		r.clock.property(p, start, end, cols[i])
	}
	r.out.Added(len(slots), row.Insert)
}

// property appends a property of each window to out, a timestamp of 3 digits.
func (c *clock) property(p Prop, start, end []int64, out *row.Vec) {
	out.I64 = slices.Grow(out.I64, len(end))
	switch {
	case p == WindowStart:
		appendMillis(out, start)
	case p == WindowEnd:
		appendMillis(out, end)
	default:
		for i, e := range end {
			if i > 0 && e == end[i-1] {
				out.I64 = append(out.I64, out.I64[len(out.I64)-1])
				continue
			}
			at := e - 1 // a TIMESTAMP as the wall clock shows it, a TIMESTAMP_LTZ as the instant
			if out.Type.Kind == types.TimestampLTZ {
				at = c.instant(at)
			}
			out.I64 = append(out.I64, at*1000)
		}
	}
	out.Len = len(out.I64)
}

func appendMillis(out *row.Vec, ms []int64) {
	for _, t := range ms {
		out.I64 = append(out.I64, t*1000)
	}
}
