package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/planner/rules"
	"fsql/sql/ast"
	"fsql/types"
)

// where binds WHERE and applies it. correlated are the conditions that read the
// query around: they are handed back, over the columns of the result.
func (x *exprs) where(n logical.Node, e ast.Expr) (_ logical.Node, correlated []expr.Node, err error) {
	conds, err := x.conditions(e)
	if err != nil {
		return nil, nil, err
	}
	m := &maker{b: x.binder}
	for _, k := range x.sc.keys {
		conds = append(conds, k.equal(m, logical.Ref(x.sc.schema, k.col), x.corr.value(k.ref)))
	}
	if m.err != nil {
		return nil, nil, m.err
	}
	var own []expr.Node
	for _, c := range conds {
		if readsAround(c) {
			correlated = append(correlated, c)
		} else {
			own = append(own, c)
		}
	}
	if n, err = x.restricted(n, own, x.sc); err != nil {
		return nil, nil, err
	}
	for i, c := range correlated {
		correlated[i] = retyped(c, n.Schema())
	}
	return n, correlated, nil
}

// conditions binds the parts of a condition that must all be TRUE. They are bound
// one by one so that an error in one of them stands at its place.
func (x *exprs) conditions(e ast.Expr) ([]expr.Node, error) {
	if e == nil {
		return nil, nil
	}
	if b, ok := e.(*ast.Binary); ok && b.Op == ast.And {
		l, err := x.conditions(b.L)
		if err != nil {
			return nil, err
		}
		r, err := x.conditions(b.R)
		return append(l, r...), err
	}
	if b, ok := e.(*ast.Between); ok && !b.Not && !b.Symmetric && (find(b.Lo, isQuery) != nil || find(b.Hi, isQuery) != nil) {
		// Each bound is joined by itself, and drops rows at once.
		return x.conditions(&ast.Binary{At: b.At, Op: ast.And,
			L: &ast.Binary{At: b.At, Op: ast.Ge, L: b.X, R: b.Lo, OpPos: b.At},
			R: &ast.Binary{At: b.At, Op: ast.Le, L: b.X, R: b.Hi, OpPos: b.At}})
	}
	n, err := x.condition(e)
	if err != nil {
		return nil, err
	}
	return logical.Conjuncts(n), nil
}

func isQuery(e ast.Expr) bool { _, ok := e.(*ast.Subquery); return ok }

// restricted keeps the rows for which all conditions are TRUE: first by those
// without a query, then by a semi or anti join for each [NOT] IN and [NOT]
// EXISTS, last by those that need the answer of a query (flink-sql 4.13). sc is
// the scope of the rows, if they are those of a FROM.
func (b *binder) restricted(n logical.Node, conds []expr.Node, sc *scope) (logical.Node, error) {
	var plain, rest []expr.Node
	var halves []half
	for _, c := range conds {
		if h, ok := halfOf(c); ok {
			halves = append(halves, h)
		} else if hasSubquery(c) {
			rest = append(rest, c)
		} else {
			plain = append(plain, c)
		}
	}
	n, err := b.keep(n, plain, sc)
	if err != nil {
		return nil, err
	}
	for _, h := range halves {
		for _, x := range h.x {
			if hasSubquery(x) {
				return nil, diag.New(diag.NotSupported, h.pos, "what IN looks for cannot be a subquery itself").
					WithHint("compute it in a query in FROM")
			}
		}
		if n, err = b.halfJoin(n, h); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		if n, rest, err = b.answered(n, rest); err != nil {
			return nil, err
		}
		if n, err = b.keep(n, rest, nil); err != nil {
			return nil, err
		}
	}
	if sc != nil {
		sc.over(n)
	}
	return n, nil
}

// keep applies conditions that ask no query.
func (b *binder) keep(n logical.Node, conds []expr.Node, sc *scope) (logical.Node, error) {
	cond, err := logical.And(b.env.Funcs, conds)
	if err != nil {
		return nil, err
	}
	return b.filtered(n, cond, sc)
}

// half is a condition that is a semi join, or (not) an anti join.
type half struct {
	*subquery
	not bool
}

