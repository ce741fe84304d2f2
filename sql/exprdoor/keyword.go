package exprdoor

import (
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
	"fsql/types"
)

// keyword cuts an operand that begins with a keyword and has a grammar of its
// own. It reports false for words that are names or ordinary calls here.
func (k *cutter) keyword(at int, t lex.Token) (bool, error) {
	next := k.Peek(1)
	switch t.Key {
	case "TRUE", "FALSE":
		k.Next()
		k.leaf(at, &ast.Literal{At: ast.At{Pos: t.Span()}, Type: types.Of(types.Boolean).NotNull(), Text: t.Key})
		return true, nil
	case "UNKNOWN":
		k.Next()
		k.leaf(at, &ast.Literal{At: ast.At{Pos: t.Span()}, Type: types.Of(types.Boolean), Text: t.Key})
		return true, nil
	case "NULL":
		k.Next()
		k.leaf(at, &ast.Literal{At: ast.At{Pos: t.Span()}, Type: types.Of(types.Null), Text: t.Key})
		return true, nil
	case "CASE":
		return true, k.caseOf(at)
	case "CAST", "TRY_CAST":
		if next.Is("(") {
			return true, k.cast(at, t)
		}
	case "INTERVAL":
		return true, k.interval(at)
	case "DATE", "TIME", "TIMESTAMP":
		return k.dateTime(at, t)
	case "ARRAY", "MULTISET", "MAP":
		if next.Is("[") || next.Is("(") && (t.Key != "MAP" || k.Peek(2).Key == "SELECT") {
			return true, k.collection(at, t)
		}
	case "ROW", "PERIOD":
		if next.Is("(") {
			k.At += 2
			return true, k.behindAround(at, k.list, func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
				return &ast.Row{At: ast.At{Pos: span}, Elems: args, Explicit: true}, nil
			})
		}
	case "EXISTS":
		if next.Is("(") {
			return true, k.exists(at)
		}
	case "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP":
		if !next.Is("(") {
			k.Next()
			name := cursor.NameOf(t)
			k.leaf(at, &ast.Call{At: name.At, Func: ast.Path{At: name.At, Parts: []ast.Name{name}}, NoParens: true})
			return true, nil
		}
	case "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "USER", "CURRENT_CATALOG", "CURRENT_SCHEMA", "CURRENT_PATH", "CURRENT_ROLE":
		if !next.Is("(") { // Flink: the name of a column
			k.Next()
			name := cursor.NameOf(t)
			return true, k.behind(k.leaf(at, &ast.Column{At: name.At, Parts: []ast.Name{name}}))
		}
	case "FINAL", "RUNNING": // FINAL LAST(A.x), in MATCH_RECOGNIZE
		if next.Kind == lex.Word && k.Peek(2).Is("(") {
			k.Next()
			n := len(k.pieces)
			if err := k.primary(); err != nil {
				return true, err
			}
			k.then(n, func(x ast.Expr) ast.Expr {
				if c, ok := x.(*ast.Call); ok {
					c.Words = append([]string{t.Key}, c.Words...)
					c.Pos.Start = t.Start
				}
				return x
			})
			return true, nil
		}
	case "NEXT":
		if next.Key == "VALUE" {
			return true, diag.New(diag.NotSupported, t.Span().Join(next.Span()), "Flink has no sequences")
		}
	case "NEW":
		return true, diag.New(diag.NotSupported, t.Span(), "Flink has no NEW").WithHint("a name such as %s needs back-quotes", t.Text)
	default:
		if next.Is("(") {
			return k.special(at, t)
		}
	}
	return false, nil
}

// then changes what piece n becomes.
func (k *cutter) then(n int, change func(ast.Expr) ast.Expr) {
	before := k.pieces[n].make
	if before == nil {
		k.pieces[n].leaf = change(k.pieces[n].leaf)
		return
	}
	k.pieces[n].make = func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
		x, err := before(args, span)
		if err != nil {
			return nil, err
		}
		return change(x), nil
	}
}

// behindAround is around for a piece that subscripts and fields may follow.
func (k *cutter) behindAround(at int, inside func() (int, error), put func([]ast.Expr, diag.Span) (ast.Expr, error)) error {
	n := len(k.pieces)
	if err := k.around(at, inside, put); err != nil {
		return err
	}
	return k.behind(n)
}

