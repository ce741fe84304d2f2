package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/types"
)

// wordCall binds a function with key words of its own: a unit or the side of
// TRIM is the first word.
func (x *exprs) wordCall(name string, c *ast.Call, args []expr.Node) (expr.Node, error) {
	if len(c.Words) > 1 {
		return nil, diag.New(diag.WrongArguments, c.Pos, "%s takes one key word only", name)
	}
	return expr.NewUnitCall(x.env.Funcs, name, c.Words[0], args)
}

// interval binds INTERVAL x UNIT and (a - b) UNIT.
func (x *exprs) interval(e *ast.Interval) (expr.Node, error) {
	if e.Diff {
		d, ok := e.X.(*ast.Binary)
		if !ok || d.Op != ast.Sub {
			return nil, diag.New(diag.Syntax, e.Pos, "a unit follows the difference of two times only: (a - b) %s", e.Type.Unit)
		}
		args, err := x.all([]ast.Expr{d.L, d.R})
		if err != nil {
			return nil, err
		}
		return expr.NewTimeDiff(x.env.Funcs, args[0], args[1], e.Type)
	}
	n, err := x.bind(e.X)
	if err != nil {
		return nil, err
	}
	return expr.NewInterval(x.env.Funcs, n, e.Type)
}

// jsonCall binds a JSON function with its clauses.
func (x *exprs) jsonCall(name string, c *ast.Call, args []expr.Node) (expr.Node, error) {
	j := expr.JSONClauses{Wrapper: c.JSON.Wrapper, OnEmpty: c.JSON.OnEmpty, OnError: c.JSON.OnError, OnNull: c.JSON.OnNull, Pairs: c.JSON.Pairs}
	if c.JSON.Returning != nil {
		j.Returning = c.JSON.Returning.Type
	} else {
		j.Returning.Kind = types.Invalid
	}
	for _, d := range []struct {
		from ast.Expr
		to   *expr.Node
	}{{c.JSON.EmptyDef, &j.EmptyDef}, {c.JSON.ErrorDef, &j.ErrorDef}} {
		if d.from == nil {
			continue
		}
		n, err := x.bind(d.from)
		if err != nil {
			return nil, err
		}
		*d.to = n
	}
	return expr.NewJSONCall(x.env.Funcs, name, args, j)
}
