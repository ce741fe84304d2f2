package planner

import (
	"fsql/expr"
	"fsql/planner/logical"
	"fsql/planner/rules"
	"fsql/sql/ast"
)

// spread is a query behind LATERAL that reads the elements of a collection of
// the row to the left: LATERAL (SELECT .. FROM UNNEST(row.c) AS t (x) WHERE ..).
// It needs no join.
type spread struct {
	un    *logical.Unnest
	where expr.Node   // over row and elements; nil: none
	items []expr.Node // over row and elements
	names []string
}

// spread binds such a query; nil: it is another one.
func (b *binder) spread(s *ast.Select, l logical.Node, ls *scope) (*lateral, error) {
	from, ok := s.From.(*ast.Unnest)
	if !ok || b.aggregates(s) || s.Distinct || s.Qualify != nil {
		return nil, nil
	}
	if err := b.checkHints(s); err != nil {
		return nil, err
	}
	un, sc, err := b.collection(from, l, ls)
	if err != nil {
		return nil, err
	}
	if b.qualify {
		if err := b.freeze(s, sc); err != nil {
			return nil, err
		}
	}
	sc.outer = ls
	out := &spread{un: un}
	x := &exprs{binder: b, sc: sc, clause: "WHERE", around: ls}
	if s.Where != nil {
		cond, err := x.condition(s.Where)
		if err != nil {
			return nil, err
		}
		out.where = beside(cond, l)
	}
	x.clause = ""
	items, err := x.items(s.Items)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		out.names = append(out.names, it.name)
		out.items = append(out.items, beside(it.node, l))
	}
	return &lateral{spread: out, names: out.names}, nil
}

// withItems are the rows to the left with the items beside them. cond is the
// condition of the join, over row and items.
func (b *binder) withItems(j *ast.Join, q *spread, cond expr.Node) (logical.Node, error) {
	u := *q.un
	left := len(u.Input.Schema().Columns)
	u.Outer = j.Kind == ast.Left
	conds := append(logical.Conjuncts(q.where), logical.Conjuncts(logical.Rewrite(cond, func(m expr.Node) expr.Node {
		if c := logical.AsRef(m); c >= left {
			return q.items[c-left]
		}
		return nil
	}))...)
	var err error
	if u.Cond, err = logical.And(b.env.Funcs, conds); err != nil {
		return nil, err
	}
	if elements := logical.Refs(u.Both())[left:]; sameRefs(q.items, elements) {
		return logical.NewUnnest(u), nil
	}
	plain := true
	for _, e := range q.items {
		plain = plain && logical.AsRef(e) >= left
	}
	if u.Outer && !plain && !u.Ordinality { // the position tells that there is an element
		u.Ordinality, u.Names = true, append(append([]string(nil), u.Names...), "$position")
	}
	c := rules.Context{Funcs: b.env.Funcs, Zone: b.zone}
	n, err := c.FilterJoin(logical.NewUnnest(u), nil)
	if err != nil {
		return nil, err
	}
	if n, err = settle(c, n); err != nil {
		return nil, err
	}
	s := n.Schema()
	exprs, names := logical.Refs(s)[:left], logical.Names(s)[:left]
	for i, e := range q.items {
		if e = retyped(e, s); u.Outer && !plain {
			if e, err = b.orNull(logical.Ref(s, len(s.Columns)-1), e); err != nil {
				return nil, err
			}
		}
		exprs, names = append(exprs, e), append(names, q.names[i])
	}
	return logical.NewCalc(n, nil, exprs, logical.UniqueNames(names)), nil
}

// orNull is e, but NULL where mark is.
func (b *binder) orNull(mark, e expr.Node) (expr.Node, error) {
	missing, err := expr.NewCall(b.env.Funcs, "IS NULL", []expr.Node{mark})
	if err != nil {
		return nil, err
	}
	return expr.NewCall(b.env.Funcs, "CASE", []expr.Node{missing, nullOf(e.Type()), e})
}

func sameRefs(a, b []expr.Node) bool {
	for i := range a {
		if len(a) != len(b) || logical.AsRef(a[i]) < 0 || logical.AsRef(a[i]) != logical.AsRef(b[i]) {
			return false
		}
	}
	return true
}
