package sql

import (
	"strconv"
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
	"fsql/types"
)

// Query reads a query with everything that belongs to it: WITH, set
// operations, ORDER BY, LIMIT, OFFSET, FETCH.
func (p *parser) Query() (ast.Query, error) {
	if err := p.Enter(); err != nil {
		return nil, err
	}
	defer p.Leave()
	start := p.Tok().Start
	var with *ast.With
	if p.Take("WITH") {
		p.Take("RECURSIVE") // a word without effect: Flink's CTEs do not see themselves
		ctes, err := list(p, p.cte)
		if err != nil {
			return nil, err
		}
		with = &ast.With{CTEs: ctes}
	}
	q, err := p.setOps()
	if err != nil {
		return nil, err
	}
	if with != nil {
		with.Body = q
		with.At = p.at(start)
		q = with
	}
	return p.ordered(start, q)
}

func (p *parser) cte() (ast.CTE, error) {
	start := p.Tok().Start
	var c ast.CTE
	var err error
	if c.Name, err = p.Name("the name of a query"); err != nil {
		return c, err
	}
	if p.Tok().Is("(") {
		if c.Columns, err = p.Names("the name of a column"); err != nil {
			return c, err
		}
	}
	if err := p.Want("AS"); err != nil {
		return c, err
	}
	if !p.Tok().Is("(") {
		return c, p.Unexpected("'('").WithHint("the query of WITH stands in parentheses")
	}
	p.Next()
	if c.Query, err = p.Query(); err != nil {
		return c, err
	}
	err = p.WantSymbol(")")
	c.At = p.at(start)
	return c, err
}

// setOps reads UNION and EXCEPT, from the left.
func (p *parser) setOps() (ast.Query, error) {
	start := p.Tok().Start
	q, err := p.intersections()
	for n := 0; err == nil; n++ {
		if err := p.Chained(n); err != nil {
			return nil, err
		}
		op := ast.Union
		switch t := p.Tok(); t.Key {
		case "UNION":
		case "EXCEPT":
			op = ast.Except
		case "MINUS":
			return nil, diag.New(diag.OtherDialect, t.Span(), "MINUS is no set operation of Flink SQL").WithHint("write EXCEPT")
		default:
			return q, nil
		}
		q, err = p.setOp(start, op, q, p.intersections)
	}
	return nil, err
}

// intersections reads INTERSECT, which binds tighter.
func (p *parser) intersections() (ast.Query, error) {
	start := p.Tok().Start
	q, err := p.leafQuery()
	for n := 0; err == nil && p.Looks("INTERSECT"); n++ {
		if err := p.Chained(n); err != nil {
			return nil, err
		}
		q, err = p.setOp(start, ast.Intersect, q, p.leafQuery)
	}
	return q, err
}

func (p *parser) setOp(start int, op ast.SetKind, l ast.Query, right func() (ast.Query, error)) (ast.Query, error) {
	p.Next()
	all := p.Take("ALL")
	if !all {
		p.Take("DISTINCT")
	}
	r, err := right()
	if err != nil {
		return nil, err
	}
	return &ast.SetOp{At: p.at(start), Op: op, All: all, L: l, R: r}, nil
}

// leafQuery reads SELECT .., VALUES .., TABLE t or (query).
func (p *parser) leafQuery() (ast.Query, error) {
	start := p.Tok().Start
	switch {
	case p.Looks("SELECT"):
		return p.selectBlock()
	case p.Take("VALUES"), p.Looks("VALUE") && p.Peek(1).Is("(") && p.Take("VALUE"):
		rows, err := list(p, p.row)
		if err != nil {
			return nil, err
		}
		return &ast.Values{At: p.at(start), Rows: rows}, nil
	case p.Take("TABLE"): // TABLE t is SELECT * FROM t
		path, err := p.Path("the name of a table")
		if err != nil {
			return nil, err
		}
		at := p.at(start)
		return &ast.Select{At: at, Items: []ast.SelectItem{{At: at, X: &ast.Star{At: at}}}, From: &ast.Table{At: path.At, Path: path}}, nil
	case p.TakeSymbol("("):
		q, err := p.Query()
		if err == nil {
			err = p.WantSymbol(")")
		}
		return q, err
	}
	e := p.Unexpected("a query")
	switch before := p.Src.Tokens[max(p.At-2, 0)]; {
	case p.Prev().Is("(") && before.Key == "EXCEPT" && p.Src.Tokens[max(p.At-3, 0)].Is("*"):
		e.WithHint("Flink has no * EXCEPT (columns): name the columns that stay")
	case p.LooksAny("INSERT", "UPDATE", "DELETE", "CREATE"):
		e.WithHint("a query is SELECT, VALUES, TABLE or WITH")
	}
	return nil, e
}

