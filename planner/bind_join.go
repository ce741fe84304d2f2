package planner

import (
	"slices"

	"fsql/expr"
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/planner/rules"
	"fsql/sql/ast"
	"fsql/types"
)

// join binds both sides and the condition. Time attributes stay in the scope
// until WHERE is known, which may make an interval join of it: see settle.
func (b *binder) join(j *ast.Join, outer *scope) (logical.Node, *scope, error) {
	l, ls, err := b.from(j.L, outer)
	if err != nil {
		return nil, nil, err
	}
	versions, right := versioned(j.R)
	un, rs, err := b.unnest(j, l, ls)
	if err != nil {
		return nil, nil, err
	}
	q, err := b.lateral(j, l, ls)
	if err != nil {
		return nil, nil, err
	}
	var r logical.Node
	switch {
	case un != nil:
	case q != nil:
		rs = q.scope()
	default:
		if r, rs, err = b.from(right, ls); err != nil { // ls for messages
			return nil, nil, err
		}
	}
	if j.Kind != ast.Cross && j.On == nil && len(j.Using) == 0 && !j.Natural {
		return nil, nil, diag.New(diag.Syntax, j.Pos, "this JOIN needs a condition: ON or USING").
			WithHint("write JOIN .. ON .., or CROSS JOIN for all pairs")
	}
	if name := ls.alsoIn(rs); name != "" {
		return nil, nil, diag.New(diag.DuplicateName, j.R.Span(), "two tables of this FROM are called '%s'", name).
			WithHint("give one of them another name: AS %s2", name)
	}
	kind := joinKinds[j.Kind]
	if keys := append(slices.Clone(ls.keys), rs.keys...); len(keys) > 0 && kind != joinop.Inner {
		return nil, nil, b.within.unreachable(keys[0].ref, j.Pos)
	}
	both := joined(ls, rs)
	conds, asked, err := b.on(j.On, both, un == nil)
	if err != nil {
		return nil, nil, err
	}
	if len(asked) > 0 && kind != joinop.Inner {
		if l, r, both, conds, err = b.aside(l, r, ls, rs, append(conds, asked...)); err != nil {
			return nil, nil, err
		}
		asked = nil
	}
	names := j.Using
	if j.Natural {
		names = common(ls, rs, j.At)
	}
	equal, err := b.share(names, kind, ls, rs, both)
	if err != nil {
		return nil, nil, err
	}
	cond, err := logical.And(b.env.Funcs, append(conds, equal...))
	if err != nil {
		return nil, nil, err
	}
	var n logical.Node
	switch {
	case un != nil:
		un.Cond = cond
		n = logical.NewUnnest(*un)
	case q != nil:
		if n, err = b.beside(j, l, q, cond); err != nil {
			return nil, nil, err
		}
	default:
		node := logical.Join{L: l, R: r, Kind: kind, Cond: cond, Timed: true, Pos: j.Pos}
		if versions != nil {
			if node.Temporal, err = b.temporal(j, versions, l, both); err != nil {
				return nil, nil, err
			}
		}
		n = logical.NewJoin(node)
	}
	if len(asked) > 0 {
		if n, err = b.restricted(n, asked, both); err != nil {
			return nil, nil, err
		}
	}
	both.over(n)
	return n, both, nil
}

var joinKinds = [...]joinop.Kind{
	ast.Inner: joinop.Inner, ast.Left: joinop.LeftOuter, ast.Right: joinop.RightOuter, ast.Full: joinop.FullOuter, ast.Cross: joinop.Inner,
}

// alsoIn is a name that relations of both scopes have, "" if there is none.
func (s *scope) alsoIn(t *scope) string {
	for i := range s.rels {
		for k := range t.rels {
			if n := s.rels[i].name(); n != "" && n == t.rels[k].name() {
				return n
			}
		}
	}
	return ""
}

// joined puts the columns of two scopes beside each other.
func joined(l, r *scope) *scope {
	names := logical.UniqueNames(append(logical.Names(l.schema), logical.Names(r.schema)...))
	s := &scope{schema: schemaOf(names, append(typesOf(l.schema), typesOf(r.schema)...))}
	s.rels = append(s.rels, l.rels...)
	left := len(l.schema.Columns)
	for _, rel := range r.rels {
		rel.start += left
		s.rels = append(s.rels, rel)
	}
	s.keys = append(s.keys, l.keys...)
	for _, k := range r.keys {
		k.col += left
		s.keys = append(s.keys, k)
	}
	s.shared = append(s.shared, l.shared...)
	for _, c := range r.shared {
		s.shared = append(s.shared, sharedColumn{name: c.name, node: logical.Shift(c.node, left), of: shifted(c.of, left)})
	}
	return s
}

func shifted(cols []int, by int) []int {
	out := make([]int, len(cols))
	for i, c := range cols {
		out[i] = c + by
	}
	return out
}

// over makes n the node whose columns the scope names: types may have changed.
func (s *scope) over(n logical.Node) {
	s.schema = n.Schema()
	for i := range s.shared {
		s.shared[i].node = retyped(s.shared[i].node, s.schema)
	}
}

