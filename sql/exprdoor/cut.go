package exprdoor

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// state is what the operator before decides about the next one. TiDB refuses
// or misreads a predicate behind a predicate, which Flink takes from the left:
// there fsql asks for parentheses.
type state uint8

const (
	free       state = iota
	afterRange       // behind the last operand of BETWEEN or LIKE
	afterIn          // behind the list of IN
	afterIs          // behind IS ..
	afterSome        // behind = ANY (..)
	inLowBound       // between BETWEEN and its AND: arithmetic only
)

// expr cuts operand {operator operand} and stops where no operator follows.
func (k *cutter) expr(most limit) error {
	if err := k.Enter(); err != nil {
		return err
	}
	defer k.Leave()
	mode := notMode(notOperator)
	if most == arithmetic {
		mode = notRefused
		if t := k.Tok(); t.Is("-") || t.Is("+") {
			return k.needsParentheses(t)
		}
	}
	if err := k.operand(mode); err != nil || most == noOperator {
		return err
	}
	s := state(free)
	var err error
	var mark *likeMark // of the LIKE whose ESCAPE may follow
	for n := 0; ; n++ {
		if err := k.Chained(n); err != nil {
			return err
		}
		t, at := k.Tok(), k.At
		if op, text := arithmeticOperator(t); text != "" {
			if s == afterIn || s == afterIs || s == afterSome {
				return k.needsParentheses(t)
			}
			k.Next()
			k.operator(text, operator{class: binary, token: at, op: op})
			mode := notMode(notPiece)
			if s == inLowBound || s == afterRange || most == arithmetic {
				mode = notRefused
			}
			if err := k.operand(mode); err != nil {
				return err
			}
			continue
		}
		if most == arithmetic {
			return nil
		}
		if t.Key == "ESCAPE" && mark != nil {
			k.Next()
			if mark.escape, err = k.door.read(arithmetic); err != nil {
				return err
			}
			mark.end, mark = k.span(at+1), nil
			continue
		}
		escapable := mark
		mark = nil
		if t.Key == "AND" && s == inLowBound {
			k.Next()
			k.operator("AND", operator{class: betweenAnd, token: at})
			if err := k.operand(notRefused); err != nil {
				return err
			}
			s = afterRange
			continue
		}
		if (t.Key == "AND" || t.Key == "OR") && s != inLowBound {
			if most == noLogic {
				return nil
			}
			k.Next()
			op := ast.And
			if t.Key == "OR" {
				op = ast.Or
			}
			k.operator(t.Key, operator{class: binary, token: at, op: op})
			if err := k.operand(notOperator); err != nil {
				return err
			}
			s = free
			continue
		}
		if op, text := comparison(t); text != "" {
			if s == inLowBound {
				return k.needsParentheses(t)
			}
			k.Next()
			k.operator(text, operator{class: binary, token: at, op: op})
			some, err := k.quantified()
			if err == nil && !some {
				err = k.operand(notPiece)
			}
			if err != nil {
				return err
			}
			s = free
			if some {
				s = afterSome
			}
			continue
		}
		if k.looksPredicate() {
			if s == inLowBound || s != free && t.Key != "IS" && t.Key != "OVERLAPS" {
				return k.needsParentheses(t)
			}
			if s, mark, err = k.predicate(); err != nil {
				return err
			}
			continue
		}
		if s == inLowBound {
			return k.Unexpected("AND")
		}
		if e := k.foreignOperator(escapable); e != nil {
			return e
		}
		return nil
	}
}

// needsParentheses refuses an operator that TiDB cannot read where it stands.
func (k *cutter) needsParentheses(t lex.Token) error {
	return diag.New(diag.Syntax, t.Span(), "%s cannot stand here without parentheses", lex.Upper(t.Text)).
		WithHint("put the part before or behind %s into parentheses", lex.Upper(t.Text))
}

