package sql

import (
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
)

// insert reads INSERT INTO|OVERWRITE t ...
func (p *parser) insert(start int) (*ast.Insert, error) {
	s := &ast.Insert{}
	p.Next()
	switch {
	case p.Take("INTO"):
	case p.Take("OVERWRITE"):
		s.Overwrite = true
	default:
		e := p.Unexpected("INTO", "OVERWRITE")
		if t := p.Tok(); cursor.IsName(t) && e.Label == "" {
			e.WithHint("write INSERT INTO %s", t.Text)
		}
		return nil, e
	}
	if t := p.Tok(); t.Key == "TABLE" || s.Overwrite && t.Key == "INTO" {
		return nil, p.Unexpected("the name of a table").WithHint("leave out %s", t.Key)
	}
	var err error
	if s.Table, err = p.Path("the name of a table"); err != nil {
		return nil, err
	}
	if s.Hints, err = p.hints(); err != nil {
		return nil, err
	}
	if p.Take("PARTITION") {
		if s.Partition, err = listed(p, p.partitionValue); err != nil {
			return nil, err
		}
	}
	if p.Tok().Is("(") && !p.LooksQuery() {
		if s.Columns, err = listed(p, func() (ast.Path, error) { return p.Path("the name of a column") }); err != nil {
			return nil, err
		}
	}
	if !p.LooksQuery() {
		may := []string{"a query"}
		if s.Columns == nil {
			may = []string{"SELECT", "VALUES", "WITH", "a list of columns"}
		}
		e := p.Unexpected(may...)
		if p.Looks("SET") {
			e.WithHint("write INSERT INTO %s (columns) VALUES (values)", dottedName(s.Table))
		}
		return nil, e
	}
	if s.Query, err = p.Query(); err != nil {
		return nil, err
	}
	if p.Looks("ON") {
		if err := p.onConflict(s); err != nil {
			return nil, err
		}
	}
	s.At = p.at(start)
	return s, nil
}

// dottedName is a path as it is written without quotes.
func dottedName(p ast.Path) string {
	parts := make([]string, len(p.Parts))
	for i, n := range p.Parts {
		parts[i] = n.Text
	}
	return strings.Join(parts, ".")
}

// partitionValue reads k = literal.
func (p *parser) partitionValue() (ast.PartitionValue, error) {
	var v ast.PartitionValue
	var err error
	if v.Column, err = p.Name("the name of a partition column"); err != nil {
		return v, err
	}
	if !p.TakeSymbol("=") {
		e := p.Unexpected("'='")
		return v, e.WithHint("only columns with a fixed value are listed; the others come last in the query")
	}
	if v.Value, err = p.door.Expr(); err != nil {
		return v, err
	}
	if _, ok := v.Value.(*ast.Literal); !ok {
		return v, diag.New(diag.Syntax, v.Value.Span(), "the value of a partition is a literal")
	}
	return v, nil
}

// onConflict reads ON CONFLICT DO ...
func (p *parser) onConflict(s *ast.Insert) error {
	if err := p.Want("ON", "CONFLICT"); err != nil {
		return err
	}
	if p.Tok().Is("(") {
		return p.Unexpected("DO").WithHint("the key is the primary key of the table: ON CONFLICT DO NOTHING")
	}
	if err := p.Want("DO"); err != nil {
		return err
	}
	if !p.LooksAny("NOTHING", "ERROR", "DEDUPLICATE") {
		return p.Unexpected("NOTHING", "ERROR", "DEDUPLICATE")
	}
	s.OnConflict = p.Next().Key
	return nil
}

// execute reads EXECUTE INSERT, EXECUTE STATEMENT SET and EXECUTE PLAN.
func (p *parser) execute(start int) (ast.Statement, error) {
	p.Next()
	switch {
	case p.Looks("INSERT"):
		return p.insert(start)
	case p.Looks("STATEMENT"):
		return p.statementSet(start)
	case p.Take("PLAN"):
		f, err := p.Text("the name of a file in single quotes")
		return &ast.CompilePlan{At: p.at(start), File: f.Text, Execute: true}, err
	case p.LooksQuery():
		q, err := p.Query() // EXECUTE SELECT .. is the query
		if err != nil {
			return nil, err
		}
		return &ast.QueryStatement{At: p.at(start), Query: q}, nil
	}
	return nil, p.Unexpected("INSERT", "STATEMENT SET", "PLAN")
}

// statementSet reads STATEMENT SET BEGIN insert; ... END.
func (p *parser) statementSet(start int) (*ast.StatementSet, error) {
	if err := p.Want("STATEMENT", "SET", "BEGIN"); err != nil {
		return nil, err
	}
	return p.inserts(start)
}

// beginSet reads the old form BEGIN STATEMENT SET; insert; ... END.
func (p *parser) beginSet(start int) (*ast.StatementSet, error) {
	if err := p.Want("BEGIN", "STATEMENT", "SET"); err != nil {
		return nil, err
	}
	if err := p.WantSymbol(";"); err != nil {
		return nil, err
	}
	return p.inserts(start)
}

