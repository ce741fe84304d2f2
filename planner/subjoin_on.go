package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
)

// on binds the condition of a join. Those parts that ask a query stand apart.
func (b *binder) on(e ast.Expr, both *scope, asks bool) (conds, asked []expr.Node, err error) {
	all, err := (&exprs{binder: b, sc: both, clause: "ON", asks: asks}).conditions(e)
	for _, c := range all {
		if hasSubquery(c) {
			asked = append(asked, c)
		} else {
			conds = append(conds, c)
		}
	}
	return conds, asked, err
}

// aside joins the subqueries in the conditions of an outer join to the side
// whose columns they read, the right one if they read none, and returns both
// sides, their common scope and the conditions over it.
func (b *binder) aside(l, r logical.Node, ls, rs *scope, conds []expr.Node) (logical.Node, logical.Node, *scope, []expr.Node, error) {
	m, left := &maker{b: b}, len(l.Schema().Columns)
	onL := &answers{m: m, base: l, n: l, done: map[string]expr.Node{}}
	onR := &answers{m: m, base: r, n: r, done: map[string]expr.Node{}}
	// The answers are over the columns of their side.
	found, right := map[*subquery]expr.Node{}, map[*subquery]bool{}
	for _, c := range conds {
		logical.Rewrite(c, func(n expr.Node) expr.Node {
			s, ok := n.(*subquery)
			if !ok {
				return nil
			}
			readsL, readsR := logical.Sides(s, left)
			switch {
			case readsL && readsR && m.err == nil:
				m.err = diag.New(diag.NotSupported, s.pos, "a subquery in ON of an outer join can read columns of one side only").
					WithHint("join inside a query in FROM first")
			case readsL:
				found[s] = onL.in(s)
			default:
				found[s], right[s] = onR.in(logical.Shift(s, -left)), true
			}
			return s
		})
	}
	if m.err != nil {
		return nil, nil, nil, nil, m.err
	}
	ls.over(onL.n)
	rs.over(onR.n)
	both, now := joined(ls, rs), len(onL.n.Schema().Columns)
	out := make([]expr.Node, len(conds))
	for i, c := range conds {
		out[i] = retyped(logical.Rewrite(c, func(n expr.Node) expr.Node {
			switch n := n.(type) {
			case *subquery:
				if right[n] {
					return logical.Shift(found[n], now)
				}
				return found[n]
			case *expr.Column:
				if n.Index >= left {
					return expr.NewColumn(n.Index+now-left, n.Name, n.T)
				}
			}
			return nil
		}), both.schema)
	}
	return onL.n, onR.n, both, out, nil
}
