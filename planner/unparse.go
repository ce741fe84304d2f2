package planner

import (
	"fmt"
	"strconv"
	"strings"

	"fsql/sql/ast"
	"fsql/types"
)

// unparse prints an expression as Flink's SHOW CREATE and DESCRIBE do: names
// back-quoted, key words in upper case. ok is false for forms that it does not
// know; the text as written serves then.
func unparse(e ast.Expr) (s string, ok bool) {
	u := &unparser{}
	u.expr(e, 0)
	return u.b.String(), !u.failed
}

// canonical is the text of an expression for the catalog.
func canonical(e ast.Expr, written string) string {
	if s, ok := unparse(e); ok {
		return s
	}
	return written
}

type unparser struct {
	b      strings.Builder
	failed bool
}

func (u *unparser) put(format string, args ...any) { fmt.Fprintf(&u.b, format, args...) }

func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// plainFunctions are printed without quotes: Calcite's own functions. Flink
// quotes those that it adds itself.
var plainFunctions = map[string]bool{
	"PROCTIME": true, "UPPER": true, "LOWER": true, "INITCAP": true, "CHAR_LENGTH": true, "CHARACTER_LENGTH": true,
	"ABS": true, "MOD": true, "POWER": true, "SQRT": true, "LN": true, "LOG10": true, "EXP": true, "ROUND": true,
	"CONCAT": true, "CONCAT_WS": true, "SUBSTR": true, "DATE_FORMAT": true, "TO_TIMESTAMP": true, "TO_DATE": true,
	"FROM_UNIXTIME": true, "UNIX_TIMESTAMP": true, "MD5": true, "SHA256": true, "NULLIF": true, "REGEXP_EXTRACT": true,
	"REGEXP_REPLACE": true, "SPLIT_INDEX": true, "LPAD": true, "RPAD": true, "REPEAT": true, "REVERSE": true,
	"LEFT": true, "RIGHT": true, "NOW": true, "SIGN": true, "TUMBLE": true, "HOP": true, "SESSION": true, "UUID": true, "CARDINALITY": true, "ELEMENT": true,
}

// precedence of the infix operators, a higher one binds tighter.
var precedence = map[ast.BinaryOp]int{
	ast.Or: 1, ast.And: 2, ast.Eq: 4, ast.Ne: 4, ast.Lt: 4, ast.Le: 4, ast.Gt: 4, ast.Ge: 4, ast.IsDistinct: 4, ast.IsNotDistinct: 4,
	ast.Add: 5, ast.Sub: 5, ast.Concat: 6, ast.Mul: 6, ast.Div: 6, ast.Mod: 6,
}

func (u *unparser) expr(e ast.Expr, outer int) {
	switch e := e.(type) {
	case *ast.Column:
		for i, p := range e.Parts {
			if i > 0 {
				u.put(".")
			}
			u.put("%s", quoted(p.Text))
		}
	case *ast.Literal:
		u.literal(e)
	case *ast.Binary:
		p := precedence[e.Op]
		if p < outer {
			u.put("(")
		}
		u.expr(e.L, p)
		u.put(" %s ", e.Op)
		u.expr(e.R, p+1)
		if p < outer {
			u.put(")")
		}
	case *ast.Unary:
		u.put("%s", [...]string{ast.Neg: "- ", ast.Plus: "+ ", ast.Not: "NOT "}[e.Op])
		u.expr(e.X, 7)
	case *ast.Is:
		u.expr(e.X, 4)
		if e.Not {
			u.put(" IS NOT %s", e.What)
		} else {
			u.put(" IS %s", e.What)
		}
	case *ast.Cast:
		name := "CAST"
		if e.Try {
			name = "TRY_CAST"
		}
		u.put("%s(", name)
		u.expr(e.X, 0)
		u.put(" AS %s)", e.To.Type.Short())
	case *ast.Case:
		u.caseOf(e)
	case *ast.Call:
		u.call(e)
	default:
		u.failed = true
	}
}

func (u *unparser) caseOf(e *ast.Case) {
	if e.X != nil {
		u.failed = true
		return
	}
	u.put("CASE")
	for _, w := range e.Whens {
		u.put(" WHEN ")
		u.expr(w.Conds[0], 0)
		u.put(" THEN ")
		u.expr(w.Then, 0)
	}
	u.put(" ELSE ")
	if e.Else == nil {
		u.put("NULL")
	} else {
		u.expr(e.Else, 0)
	}
	u.put(" END")
}

func (u *unparser) call(e *ast.Call) {
	name := functionName(e)
	if name == "" || e.Over != nil || e.JSON != nil || e.Star || e.Distinct || e.Filter != nil || len(e.Words) > 0 {
		u.failed = true
		return
	}
	if e.NoParens {
		u.put("%s", name)
		return
	}
	if !plainFunctions[name] {
		name = quoted(name)
	}
	u.put("%s(", name)
	for i, a := range e.Args {
		if i > 0 {
			u.put(", ")
		}
		u.expr(a, 0)
	}
	u.put(")")
}

func (u *unparser) literal(l *ast.Literal) {
	text := strings.ReplaceAll(l.Text, "'", "''")
	switch l.Type.Kind {
	case types.Null:
		u.put("NULL")
	case types.Char, types.VarChar:
		u.put("'%s'", text)
	case types.Boolean:
		u.put("%s", strings.ToUpper(l.Text))
	case types.Date:
		u.put("DATE '%s'", text)
	case types.TimeOfDay:
		u.put("TIME '%s'", text)
	case types.Timestamp:
		u.put("TIMESTAMP '%s'", text)
	case types.IntervalMillis, types.IntervalMonths:
		u.interval(l)
	case types.Binary, types.VarBinary:
		u.failed = true
	default:
		u.put("%s", l.Text)
	}
}

// interval prints an interval of a single unit; the text holds months or
// milliseconds.
func (u *unparser) interval(l *ast.Literal) {
	n, err := strconv.ParseInt(l.Text, 10, 64)
	per := map[string]int64{"YEAR": 12, "MONTH": 1, "DAY": 86400000, "HOUR": 3600000, "MINUTE": 60000, "SECOND": 1000}[l.Type.Unit]
	if err != nil || per == 0 {
		u.failed = true
		return
	}
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	text := strconv.FormatInt(n/per, 10)
	if rest := n % per; rest != 0 {
		if l.Type.Unit != "SECOND" {
			u.failed = true
			return
		}
		text += strings.TrimRight(fmt.Sprintf(".%03d", rest), "0")
	}
	u.put("INTERVAL %s'%s' %s", sign, text, l.Type.Unit)
}
