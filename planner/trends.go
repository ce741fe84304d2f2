package planner

import (
	"math"

	"fsql/expr"
	"fsql/expr/agg"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/row"
)

// trend says how the values of a column move when rows of its node are updated.
// It decides what Flink sends: MAX over values that only grow does not look at
// the old rows of updates, so that it never falls back in between.
type trend uint8

const (
	mixed trend = iota
	constant
	rising
	falling
)

// addsOnly marks the calls that leave out what is taken back.
func (l *lowering) addsOnly(n *logical.Aggregate, kinds row.Kinds) []agg.Call {
	if kinds == row.InsertOnly {
		return n.Calls
	}
	calls := append([]agg.Call(nil), n.Calls...)
	ts := l.aggTrends(n)
	for i := range calls {
		if ts == nil {
			break
		}
		t, name := ts[len(n.Keys)+i], calls[i].Fn.Name
		calls[i].Opts.AddsOnly = name == "MAX" && t == rising || name == "MIN" && t == falling
	}
	return calls
}

// trends are those of a node's columns, nil if it may delete rows. They follow
// Flink's FlinkRelMdModifiedMonotonicity.
func (l *lowering) trends(n logical.Node) []trend {
	if id, ok := l.done[n]; ok && l.plan.Nodes[id].Kinds == row.InsertOnly {
		return all(n, constant)
	}
	switch n := n.(type) {
	case *logical.Calc:
		return l.calcTrends(n)
	case *logical.Aggregate:
		return l.aggTrends(n)
	case *logical.Union:
		var out []trend
		for _, in := range n.Ins {
			ts := l.trends(in)
			if ts == nil {
				return nil
			}
			if out == nil {
				out = append(out, ts...)
			}
			for i, t := range ts {
				if out[i] != t {
					out[i] = mixed
				}
			}
		}
		return out
	case *logical.Join:
		return l.joinTrends(n)
	}
	return nil
}

func all(n logical.Node, t trend) []trend {
	out := make([]trend, len(n.Schema().Columns))
	for i := range out {
		out[i] = t
	}
	return out
}

func (l *lowering) calcTrends(n *logical.Calc) []trend {
	in := l.trends(n.Input)
	if in == nil {
		return nil
	}
	for _, c := range logical.Conjuncts(n.Cond) {
		// What an update takes out of the rows that pass is a delete.
		at, r := logical.Compared(c)
		up, down := at >= 0 && in[at] == rising && math.IsInf(r.Hi, 1), at >= 0 && in[at] == falling && math.IsInf(r.Lo, -1)
		if !up && !down && logical.Any(c, func(e expr.Node) bool { i := logical.AsRef(e); return i >= 0 && in[i] != constant }) {
			return nil
		}
	}
	if fixed(in) {
		return all(n, constant)
	}
	out := make([]trend, len(n.Exprs))
	for i, e := range n.Exprs {
		for {
			c, ok := e.(*expr.Call)
			if !ok || c.Fn.Name != "CAST" {
				break
			}
			e = c.Args[0]
		}
		if c := logical.AsRef(e); c >= 0 {
			out[i] = in[c]
		}
	}
	return out
}

func fixed(ts []trend) bool {
	for _, t := range ts {
		if t != constant {
			return false
		}
	}
	return true
}

func (l *lowering) aggTrends(n *logical.Aggregate) []trend {
	in := l.trends(n.Input)
	if in == nil {
		return nil
	}
	var out []trend
	for _, k := range n.Keys {
		if in[k] != constant {
			return nil
		}
		out = append(out, constant)
	}
	updates := !fixed(in)
	for i := range n.Calls {
		c := &n.Calls[i]
		t := callTrend(n.Input, c)
		if updates && c.Fn.Name != "COUNT" && len(c.Args) == 1 && in[c.Args[0]] != t || updates && len(c.Args) > 1 {
			t = mixed
		}
		out = append(out, t)
	}
	return out
}

// callTrend is how a result moves as rows are added.
func callTrend(in logical.Node, c *agg.Call) trend {
	switch c.Fn.Name {
	case "COUNT", "MAX":
		return rising
	case "MIN":
		return falling
	case "SUM":
		r := logical.ArgumentRange(in, c)
		switch {
		case r.Lo >= 0:
			return rising
		case r.Hi <= 0:
			return falling
		}
	}
	return mixed
}

func (l *lowering) joinTrends(n *logical.Join) []trend {
	left, right := l.trends(n.L), l.trends(n.R)
	if n.Kind != joinop.Inner || n.Temporal != nil || left == nil || right == nil {
		return nil
	}
	for _, k := range n.Keys {
		if left[k.L] != constant || right[k.R] != constant {
			return nil
		}
	}
	both := append(append([]trend(nil), left...), right...)
	if n.Cond != nil && logical.Any(n.Cond, func(e expr.Node) bool { c := logical.AsRef(e); return c >= 0 && both[c] != constant }) {
		return nil
	}
	out := make([]trend, len(n.Cols))
	for i, c := range n.Cols {
		out[i] = both[c]
	}
	return out
}
