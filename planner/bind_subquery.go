package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/planner/rules"
	"fsql/sql/ast"
)

// asked is a condition that asks another query: [NOT] EXISTS (q), x [NOT] IN
// (q), x = ANY (q), x <> ALL (q).
type asked struct {
	at    diag.Span
	not   bool
	x     []ast.Expr // what IN looks for; nil: EXISTS
	query ast.Query
}

// askedOf recognises such a condition.
func askedOf(e ast.Expr) *asked {
	switch e := e.(type) {
	case *ast.Unary:
		if e.Op == ast.Not {
			if a := askedOf(e.X); a != nil {
				a.not = !a.not
				return a
			}
		}
	case *ast.Exists:
		return &asked{at: e.Span(), query: e.Query}
	case *ast.In:
		if e.Query != nil {
			return &asked{at: e.Span(), not: e.Not, x: elements(e.X), query: e.Query}
		}
	case *ast.Quantified:
		if e.Query != nil && (e.Op == ast.Eq && !e.All || e.Op == ast.Ne && e.All) {
			return &asked{at: e.Span(), not: e.All, x: elements(e.X), query: e.Query}
		}
	}
	return nil
}

// wheres are the parts of a WHERE that must all be TRUE; those that ask a query
// stand apart.
func wheres(e ast.Expr) (plain []ast.Expr, asks []*asked) {
	if e == nil {
		return nil, nil
	}
	if b, ok := e.(*ast.Binary); ok && b.Op == ast.And {
		plain, asks = wheres(b.L)
		more, moreAsks := wheres(b.R)
		return append(plain, more...), append(asks, moreAsks...)
	}
	if a := askedOf(e); a != nil {
		return nil, []*asked{a}
	}
	return []ast.Expr{e}, nil
}

// where applies WHERE: conditions first, then one semi or anti join for every
// query that it asks. correlated are the conditions that read the query around
// (x.around): they are handed back, over the columns of the result.
func (x *exprs) where(n logical.Node, e ast.Expr) (_ logical.Node, correlated []expr.Node, err error) {
	parts, asks := wheres(e)
	if len(asks) == 0 && e != nil {
		parts = []ast.Expr{e}
	}
	var plain []expr.Node
	for _, p := range parts {
		cond, err := x.condition(p)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range logical.Conjuncts(cond) {
			if readsAround(c) {
				correlated = append(correlated, c)
			} else {
				plain = append(plain, c)
			}
		}
	}
	cond, err := logical.And(x.env.Funcs, plain)
	if err != nil {
		return nil, nil, err
	}
	if n, err = x.filtered(n, cond, x.sc); err != nil {
		return nil, nil, err
	}
	for _, a := range asks {
		if n, err = x.ask(n, a); err != nil {
			return nil, nil, err
		}
		x.sc.over(n)
	}
	for i, c := range correlated {
		correlated[i] = retyped(c, n.Schema())
	}
	return n, correlated, nil
}

// around is a column of the query around a subquery.
type around struct{ *expr.Column }

// WithChildren returns the column itself.
func (a around) WithChildren([]expr.Node) expr.Node { return a }

func readsAround(n expr.Node) bool {
	return logical.Any(n, func(m expr.Node) bool { _, ok := m.(around); return ok })
}

// outer resolves a name in the query around.
func (x *exprs) outer(c *ast.Column) expr.Node {
	if x.around == nil {
		return nil
	}
	n, err := x.around.column(c, "")
	if err != nil {
		return nil
	}
	return logical.Rewrite(n, func(m expr.Node) expr.Node {
		if col, ok := m.(*expr.Column); ok {
			return around{col}
		}
		return nil
	})
}

// subselect is a query that a condition asks: its rows, what it selects, and
// the conditions that read the query around, all over the columns of node.
type subselect struct {
	node       logical.Node
	items      []expr.Node
	correlated []expr.Node
}