// halfOf recognises [NOT] EXISTS and [NOT] IN that stand alone.
func halfOf(n expr.Node) (half, bool) {
	switch n := n.(type) {
	case *subquery:
		return half{n, false}, n.kind == existsQuery || n.kind == inQuery
	case *expr.Call:
		if n.Fn.Name == "NOT" || n.Fn.Name == "IS TRUE" {
			h, ok := halfOf(n.Args[0])
			if n.Fn.Name == "IS TRUE" {
				return h, ok && !h.not
			}
			h.not = !h.not
			return h, ok
		}
		if len(n.Args) != 2 {
			return half{}, false
		}
		// Flink takes a number of rows above 0 for EXISTS.
		number, zero := n.Args[0], n.Args[1]
		if n.Fn.Name == "<" {
			number, zero = zero, number
		}
		s, ok := number.(*subquery)
		if l, isZero := expr.IsConst(zero); ok && s.q.counted != nil && (n.Fn.Name == ">" || n.Fn.Name == "<") && isZero && l.String() == "0" {
			e := *s
			e.kind, e.q = existsQuery, s.q.counted
			return half{&e, false}, true
		}
	}
	return half{}, false
}

// halfJoin joins n with a query that a condition asks.
func (b *binder) halfJoin(n logical.Node, h half) (logical.Node, error) {
	m := &maker{b: b}
	q := *h.q
	nested := false
	for _, e := range append(append([]expr.Node{}, q.conds...), q.items...) {
		nested = nested || hasSubquery(e)
	}
	if nested {
		// A query in there reads this one: it needs rows of its own to ask for.
		var err error
		if q.node, q.items, q.keys, err = m.free(&q); err != nil {
			return nil, err
		}
		q.conds = nil
	}
	var err error
	if q.node, err = placed(q.node, q.corr, n, h.outer); err != nil {
		return nil, err
	}
	if h.kind == existsQuery && len(q.conds)+len(q.keys) == 0 {
		// Whether there is a row is all that is kept.
		q.node = m.distinct(logical.NewCalc(q.node, nil, []expr.Node{m.lit(types.Boolean, "TRUE")}, []string{"i"}))
	}
	if m.err != nil {
		return nil, m.err
	}
	left := len(n.Schema().Columns)
	beside := func(e expr.Node) expr.Node {
		return logical.Rewrite(e, func(c expr.Node) expr.Node {
			switch c := c.(type) {
			case *outerRef:
				return retyped(h.outer[c.i], n.Schema())
			case *expr.Column:
				return expr.NewColumn(c.Index+left, c.Name, c.T)
			}
			return nil
		})
	}
	var conds []expr.Node
	for _, k := range q.keys {
		conds = append(conds, k.equal(m, retyped(h.outer[k.ref], n.Schema()), beside(logical.Ref(q.node.Schema(), k.col))))
	}
	for _, c := range q.conds {
		conds = append(conds, beside(c))
	}
	for i, x := range h.x {
		conds = append(conds, m.sameOrUnknown(retyped(x, n.Schema()), beside(q.items[i]), h.not))
	}
	j := logical.Join{L: n, R: q.node, Kind: joinop.Semi, Cond: m.and(conds...), Pos: h.pos}
	if m.err != nil {
		return nil, place(m.err, h.pos)
	}
	if h.not {
		j.Kind = joinop.Anti
	}
	if j.Windows, err = (rules.Context{Funcs: b.env.Funcs, Zone: b.zone}).WindowsOf(&j); err != nil {
		return nil, err
	}
	j.Timed = j.Windows != nil
	return logical.NewJoin(j), nil
}

// sameOrUnknown compares what IN looks for with what a query gives. NOT IN
// keeps a row only if the answer is FALSE everywhere: a NULL on either side
// leaves it open.
func (m *maker) sameOrUnknown(a, b expr.Node, orUnknown bool) expr.Node {
	cond := m.call("=", a, b)
	for _, n := range []expr.Node{a, b} {
		if orUnknown && n.Type().Nullable {
			cond = m.call("OR", cond, m.call("IS NULL", n))
		}
	}
	return cond
}
