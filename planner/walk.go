package planner

import "fsql/sql/ast"

// operands are the direct subexpressions of e; queries inside it are not
// entered.
func operands(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.Unary:
		return []ast.Expr{e.X}
	case *ast.Binary:
		return []ast.Expr{e.L, e.R}
	case *ast.Is:
		return []ast.Expr{e.X}
	case *ast.Between:
		return []ast.Expr{e.X, e.Lo, e.Hi}
	case *ast.Like:
		return present(e.X, e.Pattern, e.Escape)
	case *ast.In:
		return append([]ast.Expr{e.X}, e.List...)
	case *ast.Quantified:
		return append([]ast.Expr{e.X}, e.List...)
	case *ast.Case:
		out := present(e.X)
		for _, w := range e.Whens {
			out = append(append(out, w.Conds...), w.Then)
		}
		return append(out, present(e.Else)...)
	case *ast.Cast:
		return []ast.Expr{e.X}
	case *ast.Call:
		return append(append([]ast.Expr(nil), e.Args...), present(e.Filter)...)
	case *ast.Interval:
		return []ast.Expr{e.X}
	case *ast.Array:
		return e.Elems
	case *ast.Map:
		return e.Elems
	case *ast.Row:
		return e.Elems
	case *ast.Index:
		return []ast.Expr{e.X, e.I}
	case *ast.FieldOf:
		return []ast.Expr{e.X}
	case *ast.Overlaps:
		return []ast.Expr{e.L, e.R}
	}
	return nil
}

func present(es ...ast.Expr) []ast.Expr {
	var out []ast.Expr
	for _, e := range es {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// find returns the first subexpression for which f holds, outermost first.
func find(e ast.Expr, f func(ast.Expr) bool) ast.Expr {
	if e == nil {
		return nil
	}
	if f(e) {
		return e
	}
	for _, k := range operands(e) {
		if m := find(k, f); m != nil {
			return m
		}
	}
	return nil
}

// Mentions tells whether a scalar expression names a column.
func Mentions(e ast.Expr, column string) bool {
	if c, ok := e.(*ast.Column); ok {
		return len(c.Parts) > 0 && c.Parts[0].Text == column
	}
	for _, o := range operands(e) {
		if Mentions(o, column) {
			return true
		}
	}
	return false
}
