package planner

import (
	"fsql/planner/logical"
	"fsql/types"
	"fsql/window"
)

// timeUse tells, for every node, which of its columns are the time of a step
// above: that of a window, of a join by time, of an order by time.
type timeUse map[logical.Node][]bool

func timeUses(roots []logical.Node) timeUse {
	t := timeUse{}
	for _, n := range logical.Order(roots) {
		t.pass(n)
	}
	return t
}

func (t timeUse) of(n logical.Node) []bool {
	if t[n] == nil {
		t[n] = make([]bool, len(n.Schema().Columns))
	}
	return t[n]
}

// pass tells the inputs of n what n and the steps above use.
func (t timeUse) pass(n logical.Node) {
	mine := t.of(n)
	switch n := n.(type) {
	case *logical.Calc:
		in := t.of(n.Input)
		for i, e := range n.Exprs {
			if c := logical.AsRef(e); c >= 0 && mine[i] {
				in[c] = true
			}
		}
	case *logical.Union:
		for _, u := range n.Ins {
			for i, used := range mine {
				in := t.of(u)
				in[i] = in[i] || used
			}
		}
	case *logical.Window:
		t.through(n.Input, mine, n.By.Time)
	case *logical.Rank:
		if n.Time < 0 {
			t.any(n)
		} else {
			t.through(n.Input, mine, n.Time)
		}
	case *logical.WindowAggregate:
		t.of(n.Input)[n.By.Time] = true
	case *logical.Aggregate, *logical.Sink:
	case *logical.Join:
		t.join(n, mine)
	default:
		t.any(n)
	}
}

// through passes what is used of n's output on to its input, the columns of
// which come first in it; n itself uses the column time.
func (t timeUse) through(in logical.Node, mine []bool, time int) {
	cols := t.of(in)
	for i := range cols {
		cols[i] = cols[i] || mine[i]
	}
	cols[time] = true
}

// any is for steps that may use any time of their inputs.
func (t timeUse) any(n logical.Node) {
	for _, in := range n.Inputs() {
		cols := t.of(in)
		for i, c := range in.Schema().Columns {
			cols[i] = cols[i] || c.Type.Attr == types.Rowtime
		}
	}
}

func (t timeUse) join(n *logical.Join, mine []bool) {
	l, r := t.of(n.L), t.of(n.R)
	for i, c := range n.Cols {
		switch {
		case !mine[i]:
		case c < len(l):
			l[c] = true
		default:
			r[c-len(l)] = true
		}
	}
	switch {
	case n.Interval != nil:
		l[n.Interval.L], r[n.Interval.R] = true, true
	case n.Windows != nil:
		l[n.Windows.L], r[n.Windows.R] = true, true
	}
}

// hold is by how much a step that sends the rows of windows when they end holds
// event time back: the length of the windows, if a time that the rows had before
// they were put into windows is used above. ofWindow tells the columns that hold
// the time of the windows. Sessions have no greatest length.
func (t timeUse) hold(n logical.Node, by *logical.Windowing, ofWindow func(col int) bool) types.Time {
	if by.Kind == window.Session {
		return 0
	}
	for i, used := range t.of(n) {
		if used && !ofWindow(i) {
			return by.Size
		}
	}
	return 0
}
