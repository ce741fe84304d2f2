package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"fsql/expr"
	"fsql/expr/builtin"
	"fsql/internal/value"
	"fsql/row"
	"fsql/sql"
	"fsql/sql/ast"
	"fsql/types"
)

// binder turns the parser's expressions into nodes, without tables: what the
// planner does, as far as the examples of functions need it.
type binder struct {
	reg     *expr.Registry
	columns map[string]expr.Node
}

func (b binder) all(es ...ast.Expr) ([]expr.Node, error) {
	var out []expr.Node
	for _, e := range es {
		n, err := b.bind(e)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (b binder) call(name string, es ...ast.Expr) (expr.Node, error) {
	args, err := b.all(es...)
	if err != nil {
		return nil, err
	}
	return expr.NewCall(b.reg, name, args)
}

func (b binder) not(neg bool, n expr.Node, err error) (expr.Node, error) {
	if err != nil || !neg {
		return n, err
	}
	return expr.NewCall(b.reg, "NOT", []expr.Node{n})
}

func (b binder) bind(e ast.Expr) (expr.Node, error) {
	switch e := e.(type) {
	case *ast.Literal:
		if e.Type.Kind == types.Null {
			return expr.NullLiteral(e.Type), nil
		}
		return expr.NewLiteral(e.Type, e.Text)
	case *ast.Unary:
		return b.call([...]string{ast.Neg: "NEG", ast.Plus: "POS", ast.Not: "NOT"}[e.Op], e.X)
	case *ast.Binary:
		return b.call(e.Op.String(), e.L, e.R)
	case *ast.Is:
		name := "IS " + e.What
		if e.Not {
			name = "IS NOT " + e.What
		}
		return b.call(name, e.X)
	case *ast.Between:
		name := "BETWEEN"
		if e.Symmetric {
			name = "BETWEEN SYMMETRIC"
		}
		n, err := b.call(name, e.X, e.Lo, e.Hi)
		return b.not(e.Not, n, err)
	case *ast.Like:
		name, es := "LIKE", []ast.Expr{e.X, e.Pattern}
		if e.Similar {
			name = "SIMILAR TO"
		}
		if e.Escape != nil {
			es = append(es, e.Escape)
		}
		n, err := b.call(name, es...)
		return b.not(e.Not, n, err)
	case *ast.In:
		n, err := b.call("IN", append([]ast.Expr{e.X}, e.List...)...)
		return b.not(e.Not, n, err)
	case *ast.Cast:
		n, err := b.bind(e.X)
		if err != nil {
			return nil, err
		}
		return expr.NewCast(n, e.To.Type, e.Try)
	case *ast.Case:
		var es []ast.Expr
		for _, w := range e.Whens {
			es = append(es, w.Conds[0], w.Then)
		}
		return b.call("CASE", append(es, e.Else)...)
	case *ast.Array:
		return b.call("ARRAY", e.Elems...)
	case *ast.Map:
		return b.call("MAP", e.Elems...)
	case *ast.Row:
		return b.call("ROW", e.Elems...)
	case *ast.Index:
		return b.call("ITEM", e.X, e.I)
	case *ast.Overlaps:
		return b.call("OVERLAPS", append(e.L.(*ast.Row).Elems, e.R.(*ast.Row).Elems...)...)
	case *ast.Interval:
		if e.Diff {
			d := e.X.(*ast.Binary)
			args, err := b.all(d.L, d.R)
			if err != nil {
				return nil, err
			}
			return expr.NewTimeDiff(b.reg, args[0], args[1], e.Type)
		}
		n, err := b.bind(e.X)
		if err != nil {
			return nil, err
		}
		return expr.NewInterval(b.reg, n, e.Type)
	case *ast.FieldOf:
		n, err := b.bind(e.X)
		if err != nil {
			return nil, err
		}
		for i, f := range n.Type().Fields {
			if f.Name == e.Field.Text {
				return expr.NewField(n, i), nil
			}
		}
	case *ast.Column:
		if n := b.columns[e.Parts[0].Text]; n != nil {
			return n, nil
		}
		if strings.EqualFold(e.Parts[0].Text, "PI") {
			return expr.NewCall(b.reg, "PI", nil)
		}
	case *ast.Call:
		args, err := b.all(e.Args...)
		if err != nil {
			return nil, err
		}
		name := e.Func.Parts[0].Text
		switch {
		case len(e.Words) > 0:
			return expr.NewUnitCall(b.reg, name, e.Words[0], args)
		case e.JSON != nil:
			c := expr.JSONClauses{Wrapper: e.JSON.Wrapper, OnEmpty: e.JSON.OnEmpty, OnError: e.JSON.OnError, OnNull: e.JSON.OnNull, Pairs: e.JSON.Pairs}
			if e.JSON.Returning != nil {
				c.Returning = e.JSON.Returning.Type
			}
			for to, def := range map[*expr.Node]ast.Expr{&c.EmptyDef: e.JSON.EmptyDef, &c.ErrorDef: e.JSON.ErrorDef} {
				if def != nil {
					if *to, err = b.bind(def); err != nil {
						return nil, err
					}
				}
			}
			return expr.NewJSONCall(b.reg, name, args, c)
		}
		return expr.NewCall(b.reg, name, args)
	}
	return nil, fmt.Errorf("the test's binder does not know %T", e)
}

// bind reads an expression.
func bind(text string) (expr.Node, error) {
	e, err := sql.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	return binder{reg: builtin.All()}.bind(e)
}

// value prints the value of an expression, computed over three rows at once
// and, where it can be, folded as a constant: both must agree.
func eval(text string) (string, error) {
	n, err := bind(text)
	if err != nil {
		return "", err
	}
	p, err := expr.Compile([]expr.Node{n}, &types.Schema{})
	if err != nil {
		return "", err
	}
	c := &expr.Ctx{Now: func() types.Time { return 1709251199123 }}
	out, err := p.Eval(c, &row.Batch{Schema: &types.Schema{}, Rows: 3}, []int32{2})
	if err != nil {
		return "", err
	}
	got := string(value.AppendText(nil, out[0], 2, value.UTC()))
	folded, err := expr.Fold(n, value.UTC())
	if err != nil {
		return "", err
	}
	if lit, ok := expr.IsConst(folded); ok {
		if s := string(value.AppendText(nil, lit.Value, 0, value.UTC())); s != got {
			return "", fmt.Errorf("computed %s, folded %s", got, s)
		}
	}
	return got, nil
}

func TestExamples(t *testing.T) {
	reg := builtin.All()
	fs := append(reg.All(), expr.CastFuncs()...)
	for _, f := range fs {
		if f.Doc == "" || f.Syntax == "" {
			t.Errorf("%s has no documentation", f.Name)
		}
		if f.Example == "" {
			if f.Name != "CURRENT_WATERMARK" { // needs a time attribute
				t.Errorf("%s has no example", f.Name)
			}
			continue
		}
		if got, err := eval(f.Example); err != nil || got != "TRUE" {
			t.Errorf("%s: %s is %s, %v", f.Name, f.Example, got, err)
		}
	}
	if n := len(reg.Names()); n < 150 {
		t.Errorf("only %d functions", n)
	}
}