// caseOf renders CASE as such. Several values of one WHEN become one piece.
func (k *cutter) caseOf(at int) error {
	if err := k.Enter(); err != nil {
		return err
	}
	defer k.Leave()
	word := func(c class) {
		t := k.Next()
		k.operator(t.Key, operator{class: c, token: k.At - 1})
	}
	word(caseWord)
	simple := !k.Looks("WHEN")
	if simple {
		if err := k.expr(anyOperator); err != nil {
			return err
		}
	}
	if !k.Looks("WHEN") {
		e := k.Unexpected("WHEN")
		if k.Looks("THEN") {
			e.WithHint("write CASE WHEN condition THEN value")
		}
		return e
	}
	for k.Looks("WHEN") {
		word(when)
		if err := k.whenValues(simple); err != nil {
			return err
		}
		if !k.Looks("THEN") {
			return k.Unexpected("THEN")
		}
		word(then)
		if err := k.expr(anyOperator); err != nil {
			return err
		}
	}
	if k.Looks("ELSE") {
		word(elseWord)
		if err := k.expr(anyOperator); err != nil {
			return err
		}
	}
	if !k.Looks("END") {
		return k.Unexpected("WHEN", "ELSE", "END")
	}
	word(end)
	return nil
}

// several are the values of one WHEN.
type several struct{ *ast.Row }

// whenValues cuts the condition of a WHEN, or its values a, b, ...
func (k *cutter) whenValues(simple bool) error {
	at := k.At
	if !simple {
		return k.expr(anyOperator)
	}
	n := k.piece(at, piece{make: func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
		return several{&ast.Row{At: ast.At{Pos: span}, Elems: args}}, nil
	}})
	k.raw("(")
	args, err := k.list()
	if err != nil {
		return err
	}
	k.raw(")")
	k.pieces[n].args, k.pieces[n].span = args, k.span(at)
	return nil
}

// cast cuts CAST(x AS type) and TRY_CAST.
func (k *cutter) cast(at int, t lex.Token) error {
	k.At += 2
	var to ast.TypeName
	return k.behindAround(at, func() (int, error) {
		err := k.expr(anyOperator)
		if err != nil {
			return 0, err
		}
		if k.Tok().Is(",") {
			return 0, k.Unexpected("AS").WithHint("write %s(x AS type)", t.Key)
		}
		word := k.Tok()
		if err = k.Want("AS"); err == nil {
			to, err = k.CastType()
		} else if word.Kind == lex.Word && k.Peek(1).Key != "AS" {
			diag.Of(err).WithHint("write %s(x AS %s)", t.Key, lex.Upper(word.Text))
		}
		return 1, err
	}, func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
		return &ast.Cast{At: ast.At{Pos: span}, X: args[0], To: to, Try: t.Key == "TRY_CAST"}, nil
	})
}

// interval cuts INTERVAL [sign] '..' UNIT, and INTERVAL x UNIT where x is a
// number with or without sign, a name or a parenthesis.
func (k *cutter) interval(at int) error {
	k.Next()
	neg := k.Tok().Is("-")
	signed := neg || k.Tok().Is("+")
	if signed {
		k.Next()
	}
	switch t := k.Tok(); {
	case t.Kind == lex.String:
		k.Next()
		q, err := k.IntervalQualifier()
		if err != nil {
			if n, unit := unitInside(t.Text); unit != "" {
				diag.Of(err).WithHint("the unit stands behind the text: INTERVAL '%s' %s", n, unit)
			}
			return err
		}
		lit, err := q.Interval(k.span(at), t.Text, neg)
		if err != nil {
			return err
		}
		k.leaf(at, lit)
		return nil
	case t.Kind == lex.Number, cursor.IsName(t) && !signed:
		var x ast.Expr
		if t.Kind == lex.Number {
			k.Next()
			lit, err := cursor.Number(t.Span(), t.Text, neg)
			if err != nil {
				return err
			}
			x = lit
		} else {
			path, err := k.Path("a column")
			if err != nil {
				return err
			}
			if k.Tok().Is("(") {
				return k.Unexpected("the unit of the interval").WithHint("put the call into parentheses: INTERVAL (%s(..)) UNIT", t.Text)
			}
			x = &ast.Column{At: path.At, Parts: path.Parts}
		}
		q, err := k.IntervalQualifier()
		if err != nil {
			return err
		}
		k.leaf(at, &ast.Interval{At: ast.At{Pos: k.span(at)}, X: x, Type: q.Type()})
		return nil
	case t.Is("(") && !signed:
		k.Next()
		n := k.piece(at, piece{args: 1})
		k.raw("(")
		if err := k.expr(anyOperator); err != nil {
			return err
		}
		k.raw(")")
		if err := k.WantSymbol(")"); err != nil {
			return err
		}
		q, err := k.IntervalQualifier()
		if err != nil {
			return err
		}
		k.pieces[n].span = k.span(at)
		k.pieces[n].make = func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
			return &ast.Interval{At: ast.At{Pos: span}, X: args[0], Type: q.Type()}, nil
		}
		return nil
	}
	return k.Unexpected("the text of the interval, such as '5'")
}

