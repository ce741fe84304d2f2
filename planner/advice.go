package planner

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"fsql/internal/diag"
	"fsql/sql"
	"fsql/sql/ast"
	"fsql/sql/lex"
	"fsql/types"
)

// advise gives an error of an operator or call, not of a part of it, a hint
// that can be pasted: the same expression as it would work. Where nothing is
// sure to work the hint stays as it is.
func (x *exprs) advise(e ast.Expr, err error) error {
	var d *diag.Error
	if x.quiet || !errors.As(err, &d) || d.Span != (diag.Span{}) && d.Span != e.Span() {
		return err // of a part, which has its own hint
	}
	fix := ""
	switch e := e.(type) {
	case *ast.Binary:
		if d.Code == diag.TypeMismatch {
			fix = x.otherOperands(e)
		}
	case *ast.Between:
		if d.Code == diag.TypeMismatch {
			fix = x.castSome([]ast.Expr{e.X, e.Lo, e.Hi}, func(xs []ast.Expr) ast.Expr {
				out := *e
				out.X, out.Lo, out.Hi = xs[0], xs[1], xs[2]
				return &out
			})
		}
	case *ast.Call:
		switch d.Code {
		case diag.UnknownFunction:
			d.At(e.Func.Pos)
			name := functionName(e)
			if fix = foreignFunction(name, e.Args); fix != "" {
				d.Code, d.Label = diag.OtherDialect, ""
			} else if near := diag.Nearest(name, append(x.env.Aggs.Names(), x.env.Funcs.Names()...)); near != "" && name != "" {
				d.WithLabel("did you mean %s?", near)
				out := *e
				out.Func = ast.Path{Parts: []ast.Name{{Text: near}}}
				fix = written(&out)
				if f := x.env.Funcs.Lookup(near); f != nil && !x.works(&out) {
					fix = f.Syntax // the operands are not its own either
				}
			}
		case diag.WrongArguments, diag.TypeMismatch:
			if fix = otherAggregate(functionName(e), e); fix != "" {
				break
			}
			fix = x.castSome(e.Args, func(xs []ast.Expr) ast.Expr {
				out := *e
				out.Args = xs
				return &out
			})
		}
	case *ast.Case:
		if d.Code == diag.TypeMismatch {
			fix = x.castBranch(e)
		}
	}
	if fix != "" {
		d.WithHint("write %s", fix)
	}
	return err
}

// otherAggregate is the call that may be meant by one of wrong arguments: an
// aggregate of another number of them, a time of a number.
func otherAggregate(name string, c *ast.Call) string {
	out := *c
	switch {
	case name == "TO_TIMESTAMP" && len(c.Args) == 1:
		return "TO_TIMESTAMP_LTZ(" + written(c.Args[0]) + ", 0)" // seconds; 3 says milliseconds
	case name == "COUNT" && len(c.Args) == 0:
		out.Star = true
		return written(&out)
	case name == "MAX" && len(c.Args) > 1:
		out.Func = ast.Path{Parts: []ast.Name{{Text: "GREATEST"}}}
		return written(&out)
	case name == "MIN" && len(c.Args) > 1:
		out.Func = ast.Path{Parts: []ast.Name{{Text: "LEAST"}}}
		return written(&out)
	}
	return ""
}

// otherOperands is what may be meant by an operator whose operands do not go
// together.
func (x *exprs) otherOperands(e *ast.Binary) string {
	l, errL := x.bind(e.L)
	r, errR := x.bind(e.R)
	if errL != nil || errR != nil {
		return ""
	}
	lt, rt := l.Type(), r.Type()
	a, b := written(e.L), written(e.R)
	switch {
	case comparing(e.Op) && (lt.Kind == types.Boolean) != (rt.Kind == types.Boolean) && isComparison(e.L):
		inner := e.L.(*ast.Binary) // 1 < id < 5
		return written(inner) + " AND " + written(inner.R) + " " + e.Op.String() + " " + b
	case (e.Op == ast.And || e.Op == ast.Or) && rt.Kind != types.Boolean && isComparison(e.L):
		inner := e.L.(*ast.Binary) // item = 'a' OR 'b'
		return written(inner) + " " + e.Op.String() + " " + written(inner.L) + " " + inner.Op.String() + " " + b
	case (e.Op == ast.Add || e.Op == ast.Sub) && lt.IsTemporal() && rt.IsInteger():
		unit := "SECOND"
		if lt.Kind == types.Date {
			unit = "DAY"
		}
		if n, ok := e.R.(*ast.Literal); ok {
			return a + " " + e.Op.String() + " INTERVAL '" + n.Text + "' " + unit
		}
		if e.Op == ast.Sub {
			b = "-" + b
		}
		return "TIMESTAMPADD(" + unit + ", " + b + ", " + a + ")"
	case (e.Op == ast.Add || e.Op == ast.Sub) && lt.IsTemporal() && isNumberText(e.R):
		return a + " " + e.Op.String() + " INTERVAL " + b + " SECOND"
	case e.Op == ast.Sub && lt.IsTemporal() && rt.IsTemporal():
		unit := "SECOND"
		if lt.Kind == types.Date && rt.Kind == types.Date {
			unit = "DAY"
		}
		if lt.Kind == types.TimestampLTZ && rt.Kind != types.TimestampLTZ {
			b = "CAST(" + b + " AS TIMESTAMP_LTZ(3))"
		} else if rt.Kind == types.TimestampLTZ && lt.Kind != types.TimestampLTZ {
			a = "CAST(" + a + " AS TIMESTAMP_LTZ(3))"
		}
		return "TIMESTAMPDIFF(" + unit + ", " + b + ", " + a + ")"
	case e.Op == ast.Concat && lt.Kind == types.Boolean && rt.Kind == types.Boolean:
		return a + " OR " + b
	case e.Op == ast.Concat && (lt.Kind == types.Boolean || rt.Kind == types.Boolean):
		return "OR"
	case e.Op == ast.Add && lt.IsString() && rt.IsString():
		return a + " || " + b
	case e.Op == ast.Add && (lt.IsString() && rt.Kind != types.Null || rt.IsString() && lt.Kind != types.Null):
		return asText(e.L, lt) + " || " + asText(e.R, rt)
	case comparing(e.Op) && lt.IsString() && rt.IsNumeric():
		return x.textWithNumber(e.L, e.R, func(l, r string) string { return l + " " + e.Op.String() + " " + r })
	case comparing(e.Op) && rt.IsString() && lt.IsNumeric():
		return x.textWithNumber(e.R, e.L, func(r, l string) string { return l + " " + e.Op.String() + " " + r })
	}
	return x.castSome([]ast.Expr{e.L, e.R}, func(xs []ast.Expr) ast.Expr {
		out := *e
		out.L, out.R = xs[0], xs[1]
		return &out
	})
}

