package sql

import (
	"strings"

	"fsql/sql/ast"
	"fsql/sql/lex"
	"fsql/types"
)

// expr writes an expression; what is more than one operand stands in
// parentheses.
func (f *formatter) expr(x ast.Expr) {
	switch x := x.(type) {
	case *ast.Column:
		if len(x.Parts) == 1 && !x.Parts[0].Quoted && strings.EqualFold(x.Parts[0].Text, "PI") {
			f.put(x.Parts[0].Text) // in quotes it would be a column only
			return
		}
		each(f, x.Parts, ".", f.name)
	case *ast.Star:
		each(f, x.Qualifier, ".", f.name)
		if x.Qualifier != nil {
			f.put(".")
		}
		f.put("*")
	case *ast.Literal:
		f.literal(x)
	case *ast.Unary:
		f.put("(", [...]string{"-", "+", "NOT "}[x.Op])
		f.expr(x.X)
		f.put(")")
	case *ast.Binary:
		f.listed(func() { f.infix(x.L, x.Op.String(), x.R) })
	case *ast.Overlaps:
		f.listed(func() { f.infix(x.L, "OVERLAPS", x.R) })
	case *ast.Is:
		f.put("(")
		f.expr(x.X)
		f.put(" IS ", notWord(x.Not), x.What, ")")
	case *ast.Between:
		f.put("(")
		f.expr(x.X)
		f.put(" ", notWord(x.Not), "BETWEEN ")
		if x.Symmetric {
			f.put("SYMMETRIC ")
		}
		f.infix(x.Lo, "AND", x.Hi)
		f.put(")")
	case *ast.Like:
		f.like(x)
	case *ast.In:
		f.put("(")
		f.expr(x.X)
		f.put(" ", notWord(x.Not), "IN (")
		f.members(x.List, x.Query)
		f.put("))")
	case *ast.Quantified:
		f.put("(")
		f.expr(x.X)
		word := " ANY ("
		if x.All {
			word = " ALL ("
		}
		f.put(" ", x.Op.String(), word)
		f.members(x.List, x.Query)
		f.put("))")
	case *ast.Exists:
		f.put("EXISTS (")
		f.query(x.Query)
		f.put(")")
	case *ast.Subquery:
		f.put("(")
		f.query(x.Query)
		f.put(")")
	case *ast.Case:
		f.caseOf(x)
	case *ast.Cast:
		f.put(map[bool]string{false: "CAST(", true: "TRY_CAST("}[x.Try])
		f.expr(x.X)
		f.put(" AS ")
		f.dataType(x.To.Type.AsNullable())
		f.put(")")
	case *ast.Call:
		f.call(x)
	case *ast.Interval:
		f.intervalOf(x)
	case *ast.Array:
		f.put("ARRAY[")
		f.exprs(x.Elems)
		f.put("]")
	case *ast.Map:
		f.put("MAP[")
		f.exprs(x.Elems)
		f.put("]")
	case *ast.Row:
		if x.Explicit || len(x.Elems) < 2 {
			f.put("ROW")
		}
		f.listed(func() { f.exprs(x.Elems) })
	case *ast.Index:
		if _, ok := x.X.(*ast.Column); ok {
			f.expr(x.X)
		} else {
			f.base(x.X)
		}
		f.put("[")
		f.expr(x.I)
		f.put("]")
	case *ast.FieldOf:
		f.base(x.X)
		f.put(".")
		f.name(x.Field)
	case *ast.Descriptor:
		f.put("DESCRIPTOR(")
		each(f, x.Columns, ", ", f.path)
		f.put(")")
	case *ast.TableArg:
		f.tableArg(x)
	case *ast.Default:
		f.put("DEFAULT")
	}
}

func notWord(not bool) string {
	if not {
		return "NOT "
	}
	return ""
}

func (f *formatter) infix(l ast.Expr, op string, r ast.Expr) {
	f.expr(l)
	f.put(" ", op, " ")
	f.expr(r)
}

// members writes a list or query of IN, ANY or ALL.
func (f *formatter) members(list []ast.Expr, q ast.Query) {
	if q != nil {
		f.query(q)
		return
	}
	f.exprs(list)
}

func (f *formatter) like(x *ast.Like) {
	op := "LIKE"
	if x.Similar {
		op = "SIMILAR TO"
	}
	f.put("(")
	f.infix(x.X, notWord(x.Not)+op, x.Pattern)
	if x.Escape != nil {
		f.put(" ESCAPE ")
		f.expr(x.Escape)
	}
	f.put(")")
}