// unitInside parts the text of an interval that holds its unit, as other
// dialects have it: '5 minutes'.
func unitInside(text string) (number, unit string) {
	number, unit, _ = strings.Cut(strings.TrimSpace(text), " ")
	unit = strings.TrimSuffix(lex.Upper(strings.TrimSpace(unit)), "S")
	for _, u := range [...]string{"SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"} {
		if u == unit {
			return number, unit
		}
	}
	return "", ""
}

// dateTime cuts DATE '..', TIME '..', TIMESTAMP '..' and TIMESTAMP WITH LOCAL
// TIME ZONE '..'.
func (k *cutter) dateTime(at int, t lex.Token) (bool, error) {
	kind := types.Timestamp
	switch {
	case k.Peek(1).Is("("):
		return false, nil
	case k.Looks("TIMESTAMP", "WITH", "LOCAL", "TIME", "ZONE"):
		k.At += 5
		kind = types.TimestampLTZ
	default:
		if k.Peek(1).Kind == lex.Number {
			k.Next()
			return true, k.Unexpected("a text in single quotes").WithHint("the text of %s stands in single quotes", t.Key)
		}
		if k.Peek(1).Kind != lex.String {
			return false, nil // the name of a column: refused as a reserved word
		}
		k.Next()
		switch t.Key {
		case "DATE":
			kind = types.Date
		case "TIME":
			kind = types.TimeOfDay
		}
	}
	text, err := k.Text("a text in single quotes")
	if err != nil {
		return true, err
	}
	lit, err := cursor.DateTime(k.span(at), kind, text.Text)
	if err != nil {
		return true, err
	}
	k.leaf(at, lit)
	return true, nil
}

// collection cuts ARRAY[..] and MAP[..]. Flink parses MULTISET[..] and
// collections of a query, and plans none of them.
func (k *cutter) collection(at int, t lex.Token) error {
	if t.Key == "MULTISET" || k.Peek(1).Is("(") {
		what := t.Key + "[..]"
		if k.Peek(1).Is("(") {
			what = t.Key + "(query)"
		}
		hint := "COLLECT and ARRAY_AGG gather the values of rows"
		if in := k.Peek(2); k.Peek(1).Is("(") && !in.Is("(") && in.Key != "SELECT" && in.Key != "WITH" && in.Key != "VALUES" && in.Key != "TABLE" {
			what, hint = t.Key+"(..)", "the elements stand in brackets: write "+t.Key+"[a, b]"
		}
		return diag.New(diag.NotSupported, t.Span(), "Flink does not run %s", what).WithHint("%s", hint)
	}
	k.At += 2
	n := k.piece(at, piece{make: func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
		if t.Key == "MAP" {
			return &ast.Map{At: ast.At{Pos: span}, Elems: args}, nil
		}
		return &ast.Array{At: ast.At{Pos: span}, Elems: args}, nil
	}})
	k.raw("(")
	if !k.Tok().Is("]") {
		args, err := k.list()
		if err != nil {
			return err
		}
		k.pieces[n].args = args
	}
	k.raw(")")
	if !k.TakeSymbol("]") {
		return k.Unexpected("','", "']'")
	}
	k.pieces[n].span = k.span(at)
	return k.behind(n)
}

// exists cuts EXISTS (query).
func (k *cutter) exists(at int) error {
	k.At += 2
	if !k.LooksQuery() {
		return k.Unexpected("a query")
	}
	q, err := k.door.q.Query()
	if err != nil {
		return err
	}
	if err := k.WantSymbol(")"); err != nil {
		return err
	}
	k.leaf(at, &ast.Exists{At: ast.At{Pos: k.span(at)}, Query: q})
	return nil
}
