package sql

import (
	"strconv"
	"strings"

	"fsql/sql/ast"
	"fsql/types"
)

// FormatExpr writes an expression as SQL: fully parenthesised, with names in
// back-quotes. The text reads back as the same tree.
func FormatExpr(x ast.Expr) string {
	var f formatter
	f.expr(x)
	return f.String()
}

// FormatQuery writes a query as SQL.
func FormatQuery(q ast.Query) string {
	var f formatter
	f.query(q)
	return f.String()
}

// FormatStatement writes a statement as SQL, without the semicolon. Of an
// Unsupported statement only its name is known.
func FormatStatement(s ast.Statement) string {
	var f formatter
	f.statement(s)
	return f.String()
}

// formatter collects the text.
type formatter struct{ strings.Builder }

func (f *formatter) put(parts ...string) {
	for _, p := range parts {
		f.WriteString(p)
	}
}

// quote writes a text in single quotes.
func (f *formatter) quote(s string) { f.put("'", strings.ReplaceAll(s, "'", "''"), "'") }

func (f *formatter) name(n ast.Name) { f.ident(n.Text) }

func (f *formatter) ident(s string) { f.put("`", strings.ReplaceAll(s, "`", "``"), "`") }

func (f *formatter) path(p ast.Path) { each(f, p.Parts, ".", f.name) }

func (f *formatter) names(list []ast.Name) { f.listed(func() { each(f, list, ", ", f.name) }) }

// listed writes ( .. ).
func (f *formatter) listed(inside func()) {
	f.put("(")
	inside()
	f.put(")")
}

func (f *formatter) exprs(list []ast.Expr) { each(f, list, ", ", f.expr) }

func each[T any](f *formatter, list []T, sep string, one func(T)) {
	for i, x := range list {
		if i > 0 {
			f.put(sep)
		}
		one(x)
	}
}

// dataType writes a type with NOT NULL where it has it.
func (f *formatter) dataType(t types.Type) {
	t = t.Plain()
	switch t.Kind {
	case types.Array:
		f.put("ARRAY<")
		f.dataType(t.Elem())
		f.put(">")
	case types.Multiset:
		f.put("MULTISET<")
		f.dataType(t.Elem())
		f.put(">")
	case types.Map:
		f.put("MAP<")
		f.dataType(t.Elem())
		f.put(", ")
		f.dataType(t.Value())
		f.put(">")
	case types.Row:
		if t.Class == "" {
			f.put("ROW<")
		} else {
			f.put("STRUCTURED<")
			f.quote(t.Class)
			if len(t.Fields) > 0 {
				f.put(", ")
			}
		}
		each(f, t.Fields, ", ", func(x types.Field) {
			f.ident(x.Name)
			f.put(" ")
			f.dataType(x.Type)
			if x.Comment != "" {
				f.put(" ")
				f.quote(x.Comment)
			}
		})
		f.put(">")
	case types.IntervalMonths, types.IntervalMillis:
		f.put("INTERVAL ", t.Unit)
	default:
		f.put(t.Short())
	}
	if !t.Nullable {
		f.put(" NOT NULL")
	}
}

// literal writes a constant so that it gets the same type again.
func (f *formatter) literal(l *ast.Literal) {
	switch t := l.Type; t.Kind {
	case types.Char, types.VarChar:
		f.quote(l.Text)
	case types.Binary, types.VarBinary:
		const hex = "0123456789ABCDEF"
		f.put("x'")
		for i := 0; i < len(l.Text); i++ {
			f.WriteByte(hex[l.Text[i]>>4])
			f.WriteByte(hex[l.Text[i]&15])
		}
		f.put("'")
	case types.Date:
		f.put("DATE '", l.Text, "'")
	case types.TimeOfDay:
		f.put("TIME '", l.Text, "'")
	case types.Timestamp:
		f.put("TIMESTAMP '", l.Text, "'")
	case types.TimestampLTZ:
		f.put("TIMESTAMP WITH LOCAL TIME ZONE '", l.Text, "'")
	case types.IntervalMonths, types.IntervalMillis:
		f.interval(t.Unit, l.Text)
	default: // numbers, TRUE, FALSE, UNKNOWN, NULL
		f.put(l.Text)
	}
}

// interval writes a number of months or milliseconds in the fields of a unit.
func (f *formatter) interval(unit, text string) {
	total, _ := strconv.ParseInt(text, 10, 64)
	sign := ""
	if total < 0 {
		total, sign = -total, "-"
	}
	num := func(n int64) string { return strconv.FormatInt(n, 10) }
	from, to, _ := strings.Cut(unit, " TO ")
	if to == "" {
		to = from
	}
	var s string
	first := int64(0) // the first field, whose digits are written behind the unit
	fields := func(weights ...int64) {
		rest := total
		for i, w := range weights {
			n := rest / w
			rest %= w
			if i == 0 {
				first = n
				s = num(n)
				continue
			}
			sep := ":"
			switch {
			case from == "YEAR":
				sep = "-"
			case from == "DAY" && i == 1:
				sep = " "
			}
			if sep != "-" && n < 10 {
				sep += "0"
			}
			s += sep + num(n)
		}
		if to == "SECOND" && rest > 0 {
			s += strings.TrimRight("."+num(1000 + rest)[1:], "0")
		}
	}
	weights := map[string]int64{"YEAR": 12, "QUARTER": 3, "MONTH": 1, "WEEK": 7 * 86_400_000, "DAY": 86_400_000, "HOUR": 3_600_000,
		"MINUTE": 60_000, "SECOND": 1000}
	list := []int64{weights[from]}
	if from == "YEAR" && to == "MONTH" {
		list = append(list, 1)
	}
	inside := false
	for _, u := range []string{"DAY", "HOUR", "MINUTE", "SECOND"} {
		if inside {
			list = append(list, weights[u])
		}
		inside = inside || u == from
		if u == to {
			inside = false
			break
		}
	}
	fields(list...)
	f.put("INTERVAL '", sign, s, "' ", from)
	if digits := len(num(first)); digits > 2 {
		f.put("(", num(int64(digits)), ")")
	}
	if to != from {
		f.put(" TO ", to)
	}
}
