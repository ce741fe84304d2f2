package exprdoor

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// looksPredicate tells whether IS, IN, BETWEEN, LIKE, SIMILAR or OVERLAPS
// comes next, with or without NOT.
func (k *cutter) looksPredicate() bool {
	switch k.Tok().Key {
	case "IS", "IN", "BETWEEN", "LIKE", "SIMILAR", "OVERLAPS", "NOT":
		return true
	}
	return false
}

// predicate cuts the predicate that comes next with its operands.
func (k *cutter) predicate() (state, *likeMark, error) {
	at := k.At
	if k.Take("IS") {
		s, err := k.is(at)
		return s, nil, err
	}
	if k.Take("OVERLAPS") {
		k.operator("<=>", operator{class: overlaps, token: at})
		return free, nil, k.operand(notPiece)
	}
	neg := k.Take("NOT")
	switch {
	case k.Take("IN"):
		return afterIn, nil, k.in(at, neg)
	case k.Take("BETWEEN"):
		symm := k.Take("SYMMETRIC")
		if !symm {
			k.Take("ASYMMETRIC")
		}
		text := "BETWEEN"
		if neg {
			text = "NOT BETWEEN"
		}
		k.operator(text, operator{class: between, token: at, not: neg, symm: symm})
		return inLowBound, nil, k.operand(notRefused)
	case k.Take("LIKE"):
		return k.like(at, &likeMark{not: neg})
	case k.Take("SIMILAR"):
		if err := k.Want("TO"); err != nil {
			return free, nil, err
		}
		return k.like(at, &likeMark{not: neg, similar: true})
	case neg && k.LooksAny("ILIKE", "RLIKE"):
		return free, nil, k.foreignOperator(nil)
	}
	e := k.Unexpected("IN", "BETWEEN", "LIKE", "SIMILAR TO")
	if k.Looks("NULL") {
		e.WithHint("write IS NOT NULL for a condition")
	}
	return free, nil, e
}

// like renders x LIKE pattern as x BETWEEN mark AND pattern: TiDB's LIKE takes
// only a simple pattern and has escapes of its own. The mark keeps the rest;
// ESCAPE is read when it follows the pattern.
func (k *cutter) like(at int, mark *likeMark) (state, *likeMark, error) {
	k.operator("BETWEEN", operator{class: like, token: at})
	k.piece(at, piece{span: k.span(at), like: mark})
	k.operator("AND", operator{class: likeAnd, token: at})
	return afterRange, mark, k.operand(notRefused)
}

// is cuts the rest of IS [NOT] ...
func (k *cutter) is(at int) (state, error) {
	neg := k.Take("NOT")
	if k.Take("DISTINCT") {
		if err := k.Want("FROM"); err != nil {
			return free, err
		}
		op := ast.IsDistinct
		if neg {
			op = ast.IsNotDistinct
		}
		k.operator("<=>", operator{class: distinct, token: at, op: op})
		return free, k.operand(notPiece)
	}
	t := k.Tok()
	what := t.Key
	switch what {
	case "NULL", "TRUE", "FALSE", "UNKNOWN":
		k.Next()
	case "JSON":
		k.Next()
		if k.LooksAny("VALUE", "SCALAR", "ARRAY", "OBJECT") {
			what += " " + k.Next().Key
		}
	case "EMPTY", "NORMALIZED", "A":
		return free, diag.New(diag.NotSupported, t.Span(), "Flink has no predicate IS %s", t.Key)
	default:
		if neg {
			return free, k.Unexpected("NULL", "TRUE", "FALSE", "UNKNOWN", "JSON", "DISTINCT FROM")
		}
		e := k.Unexpected("NULL", "NOT NULL", "TRUE", "FALSE", "UNKNOWN", "JSON", "DISTINCT FROM")
		if k.Tok().Kind == lex.String || k.Tok().Kind == lex.Number {
			e.WithHint("compare values with =")
		}
		return free, e
	}
	k.operator("IS NULL", operator{class: is, token: at, not: neg, what: what})
	return afterIs, nil
}

// in cuts the list or query of IN.
func (k *cutter) in(at int, neg bool) error {
	text := "IN ("
	if neg {
		text = "NOT IN ("
	}
	if !k.Tok().Is("(") {
		return k.Unexpected("'('").WithHint("the values of IN stand in parentheses")
	}
	open := k.At
	k.Next()
	if k.Tok().Is(")") {
		return k.Unexpected("an expression").WithHint("IN needs at least one value")
	}
	o := operator{class: in, token: at, not: neg}
	n := len(k.ops)
	if k.LooksQuery() {
		q, err := k.door.q.Query()
		if err != nil {
			return err
		}
		o.query = q
		k.operator(text, o)
		k.leaf(open, &ast.Subquery{At: ast.At{Pos: q.Span()}, Query: q})
	} else {
		k.operator(text, o)
		if _, err := k.list(); err != nil {
			return err
		}
	}
	k.raw(")")
	k.ops[n].last = k.At
	return k.close()
}

// list cuts a, b, ... and returns how many they are.
func (k *cutter) list() (int, error) {
	for n := 1; ; n++ {
		if err := k.expr(anyOperator); err != nil {
			return n, err
		}
		if !k.TakeSymbol(",") {
			return n, nil
		}
		k.raw(",")
	}
}

// close takes the parenthesis that closes a list.
func (k *cutter) close() error {
	if !k.TakeSymbol(")") {
		return k.Unexpected("','", "')'")
	}
	return nil
}

// quantified cuts ANY, SOME or ALL with its list or query behind a comparison.
// The builder puts the left operand in.
func (k *cutter) quantified() (bool, error) {
	if !k.LooksAny("ANY", "SOME", "ALL") || !k.Peek(1).Is("(") {
		return false, nil
	}
	at := k.At
	all := k.Next().Key == "ALL"
	k.Next()
	if k.LooksQuery() {
		q, err := k.door.q.Query()
		if err != nil {
			return true, err
		}
		if err := k.WantSymbol(")"); err != nil {
			return true, err
		}
		k.leaf(at, &ast.Quantified{At: ast.At{Pos: k.span(at)}, All: all, Query: q})
		return true, nil
	}
	return true, k.around(at, k.list, func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
		return &ast.Quantified{At: ast.At{Pos: span}, All: all, List: args}, nil
	})
}

// around renders p<n>( inside ) for a piece that begins at a token and ends
// with the parenthesis behind what inside cuts.
func (k *cutter) around(at int, inside func() (int, error), put func([]ast.Expr, diag.Span) (ast.Expr, error)) error {
	n := k.piece(at, piece{make: put})
	k.raw("(")
	args, err := inside()
	if err != nil {
		return err
	}
	k.raw(")")
	if err := k.close(); err != nil {
		return err
	}
	k.pieces[n].args = args
	k.pieces[n].span = k.span(at)
	return nil
}
