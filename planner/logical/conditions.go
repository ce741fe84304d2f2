package logical

import "fsql/expr"

// Conjuncts are the parts of a condition that must all be TRUE; none of nil.
func Conjuncts(cond expr.Node) []expr.Node {
	if cond == nil {
		return nil
	}
	if c, ok := cond.(*expr.Call); ok && c.Fn.Lazy == expr.LazyAnd {
		var out []expr.Node
		for _, a := range c.Args {
			out = append(out, Conjuncts(a)...)
		}
		return out
	}
	return []expr.Node{cond}
}

// And is the condition that all parts are TRUE; nil of none.
func And(funcs *expr.Registry, parts []expr.Node) (expr.Node, error) {
	var all expr.Node
	for _, p := range parts {
		if all == nil {
			all = p
			continue
		}
		var err error
		if all, err = expr.NewCall(funcs, "AND", []expr.Node{all, p}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Sides tells which sides of a join an expression reads, whose left side has
// so many columns.
func Sides(n expr.Node, left int) (l, r bool) {
	Any(n, func(m expr.Node) bool {
		if c := AsRef(m); c >= 0 {
			l, r = l || c < left, r || c >= left
		}
		return false
	})
	return l, r
}

// Shift moves all references by columns: what is written over the right side
// of a join becomes an expression over both, and back.
func Shift(n expr.Node, by int) expr.Node {
	return Rewrite(n, func(m expr.Node) expr.Node {
		if c, ok := m.(*expr.Column); ok {
			return expr.NewColumn(c.Index+by, c.Name, c.T)
		}
		return nil
	})
}