// inserts reads insert; ... END.
func (p *parser) inserts(start int) (*ast.StatementSet, error) {
	s := &ast.StatementSet{}
	for {
		if p.Take("END") {
			if s.Inserts == nil {
				p.At--
				return nil, p.Unexpected("INSERT").WithHint("a statement set holds at least one INSERT")
			}
			s.At = p.at(start)
			return s, nil
		}
		if !p.Looks("INSERT") {
			may := []string{"INSERT"}
			if s.Inserts != nil {
				may = append(may, "END")
			}
			e := p.Unexpected(may...)
			if p.LooksQuery() || p.Looks("EXECUTE") {
				e.WithHint("only INSERT is allowed in a statement set")
			}
			return nil, e
		}
		i, err := p.insert(p.Tok().Start)
		if err != nil {
			return nil, err
		}
		s.Inserts = append(s.Inserts, i)
		if !p.TakeSymbol(";") {
			e := p.Unexpected("';'")
			if p.Looks("END") {
				e.WithHint("every INSERT of a statement set ends with ';'")
			}
			return nil, e
		}
	}
}

// compilePlan reads COMPILE [AND EXECUTE] PLAN 'file' [IF NOT EXISTS] FOR ...
func (p *parser) compilePlan(start int) (ast.Statement, error) {
	p.Next()
	s := &ast.CompilePlan{Compile: true, Execute: p.Take("AND", "EXECUTE")}
	if !p.Take("PLAN") {
		return nil, p.Unexpected("PLAN", "AND EXECUTE PLAN")
	}
	f, err := p.Text("the name of a file in single quotes")
	if err != nil {
		return nil, err
	}
	s.File = f.Text
	if !s.Execute {
		s.IfNotExists = p.ifNotExists()
	}
	if err := p.Want("FOR"); err != nil {
		return nil, err
	}
	at := p.Tok().Start
	switch {
	case p.Looks("INSERT"):
		s.Statement, err = p.insert(at)
	case p.Looks("STATEMENT"):
		s.Statement, err = p.statementSet(at)
	default:
		e := p.Unexpected("INSERT", "STATEMENT SET")
		if p.LooksQuery() {
			e.WithHint("a plan is of an INSERT or a statement set")
		}
		return nil, e
	}
	s.At = p.at(start)
	return s, err
}

// explain reads EXPLAIN [PLAN FOR | details] statement.
func (p *parser) explain(start int) (ast.Statement, error) {
	p.Next()
	s := &ast.Explain{}
	if !p.Take("PLAN", "FOR") && p.looksDetail() {
		var err error
		if s.Details, err = list(p, p.explainDetail); err != nil {
			return nil, err
		}
		for i, d := range s.Details {
			for _, e := range s.Details[:i] {
				if d == e {
					return nil, diag.New(diag.Syntax, p.From(start), "EXPLAIN names %s twice", d)
				}
			}
		}
	}
	at, t := p.Tok().Start, p.Tok()
	var err error
	switch {
	case p.LooksQuery():
		var q ast.Query
		q, err = p.Query()
		s.Statement = &ast.QueryStatement{At: p.at(at), Query: q}
	case t.Key == "INSERT":
		s.Statement, err = p.insert(at)
	case t.Key == "EXECUTE":
		s.Statement, err = p.execute(at)
	case t.Key == "STATEMENT":
		s.Statement, err = p.statementSet(at)
	case t.Key == "CREATE", t.Key == "REPLACE":
		s.Statement, err = p.statement()
		if c, ok := s.Statement.(*ast.CreateTable); err == nil && (!ok || c.As == nil) {
			return nil, notSupported(t.Span().Join(p.From(at)), "EXPLAIN %s needs a query behind AS", t.Key).
				WithHint("EXPLAIN takes SELECT, INSERT, a statement set or CREATE TABLE .. AS SELECT")
		}
	default:
		may := []string{"SELECT", "INSERT", "STATEMENT SET", "CREATE TABLE .. AS"}
		if s.Details == nil {
			may = append(may, "PLAN FOR", "ESTIMATED_COST", "CHANGELOG_MODE", "PLAN_ADVICE", "JSON_EXECUTION_PLAN")
		}
		e := p.Unexpected(may...)
		if t.Key == "ANALYZE" {
			e.WithHint("write EXPLAIN and the query; fsql --stats tells what each operator did")
		}
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	s.At = p.at(start)
	return s, nil
}

func (p *parser) looksDetail() bool {
	return p.LooksAny("ESTIMATED_COST", "CHANGELOG_MODE", "PLAN_ADVICE", "JSON_EXECUTION_PLAN")
}

func (p *parser) explainDetail() (string, error) {
	if !p.looksDetail() {
		return "", p.Unexpected("ESTIMATED_COST", "CHANGELOG_MODE", "PLAN_ADVICE", "JSON_EXECUTION_PLAN")
	}
	return p.Next().Key, nil
}
