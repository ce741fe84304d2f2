package sql

import (
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// shows says what each SHOW takes behind its words.
type shows struct {
	in    bool // FROM|IN name
	must  bool // the name is required
	like  bool // [NOT] LIKE 'pattern'
	ilike bool // ILIKE as well
}

// show reads SHOW ...
func (p *parser) show(start int) (ast.Statement, error) {
	p.Next()
	s := &ast.Show{}
	var may shows
	switch t := p.Tok(); t.Key {
	case "CREATE":
		return p.showCreate(start)
	case "CURRENT":
		p.Next()
		if !p.LooksAny("CATALOG", "DATABASE") {
			return nil, p.Unexpected("CATALOG", "DATABASE")
		}
		s.What = "CURRENT " + p.Next().Key
	case "USER", "FULL", "MATERIALIZED":
		p.Next()
		second := map[string]string{"USER": "FUNCTIONS", "FULL": "MODULES", "MATERIALIZED": "TABLES"}[t.Key]
		if err := p.Want(second); err != nil {
			return nil, err
		}
		s.What = t.Key + " " + second
		may = shows{in: t.Key != "FULL", like: t.Key != "FULL", ilike: t.Key == "USER"}
	case "CATALOGS":
		may = shows{like: true, ilike: true}
	case "DATABASES", "FUNCTIONS", "PROCEDURES":
		may = shows{in: true, like: true, ilike: true}
	case "TABLES", "VIEWS", "MODELS":
		may = shows{in: true, like: true}
	case "COLUMNS":
		may = shows{in: true, must: true, like: true}
	case "PARTITIONS":
		return p.showPartitions(start)
	case "MODULES", "JARS", "JOBS":
	case "CONNECTIONS":
		return p.unsupported(start, "SHOW CONNECTIONS", true), nil
	default:
		return nil, p.Unexpected("TABLES", "VIEWS", "COLUMNS", "FUNCTIONS", "DATABASES", "CATALOGS", "CREATE TABLE", "CREATE VIEW",
			"CREATE CATALOG", "CURRENT DATABASE", "CURRENT CATALOG", "MODULES", "JOBS", "JARS", "PARTITIONS", "PROCEDURES", "MODELS",
			"MATERIALIZED TABLES", "USER FUNCTIONS", "FULL MODULES")
	}
	if s.What == "" {
		s.What = p.Next().Key
	}
	if err := p.showModifiers(s, may); err != nil {
		return nil, err
	}
	s.At = p.at(start)
	return s, nil
}

func (p *parser) showModifiers(s *ast.Show, may shows) (err error) {
	if may.in && (p.Take("FROM") || p.Take("IN")) {
		if s.Name, err = p.Path("a name"); err != nil {
			return err
		}
	} else if may.must {
		return p.Unexpected("FROM", "IN")
	}
	if !may.like || !p.LooksAny("NOT", "LIKE", "ILIKE") {
		return nil
	}
	s.Not = p.Take("NOT")
	switch {
	case p.Take("LIKE"):
		s.Like = "LIKE"
	case may.ilike && p.Take("ILIKE"):
		s.Like = "ILIKE"
	case may.ilike:
		return p.Unexpected("LIKE", "ILIKE")
	default:
		return p.Unexpected("LIKE")
	}
	t, err := p.Text("a pattern in single quotes")
	s.Pattern = t.Text
	return err
}

// showCreate reads SHOW CREATE TABLE|VIEW|CATALOG x.
func (p *parser) showCreate(start int) (ast.Statement, error) {
	p.Next()
	if p.LooksAny("MODEL", "MATERIALIZED", "CONNECTION") {
		return p.unsupported(start, "SHOW CREATE "+p.objectWords(), true), nil
	}
	if !p.LooksAny("TABLE", "VIEW", "CATALOG") {
		return nil, p.Unexpected("TABLE", "VIEW", "CATALOG")
	}
	s := &ast.Show{What: "CREATE " + p.Next().Key}
	var err error
	s.Name, err = p.Path("a name")
	s.At = p.at(start)
	return s, err
}

// showPartitions reads SHOW PARTITIONS t [PARTITION (k = 'v')].
func (p *parser) showPartitions(start int) (ast.Statement, error) {
	p.Next()
	s := &ast.Show{What: "PARTITIONS"}
	var err error
	if s.Name, err = p.Path("the name of a table"); err != nil {
		return nil, err
	}
	if p.Take("PARTITION") {
		if s.Partition, err = listed(p, p.partitionValue); err != nil {
			return nil, err
		}
	}
	s.At = p.at(start)
	return s, nil
}

// describe reads DESCRIBE of any object.
func (p *parser) describe(start int) (ast.Statement, error) {
	p.Next()
	d := &ast.Describe{Object: "TABLE"}
	var err error
	switch {
	case p.Looks("TABLE"):
		return nil, p.Unexpected("the name to describe").WithHint("leave out TABLE")
	case p.LooksQuery():
		q, err := p.Query() // DESCRIBE query is EXPLAIN
		if err != nil {
			return nil, err
		}
		return &ast.Explain{At: p.at(start), Statement: &ast.QueryStatement{At: ast.At{Pos: q.Span()}, Query: q}}, nil
	case p.Looks("DATABASE") && !p.nameEnds(1), p.Looks("CONNECTION") && !p.nameEnds(1):
		return p.unsupported(start, "DESCRIBE "+p.Tok().Key, true), nil
	case p.Looks("JOB") && !p.nameEnds(1):
		d.Object = p.Next().Key
		t, err := p.Text("the id of a job in single quotes")
		d.ID = t.Text
		d.At = p.at(start)
		return d, err
	case p.Looks("CATALOG") && !p.nameEnds(1), p.Looks("FUNCTION"), p.Looks("MODEL") && !p.nameEnds(1):
		d.Object = p.Next().Key
	}
	d.Extended = p.Take("EXTENDED")
	if d.Name, err = p.Path("the name to describe"); err != nil {
		return nil, err
	}
	d.At = p.at(start)
	return d, nil
}

// nameEnds tells whether the statement ends, or a dotted name goes on, n tokens
// ahead: then the word before is a name and no keyword.
func (p *parser) nameEnds(n int) bool {
	t := p.Peek(n)
	return t.Kind == lex.EOF || t.Is(";") || t.Is(".")
}
