package sql

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
)

// starts are the words a statement may begin with.
var starts = []string{"SELECT", "WITH", "VALUES", "TABLE", "INSERT", "CREATE", "DROP", "ALTER", "REPLACE", "SHOW", "DESCRIBE", "DESC",
	"EXPLAIN", "SET", "RESET", "USE", "EXECUTE", "BEGIN", "COMPILE", "LOAD", "UNLOAD", "ADD", "REMOVE", "STOP", "HELP", "CLEAR", "QUIT", "EXIT",
	"UPDATE", "DELETE", "MERGE", "TRUNCATE", "CALL", "ANALYZE"}

// statement reads one statement, without the semicolon.
func (p *parser) statement() (ast.Statement, error) {
	start, t := p.Tok().Start, p.Tok()
	if p.LooksQuery() {
		q, err := p.Query()
		if err != nil {
			return nil, err
		}
		return &ast.QueryStatement{At: p.at(start), Query: q}, nil
	}
	switch t.Key {
	case "INSERT":
		return p.insert(start)
	case "EXECUTE":
		return p.execute(start)
	case "BEGIN":
		return p.beginSet(start)
	case "CREATE":
		return p.create(start)
	case "REPLACE":
		return p.replace(start)
	case "DROP":
		return p.drop(start)
	case "ALTER":
		return p.alter(start)
	case "SHOW":
		return p.show(start)
	case "DESCRIBE", "DESC":
		return p.describe(start)
	case "EXPLAIN":
		return p.explain(start)
	case "SET":
		return p.set(start)
	case "RESET":
		return p.reset(start)
	case "USE":
		return p.use(start)
	case "LOAD", "UNLOAD":
		return p.module(start)
	case "ADD", "REMOVE":
		return p.jar(start)
	case "STOP":
		return p.stopJob(start)
	case "COMPILE":
		return p.compilePlan(start)
	case "UPDATE", "DELETE", "MERGE", "CALL":
		return p.unsupported(start, t.Key, false), nil
	case "TRUNCATE", "ANALYZE":
		if p.Peek(1).Key == "TABLE" {
			return p.unsupported(start, t.Key+" TABLE", false), nil
		}
	}
	switch word := lex.Upper(t.Text); word {
	case "QUIT", "EXIT", "HELP", "CLEAR":
		if t.Kind == lex.Word {
			p.Next()
			return &ast.ClientCommand{At: p.at(start), Word: word}, nil
		}
	}
	return nil, p.noStatement(t)
}

// noStatement is the error that no statement begins here.
func (p *parser) noStatement(t lex.Token) error {
	if t.Kind == lex.Bad {
		return p.Src.Err(p.At)
	}
	e := diag.New(diag.Syntax, t.Span(), "found %s, expected a statement", cursor.Describe(t))
	if t.Kind != lex.Word {
		return e
	}
	switch word := lex.Upper(t.Text); word {
	case "COMMIT", "ROLLBACK", "START", "SAVEPOINT":
		return e.WithHint("remove %s: Flink has no transactions", word)
	case "GRANT", "REVOKE", "DECLARE", "VACUUM", "ATTACH", "LOCK", "GO", "DELIMITER", "PRAGMA":
		return e.WithHint("remove %s: Flink has nothing like it", word)
	case "UPSERT":
		return e.WithHint("write INSERT INTO: in a table with a PRIMARY KEY rows replace those of the same key")
	case "FROM":
		return e.WithHint("write SELECT * FROM ..")
	}
	if near := diag.Nearest(t.Text, starts); near != "" {
		return e.WithLabel("did you mean %s?", near)
	}
	return e.WithHint("statements begin with SELECT, INSERT, CREATE, DROP, ALTER, SHOW, DESCRIBE, EXPLAIN, SET, USE or EXECUTE")
}

// unsupported goes over a statement that is known and does not run. Lacking
// tells that Flink runs it and fsql does not.
func (p *parser) unsupported(start int, what string, lacking bool) ast.Statement {
	for !p.AtEnd() {
		p.Next()
	}
	return &ast.Unsupported{At: p.at(start), What: what, Lacking: lacking}
}

// ifNotExists takes IF NOT EXISTS if it follows.
func (p *parser) ifNotExists() bool { return p.Take("IF", "NOT", "EXISTS") }

// ifExists takes IF EXISTS if it follows.
func (p *parser) ifExists() bool { return p.Take("IF", "EXISTS") }

// comment takes COMMENT 'text' if it follows.
func (p *parser) comment() (string, error) {
	if !p.Take("COMMENT") {
		return "", nil
	}
	t, err := p.Text("the comment in single quotes")
	return t.Text, err
}

// options takes WITH ('key' = 'value', ..) if it follows.
func (p *parser) options() ([]ast.Option, error) {
	if !p.Take("WITH") {
		return nil, nil
	}
	return p.properties()
}

// properties reads ('key' = 'value', ..), which may be empty.
func (p *parser) properties() ([]ast.Option, error) {
	if p.Tok().Is("(") && p.Peek(1).Is(")") {
		p.At += 2
		return nil, nil
	}
	return listed(p, p.property)
}

func (p *parser) property() (ast.Option, error) {
	var o ast.Option
	start := p.Tok().Start
	key, err := p.Text("the key of an option in single quotes")
	if err != nil {
		return o, err
	}
	if err := p.WantSymbol("="); err != nil {
		return o, err
	}
	value, err := p.Text("a value in single quotes")
	if err != nil {
		return o, err
	}
	return ast.Option{At: p.at(start), Key: key.Text, Value: value.Text,
		KeyPos: ast.At{Pos: key.Span()}, ValuePos: ast.At{Pos: value.Span()}}, nil
}

// keys reads ('key', ..), which may be empty.
func (p *parser) keys() ([]string, error) {
	if p.Tok().Is("(") && p.Peek(1).Is(")") {
		p.At += 2
		return nil, nil
	}
	return listed(p, func() (string, error) {
		t, err := p.Text("the key of an option in single quotes")
		return t.Text, err
	})
}