// arithmeticOperator is the operator a token is, and its spelling for TiDB.
// `||` has the level of `*` in Flink; TiDB's own binds tighter, DIV fits.
func arithmeticOperator(t lex.Token) (ast.BinaryOp, string) {
	if t.Kind != lex.Symbol {
		return 0, ""
	}
	switch t.Text {
	case "+":
		return ast.Add, "+"
	case "-":
		return ast.Sub, "-"
	case "*":
		return ast.Mul, "*"
	case "/":
		return ast.Div, "/"
	case "%":
		return ast.Mod, "%"
	case "||":
		return ast.Concat, "DIV"
	}
	return 0, ""
}

func comparison(t lex.Token) (ast.BinaryOp, string) {
	if t.Kind != lex.Symbol {
		return 0, ""
	}
	switch t.Text {
	case "=":
		return ast.Eq, "="
	case "<>":
		return ast.Ne, "<>"
	case "<":
		return ast.Lt, "<"
	case "<=":
		return ast.Le, "<="
	case ">":
		return ast.Gt, ">"
	case ">=":
		return ast.Ge, ">="
	}
	return 0, ""
}

// foreignOperator refuses words that are operators elsewhere, or that Flink's
// grammar knows and its functions do not. As words they cannot be aliases.
func (k *cutter) foreignOperator(mark *likeMark) error {
	t := k.Tok()
	if lex.Upper(t.Text) == "REGEXP" && t.Kind == lex.Word && k.Peek(1).Kind == lex.String {
		a, b := k.beside()
		return diag.New(diag.OtherDialect, t.Span(), "REGEXP is a function in Flink SQL, no operator").WithHint("write REGEXP(%s, %s)", a, b)
	}
	refuse := func(what, hint string) error {
		return diag.New(diag.OtherDialect, t.Span(), "%s is no operator of Flink SQL", what).WithHint("%s", hint)
	}
	switch t.Key {
	case "ESCAPE":
		if mark == nil {
			return k.Unexpected("an operator", "the end of the expression").WithHint("ESCAPE stands behind the pattern of LIKE or SIMILAR TO")
		}
	case "ILIKE":
		a, b := k.beside()
		return refuse("ILIKE", "write LOWER("+a+") LIKE LOWER("+b+")")
	case "RLIKE":
		a, b := k.beside()
		return refuse("RLIKE", "write REGEXP("+a+", "+b+")")
	case "COLLATE":
		return refuse("COLLATE", "text is compared by its UTF-8 bytes")
	case "MEMBER", "SUBMULTISET", "CONTAINS", "EQUALS", "PRECEDES", "SUCCEEDS":
		return refuse(t.Key, "")
	case "MULTISET":
		if k.Peek(1).Key == "UNION" || k.Peek(1).Key == "INTERSECT" || k.Peek(1).Key == "EXCEPT" {
			return refuse("MULTISET "+k.Peek(1).Key, "")
		}
	case "AT":
		if k.Peek(1).Key == "TIME" || k.Peek(1).Key == "LOCAL" {
			return refuse("AT TIME ZONE", "the zone of the session is the option table.local-time-zone; CONVERT_TZ converts text")
		}
	case "MOD":
		return refuse("MOD", "write % or MOD(a, b)")
	}
	return nil
}

// beside is the text of the operands of a foreign operator, where each is one
// token; else a and b.
func (k *cutter) beside() (a, b string) {
	a, b = "a", "b"
	one := func(t lex.Token) bool { return t.Kind == lex.Word || t.Kind == lex.String || t.Kind == lex.Number }
	if t := k.Prev(); one(t) && !(k.At > 1 && k.Src.Tokens[k.At-2].Is(".")) {
		a = k.Src.Text[t.Start:t.End]
	}
	if t := k.Peek(1); one(t) && !k.Peek(2).Is(".") && !k.Peek(2).Is("(") {
		b = k.Src.Text[t.Start:t.End]
	}
	return a, b
}
