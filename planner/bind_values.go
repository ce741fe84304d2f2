package planner

import (
	"strconv"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// values binds VALUES (..), (..). Rows of constants become one node; a row
// with something else (NOW(), UUID()) is a projection of its own, united with
// the others.
func (b *binder) values(v *ast.Values) (*result, error) {
	width := len(v.Rows[0])
	x := &exprs{binder: b, sc: &scope{schema: &types.Schema{}}, clause: "VALUES", asks: true}
	rows := make([][]expr.Node, len(v.Rows))
	for i, r := range v.Rows {
		if len(r) != width {
			return nil, diag.New(diag.ColumnCount, rowSpan(r, v.Pos), "this row of VALUES has %d columns, the first one has %d", len(r), width)
		}
		for _, e := range r {
			n, err := x.value(e)
			if err != nil {
				return nil, err
			}
			rows[i] = append(rows[i], n)
		}
	}
	names, ts := make([]string, width), make([]types.Type, width)
	for c := range ts {
		names[c] = "EXPR$" + strconv.Itoa(c)
		col := make([]types.Type, len(rows))
		for i := range rows {
			col[i] = rows[i][c].Type().Plain()
		}
		t, err := expr.Common(col...)
		if err != nil {
			return nil, place(err, v.Pos)
		}
		ts[c] = t
		for i := range rows {
			if rows[i][c], err = coerce(rows[i][c], t); err != nil {
				return nil, place(err, v.Rows[i][c].Span())
			}
		}
	}
	n, err := b.rowsOf(rows, schemaOf(names, ts), v)
	if err != nil {
		return nil, err
	}
	return &result{node: n, names: names}, nil
}

// coerce casts n to t unless it has that type, up to nullability.
func coerce(n expr.Node, t types.Type) (expr.Node, error) {
	if n.Type().Same(t) {
		return n, nil
	}
	return expr.Coerce(n, t)
}

func rowSpan(r []ast.Expr, or diag.Span) diag.Span {
	var s diag.Span
	for _, e := range r {
		s = s.Join(e.Span())
	}
	if s == (diag.Span{}) {
		return or
	}
	return s
}

func (b *binder) rowsOf(rows [][]expr.Node, s *types.Schema, v *ast.Values) (logical.Node, error) {
	var parts []logical.Node
	var constants [][]*expr.Literal
	flush := func() {
		if len(constants) > 0 {
			parts, constants = append(parts, logical.NewValues(constants, s)), nil
		}
	}
	for i, r := range rows {
		lits, err := b.literals(r, v.Rows[i])
		if err != nil {
			return nil, err
		}
		if lits != nil {
			constants = append(constants, lits)
			continue
		}
		flush()
		one, _, err := b.source(&ast.Select{}, nil)
		if err != nil {
			return nil, err
		}
		if one, r, err = b.answered(one, r); err != nil {
			return nil, err
		}
		parts = append(parts, logical.NewCalc(one, nil, r, logical.Names(s)))
	}
	flush()
	if len(parts) == 1 {
		return parts[0], nil
	}
	return logical.NewUnion(parts, s), nil
}

// literals folds a row; nil when some column is no constant.
func (b *binder) literals(r []expr.Node, at []ast.Expr) ([]*expr.Literal, error) {
	out := make([]*expr.Literal, len(r))
	for i, n := range r {
		f, err := expr.Fold(n, b.zone)
		if err != nil {
			return nil, place(err, at[i].Span())
		}
		l, ok := expr.IsConst(f)
		if !ok {
			return nil, nil
		}
		out[i] = l
	}
	return out, nil
}
