package sql

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
)

// selectBlock reads SELECT .. with its clauses up to QUALIFY.
func (p *parser) selectBlock() (ast.Query, error) {
	s := &ast.Select{}
	start := p.Next().Start
	var err error
	if s.Hints, err = p.hints(); err != nil {
		return nil, err
	}
	if t := p.Tok(); t.Key == "STREAM" {
		return nil, notSupported(t.Span(), "SELECT STREAM is refused").WithHint("every query is a streaming query: leave STREAM out")
	}
	switch {
	case p.Take("DISTINCT"):
		s.Distinct = true
		if p.Looks("ON") && p.Peek(1).Is("(") {
			return nil, p.Unexpected("a column or expression").
				WithHint("DISTINCT ON is PostgreSQL; keep one row per key with ROW_NUMBER() OVER (PARTITION BY key ORDER BY ..) = 1")
		}
	default:
		p.Take("ALL")
	}
	if top := p.Tok(); lex.Upper(top.Text) == "TOP" && p.Peek(1).Is("(") && p.Peek(2).Kind == lex.Number && p.Peek(3).Is(")") && !p.Peek(4).Is(",") && p.Peek(4).Key != "FROM" {
		return nil, diag.New(diag.OtherDialect, top.Span().Join(p.Peek(3).Span()), "SELECT TOP is no Flink SQL").
			WithHint("write LIMIT %s at the end of the query", p.Peek(2).Text)
	}
	if s.Items, err = list(p, p.selectItem); err != nil {
		return nil, err
	}
	if p.Take("FROM") {
		if s.From, err = p.from(); err != nil {
			return nil, err
		}
	} else {
		if p.LooksAny("WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY") {
			return nil, p.Unexpected("','", "FROM").WithHint("without FROM a SELECT has no %s", p.Tok().Key)
		}
		s.At = p.at(start)
		return s, p.blockEnds("','", "FROM")
	}
	if err := p.clauses(s); err != nil {
		return nil, err
	}
	s.At = p.at(start)
	return s, nil
}

// blockEnds refuses what cannot stand behind a SELECT block anywhere: a name, a
// number or a text. May are the clauses that could follow.
func (p *parser) blockEnds(may ...string) error {
	switch t := p.Tok(); {
	case cursor.IsName(t), t.Kind == lex.Number, t.Kind == lex.String, t.Kind == lex.Bad, t.Kind == lex.HintBegin:
		e := p.Unexpected(append(may, "the end of the query")...)
		if t.Kind == lex.Number && lex.Upper(p.Prev().Text) == "TOP" {
			e.WithHint("TOP is another dialect: write LIMIT %s at the end of the query", t.Text)
		}
		if w := lex.Upper(t.Text); p.Prev().Is("*") && (w == "EXCLUDE" || w == "REPLACE") {
			e.WithHint("Flink has no * %s (columns): name the columns that stay", w)
		}
		return e
	}
	return nil
}

// clauses reads WHERE, GROUP BY, HAVING, WINDOW and QUALIFY.
func (p *parser) clauses(s *ast.Select) (err error) {
	if p.Take("WHERE") {
		if s.Where, err = p.door.Expr(); err != nil {
			return err
		}
	}
	if p.Take("GROUP") {
		if err := p.Want("BY"); err != nil {
			return err
		}
		if t := p.Tok(); t.Key == "DISTINCT" {
			return diag.New(diag.NotImplemented, t.Span(), "GROUP BY DISTINCT is not there yet")
		}
		p.Take("ALL")
		s.Grouped = true
		if s.GroupBy, err = list(p, p.groupItem); err != nil {
			return err
		}
		if p.Looks("WITH") {
			return p.Unexpected("','", "HAVING", "ORDER BY", "the end of the query").WithHint("write GROUP BY ROLLUP (a, b) or CUBE (a, b)")
		}
	}
	if p.Take("HAVING") {
		if s.Having, err = p.door.Expr(); err != nil {
			return err
		}
	}
	if p.Take("WINDOW") {
		if s.Windows, err = list(p, p.namedWindow); err != nil {
			return err
		}
	}
	if p.Take("QUALIFY") {
		if s.Qualify, err = p.door.Expr(); err != nil {
			return err
		}
	}
	if err := p.clauseOrder(); err != nil {
		return err
	}
	var may []string
	switch {
	case s.Windows != nil || s.Qualify != nil:
	case s.Having != nil:
		may = append(may, "WINDOW", "QUALIFY")
	case s.Grouped:
		may = append(may, "','", "HAVING")
	case s.Where != nil:
		may = append(may, "GROUP BY")
	default:
		may = append(may, "','", "JOIN", "WHERE", "GROUP BY")
	}
	return p.blockEnds(append(may, "ORDER BY", "LIMIT")...)
}