// ask joins n with a query that a condition of its WHERE asks.
func (x *exprs) ask(n logical.Node, a *asked) (logical.Node, error) {
	sub, err := x.subselect(a)
	if err != nil {
		return nil, err
	}
	j := logical.Join{L: n, R: sub.node, Kind: joinop.Semi, Pos: a.at}
	if a.not {
		j.Kind = joinop.Anti
	}
	var conds []expr.Node
	for _, c := range sub.correlated {
		conds = append(conds, beside(c, n))
	}
	for i, e := range a.x {
		v, err := x.value(e)
		if err != nil {
			return nil, err
		}
		same, err := x.sameOrUnknown(v, beside(sub.items[i], n), a.not)
		if err != nil {
			return nil, place(err, e.Span())
		}
		conds = append(conds, same)
	}
	if j.Cond, err = logical.And(x.env.Funcs, conds); err != nil {
		return nil, err
	}
	if j.Windows, err = (rules.Context{Funcs: x.env.Funcs, Zone: x.zone}).WindowsOf(&j); err != nil {
		return nil, err
	}
	j.Timed = j.Windows != nil
	return logical.NewJoin(j), nil
}

// sameOrUnknown compares what IN looks for with what a query gives. NOT IN
// keeps a row only if the answer is FALSE everywhere: a NULL on either side
// leaves it open.
func (x *exprs) sameOrUnknown(a, b expr.Node, orUnknown bool) (expr.Node, error) {
	cond, err := expr.NewCall(x.env.Funcs, "=", []expr.Node{a, b})
	if err != nil || !orUnknown {
		return cond, err
	}
	for _, n := range []expr.Node{a, b} {
		if !n.Type().Nullable {
			continue
		}
		null, err := expr.NewCall(x.env.Funcs, "IS NULL", []expr.Node{n})
		if err != nil {
			return nil, err
		}
		if cond, err = expr.NewCall(x.env.Funcs, "OR", []expr.Node{cond, null}); err != nil {
			return nil, err
		}
	}
	return cond, nil
}

func (x *exprs) subselect(a *asked) (*subselect, error) {
	var out *subselect
	var err error
	if s, ok := a.query.(*ast.Select); ok && !x.aggregates(s) && s.Qualify == nil && s.From != nil {
		out, err = x.correlate(s)
	} else {
		out, err = x.standalone(a.query)
	}
	if err != nil {
		return nil, err
	}
	if a.x != nil && len(a.x) != len(out.items) {
		return nil, diag.New(diag.ColumnCount, a.query.Span(), "IN looks for %d value(s), but the query gives %d columns: the numbers must match", len(a.x), len(out.items))
	}
	return out, nil
}

// standalone binds a query that reads nothing of the query around.
func (x *exprs) standalone(q ast.Query) (*subselect, error) {
	r, err := x.query(q, x.sc)
	if err != nil {
		if outerReference(err) {
			return nil, notYet(subqueries, q.Span())
		}
		return nil, err
	}
	return &subselect{node: r.node, items: logical.Refs(r.node.Schema())}, nil
}

// correlate binds a plain SELECT whose WHERE may read the query around. The
// columns of its FROM stay beside what it selects. DISTINCT does not matter to
// who asks whether there is a row.
func (x *exprs) correlate(s *ast.Select) (*subselect, error) {
	if err := x.checkHints(s); err != nil {
		return nil, err
	}
	n, sc, err := x.source(s, x.sc)
	if err != nil {
		return nil, err
	}
	sc.outer = x.sc
	if x.qualify {
		if err := x.freeze(s, sc); err != nil {
			return nil, err
		}
	}
	in := &exprs{binder: x.binder, sc: sc, clause: "WHERE", around: x.sc}
	n, correlated, err := in.where(n, s.Where)
	if err != nil {
		return nil, err
	}
	in.clause = ""
	items, err := in.items(s.Items)
	if err != nil {
		return nil, err
	}
	out := &subselect{correlated: correlated}
	exprs, names := logical.Refs(n.Schema()), logical.Names(n.Schema())
	for _, it := range items {
		if readsAround(it.node) || logical.AsRef(it.node) >= 0 {
			out.items = append(out.items, it.node)
			continue
		}
		out.items = append(out.items, expr.NewColumn(len(exprs), it.name, it.node.Type()))
		exprs, names = append(exprs, it.node), append(names, it.name)
	}
	if out.node = n; len(exprs) > len(n.Schema().Columns) {
		out.node = logical.NewCalc(n, nil, exprs, logical.UniqueNames(names))
	}
	return out, nil
}
