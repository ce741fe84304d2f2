package cursor

import (
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// LooksName tells whether the next token can be a name.
func (c *Cursor) LooksName() bool { return IsName(c.Tok()) }

// IsName tells whether a token can be a name: quoted, or a word that is not
// reserved.
func IsName(t lex.Token) bool {
	return t.Kind == lex.Quoted || t.Kind == lex.Word && (t.Key == "" || !lex.IsReserved(t.Key))
}

// NameOf is the name a token holds.
func NameOf(t lex.Token) ast.Name {
	return ast.Name{At: ast.At{Pos: t.Span()}, Text: t.Text, Quoted: t.Kind == lex.Quoted}
}

// Name takes one name; what says what it names.
func (c *Cursor) Name(what string) (ast.Name, error) {
	if !c.LooksName() {
		return ast.Name{}, c.NoName(what)
	}
	return NameOf(c.Next()), nil
}

// Path takes a dotted name.
func (c *Cursor) Path(what string) (ast.Path, error) {
	start := c.Tok().Start
	first, err := c.Name(what)
	if err != nil {
		return ast.Path{}, err
	}
	parts := []ast.Name{first}
	for c.TakeSymbol(".") {
		n, err := c.Name("a name")
		if err != nil {
			return ast.Path{}, err
		}
		parts = append(parts, n)
	}
	return ast.Path{At: ast.At{Pos: c.From(start)}, Parts: parts}, nil
}

// Names takes (a, b, ...).
func (c *Cursor) Names(what string) ([]ast.Name, error) {
	if err := c.WantSymbol("("); err != nil {
		return nil, err
	}
	var names []ast.Name
	for {
		n, err := c.Name(what)
		if err != nil {
			return nil, err
		}
		names = append(names, n)
		if !c.TakeSymbol(",") {
			break
		}
	}
	if !c.TakeSymbol(")") {
		return nil, c.Unexpected("','", "')'")
	}
	return names, nil
}

// Text takes a string literal; what says what it is.
func (c *Cursor) Text(what string) (lex.Token, error) {
	t := c.Tok()
	if t.Kind != lex.String {
		e := c.Unexpected(what)
		if t.Kind == lex.Word || t.Kind == lex.Quoted || t.Kind == lex.Number {
			e.WithHint("write it in single quotes: '%s'", strings.ReplaceAll(t.Text, "'", "''"))
		}
		return t, e
	}
	return c.Next(), nil
}

// NoName is the error that a name was expected. A reserved word that is most
// likely meant as a name is refused as such.
func (c *Cursor) NoName(what string) *diag.Error {
	t := c.Tok()
	switch {
	case t.Kind == lex.Word && lex.IsReserved(t.Key) && c.MeantAsName():
		return Reserved(t)
	case t.Kind == lex.String:
		return c.Unexpected(what).WithHint("a name is not written in single quotes; odd ones stand in back-quotes: `%s`",
			strings.ReplaceAll(t.Text, "`", "``"))
	}
	e := c.Unexpected(what)
	if t.Kind == lex.Word && lex.IsReserved(t.Key) && e.Hint == "" {
		e.WithHint("if %s is a name here, write it in back-quotes: `%s`", t.Text, t.Text)
	}
	return e
}

// Reserved is the error that a reserved word stands where a name belongs.
func Reserved(t lex.Token) *diag.Error {
	return diag.New(diag.ReservedWord, t.Span(), "'%s' is a reserved word and no name", t.Text).
		WithHint("write it in back-quotes: `%s`", t.Text)
}

// MeantAsName tells whether the reserved word that comes next is likely meant
// as a name: it either begins no part of a query or statement, or stands where
// that part cannot go on.
func (c *Cursor) MeantAsName() bool {
	switch c.Tok().Key {
	case "WHEN", "THEN", "ELSE", "END", "AND", "OR", "IS", "BETWEEN":
		return c.Prev().Key == "AS"
	case "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FETCH", "UNION", "INTERSECT", "EXCEPT", "MINUS",
		"JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "LATERAL", "ON", "USING", "AS", "NOT", "IN",
		"LIKE", "SIMILAR", "CASE", "WITH", "VALUES", "INTO", "BY", "SET", "DISTINCT", "ALL",
		"NULL", "TRUE", "FALSE", "EXISTS", "CAST", "INSERT", "CREATE", "DROP", "ALTER", "PRIMARY", "CONSTRAINT", "WATERMARK", "OVER",
		"PARTITION", "WINDOW", "QUALIFY", "FOR", "TO", "TABLE", "INTERVAL", "MATCH_RECOGNIZE", "ROWS", "RANGE", "ROW", "DEFINE",
		"PATTERN", "MEASURES", "BEGIN", "EXECUTE", "UNNEST":
	default:
		return true
	}
	next := c.Peek(1)
	switch {
	case next.Kind == lex.EOF || next.Is(",") || next.Is(")") || next.Is(";") || next.Is(".") || next.Is("="):
		return true
	case next.Is("("):
		switch c.Tok().Key { // words that no parenthesis follows
		case "ORDER", "GROUP", "TABLE", "PARTITION", "WINDOW", "SET", "TO", "FOR", "BEGIN":
			return true
		}
		return false
	case next.Key == "":
		return false
	}
	switch next.Key {
	case "FROM", "WHERE", "AS", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "JOIN", "ON", "INT", "INTEGER", "BIGINT", "SMALLINT",
		"TINYINT", "STRING", "VARCHAR", "CHAR", "DOUBLE", "FLOAT", "DECIMAL", "BOOLEAN", "TIMESTAMP", "TIMESTAMP_LTZ", "DATE", "TIME",
		"BYTES", "NUMERIC":
		return true
	}
	return false
}
