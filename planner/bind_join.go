package planner

import (
	"fsql/diag"
	"fsql/expr"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
	"fsql/window"
)

// join binds both sides and the condition. What Flink would refuse is refused
// here; that joins do not run yet is said when the plan is lowered.
func (b *binder) join(j *ast.Join, outer *scope) (logical.Node, *scope, error) {
	l, ls, err := b.from(j.L, outer)
	if err != nil {
		return nil, nil, err
	}
	right, temporal := j.R, false
	if t, ok := right.(*ast.Table); ok && t.AsOf != nil {
		plain := *t
		plain.AsOf, right, temporal = nil, &plain, true
	}
	r, rs, err := b.from(right, ls) // what is left of it, for messages
	if err != nil {
		return nil, nil, err
	}
	if j.Kind != ast.Cross && j.On == nil && len(j.Using) == 0 && !j.Natural {
		return nil, nil, diag.New(diag.Syntax, j.Pos, "this JOIN needs a condition: ON or USING").
			WithHint("write JOIN .. ON .., or CROSS JOIN for all pairs")
	}
	both := joined(ls, rs)
	node := logical.Join{L: l, R: r, Kind: joinKinds[j.Kind], Pos: j.Pos}
	if j.On != nil {
		if node.Cond, err = (&exprs{binder: b, sc: both, clause: "ON"}).condition(j.On); err != nil {
			return nil, nil, err
		}
	}
	for _, u := range j.Using {
		for _, side := range []*scope{ls, rs} {
			if _, err := side.column(&ast.Column{At: u.At, Parts: []ast.Name{u}}, ""); err != nil {
				return nil, nil, err
			}
		}
	}
	switch {
	case temporal:
		return nil, nil, notYet(temporalTables, j.Pos)
	case len(j.Using) > 0 || j.Natural:
		return nil, nil, notYet(joins, j.Pos)
	}
	node.Interval = comparesTimes(node.Cond, len(ls.schema.Columns)) || comparesWindows(node)
	both.schema = joinTypes(both.schema, len(ls.schema.Columns), node)
	return logical.NewJoin(node, both.schema), both, nil
}

var joinKinds = [...]logical.JoinKind{
	ast.Inner: logical.Inner, ast.Left: logical.LeftOuter, ast.Right: logical.RightOuter, ast.Full: logical.FullOuter, ast.Cross: logical.Inner,
}

// joined puts the columns of two scopes beside each other.
func joined(l, r *scope) *scope {
	names := logical.UniqueNames(append(logical.Names(l.schema), logical.Names(r.schema)...))
	s := &scope{schema: schemaOf(names, append(typesOf(l.schema), typesOf(r.schema)...))}
	s.rels = append(s.rels, l.rels...)
	for _, rel := range r.rels {
		rel.start += len(l.schema.Columns)
		s.rels = append(s.rels, rel)
	}
	return s
}

// joinTypes are the types after a join: the padded side may be NULL, and time
// attributes stay in an interval join only (flink-sql 3.4).
func joinTypes(s *types.Schema, left int, j logical.Join) *types.Schema {
	out := &types.Schema{Columns: append([]types.Column(nil), s.Columns...)}
	for i := range out.Columns {
		t := &out.Columns[i].Type
		if !j.Interval {
			*t = t.Plain()
		}
		padded := j.Kind == logical.FullOuter || j.Kind == logical.LeftOuter && i >= left || j.Kind == logical.RightOuter && i < left
		*t = t.OrNull(padded)
	}
	return out
}

// comparesTimes tells that a condition compares time attributes of both sides.
func comparesTimes(cond expr.Node, left int) bool {
	return logical.Any(cond, func(n expr.Node) bool {
		c, ok := n.(*expr.Call)
		if !ok || !comparisons[c.Fn.Name] {
			return false
		}
		var l, r bool
		for _, a := range c.Args {
			logical.Any(a, func(m expr.Node) bool {
				if col, ok := m.(*expr.Column); ok && col.T.Attr != types.NoAttr {
					l, r = l || col.Index < left, r || col.Index >= left
				}
				return false
			})
		}
		return l && r
	})
}

// comparesWindows tells a window join: both sides are windowed the same way,
// and the condition equates their bounds.
func comparesWindows(j logical.Join) bool {
	l, r := logical.BoundsOf(j.L), logical.BoundsOf(j.R)
	if l == nil || r == nil || !l.By.SameWindows(r.By) {
		return false
	}
	left := len(j.L.Schema().Columns)
	var start, end bool
	logical.Any(j.Cond, func(n expr.Node) bool {
		c, ok := n.(*expr.Call)
		if !ok || c.Fn.Name != "=" {
			return false
		}
		a, b := logical.AsRef(c.Args[0]), logical.AsRef(c.Args[1])
		if a > b {
			a, b = b, a
		}
		if a < 0 || a >= left || b < left {
			return false
		}
		p, isA := l.Prop(a)
		q, isB := r.Prop(b - left)
		start = start || isA && isB && p == q && p == window.WindowStart
		end = end || isA && isB && p == q && p == window.WindowEnd
		return false
	})
	return start && end
}

var comparisons = map[string]bool{"=": true, "<": true, "<=": true, ">": true, ">=": true, "BETWEEN": true}
