package rules

import (
	"fsql/expr"
	"fsql/planner/logical"
	"fsql/types"
)

// splitJoin takes the condition of a join apart: keys, which are columns of
// equal types, the interval of an interval join, and the rest. Keys that are
// expressions become columns below the join, as do the times of windows.
func (c Context) splitJoin(n logical.Node) (logical.Node, error) {
	j, ok := n.(*logical.Join)
	if !ok || j.Split {
		return n, nil
	}
	k := *j
	var err error
	if k.Cond, err = c.constant(j.Cond); err != nil {
		return nil, err
	}
	parts := logical.Conjuncts(k.Cond)
	if k.Timed && k.Windows == nil && k.Temporal == nil {
		iv, rest, err := c.IntervalOf(&k)
		if err != nil {
			return nil, err
		}
		if iv != nil {
			k.Interval, parts = iv, rest
		}
	}
	ls, rs := j.L.Schema(), j.R.Schema()
	s := &splitter{left: len(ls.Columns), l: logical.Refs(ls), r: logical.Refs(rs)}
	var others []expr.Node
	for _, p := range parts {
		if !implied(k.Windows, p, s.left) && !s.key(p) {
			others = append(others, p)
		}
	}
	if k.Cond, err = logical.And(c.Funcs, others); err != nil {
		return nil, err
	}
	var windows *logical.JoinWindows
	if k.Windows != nil {
		w := *k.Windows
		w.L, w.R = column(&s.l, w.Last[0]), column(&s.r, w.Last[1])
		windows = &w
	}
	right := j.R
	if k.Temporal != nil {
		if err := s.temporal(&k); err != nil {
			return nil, err
		}
		right = everyVersion(right)
	}
	// The inputs are narrowed to themselves: what is new stands behind.
	wide := k.Narrow([]logical.Node{extended(j.L, s.l), extended(right, s.r)}, same(len(ls.Columns)), same(len(rs.Columns)), same(len(j.Cols)))
	wide.Keys, wide.Windows, wide.Split = s.keys, windows, true
	return wide, nil
}

// constant folds a condition; one that is TRUE is none.
func (c Context) constant(cond expr.Node) (expr.Node, error) {
	if cond == nil {
		return nil, nil
	}
	f, err := expr.Fold(cond, c.Zone)
	if err != nil {
		return nil, err
	}
	if l, ok := expr.IsConst(f); ok && !l.IsNull() && l.Value.Bool[0] {
		return nil, nil
	}
	return f, nil
}

// extended adds the expressions beyond its own columns to a node.
func extended(n logical.Node, exprs []expr.Node) logical.Node {
	s := n.Schema()
	if len(exprs) == len(s.Columns) {
		return n
	}
	names := logical.Names(s)
	for range exprs[len(names):] {
		names = append(names, "$key")
	}
	return logical.NewCalc(n, nil, exprs, logical.UniqueNames(names))
}

// splitter collects the keys of a join and the expressions that they are.
type splitter struct {
	left int
	l, r []expr.Node
	keys []logical.JoinKey
}

// key takes a part of the condition that equates the two sides.
func (s *splitter) key(n expr.Node) bool {
	call, ok := n.(*expr.Call)
	if !ok || len(call.Args) != 2 || call.Fn.Name != "=" && call.Fn.Name != "IS NOT DISTINCT FROM" {
		return false
	}
	a, b := call.Args[0], call.Args[1]
	if logical.Volatile(n) {
		return false
	}
	aL, aR := logical.Sides(a, s.left)
	bL, bR := logical.Sides(b, s.left)
	switch {
	case aL && !aR && bR && !bL:
	case aR && !aL && bL && !bR:
		a, b = b, a
	default:
		return false
	}
	b = logical.Shift(b, -s.left)
	a, b, ok = sameBytes(a, b)
	if !ok {
		return false
	}
	s.keys = append(s.keys, logical.JoinKey{L: column(&s.l, a), R: column(&s.r, b), NullSafe: call.Fn.Name != "="})
	return true
}

// sameBytes brings two operands to types whose equal values are stored alike.
// Maps are not: their entries have no order.
func sameBytes(a, b expr.Node) (expr.Node, expr.Node, bool) {
	ta, tb := a.Type().Plain(), b.Type().Plain()
	if hasMap(ta) || hasMap(tb) {
		return nil, nil, false
	}
	alike := ta.Layout() == tb.Layout() && ta.Kind != types.Decimal && !ta.IsNested()
	if alike || ta.Same(tb) {
		return a, b, true
	}
	t, err := expr.Common(ta, tb)
	if err != nil {
		return nil, nil, false
	}
	x, err := expr.Coerce(a, t)
	if err != nil {
		return nil, nil, false
	}
	y, err := expr.Coerce(b, t)
	return x, y, err == nil
}

func hasMap(t types.Type) bool {
	if t.Kind == types.Map || t.Kind == types.Multiset {
		return true
	}
	for _, f := range t.Fields {
		if hasMap(f.Type) {
			return true
		}
	}
	return false
}

// column is the number of an expression among cols; it is added if it is new.
func column(cols *[]expr.Node, n expr.Node) int {
	if c := logical.AsRef(n); c >= 0 {
		return c
	}
	for i, e := range *cols {
		if e.String() == n.String() && e.Type().Equal(n.Type()) {
			return i
		}
	}
	*cols = append(*cols, n)
	return len(*cols) - 1
}
