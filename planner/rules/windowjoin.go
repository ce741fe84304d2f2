package rules

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/window"
)

// WindowsOf recognises a window join: both sides are windowed the same way, and
// the condition equates their bounds (flink-sql 4.11); nil: it is none.
func (c Context) WindowsOf(j *logical.Join) (*logical.JoinWindows, error) {
	l, r := logical.BoundsOf(j.L), logical.BoundsOf(j.R)
	if l == nil || r == nil || !l.By.SameWindows(r.By) {
		return nil, nil
	}
	left := len(j.L.Schema().Columns)
	found := logical.JoinWindows{By: l.By}
	var start, end bool
	for _, p := range logical.Conjuncts(j.Cond) {
		a, b, ok := equated(p, left)
		if !ok {
			continue
		}
		p, isA := l.Prop(a)
		q, isB := r.Prop(b)
		switch {
		case !isA || !isB || p != q:
		case p == window.WindowStart && !start:
			start, found.Start = true, [2]int{a, b}
		case p == window.WindowEnd:
			end = true
		}
	}
	if !start || !end {
		return nil, nil
	}
	if l.By.Proctime {
		return nil, diag.New(diag.NotSupported, j.Pos, "a window join works by event time only, but these windows are by processing time").
			WithHint("use windows over an event-time column, or join by an interval of processing time")
	}
	var err error
	if found.Last[0], err = c.windowTime(j.L.Schema(), l); err != nil {
		return nil, err
	}
	if found.Last[1], err = c.windowTime(j.R.Schema(), r); err != nil {
		return nil, err
	}
	return &found, nil
}

// equated are the columns of the two sides that a part of a condition equates.
func equated(n expr.Node, left int) (l, r int, ok bool) {
	c, ok := n.(*expr.Call)
	if !ok || len(c.Args) != 2 || c.Fn.Name != "=" && c.Fn.Name != "IS NOT DISTINCT FROM" {
		return 0, 0, false
	}
	a, b := logical.AsRef(c.Args[0]), logical.AsRef(c.Args[1])
	if a > b {
		a, b = b, a
	}
	return a, b - left, a >= 0 && a < left && b >= left
}

// implied tells that a part of the condition of a window join holds anyway: the
// ends of windows that are equal have equal starts, unless they are sessions.
func implied(w *logical.JoinWindows, n expr.Node, left int) bool {
	if w == nil || w.By.Kind == window.Session {
		return false
	}
	l, r, ok := equated(n, left)
	return ok && [2]int{l, r} == w.Start
}
