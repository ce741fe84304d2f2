package rules

import (
	"fsql/expr"
	"fsql/planner/logical"
	"fsql/types"
	"fsql/window"
)

// attach builds the window aggregations that could not be fused: their rows
// come with the bounds of their windows, from another aggregation or because
// something was computed with the bounds. The bounds are ordinary keys then,
// and a window of one millisecond at window_time says when a group is
// complete.
func (c Context) attach(n logical.Node) (logical.Node, error) {
	a, ok := n.(*logical.Aggregate)
	if !ok || a.Bounds == nil {
		return n, nil
	}
	if a.Bounds.By.Proctime {
		plain := *a // as in Flink: the clock says nothing of rows that wait above a window
		plain.Bounds = nil
		return &plain, nil
	}
	in := a.Input.Schema()
	time, err := c.windowTime(in, a.Bounds)
	if err != nil {
		return nil, err
	}
	exprs := append(logical.Refs(in), time)
	names := logical.UniqueNames(append(logical.Names(in), "$time"))
	calc := logical.NewCalc(a.Input, nil, exprs, names)
	by := logical.Windowing{Window: window.Window{Kind: window.Tumble, Size: 1, Time: len(in.Columns), Zone: a.Bounds.By.Zone}}
	w := logical.NewWindowAggregate(calc, by, a.Keys, a.Calls, nil, logical.Names(a.Schema()))
	return w, nil
}

// windowTime is the last millisecond of the window of a row.
func (c Context) windowTime(in *types.Schema, b *logical.Bounds) (expr.Node, error) {
	if len(b.Time) > 0 {
		return logical.Ref(in, b.Time[0]), nil
	}
	ms, err := expr.NewLiteral(types.Of(types.IntervalMillis), "1")
	if err != nil {
		return nil, err
	}
	last, err := expr.NewCall(c.Funcs, "-", []expr.Node{logical.Ref(in, b.End[0]), ms})
	if err != nil {
		return nil, err
	}
	if b.TimeType.Kind == types.TimestampLTZ {
		return expr.NewCast(last, types.TimestampLTZOf(3), false)
	}
	return last, nil
}