// clauseOrder refuses a clause that stands behind a later one.
func (p *parser) clauseOrder() error {
	t := p.Tok()
	order := []string{"WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY"}
	for _, clause := range order {
		if t.Key != clause {
			continue
		}
		name := clause
		if name == "GROUP" {
			name = "GROUP BY"
		}
		return p.Unexpected("the end of the query").WithHint("%s stands too late or twice: the order is WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT", name)
	}
	return nil
}

func (p *parser) namedWindow() (ast.NamedWindow, error) {
	var w ast.NamedWindow
	var err error
	if w.Name, err = p.Name("the name of a window"); err != nil {
		return w, err
	}
	if err := p.Want("AS"); err != nil {
		return w, err
	}
	w.Over, err = p.door.Window()
	return w, err
}

func (p *parser) selectItem() (ast.SelectItem, error) {
	start := p.Tok().Start
	if star := p.door.Star(); star != nil {
		return ast.SelectItem{At: star.At, X: star}, nil
	}
	var item ast.SelectItem
	var err error
	if item.X, err = p.door.Expr(); err != nil {
		return item, err
	}
	if item.Alias, err = p.alias(); err != nil {
		return item, err
	}
	item.At = p.at(start)
	if p.Looks("INTO") {
		return item, p.Unexpected("','", "FROM").WithHint("write INSERT INTO t SELECT ..")
	}
	return item, nil
}

// alias reads [AS] name if there is one.
func (p *parser) alias() (ast.Name, error) {
	if p.Take("AS") {
		return p.Name("an alias")
	}
	switch t := p.Tok(); {
	case t.Kind == lex.String:
		return ast.Name{}, p.Unexpected("','", "FROM").WithHint("an alias is not written in single quotes; odd ones stand in back-quotes: AS `%s`", t.Text)
	case p.LooksName():
		p.Next()
		return cursor.NameOf(t), nil
	case t.Kind == lex.Word && lex.IsReserved(t.Key) && p.MeantAsName() && !clauseWord(t.Key):
		return ast.Name{}, cursor.Reserved(t)
	}
	return ast.Name{}, nil
}

// clauseWord tells the reserved words that follow an expression in a query:
// none of them is an alias without AS.
func clauseWord(key string) bool {
	switch key {
	case "FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER", "LIMIT", "OFFSET", "FETCH", "UNION", "INTERSECT", "EXCEPT",
		"MINUS", "ON", "USING", "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "AS", "AND", "OR", "IN", "IS", "LIKE",
		"BETWEEN", "NOT", "END", "WHEN", "THEN", "ELSE", "FOR", "MATCH_RECOGNIZE", "TABLESAMPLE", "PIVOT", "UNPIVOT", "OVER", "FILTER",
		"WITHIN", "INTO", "SET", "WITH", "BEGIN", "DAY", "HOUR", "MINUTE", "SECOND", "MONTH", "YEAR", "TO", "BY", "SELECT", "VALUES",
		"PARTITION", "DEFINE", "PATTERN", "COMMENT", "OUTER", "INSERT", "CREATE", "DROP", "SHOW", "DESCRIBE", "EXPLAIN", "EXECUTE", "USE":
		return true
	}
	return false
}

// groupItem reads one element of GROUP BY.
func (p *parser) groupItem() (ast.GroupItem, error) {
	if err := p.Enter(); err != nil {
		return ast.GroupItem{}, err
	}
	defer p.Leave()
	start := p.Tok().Start
	var g ast.GroupItem
	var err error
	switch {
	case p.Take("GROUPING", "SETS"):
		g.Kind = ast.GroupingSets
		var items []ast.GroupItem
		if items, err = listed(p, p.groupItem); err != nil {
			return g, err
		}
		for _, item := range items {
			if item.Kind == ast.GroupExpr {
				g.Sets = append(g.Sets, item.Sets[0])
			} else {
				g.Nested = append(g.Nested, item)
			}
		}
	case p.Looks("ROLLUP"), p.Looks("CUBE"):
		g.Kind = ast.Rollup
		if p.Next().Key == "CUBE" {
			g.Kind = ast.Cube
		}
		g.Sets, err = listed(p, p.groupSet)
	case p.Tok().Is("(") && p.Peek(1).Is(")"):
		p.At += 2
		g.Sets = [][]ast.Expr{{}}
	default:
		var set []ast.Expr
		set, err = p.groupSet()
		g.Sets = [][]ast.Expr{set}
	}
	g.At = p.at(start)
	return g, err
}

// groupSet reads x or (x, y).
func (p *parser) groupSet() ([]ast.Expr, error) {
	x, err := p.door.Expr()
	if err != nil {
		return nil, err
	}
	if r, ok := x.(*ast.Row); ok && !r.Explicit {
		return r.Elems, nil
	}
	return []ast.Expr{x}, nil
}