// retyped gives references the types that the columns have now.
func retyped(n expr.Node, s *types.Schema) expr.Node {
	return logical.Rewrite(n, func(m expr.Node) expr.Node {
		if c := logical.AsRef(m); c >= 0 {
			return logical.Ref(s, c)
		}
		return nil
	})
}

// common are the names that NATURAL compares: those of both sides, in the
// order of the left one.
func common(l, r *scope, at ast.At) []ast.Name {
	var out []ast.Name
	theirs := r.unqualified()
	for _, n := range l.unqualified() {
		if contains(theirs, n) {
			out = append(out, ast.Name{At: at, Text: n, Quoted: true})
		}
	}
	return out
}

// share compares the columns of USING and makes one of each two: that of the
// side that is not padded, or whichever is not NULL.
func (b *binder) share(names []ast.Name, k joinop.Kind, l, r, both *scope) (conds []expr.Node, err error) {
	for _, name := range names {
		c := &ast.Column{At: name.At, Parts: []ast.Name{name}}
		x, err := l.column(c, "")
		if err != nil {
			return nil, err
		}
		y, err := r.column(c, "")
		if err != nil {
			return nil, err
		}
		y = logical.Shift(y, len(l.schema.Columns))
		eq, err := expr.NewCall(b.env.Funcs, "=", []expr.Node{x, y})
		if err != nil {
			return nil, diag.New(diag.TypeMismatch, name.Pos, "column '%s' has different types on the two sides, which do not compare: %s and %s", name.Text, x.Type().Short(), y.Type().Short()).
				WithHint("write ON and CAST one of them")
		}
		node := x
		switch k {
		case joinop.RightOuter:
			node = y
		case joinop.FullOuter:
			if node, err = expr.NewCall(b.env.Funcs, "COALESCE", []expr.Node{x, y}); err != nil {
				return nil, place(err, name.Pos)
			}
		}
		of := append(both.take(x), both.take(y)...)
		both.shared = append(both.shared, sharedColumn{name: name.Text, node: node, of: of})
		conds = append(conds, eq)
	}
	return conds, nil
}

// take removes the shared column that n is, if it is one, and returns the
// columns it stands for.
func (s *scope) take(n expr.Node) []int {
	for i, c := range s.shared {
		if c.node.String() == n.String() {
			s.shared = append(s.shared[:i:i], s.shared[i+1:]...)
			return c.of
		}
	}
	return []int{logical.AsRef(n)}
}

// filtered applies WHERE to the rows of FROM. Over joins it becomes part of
// them, and it is known which of them are joins by time. sc is the scope of the
// rows; nil: nobody names them any more.
func (b *binder) filtered(n logical.Node, cond expr.Node, sc *scope) (logical.Node, error) {
	switch n.(type) {
	case *logical.Join, *logical.Unnest:
	default:
		if cond == nil {
			return n, nil
		}
		return logical.NewFilter(n, cond), nil
	}
	c := rules.Context{Funcs: b.env.Funcs, Zone: b.zone}
	n, err := c.FilterJoin(n, logical.Conjuncts(cond))
	if err != nil {
		return nil, err
	}
	if n, err = settle(c, n); err != nil {
		return nil, err
	}
	if sc != nil {
		sc.over(n)
	}
	return n, nil
}

// settle decides which joins of a FROM keep time attributes: interval joins and
// window joins (flink-sql 3.4).
func settle(c rules.Context, n logical.Node) (logical.Node, error) {
	switch n := n.(type) {
	case *logical.Join:
		j := *n
		var err error
		if j.L, err = settle(c, n.L); err != nil {
			return nil, err
		}
		if j.R, err = settle(c, n.R); err != nil {
			return nil, err
		}
		if j.Cond != nil {
			j.Cond = retyped(j.Cond, j.Both())
		}
		if j.Temporal != nil {
			return logical.NewJoin(j), nil
		}
		if j.Windows, err = c.WindowsOf(&j); err != nil {
			return nil, err
		}
		if j.Timed = j.Windows != nil; !j.Timed {
			iv, _, err := c.IntervalOf(&j)
			if err != nil {
				return nil, err
			}
			j.Timed = iv != nil
		}
		return logical.NewJoin(j), nil
	case *logical.Unnest:
		in, err := settle(c, n.Input)
		if err != nil {
			return nil, err
		}
		u := *n
		u.Input, u.X = in, retyped(n.X, in.Schema())
		u.Cond = retyped(n.Cond, u.Both())
		return logical.NewUnnest(u), nil
	case *logical.Calc:
		if n.Cond == nil || !logical.Identity(n.Exprs, n.Input.Schema()) {
			return n, nil // a query of its own, which is settled
		}
		in, err := settle(c, n.Input)
		if err != nil || in == n.Input {
			return n, err
		}
		return logical.NewFilter(in, retyped(n.Cond, in.Schema())), nil
	}
	return n, nil
}
