package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

var setNames = [...]string{ast.Union: "UNION", ast.Intersect: "INTERSECT", ast.Except: "EXCEPT"}

// setOp binds both sides of UNION, INTERSECT or EXCEPT to equal columns, those of
// the first query, and combines them.
func (b *binder) setOp(s *ast.SetOp, outer *scope) (*result, error) {
	name := setNames[s.Op]
	if s.All {
		name += " ALL"
	}
	branches, asts, err := b.branches(s, outer)
	if err != nil {
		return nil, err
	}
	first := branches[0]
	for i, r := range branches[1:] {
		if len(r.names) != len(first.names) {
			return nil, diag.New(diag.ColumnCount, asts[i+1].Span(), "the column counts in %s differ: %d columns here, %d in the first query", name, len(r.names), len(first.names))
		}
	}
	ts, err := unionTypes(name, branches, asts)
	if err != nil {
		return nil, err
	}
	names := logical.UniqueNames(first.names)
	schema := schemaOf(names, ts)
	ins := make([]logical.Node, len(branches))
	for i, r := range branches {
		if ins[i], err = conform(r.node, schema); err != nil {
			return nil, place(err, asts[i].Span())
		}
	}
	node, err := b.combine(s, ins, schema)
	if err != nil {
		return nil, place(err, s.Pos)
	}
	return &result{node: node, names: first.names}, nil
}

func (b *binder) combine(s *ast.SetOp, ins []logical.Node, schema *types.Schema) (logical.Node, error) {
	switch {
	case s.Op == ast.Union && s.All:
		return logical.NewUnion(ins, schema), nil
	case s.Op == ast.Union:
		return distinct(logical.NewUnion(ins, schema))
	}
	m := &maker{b: b}
	switch {
	case !s.All:
		return m.having(ins[0], ins[1], s.Op == ast.Except)
	case s.Op == ast.Intersect:
		return m.intersectAll(ins[0], ins[1], schema)
	}
	return m.exceptAll(ins[0], ins[1], schema)
}

// branches binds both sides; a chain of UNION ALL becomes one list.
func (b *binder) branches(s *ast.SetOp, outer *scope) (rs []*result, asts []ast.Query, err error) {
	for _, side := range []ast.Query{s.L, s.R} {
		if o, ok := side.(*ast.SetOp); ok && s.Op == ast.Union && o.Op == s.Op && o.All == s.All {
			more, from, err := b.branches(o, outer)
			if err != nil {
				return nil, nil, err
			}
			rs, asts = append(rs, more...), append(asts, from...)
			continue
		}
		r, err := b.query(side, outer)
		if err != nil {
			return nil, nil, err
		}
		rs, asts = append(rs, r), append(asts, side)
	}
	return rs, asts, nil
}

// unionTypes finds the type of every column. A column stays a time attribute
// when a branch brings one and no branch computes with one (flink-sql 3.4).
func unionTypes(name string, branches []*result, asts []ast.Query) ([]types.Type, error) {
	ts := make([]types.Type, len(branches[0].names))
	for c := range ts {
		col := make([]types.Type, len(branches))
		attr, computed := types.NoAttr, -1
		for i, r := range branches {
			t := r.node.Schema().Columns[c].Type
			col[i] = t.Plain()
			if t.Attr != types.NoAttr {
				attr = t.Attr
			} else if t.IsTimestamp() && onTimeAttribute(r.node, c) {
				computed = i
			}
		}
		if attr != types.NoAttr && computed >= 0 {
			return nil, diag.New(diag.BadTimeColumn, asts[computed].Span(),
				"column '%s' of %s is a time attribute in one branch, and computed from one in this branch", branches[0].names[c], name).
				WithHint("CAST the column in both branches, or pass it on as it is")
		}
		t, err := expr.Common(col...)
		if d, ok := err.(*diag.Error); ok {
			d.Msg = "column '" + branches[0].names[c] + "' of " + name + ": " + d.Msg
		}
		if err != nil {
			return nil, place(err, asts[len(asts)-1].Span())
		}
		if t.IsTimestamp() {
			t.Attr = attr
		}
		ts[c] = t
	}
	return ts, nil
}

// onTimeAttribute tells that column c is computed from a time attribute by
// something else than a CAST.
func onTimeAttribute(n logical.Node, c int) bool {
	calc, ok := n.(*logical.Calc)
	if !ok {
		return false
	}
	call, ok := calc.Exprs[c].(*expr.Call)
	if !ok || isCast(call) {
		return false
	}
	return logical.Any(call, func(m expr.Node) bool {
		col, ok := m.(*expr.Column)
		return ok && col.T.Attr == types.Rowtime
	})
}

func isCast(c *expr.Call) bool { return c.Fn.Name == "CAST" || c.Fn.Name == "TRY_CAST" }

// conform casts the columns of n to the types of s.
func conform(n logical.Node, s *types.Schema) (logical.Node, error) {
	exprs, changed := logical.Refs(n.Schema()), false
	for i, c := range s.Columns {
		e, err := coerce(exprs[i], c.Type)
		if err != nil {
			return nil, err
		}
		changed = changed || e != exprs[i]
		exprs[i] = e
	}
	if !changed {
		return n, nil
	}
	return logical.NewCalc(n, nil, exprs, logical.Names(s)), nil
}