// isNumberText tells whether an expression is a text that is a whole number.
func isNumberText(e ast.Expr) bool {
	l, ok := e.(*ast.Literal)
	if !ok || !l.Type.IsString() {
		return false
	}
	_, err := strconv.ParseInt(l.Text, 10, 64)
	return err == nil
}

// textWithNumber compares a text with a number: the literal of the two takes
// the other's type, else the number becomes text.
func (x *exprs) textWithNumber(text, number ast.Expr, put func(text, number string) string) string {
	if t, ok := text.(*ast.Literal); ok {
		if _, err := strconv.ParseInt(t.Text, 10, 64); err == nil {
			return put(t.Text, written(number))
		}
	}
	if n, ok := number.(*ast.Literal); ok {
		return put(written(text), "'"+n.Text+"'")
	}
	return put(written(text), "CAST("+written(number)+" AS STRING)")
}

func isComparison(e ast.Expr) bool {
	b, ok := e.(*ast.Binary)
	return ok && comparing(b.Op)
}

func comparing(op ast.BinaryOp) bool { return op >= ast.Eq && op <= ast.Ge }

func asText(e ast.Expr, t types.Type) string {
	if t.IsString() {
		return written(e)
	}
	return "CAST(" + written(e) + " AS STRING)"
}

// castSome looks for one operand, or all that are not so yet, whose conversion
// to one type makes the expression good.
func (x *exprs) castSome(operands []ast.Expr, put func([]ast.Expr) ast.Expr) string {
	kinds := make([]types.Type, len(operands))
	targets := []types.Type{types.TimestampOf(3), types.TimestampLTZOf(3), types.Of(types.Double), types.Of(types.Int), types.Of(types.Boolean)}
	text := len(targets) / 2
	for i, o := range operands {
		n, err := x.bind(o)
		if err != nil {
			return ""
		}
		if kinds[i] = n.Type(); kinds[i].IsString() {
			text = 0 // anything becomes text, but not every text a time
		}
	}
	targets = slices.Insert(targets, text, types.String())
	for _, t := range targets {
		every := append([]ast.Expr(nil), operands...)
		n := 0
		for i, o := range operands {
			if kinds[i].Kind == t.Kind || kinds[i].IsString() && t.IsString() || kinds[i].Kind == types.Null {
				continue
			}
			every[i] = &ast.Cast{X: o, To: ast.TypeName{Type: t}}
			n++
			one := append([]ast.Expr(nil), operands...)
			one[i] = every[i]
			if fixed := put(one); x.works(fixed) {
				return written(fixed)
			}
		}
		if n > 1 {
			if fixed := put(every); x.works(fixed) {
				return written(fixed)
			}
		}
	}
	return ""
}

// castBranch is the conversion of the first branch of a CASE that does not go
// with the others.
func (x *exprs) castBranch(c *ast.Case) string {
	var branches []ast.Expr
	for _, w := range c.Whens {
		branches = append(branches, w.Then)
	}
	if c.Else != nil {
		branches = append(branches, c.Else)
	}
	for _, b := range branches {
		n, err := x.bind(b)
		if err != nil {
			return ""
		}
		if t := n.Type(); !t.IsString() && t.Kind != types.Null {
			return "CAST(" + written(b) + " AS STRING)"
		}
	}
	return ""
}

// works tells whether an expression can be bound.
func (x *exprs) works(e ast.Expr) bool {
	quiet := *x
	quiet.quiet = true
	_, err := quiet.bindAny(e)
	return err == nil
}

// needsCondition is the hint for a value that stands where a condition must.
func needsCondition(e ast.Expr, t types.Type) string {
	switch {
	case t.IsNumeric():
		return "write " + written(e) + " <> 0"
	case t.IsString():
		return "write " + written(e) + " = 'value'"
	}
	return "write " + written(e) + " IS NOT NULL"
}

// written is an expression as a user would type it: no back-quotes around
// names that need none, no parentheses around the whole.
func written(e ast.Expr) string {
	text := sql.FormatExpr(e)
	switch e.(type) {
	case *ast.Binary, *ast.Between, *ast.Is, *ast.Like, *ast.In, *ast.Unary:
		text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\'' && c != '`' {
			b.WriteByte(c)
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != c {
			end++
		}
		name, whole := text[i+1:min(end, len(text))], text[i:min(end+1, len(text))]
		called := end+1 < len(text) && text[end+1] == '('
		if c == '`' && (called || plainName(name)) {
			whole = name
		}
		b.WriteString(whole)
		i = end
	}
	return b.String()
}

func plainName(name string) bool {
	for i, c := range []byte(name) {
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return name != "" && !lex.IsReserved(name)
}
