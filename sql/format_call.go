package sql

import "fsql/sql/ast"

// call writes a call with its extras.
func (f *formatter) call(c *ast.Call) {
	if c.NoParens {
		f.funcName(c.Func)
		return
	}
	name := specialName(c)
	words := c.Words
	if len(words) > 0 && (words[0] == "FINAL" || words[0] == "RUNNING") {
		f.put(words[0], " ")
		words = words[1:]
	}
	f.funcName(c.Func)
	f.put("(")
	f.arguments(name, c, words)
	f.put(")")
	if c.Nulls != "" {
		f.put(" ", c.Nulls, " NULLS")
	}
	if c.Within != nil {
		f.put(" WITHIN GROUP (ORDER BY ")
		f.orderItems(c.Within)
		f.put(")")
	}
	if c.Filter != nil {
		f.put(" FILTER (WHERE ")
		f.expr(c.Filter)
		f.put(")")
	}
	if c.Over != nil {
		f.put(" OVER ")
		f.over(c.Over)
	}
}

func (f *formatter) arguments(name string, c *ast.Call, words []string) {
	arg := func(before string, i int) {
		if i < len(c.Args) {
			f.put(before)
			f.expr(c.Args[i])
		}
	}
	switch name {
	case "EXTRACT":
		f.put(words[0])
		arg(" FROM ", 0)
	case "FLOOR", "CEIL", "CEILING":
		arg("", 0)
		if len(words) > 0 {
			f.put(" TO ", words[0])
		}
	case "TIMESTAMPADD", "TIMESTAMPDIFF":
		f.put(words[0])
		arg(", ", 0)
		arg(", ", 1)
	case "TRIM":
		if len(words) > 0 {
			f.put(words[0], " ")
			if len(c.Args) == 1 {
				f.put("FROM ")
			}
		}
		arg("", 0)
		arg(" FROM ", 1)
	case "POSITION":
		if simpleOperand(c.Args[0]) {
			f.expr(c.Args[0])
		} else {
			f.listed(func() { f.expr(c.Args[0]) })
		}
		arg(" IN ", 1)
		arg(" FROM ", 2)
	case "OVERLAY":
		arg("", 0)
		arg(" PLACING ", 1)
		arg(" FROM ", 2)
		arg(" FOR ", 3)
	case "JSON_EXISTS", "JSON_VALUE", "JSON_QUERY", "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_ARRAY", "JSON_ARRAYAGG":
		f.json(c)
	default:
		f.ordinary(c)
	}
}

func (f *formatter) ordinary(c *ast.Call) {
	if c.Star {
		f.put("*")
		return
	}
	if c.Distinct {
		f.put("DISTINCT ")
	}
	for i, a := range c.Args {
		if i > 0 {
			f.put(", ")
		}
		if c.ArgNames != nil && c.ArgNames[i] != "" {
			f.ident(c.ArgNames[i])
			f.put(" => ")
		}
		f.expr(a)
	}
	if c.OrderBy != nil {
		f.put(" ORDER BY ")
		f.orderItems(c.OrderBy)
	}
}

func (f *formatter) json(c *ast.Call) {
	j := c.JSON
	if j == nil {
		j = &ast.JSONClauses{}
	}
	for i, a := range c.Args {
		switch {
		case j.Pairs && i%2 == 1:
			f.put(" VALUE ")
		case i > 0:
			f.put(", ")
		}
		if j.Pairs && i%2 == 0 {
			f.put("KEY ")
		}
		f.expr(a)
	}
	if j.Returning != nil {
		f.put(" RETURNING ")
		f.dataType(j.Returning.Type.AsNullable())
	}
	switch j.Wrapper {
	case "":
	case "WITHOUT":
		f.put(" WITHOUT ARRAY WRAPPER")
	default:
		f.put(" WITH ", j.Wrapper, " ARRAY WRAPPER")
	}
	clause := func(what string, x ast.Expr, on string) {
		if what == "" {
			return
		}
		f.put(" ", what)
		if x != nil {
			f.put(" ")
			f.expr(x)
		}
		f.put(" ON ", on)
	}
	clause(j.OnEmpty, j.EmptyDef, "EMPTY")
	clause(j.OnError, j.ErrorDef, "ERROR")
	clause(j.OnNull, nil, "NULL")
}