func (f *formatter) caseOf(x *ast.Case) {
	f.put("CASE")
	if x.X != nil {
		f.put(" ")
		f.expr(x.X)
	}
	for _, w := range x.Whens {
		f.put(" WHEN ")
		f.exprs(w.Conds)
		f.put(" THEN ")
		f.expr(w.Then)
	}
	if x.Else != nil {
		f.put(" ELSE ")
		f.expr(x.Else)
	}
	f.put(" END")
}

// base writes what a subscript or field stands behind.
func (f *formatter) base(x ast.Expr) {
	switch x.(type) {
	case *ast.Call, *ast.Cast, *ast.Array, *ast.Map, *ast.Index, *ast.FieldOf, *ast.Subquery:
		f.expr(x)
	default:
		f.listed(func() { f.expr(x) })
	}
}

func (f *formatter) intervalOf(x *ast.Interval) {
	if x.Diff {
		f.expr(x.X)
		f.put(" ", x.Type.Unit)
		return
	}
	f.put("INTERVAL ")
	switch v := x.X.(type) {
	case *ast.Column:
		f.expr(x.X)
	case *ast.Literal:
		if v.Type.IsNumeric() {
			f.expr(x.X)
			break
		}
		f.listed(func() { f.expr(x.X) })
	default:
		f.listed(func() { f.expr(x.X) })
	}
	f.put(" ", x.Type.Unit)
}

func (f *formatter) tableArg(x *ast.TableArg) {
	if x.Query != nil {
		f.listed(func() { f.query(x.Query) })
	} else {
		f.put("TABLE ")
		f.path(x.Table)
	}
	if x.PartitionBy != nil {
		f.put(" PARTITION BY (")
		f.exprs(x.PartitionBy)
		f.put(")")
	}
	if x.OrderBy != nil {
		f.put(" ORDER BY (")
		f.orderItems(x.OrderBy)
		f.put(")")
	}
}

func (f *formatter) orderItems(list []ast.OrderItem) {
	each(f, list, ", ", func(o ast.OrderItem) {
		f.expr(o.X)
		if o.Desc {
			f.put(" DESC")
		}
		if o.Nulls != "" {
			f.put(" NULLS ", o.Nulls)
		}
	})
}

func (f *formatter) over(o *ast.Over) {
	if o.Name != "" && o.PartitionBy == nil && o.OrderBy == nil && o.Frame == nil {
		f.ident(o.Name)
		return
	}
	f.put("(")
	sep := ""
	part := func(word string) { f.put(sep, word); sep = " " }
	if o.Name != "" {
		part("")
		f.ident(o.Name)
	}
	if o.PartitionBy != nil {
		part("PARTITION BY ")
		f.exprs(o.PartitionBy)
	}
	if o.OrderBy != nil {
		part("ORDER BY ")
		f.orderItems(o.OrderBy)
	}
	if r := o.Frame; r != nil {
		part(map[bool]string{true: "ROWS BETWEEN ", false: "RANGE BETWEEN "}[r.Rows])
		f.bound(r.Lo)
		f.put(" AND ")
		f.bound(r.Hi)
	}
	f.put(")")
}

func (f *formatter) bound(b ast.Bound) {
	if b.X != nil {
		f.expr(b.X)
		f.put(" ")
	}
	f.put([...]string{"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"}[b.Kind])
}

// funcName writes the name of a function: bare where it was, since many
// functions have a grammar that a quoted name does not have.
func (f *formatter) funcName(p ast.Path) {
	if n := p.Parts[0]; len(p.Parts) == 1 && !n.Quoted {
		f.put(n.Text)
		return
	}
	f.path(p)
}

// simpleOperand tells operands that POSITION takes as they are.
func simpleOperand(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Column, *ast.Call:
		return true
	case *ast.Literal:
		return x.Type.Kind == types.Char
	}
	return false
}

// specialName is the keyword of a function with a grammar of its own, "" for
// calls that are ordinary.
func specialName(c *ast.Call) string {
	if len(c.Func.Parts) != 1 || c.Func.Parts[0].Quoted {
		return ""
	}
	name := lex.Upper(c.Func.Parts[0].Text)
	switch name {
	case "EXTRACT", "TIMESTAMPADD", "TIMESTAMPDIFF":
		if len(c.Words) == 0 {
			return "" // not as the parser makes it: a hint with another name
		}
	case "POSITION":
		if len(c.Args) == 0 {
			return ""
		}
	}
	return name
}
