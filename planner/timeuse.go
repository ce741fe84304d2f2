package planner

import (
	"fsql/planner/logical"
	"fsql/types"
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
		in := t.of(n.Input)
		for i := range in {
			in[i] = in[i] || mine[i]
		}
		in[n.By.Time] = true
	case *logical.WindowAggregate:
		t.of(n.Input)[n.By.Time] = true
	case *logical.Aggregate, *logical.Sink:
	case *logical.Join:
		t.join(n, mine)
	default: // whatever takes time from its input may take any
		for _, in := range n.Inputs() {
			cols := t.of(in)
			for i, c := range in.Schema().Columns {
				cols[i] = cols[i] || c.Type.Attr == types.Rowtime
			}
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

// original tells that a time of a window join's output which is used above is
// one that the rows had before they were put into windows.
func (t timeUse) original(n *logical.Join) bool {
	left := len(n.L.Schema().Columns)
	mine := t.of(n)
	for i, c := range n.Cols {
		if mine[i] && c != n.Windows.L && c != left+n.Windows.R {
			return true
		}
	}
	return false
}
