package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/sql/ast"
)

// operands binds the operands of a call. JSON(s) is no function of its own: it
// stands among the values of JSON_OBJECT and JSON_ARRAY.
func (x *exprs) operands(name string, c *ast.Call) ([]expr.Node, error) {
	step := 0 // between values
	switch name {
	case "JSON":
		return nil, diag.New(diag.WrongArguments, c.Pos, "JSON(s) is allowed only as an element of JSON_ARRAY or as a value of JSON_OBJECT").
			WithHint("write JSON_ARRAY(JSON(s)) or JSON_OBJECT(KEY 'a' VALUE JSON(s))")
	case "JSON_ARRAY":
		step = 1
	case "JSON_OBJECT":
		step = 2
	default:
		return x.all(c.Args)
	}
	out := make([]expr.Node, len(c.Args))
	for i, e := range c.Args {
		bind := x.bind
		if raw, ok := e.(*ast.Call); ok && i%step == step-1 && functionName(raw) == "JSON" {
			bind = x.rawJSON
		}
		n, err := bind(e)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// rawJSON binds JSON(s) where it may stand.
func (x *exprs) rawJSON(e ast.Expr) (expr.Node, error) {
	n, err := x.call("JSON", e.(*ast.Call).Args...)
	return n, place(err, e.Span())
}
