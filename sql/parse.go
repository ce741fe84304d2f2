// Package sql reads scripts: Flink's statements and queries by recursive
// descent, scalar expressions through sql/exprdoor. It also writes trees back
// as SQL.
package sql

import (
	"errors"
	"io"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/exprdoor"
	"fsql/sql/lex"
	"fsql/types"
)

// Parse reads a whole script. All statements that could be read are returned;
// err is the first error, a *diag.Error with its place.
func Parse(text string) (*ast.Script, error) {
	script := &ast.Script{}
	var first error
	for r := NewReader(text); ; {
		s, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return script, first
		case err == nil:
			script.Statements = append(script.Statements, s)
		case first == nil:
			first = err
		}
	}
}

// Reader gives the statements of a script one by one, so that those before an
// error still run, as in Flink's client.
type Reader struct{ p *parser }

// NewReader returns a reader at the begin of a script.
func NewReader(text string) *Reader { return &Reader{newParser(text)} }

// Next reads the next statement, whose span is its text without the semicolon.
// At the end of the script the error is io.EOF. Behind any other error the
// reader stands at the next statement.
func (r *Reader) Next() (ast.Statement, error) {
	p := r.p
	for p.TakeSymbol(";") {
	}
	if p.Tok().Kind == lex.EOF {
		return nil, io.EOF
	}
	p.Restart()
	start := p.At
	s, err := p.statement()
	if err == nil && !p.AtEnd() {
		e := p.Unexpected("';'")
		if p.Tok().Is(")") {
			e.WithHint("no parenthesis is open here")
		}
		err = e
	}
	if err != nil {
		err = p.lexical(err)
		p.skip(start)
		return nil, err
	}
	p.TakeSymbol(";")
	return s, nil
}

// lexical gives the error of a Bad token back its own hint: who met the token
// may have put a hint of the grammar in its place.
func (p *parser) lexical(err error) error {
	if e := diag.Of(err); p.Tok().Kind == lex.Bad && e.Span == p.Src.Err(p.At).Span {
		return p.Src.Err(p.At)
	}
	return err
}

// skip goes behind the statement that begins at a token: to the next
// semicolon, of a statement set to the one behind its END.
func (p *parser) skip(start int) {
	at := p.At
	p.At = start
	set := p.Looks("EXECUTE", "STATEMENT", "SET") || p.Looks("BEGIN", "STATEMENT", "SET")
	if set {
		for ; p.Tok().Kind != lex.EOF; p.Next() {
			if p.Looks("END") && p.Peek(1).Is(";") {
				p.Next()
				return
			}
		}
	}
	for p.At = at; !p.AtEnd(); p.Next() {
	}
}

// ParseExpr reads a text that is one expression.
func ParseExpr(text string) (ast.Expr, error) {
	return only(text, func(p *parser) (ast.Expr, error) { return p.door.Expr() })
}

// ParseQuery reads a text that is one query.
func ParseQuery(text string) (ast.Query, error) {
	return only(text, (*parser).Query)
}

// ParseType reads a text that is one type, with NOT NULL where it has it.
func ParseType(text string) (types.Type, error) {
	return only(text, func(p *parser) (types.Type, error) {
		if p.Looks("INTERVAL") {
			t, err := p.CastType()
			return t.Type, err
		}
		t, err := p.Type()
		return t.Type, err
	})
}

func only[T any](text string, read func(*parser) (T, error)) (T, error) {
	p := newParser(text)
	x, err := read(p)
	if err == nil && p.Tok().Kind != lex.EOF {
		err = p.Unexpected()
	}
	if err != nil {
		var none T
		return none, p.lexical(err)
	}
	return x, nil
}

// parser reads statements and queries at a cursor, which it shares with the
// door for expressions.
type parser struct {
	*cursor.Cursor
	door *exprdoor.Door
}

func newParser(text string) *parser {
	p := &parser{Cursor: cursor.New(lex.Scan(text))}
	p.door = exprdoor.New(p.Cursor, p)
	return p
}

// text is the script from a byte to the last token taken.
func (p *parser) text(start int) string { return p.Src.Text[start:p.Prev().End] }

// at is the place from a byte to the last token taken.
func (p *parser) at(start int) ast.At { return ast.At{Pos: p.From(start)} }

// list reads x, y, ... with a function for one.
func list[T any](p *parser, one func() (T, error)) ([]T, error) {
	var all []T
	for {
		x, err := one()
		if err != nil {
			return nil, err
		}
		all = append(all, x)
		if !p.TakeSymbol(",") {
			return all, nil
		}
	}
}

// listed reads (x, y, ...).
func listed[T any](p *parser, one func() (T, error)) ([]T, error) {
	if err := p.WantSymbol("("); err != nil {
		return nil, err
	}
	all, err := list(p, one)
	if err == nil && !p.TakeSymbol(")") {
		err = p.Unexpected("','", "')'")
	}
	return all, err
}

func notSupported(span diag.Span, format string, args ...any) *diag.Error {
	return diag.New(diag.NotSupported, span, format, args...)
}
