package sql

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
)

// from reads what follows FROM: items joined from the left. The comma has the
// level of JOIN in Flink.
func (p *parser) from() (ast.TableRef, error) {
	return p.joined(true)
}

// joined reads items of FROM; in parentheses a comma does not join.
func (p *parser) joined(comma bool) (ast.TableRef, error) {
	start := p.Tok().Start
	l, err := p.tableRef()
	for n := 0; err == nil; n++ {
		if err := p.Chained(n); err != nil {
			return nil, err
		}
		if !(comma && p.Tok().Is(",")) && !p.looksJoin() {
			return l, nil
		}
		l, err = p.join(start, l)
	}
	return nil, err
}

func (p *parser) looksJoin() bool {
	return p.LooksAny("JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "OUTER")
}

// join reads one join with its right side and condition.
func (p *parser) join(start int, l ast.TableRef) (ast.TableRef, error) {
	j := &ast.Join{L: l}
	var err error
	if p.TakeSymbol(",") {
		j.Kind = ast.Cross
		if j.R, err = p.tableRef(); err != nil {
			return nil, err
		}
		if p.Looks("ON") && !p.looksOnConflict() {
			return nil, p.Unexpected("WHERE", "the end of the query").WithHint("a comma joins without a condition: write JOIN instead of it")
		}
		j.At = p.at(start)
		return j, nil
	}
	word := p.Tok()
	j.Natural = p.Take("NATURAL")
	switch {
	case p.Take("INNER"):
	case p.Take("LEFT"):
		j.Kind = ast.Left
		p.Take("OUTER")
	case p.Take("RIGHT"):
		j.Kind = ast.Right
		p.Take("OUTER")
	case p.Take("FULL"):
		j.Kind = ast.Full
		p.Take("OUTER")
	case p.Take("CROSS"):
		j.Kind = ast.Cross
	}
	if t := p.Tok(); !p.Take("JOIN") {
		e := p.Unexpected("JOIN")
		switch lex.Upper(t.Text) {
		case "SEMI", "ANTI":
			e.WithHint("write WHERE [NOT] EXISTS (SELECT ..) or [NOT] IN (SELECT ..)")
		case "APPLY":
			e.WithHint("write CROSS JOIN LATERAL TABLE(f(..)) or LEFT JOIN LATERAL TABLE(f(..)) ON TRUE")
		case "OUTER":
			e.WithHint("write LEFT, RIGHT or FULL before OUTER JOIN")
		}
		return nil, e
	}
	if j.R, err = p.tableRef(); err != nil {
		return nil, err
	}
	cond := p.Tok()
	switch {
	case p.Looks("ON") && !p.looksOnConflict():
		p.Next()
		if j.On, err = p.door.Expr(); err != nil {
			return nil, err
		}
	case p.Take("USING"):
		column := p.Tok()
		if j.Using, err = p.Names("the name of a column"); err != nil {
			if cursor.IsName(column) {
				diag.Of(err).WithHint("write USING (%s)", column.Text)
			}
			return nil, err
		}
	}
	has := j.On != nil || j.Using != nil
	if has && (j.Kind == ast.Cross || j.Natural) {
		kind := "a NATURAL JOIN"
		if j.Kind == ast.Cross {
			kind = "a CROSS JOIN"
		}
		return nil, diag.New(diag.Syntax, cond.Span(), "%s has no condition", kind).WithHint("write JOIN .. ON ..")
	}
	if !has && j.Kind != ast.Cross && !j.Natural {
		if p.looksJoin() || p.AtEnd() || p.Tok().Is(")") || p.Tok().Is(",") || clauseWord(p.Tok().Key) {
			return nil, diag.New(diag.Syntax, p.From(word.Start), "a %s needs a condition", joinName(j.Kind)).
				WithHint("write ON a = b or USING (column) behind it, or CROSS JOIN for all pairs")
		}
		return nil, p.Unexpected("ON", "USING")
	}
	j.At = p.at(start)
	return j, nil
}

func joinName(k ast.JoinKind) string {
	return [...]string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"}[k]
}

// tableRef reads one item of FROM with alias and MATCH_RECOGNIZE.
func (p *parser) tableRef() (ast.TableRef, error) {
	if err := p.Enter(); err != nil {
		return nil, err
	}
	defer p.Leave()
	start, t := p.Tok().Start, p.Tok()
	var err error
	switch {
	case t.Is("(") && !p.LooksQuery():
		p.Next()
		r, err := p.joined(false)
		if err != nil {
			return nil, err
		}
		if _, ok := r.(*ast.Join); !ok && p.Tok().Is(")") || p.Tok().Is(",") {
			return nil, p.Unexpected("JOIN").WithHint("parentheses in FROM hold a query or a join")
		}
		if err := p.WantSymbol(")"); err != nil {
			return nil, err
		}
		return r, nil
	case t.Is("("):
		d := &ast.Derived{}
		if d.Query, err = p.derived(); err != nil {
			return nil, err
		}
		if d.Alias, err = p.tableAlias(); err != nil {
			return nil, err
		}
		d.At = p.at(start)
		return p.match(start, d)
	case t.Key == "LATERAL":
		return p.lateral()
	case t.Key == "UNNEST":
		return p.unnest()
	case t.Key == "TABLE":
		return p.wrapped(start, false)
	case t.Key == "VALUES":
		return nil, p.Unexpected("a table").WithHint("put it into parentheses: (VALUES ..) AS t(a, b)")
	case t.Key == "SELECT", t.Key == "WITH":
		return nil, p.Unexpected("a table").WithHint("put the query into parentheses")
	}
	return p.namedTable(start)
}

// derived reads (query).
func (p *parser) derived() (ast.Query, error) {
	p.Next()
	q, err := p.Query()
	if err == nil {
		err = p.WantSymbol(")")
	}
	return q, err
}

// namedTable reads t with hints and time travel, or a call f(..).
func (p *parser) namedTable(start int) (ast.TableRef, error) {
	if end := p.pathEnds(); p.Src.Tokens[end].Is("(") {
		return p.tableFunc(start, false, false)
	}
	path, err := p.Path("a table")
	if err != nil {
		return nil, err
	}
	t := &ast.Table{Path: path}
	if t.Hints, err = p.hints(); err != nil {
		return nil, err
	}
	if t.AsOf, err = p.asOf(); err != nil {
		return nil, err
	}
	switch s := p.Tok(); s.Key {
	case "TABLESAMPLE":
		return nil, notSupported(s.Span(), "Flink does not run TABLESAMPLE").WithHint("write WHERE RAND() < 0.1")
	case "PIVOT", "UNPIVOT":
		return nil, notSupported(s.Span(), "Flink does not run %s", s.Key).
			WithHint("write SUM(x) FILTER (WHERE k = 'a') for each column")
	}
	if t.Alias, err = p.tableAlias(); err != nil {
		return nil, err
	}
	t.At = p.at(start)
	return p.match(start, t)
}

// pathEnds is the token behind the dotted name that comes next.
func (p *parser) pathEnds() int {
	at := p.At + 1
	for p.Src.Tokens[min(at, len(p.Src.Tokens)-1)].Is(".") {
		at += 2
	}
	return min(at, len(p.Src.Tokens)-1)
}

// asOf reads FOR SYSTEM_TIME AS OF x if it follows.
func (p *parser) asOf() (ast.Expr, error) {
	if !p.Take("FOR") {
		return nil, nil
	}
	if err := p.Want("SYSTEM_TIME", "AS", "OF"); err != nil {
		return nil, err
	}
	return p.door.Expr()
}

// tableFunc reads f(..), with TABLE( ) around it when wrapped.
func (p *parser) tableFunc(start int, lateral, wrapped bool) (ast.TableRef, error) {
	t := p.Tok()
	x, err := p.door.Operand()
	if err != nil {
		return nil, err
	}
	call, ok := x.(*ast.Call)
	if !ok || call.NoParens {
		return nil, diag.New(diag.Syntax, x.Span().Join(t.Span()), "found %s, expected the call of a table function", t.Text).
			WithHint("a table stands in FROM without TABLE( )")
	}
	for i, a := range call.Args {
		if q, ok := a.(*ast.Subquery); ok { // a query is a table here, no value
			if p.Src.Text[q.Pos.Start] != '(' {
				return nil, diag.New(diag.Syntax, q.Pos, "a query as argument of %s stands in parentheses", t.Text)
			}
			call.Args[i] = &ast.TableArg{At: q.At, Query: q.Query}
		}
	}
	f := &ast.TableFunc{Call: call, Lateral: lateral, Wrapped: wrapped}
	if wrapped {
		if err := p.WantSymbol(")"); err != nil {
			return nil, err
		}
	}
	if f.AsOf, err = p.asOf(); err != nil {
		return nil, err
	}
	if f.Alias, err = p.tableAlias(); err != nil {
		return nil, err
	}
	f.At = p.at(start)
	if p.Looks("MATCH_RECOGNIZE") {
		return nil, p.Unexpected("the end of the table").WithHint("put the function into a query first: (SELECT * FROM %s(..)) MATCH_RECOGNIZE (..)", t.Text)
	}
	return f, nil
}

// wrapped reads TABLE(f(..)).
func (p *parser) wrapped(start int, lateral bool) (ast.TableRef, error) {
	p.Next()
	if !p.Tok().Is("(") {
		return nil, p.Unexpected("'('").WithHint("a table stands in FROM without the word TABLE")
	}
	p.Next()
	if !p.LooksName() && !lex.IsCallable(p.Tok().Key) {
		return nil, p.Unexpected("the call of a table function")
	}
	return p.tableFunc(start, lateral, true)
}

func (p *parser) lateral() (ast.TableRef, error) {
	start := p.Next().Start
	switch {
	case p.Looks("TABLE"):
		return p.wrapped(start, true)
	case p.Looks("UNNEST"):
		return p.unnest()
	case p.LooksQuery():
		d := &ast.Derived{Lateral: true}
		var err error
		if !p.Tok().Is("(") {
			return nil, p.Unexpected("TABLE", "'('")
		}
		if d.Query, err = p.derived(); err != nil {
			return nil, err
		}
		if d.Alias, err = p.tableAlias(); err != nil {
			return nil, err
		}
		d.At = p.at(start)
		return d, nil
	}
	e := p.Unexpected("TABLE", "a query in parentheses", "UNNEST")
	if p.LooksName() {
		e.WithHint("write LATERAL TABLE(%s(..))", p.Tok().Text)
	}
	return nil, e
}

// unnest reads UNNEST(x) [WITH ORDINALITY].
func (p *parser) unnest() (ast.TableRef, error) {
	start := p.Next().Start
	if err := p.WantSymbol("("); err != nil {
		return nil, err
	}
	u := &ast.Unnest{}
	var err error
	if u.X, err = p.rowValue(); err != nil {
		return nil, err
	}
	if t := p.Tok(); t.Is(",") {
		return nil, notSupported(t.Span(), "Flink does not run UNNEST of several collections").WithHint("write one UNNEST for each")
	}
	if err := p.WantSymbol(")"); err != nil {
		return nil, err
	}
	if p.Take("WITH") {
		if err := p.Want("ORDINALITY"); err != nil {
			return nil, err
		}
		u.Ordinality = true
	}
	if u.Alias, err = p.tableAlias(); err != nil {
		return nil, err
	}
	if p.Looks("WITH", "ORDINALITY") {
		return nil, p.Unexpected("the end of the table").WithHint("WITH ORDINALITY stands before the alias")
	}
	u.At = p.at(start)
	return u, nil
}

// tableAlias reads [AS] name [(a, b)] if there is one.
func (p *parser) tableAlias() (ast.Alias, error) {
	start := p.Tok().Start
	var a ast.Alias
	var err error
	if a.Name, err = p.alias(); err != nil || a.Name.Text == "" {
		return a, err
	}
	if p.Tok().Is("(") {
		if a.Columns, err = p.Names("the name of a column"); err != nil {
			return a, err
		}
	}
	a.At = p.at(start)
	if t := p.Tok(); t.Key == "FOR" && p.Peek(1).Key == "SYSTEM_TIME" {
		return a, p.Unexpected("the end of the table").WithHint("FOR SYSTEM_TIME AS OF stands before the alias")
	}
	if t := p.Tok(); t.Kind == lex.HintBegin {
		return a, p.Unexpected("the end of the table").WithHint("a hint stands before the alias")
	}
	return a, nil
}

// looksOnConflict tells whether the ON CONFLICT of an INSERT comes next.
func (p *parser) looksOnConflict() bool { return p.Looks("ON", "CONFLICT", "DO") }
