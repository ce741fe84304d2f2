package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/relop"
	"fsql/sql/ast"
	"fsql/types"
)

// unnest binds an UNNEST on the right of a join, as a step over the rows of the
// left side, whose columns it may read: without the condition of the join, and
// with the scope of the elements alone. nil: the right side is something else,
// or reads nothing and needs a join.
func (b *binder) unnest(j *ast.Join, l logical.Node, ls *scope) (*logical.Unnest, *scope, error) {
	t, ok := j.R.(*ast.Unnest)
	if !ok {
		return nil, nil, nil
	}
	n, s, err := b.collection(t, l, ls)
	if err != nil {
		return nil, nil, err
	}
	if j.Kind == ast.Right || j.Kind == ast.Full {
		if !logical.Any(n.X, func(m expr.Node) bool { return logical.AsRef(m) >= 0 }) {
			return nil, nil, nil
		}
		return nil, nil, onlyBeside(j, "UNNEST").
			WithHint("write CROSS JOIN UNNEST(..), or LEFT JOIN UNNEST(..) ON TRUE to keep rows without elements")
	}
	n.Outer = j.Kind == ast.Left
	return n, s, nil
}

// elements binds an UNNEST that begins a FROM: it has no row to read.
func (b *binder) elements(t *ast.Unnest, outer *scope) (logical.Node, *scope, error) {
	one, _, err := b.source(&ast.Select{}, nil)
	if err != nil {
		return nil, nil, err
	}
	n, s, err := b.collection(t, one, &scope{schema: one.Schema(), outer: outer})
	if err != nil {
		return nil, nil, err
	}
	node := logical.NewUnnest(*n)
	s.schema, s.rels[0].start = node.Schema(), len(one.Schema().Columns)
	return node, s, nil
}

// collection binds UNNEST(x) [WITH ORDINALITY] over the rows of l. Flink names
// the only column of elements that are no rows after the table alias.
func (b *binder) collection(t *ast.Unnest, l logical.Node, ls *scope) (*logical.Unnest, *scope, error) {
	x, err := (&exprs{binder: b, sc: ls, clause: "UNNEST"}).value(t.X)
	if err != nil {
		return nil, nil, err
	}
	cols := relop.Elements(x.Type(), t.Ordinality)
	if len(cols) == 0 {
		e := diag.New(diag.TypeMismatch, t.X.Span(), "UNNEST takes an ARRAY, a MAP or a MULTISET, this is %s", x.Type().Short())
		if x.Type().IsString() {
			e.WithHint("SPLIT(%s, ',') makes an ARRAY of a text", written(t.X))
		}
		return nil, nil, e
	}
	r := &result{names: logical.Names(&types.Schema{Columns: cols})}
	var path []string
	if name := t.Alias.Name.Text; name != "" {
		path = []string{name}
		if k := x.Type(); len(t.Alias.Columns) == 0 && k.Kind != types.Map && k.Elem().Kind != types.Row {
			r.names[0] = name
		}
		if r, err = b.renamed(r, t.Alias.Columns, name); err != nil {
			return nil, nil, err
		}
	}
	n := &logical.Unnest{Input: l, X: x, Names: r.names, Ordinality: t.Ordinality, Pos: t.Pos}
	return n, &scope{schema: &types.Schema{Columns: n.Elements()}, rels: []relation{{path: path, names: r.names}}}, nil
}
