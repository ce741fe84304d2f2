package exprdoor

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
	"fsql/types"
)

// notMode says what a NOT in front of an operand is.
type notMode uint8

const (
	notOperator notMode = iota // an operator for TiDB too: at the begin, behind AND, OR, NOT
	notPiece                   // reaches to the next AND or OR, and becomes a piece
	notRefused                 // inside BETWEEN, LIKE and ESCAPE, where Flink refuses or misplaces it
)

// operand cuts prefix operators, a primary and what stands behind it.
func (k *cutter) operand(mode notMode) error {
	for n := 0; ; n++ {
		if err := k.Chained(n); err != nil {
			return err
		}
		at := k.At
		switch t := k.Tok(); {
		case t.Is("-"):
			k.Next()
			k.operator("-", operator{class: negative, token: at})
			mode = max(mode, notPiece)
		case t.Is("+"):
			k.Next()
			k.operator("+", operator{class: positive, token: at})
			mode = max(mode, notPiece)
		case t.Key == "NOT" && mode == notOperator:
			k.Next()
			k.operator("NOT", operator{class: not, token: at})
		case t.Key == "NOT" && mode == notRefused:
			return k.needsParentheses(t)
		case t.Key == "NOT":
			return k.notBehindOperator(at)
		default:
			return k.primary()
		}
	}
}

func (k *cutter) notBehindOperator(at int) error {
	k.Next()
	n := k.piece(at, piece{args: 1, make: func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
		return &ast.Unary{At: ast.At{Pos: span}, Op: ast.Not, X: args[0]}, nil
	}})
	k.raw("(")
	if err := k.expr(noLogic); err != nil {
		return err
	}
	k.raw(")")
	k.pieces[n].span = k.span(at)
	return nil
}

// primary cuts one operand without prefix operators.
func (k *cutter) primary() error {
	at, t := k.At, k.Tok()
	switch t.Kind {
	case lex.Number:
		k.Next()
		k.leaf(at, &ast.Literal{At: ast.At{Pos: t.Span()}, Text: t.Text}) // typed by the builder, which knows the sign
		return nil
	case lex.String:
		k.Next()
		k.leaf(at, cursor.String(t.Span(), t.Text))
		return nil
	case lex.Binary:
		k.Next()
		k.leaf(at, cursor.Binary(t.Span(), t.Text))
		return nil
	case lex.Symbol:
		return k.bracketed(at, t)
	case lex.Word:
		if done, err := k.keyword(at, t); done || err != nil {
			return err
		}
	case lex.Quoted:
	default:
		return k.noOperand(t)
	}
	return k.named(at, t)
}

// bracketed cuts an operand that begins with a symbol.
func (k *cutter) bracketed(at int, t lex.Token) error {
	switch t.Text {
	case "(":
		if k.LooksQuery() {
			k.Next()
			q, err := k.door.q.Query()
			if err != nil {
				return err
			}
			if err := k.WantSymbol(")"); err != nil {
				return err
			}
			return k.behind(k.leaf(at, &ast.Subquery{At: ast.At{Pos: k.span(at)}, Query: q}))
		}
		return k.parenthesis(at)
	case "{":
		return k.braces(at)
	case "?":
		return diag.New(diag.NotSupported, t.Span(), "a parameter has no value in a script")
	}
	return k.noOperand(t)
}

// parenthesis cuts (x), (a, b) or (a - b) UNIT.
func (k *cutter) parenthesis(at int) error {
	k.Next()
	n := k.piece(at, piece{})
	k.raw("(")
	args, err := k.list()
	if err != nil {
		return err
	}
	k.raw(")")
	if err := k.close(); err != nil {
		return err
	}
	p := &k.pieces[n]
	p.args, p.span = args, k.span(at)
	switch {
	case cursor.LooksUnit(k.Tok()):
		q, err := k.IntervalQualifier()
		if err != nil {
			return err
		}
		p = &k.pieces[n]
		p.span = k.span(at)
		p.make = func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
			if b, ok := args[0].(*ast.Binary); ok && len(args) == 1 && b.Op == ast.Sub {
				return &ast.Interval{At: ast.At{Pos: span}, X: b, Type: q.Type(), Diff: true}, nil
			}
			return nil, diag.New(diag.Syntax, span, "before the unit %s stands (a - b), the difference of two times", q.Unit()).
				WithHint("write INTERVAL (x) %s for a number of units", q.Unit())
		}
		return nil
	case args > 1:
		p.make = func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
			return &ast.Row{At: ast.At{Pos: span}, Elems: args}, nil
		}
	default:
		p.make = func(args []ast.Expr, span diag.Span) (ast.Expr, error) { return args[0], nil }
	}
	return k.behind(n)
}

