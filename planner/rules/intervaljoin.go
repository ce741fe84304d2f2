package rules

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/types"
)

// IntervalOf recognises an interval join: the condition bounds the difference
// of two time attributes, one of each side, from below and from above
// (flink-sql 4.8). rest is what else must be TRUE; nil, nil, nil: it is none.
func (c Context) IntervalOf(j *logical.Join) (iv *logical.Interval, rest []expr.Node, err error) {
	if j.Kind.LeftOnly() {
		return nil, nil, nil // semi and anti joins by time are regular ones
	}
	parts := logical.Conjuncts(j.Cond)
	var bounds []timeBound
	for i, p := range parts {
		if b, ok := c.timeBound(p, len(j.L.Schema().Columns), i); ok {
			bounds = append(bounds, b)
		}
	}
	for _, first := range bounds {
		found := logical.Interval{L: first.l, R: first.r, Lo: types.MinTime, Hi: types.MaxTime, Proctime: first.proctime}
		used := map[int]bool{}
		for _, b := range bounds {
			if b.l != first.l || b.r != first.r {
				continue
			}
			used[b.part] = true
			found.Lo, found.Hi = max(found.Lo, b.lo), min(found.Hi, b.hi)
		}
		if found.Lo == types.MinTime || found.Hi == types.MaxTime {
			continue
		}
		for i, p := range parts {
			if !used[i] {
				rest = append(rest, p)
			}
		}
		return &found, rest, checkTimes(j, &found)
	}
	return nil, nil, nil
}

// checkTimes refuses what Flink refuses of interval joins.
func checkTimes(j *logical.Join, iv *logical.Interval) error {
	l, r := j.L.Schema().Columns[iv.L], j.R.Schema().Columns[iv.R]
	if l.Type.Kind != r.Type.Kind {
		return diag.New(diag.TypeMismatch, j.Pos, "an interval join needs the same type of time on both sides, but '%s' is %s and '%s' is %s", l.Name, l.Type.Plain().Short(), r.Name, r.Type.Plain().Short()).
			WithHint("declare both as TIMESTAMP(3) or both as TIMESTAMP_LTZ(3)")
	}
	if !iv.Proctime {
		return nil
	}
	for _, in := range j.Inputs() {
		if i := in.Schema().RowtimeIndex(); i >= 0 {
			return diag.New(diag.NotSupported, j.Pos, "an interval join by processing time takes no input with an event-time attribute, but '%s' is one", in.Schema().Columns[i].Name).
				WithHint("leave the column out, or CAST it to a plain timestamp")
		}
	}
	return nil
}

// timeBound is what one part of a condition says: left less right is in
// [lo, hi].
type timeBound struct {
	part     int
	l, r     int // columns of the sides
	lo, hi   types.Time
	proctime bool
}

// timeBound reads a comparison of a time attribute of each side, give or take
// intervals.
func (c Context) timeBound(n expr.Node, left, part int) (timeBound, bool) {
	call, ok := n.(*expr.Call)
	if !ok || len(call.Args) != 2 {
		return timeBound{}, false
	}
	op := call.Fn.Name
	a, okA := c.timeTerm(call.Args[0])
	b, okB := c.timeTerm(call.Args[1])
	if !okA || !okB || a.attr != b.attr {
		return timeBound{}, false
	}
	if a.col >= left {
		a, b, op = b, a, mirrored[op]
	}
	if a.col >= left || b.col < left {
		return timeBound{}, false
	}
	out := timeBound{part: part, l: a.col, r: b.col - left, lo: types.MinTime, hi: types.MaxTime, proctime: a.attr == types.Proctime}
	d := b.plus - a.plus // l + a op r + b
	switch op {
	case "=":
		out.lo, out.hi = d, d
	case "<":
		out.hi = d - 1
	case "<=":
		out.hi = d
	case ">":
		out.lo = d + 1
	case ">=":
		out.lo = d
	default:
		return timeBound{}, false
	}
	return out, true
}

var mirrored = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// timeTerm is a time attribute and what is added to it.
type timeTerm struct {
	col  int
	attr types.Attr
	plus types.Time
}

func (c Context) timeTerm(n expr.Node) (timeTerm, bool) {
	switch n := n.(type) {
	case *expr.Column:
		return timeTerm{col: n.Index, attr: n.T.Attr}, n.T.Attr != types.NoAttr
	case *expr.Call:
		switch {
		case (n.Fn.Name == "+" || n.Fn.Name == "-") && len(n.Args) == 2:
			t, ok := c.timeTerm(n.Args[0])
			ms, okMs := c.interval(n.Args[1])
			if n.Fn.Name == "-" {
				ms = -ms
			}
			t.plus += ms
			return t, ok && okMs
		case n.Fn.Name == "CAST" && n.T.IsTimestamp() && n.Args[0].Type().Kind != n.T.Kind:
			// TIMESTAMP compared with TIMESTAMP_LTZ: refused later.
			return c.timeTerm(n.Args[0])
		}
	}
	return timeTerm{}, false
}

// interval is a constant interval in milliseconds: a month has 31 days in the
// bounds of an interval join.
func (c Context) interval(n expr.Node) (types.Time, bool) {
	f, err := expr.Fold(n, c.Zone)
	if err != nil {
		return 0, false
	}
	l, ok := expr.IsConst(f)
	if !ok || l.IsNull() {
		return 0, false
	}
	switch l.T.Kind {
	case types.IntervalMillis:
		return types.Time(l.Value.I64[0]), true
	case types.IntervalMonths:
		return types.Time(l.Value.I32[0]) * 31 * 24 * 60 * 60 * 1000, true
	}
	return 0, false
}
