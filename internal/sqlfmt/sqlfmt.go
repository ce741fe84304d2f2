// Package sqlfmt lays scripts out: one clause a line where a statement does not
// fit into one, lists indented, keywords in capitals. It moves blanks and line
// ends only; names, literals, comments and hints stay as they were written.
// Every statement is read again and must be the same tree; one that is not is
// left as it was.
package sqlfmt

import (
	"errors"
	"io"
	"strings"

	"fsql/sql"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// width is the line length that the layout aims at.
const width = 100

// Format lays a script out. The error is that of the first statement that does
// not parse, a *diag.Error with its place.
func Format(text string) (string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	all, err := statements(text)
	if err != nil {
		return "", err
	}
	src := lex.Scan(text)
	var out printer
	at, from := 0, 0 // next token; end of the last one that was taken
	for i, s := range all {
		span := s.Span()
		var toks []token
		for ; src.Tokens[at].Start < span.End; at++ {
			t := src.Tokens[at]
			if t.Start < span.Start {
				continue // a semicolon that ends nothing
			}
			toks = append(toks, attach(&out, toks, text[from:t.Start], token{Token: t, text: text[t.Start:t.End]}))
			from = t.End
		}
		semicolon := token{Token: lex.Token{Kind: lex.Symbol, Text: ";"}, text: ";"}
		if t := src.Tokens[at]; t.Is(";") {
			semicolon = attach(&out, toks, text[from:t.Start], semicolon)
			from, at = t.End, at+1
		}
		out.between(i == 0, toks[0])
		statement(&out, s, text[span.Start:span.End], toks, semicolon)
	}
	end := attach(&out, nil, text[from:], token{Token: lex.Token{Kind: lex.EOF}})
	out.between(len(all) == 0, end)
	out.above(end.above, true)
	return out.String(), nil
}

func statements(text string) ([]ast.Statement, error) {
	var all []ast.Statement
	for r := sql.NewReader(text); ; {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
}

// statement writes one statement: laid out if that gives the same tree, else
// with the case of its words left alone, else as it was.
func statement(out *printer, s ast.Statement, source string, toks []token, semicolon token) {
	out.above(toks[0].above, true)
	toks[0].above = nil
	if _, opaque := s.(*ast.Unsupported); !opaque {
		for _, capitals := range []bool{true, false} {
			words(s, toks, capitals)
			var p printer
			p.statement(nest(toks))
			p.token(&semicolon)
			if p.behind, out.behind = nil, p.behind; same(s, p.String()) {
				out.embed(p.String(), out.behind)
				return
			}
		}
	}
	out.embed(source, toks[len(toks)-1].after)
	out.token(&semicolon)
}

func same(s ast.Statement, text string) bool {
	r := sql.NewReader(text)
	again, err := r.Next()
	if err != nil || sql.FormatStatement(again) != sql.FormatStatement(s) {
		return false
	}
	_, err = r.Next()
	return errors.Is(err, io.EOF)
}
