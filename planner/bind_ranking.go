package planner

import (
	"fsql/expr"
	"fsql/planner/logical"
)

// ranking is the join with the first rows of each key where the rows around are
// the keys of the same rows: Flink ranks these and joins nothing, so that rows
// without a key rank among themselves. nil: it is another query.
func (u *unfolding) ranking(n logical.Node) logical.Node {
	sort, ok := n.(*logical.Sort)
	if !ok || sort.Offset > 0 || sort.Count <= 0 {
		return nil
	}
	items, ok := sort.Input.(*logical.Calc)
	if !ok || items.Input != u.ground || !onlyRefs(items) {
		return nil
	}
	rows := u.ground.(*logical.Calc).Input
	keys := keysOf(u.l, rows)
	if keys == nil {
		return nil
	}
	matched := make([]bool, len(keys))
	for _, c := range u.c.on[u.ground] {
		call, ok := c.(*expr.Call)
		if !ok || call.Fn.Name != "=" {
			return nil
		}
		own, other := call.Args[0], call.Args[1]
		if logical.AsRef(own) < 0 {
			own, other = other, own
		}
		a, ok := other.(around)
		if !ok || logical.AsRef(own) < 0 || keys[a.Index] != logical.AsRef(own) {
			return nil
		}
		matched[a.Index] = true
	}
	for _, m := range matched {
		if !m {
			return nil
		}
	}
	r := logical.Rank{Partition: keys, Start: 1, End: sort.Count, EndCol: -1, Time: -1, Pos: sort.Pos}
	for _, k := range sort.Keys {
		k.Col = logical.AsRef(items.Exprs[k.Col])
		r.Keys = append(r.Keys, k)
	}
	rank := logical.NewRank(rows, r, "")
	var exprs []expr.Node
	for _, k := range keys {
		exprs = append(exprs, logical.Ref(rank.Schema(), k))
	}
	exprs = append(exprs, items.Exprs...)
	return logical.NewCalc(rank, nil, exprs, logical.UniqueNames(append(logical.Names(u.l.Schema()), logical.Names(items.Schema())...)))
}

func onlyRefs(c *logical.Calc) bool {
	for _, e := range c.Exprs {
		if logical.AsRef(e) < 0 {
			return false
		}
	}
	return c.Cond == nil
}

// keysOf tells that n are the different values of columns of rows: which
// columns; nil if n is something else.
func keysOf(n, rows logical.Node) []int {
	cols := numbered(0, len(n.Schema().Columns))
	through := func(c *logical.Calc) {
		for i, col := range cols {
			cols[i] = logical.AsRef(c.Exprs[col])
		}
	}
	for {
		switch m := n.(type) {
		case *logical.Calc:
			if !onlyRefs(m) {
				return nil
			}
			through(m)
			n = m.Input
		case *logical.Aggregate:
			in, ok := m.Input.(*logical.Calc)
			if !ok || !onlyRefs(in) || len(m.Calls) > 0 || len(cols) != len(m.Keys) || !sameRows(in.Input, rows) {
				return nil
			}
			for i, col := range cols {
				cols[i] = m.Keys[col]
			}
			through(in)
			return cols
		default:
			return nil
		}
	}
}

// sameRows tells that two nodes give the same rows.
func sameRows(a, b logical.Node) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *logical.Scan:
		b, ok := b.(*logical.Scan)
		return ok && a.Key() == b.Key()
	case *logical.Calc:
		b, ok := b.(*logical.Calc)
		return ok && a.String() == b.String() && sameRows(a.Input, b.Input)
	}
	return false
}