// row reads one row of VALUES: (a, b), ROW(a, b) or a single expression.
func (p *parser) row() ([]ast.Expr, error) {
	if p.Looks("ROW") && p.Peek(1).Is("(") {
		p.Next()
	}
	if !p.Tok().Is("(") {
		x, err := p.door.Expr()
		return []ast.Expr{x}, err
	}
	// (1) + 2 is an expression, (1), (2) are rows: what follows tells.
	if end := p.Src.Match(p.At); end > 0 && !rowEnds(p.Src.Tokens[end+1]) || p.LooksQuery() && p.Peek(1).Is("(") {
		x, err := p.door.Expr()
		return []ast.Expr{x}, err
	}
	return listed(p, p.rowValue)
}

// rowEnds tells whether a token may follow a row of VALUES.
func rowEnds(t lex.Token) bool {
	return t.Kind == lex.EOF || t.Is(",") || t.Is(")") || t.Is(";") || t.Kind == lex.Word || t.Kind == lex.Quoted || t.Kind == lex.Bad
}

// rowValue reads a value of a row, which may be DEFAULT or a query.
func (p *parser) rowValue() (ast.Expr, error) {
	if t := p.Tok(); p.Take("DEFAULT") {
		return &ast.Default{At: ast.At{Pos: t.Span()}}, nil
	}
	if !p.Tok().Is("(") && p.LooksQuery() {
		q, err := p.Query()
		if err != nil {
			return nil, err
		}
		return &ast.Subquery{At: ast.At{Pos: q.Span()}, Query: q}, nil
	}
	return p.door.Expr()
}

// ordered reads ORDER BY, LIMIT, OFFSET and FETCH behind a query.
func (p *parser) ordered(start int, q ast.Query) (ast.Query, error) {
	o := &ast.Ordered{Body: q}
	var err error
	if p.Take("ORDER") {
		if err := p.Want("BY"); err != nil {
			return nil, err
		}
		if o.OrderBy, err = p.door.OrderItems(); err != nil {
			return nil, err
		}
	}
	if p.Take("LIMIT") && !p.Take("ALL") {
		if o.Limit, err = p.rowCount("LIMIT"); err != nil {
			return nil, err
		}
		if t := p.Tok(); t.Is(",") {
			return nil, diag.New(diag.OtherDialect, t.Span(), "LIMIT takes no start before a comma").
				WithHint("write LIMIT %s OFFSET %s", p.Peek(1).Text, p.Prev().Text)
		}
	}
	if p.Take("OFFSET") {
		if o.Offset, err = p.rowCount("OFFSET"); err != nil {
			return nil, err
		}
		if !p.Take("ROWS") {
			p.Take("ROW")
		}
		if t := p.Tok(); t.Key == "LIMIT" {
			return nil, diag.New(diag.OtherDialect, t.Span(), "LIMIT stands before OFFSET").
				WithHint("write LIMIT n OFFSET m")
		}
	}
	if p.Looks("FETCH") && o.Limit == nil {
		if o.Limit, err = p.fetch(); err != nil {
			return nil, err
		}
	}
	if o.OrderBy == nil && o.Limit == nil && o.Offset == nil {
		return q, nil
	}
	if err := p.clauseOrder(); err != nil {
		return nil, err
	}
	o.At = p.at(start)
	return o, nil
}

func (p *parser) fetch() (ast.Expr, error) {
	p.Next()
	if !p.Take("FIRST") && !p.Take("NEXT") {
		return nil, p.Unexpected("FIRST", "NEXT")
	}
	n, err := p.rowCount("FETCH")
	if err != nil {
		return nil, err
	}
	if !p.Take("ROWS") && !p.Take("ROW") {
		return nil, p.Unexpected("ROWS", "ROW")
	}
	return n, p.Want("ONLY")
}

// rowCount reads the number of rows of LIMIT, OFFSET or FETCH: a whole number
// without sign, no expression.
func (p *parser) rowCount(clause string) (ast.Expr, error) {
	t := p.Tok()
	if t.Kind != lex.Number {
		e := p.Unexpected("the number of rows of " + clause)
		if t.Is("-") {
			e.WithHint("the number of rows cannot be negative")
		}
		return nil, e
	}
	n, err := strconv.ParseInt(t.Text, 10, 64)
	if err != nil {
		return nil, diag.New(diag.BadLiteral, t.Span(), "%s takes a whole number of rows, not %s", clause, t.Text)
	}
	p.Next()
	kind := types.Int
	if int64(int32(n)) != n {
		kind = types.BigInt
	}
	return &ast.Literal{At: ast.At{Pos: t.Span()}, Type: types.Of(kind).NotNull(), Text: strings.TrimLeft(t.Text[:len(t.Text)-1], "0") + t.Text[len(t.Text)-1:]}, nil
}