// braces cuts {d '..'}, {t '..'} and {ts '..'}.
func (k *cutter) braces(at int) error {
	kinds := map[string]types.Kind{"D": types.Date, "T": types.TimeOfDay, "TS": types.Timestamp}
	k.Next()
	word := k.Tok()
	kind, ok := kinds[lex.Upper(word.Text)]
	if !ok || word.Kind != lex.Word {
		return k.Unexpected("d", "t", "ts").WithHint("times in braces are {d '2024-05-01'}, {t '10:00:00'}, {ts '2024-05-01 10:00:00'}")
	}
	k.Next()
	text, err := k.Text("a text in single quotes")
	if err != nil {
		return err
	}
	if err := k.WantSymbol("}"); err != nil {
		return err
	}
	lit, err := cursor.DateTime(k.span(at), kind, text.Text)
	if err != nil {
		return err
	}
	k.leaf(at, lit)
	return nil
}

// named cuts a column a.b.c or a call a.b.f(..).
func (k *cutter) named(at int, t lex.Token) error {
	if !cursor.IsName(t) && !k.callable(t) {
		return k.noOperand(t)
	}
	path := []ast.Name{cursor.NameOf(k.Next())}
	for k.Tok().Is(".") {
		if next := k.Peek(1); !cursor.IsName(next) {
			if next.Is("*") {
				break // t.*: the caller knows whether a star may stand here
			}
			k.Next()
			return k.NoName("a name")
		}
		k.Next()
		path = append(path, cursor.NameOf(k.Next()))
	}
	if k.Tok().Is("(") {
		return k.call(at, ast.Path{At: ast.At{Pos: k.span(at)}, Parts: path})
	}
	return k.behind(k.leaf(at, &ast.Column{At: ast.At{Pos: k.span(at)}, Parts: path}))
}

// callable tells whether a reserved word is the name of a function that is
// called here.
func (k *cutter) callable(t lex.Token) bool {
	if t.Kind != lex.Word || !k.Peek(1).Is("(") {
		return false
	}
	switch t.Key {
	case "PREV", "NEXT", "CLASSIFIER", "MATCH_NUMBER", "DATE", "TIME", "TIMESTAMP": // by rules of their own in Flink's grammar
		return true
	}
	return lex.IsCallable(t.Key)
}

// behind cuts subscripts and fields behind piece n.
func (k *cutter) behind(n int) error {
	for {
		switch t := k.Tok(); {
		case t.Is("["):
			k.Next()
			if err := k.Enter(); err != nil {
				return err
			}
			x, err := k.door.Expr()
			k.Leave()
			if err != nil {
				return err
			}
			if err := k.WantSymbol("]"); err != nil {
				return err
			}
			k.pieces[n].post = append(k.pieces[n].post, step{index: x, end: k.Prev().End})
		case t.Is("."):
			k.Next()
			f, err := k.Name("the name of a field")
			if err != nil {
				return err
			}
			k.pieces[n].post = append(k.pieces[n].post, step{field: f, end: k.Prev().End})
		default:
			return nil
		}
	}
}

// noOperand is the error that no operand stands here.
func (k *cutter) noOperand(t lex.Token) error {
	if t.Kind == lex.Word && lex.IsReserved(t.Key) {
		if k.Peek(1).Is("(") {
			if hint := k.missingFunction(t.Key); hint != "" {
				return diag.New(diag.OtherDialect, t.Span(), "there is no function %s in Flink SQL", t.Key).WithHint("%s", hint)
			}
		} else if k.MeantAsName() {
			return cursor.Reserved(t)
		}
	}
	e := k.Unexpected("an expression")
	if t.Key == "FROM" && k.Prev().Key == "SELECT" {
		e.WithHint("name the columns, or write * for all")
	}
	if word := k.Peek(1); t.Is("[") && word.Kind == lex.Word && k.Peek(2).Is("]") {
		e.WithHint("names are quoted with back-quotes: `%s`", word.Text)
	}
	if t.Is("*") && e.Hint == "" {
		e.WithHint("* stands alone or behind the name of a table in a select list, and in COUNT(*)")
	}
	return e
}
