// Package cursor reads what statements, queries and expressions have in
// common from the tokens of a script: keywords, names, types, literals. It
// knows where the reader stands and words the errors.
package cursor

import (
	"fsql/internal/diag"
	"fsql/sql/lex"
)

// MostNested is how deep parentheses, calls, queries and types may be nested.
const MostNested = 1000

// MostChained is how many operators, joins or set operations may follow each
// other on one level: each makes the tree one node deeper.
const MostChained = 10000

// Cursor is a place among the tokens of a script.
type Cursor struct {
	Src   *lex.Source
	At    int // the next token
	depth int
}

// New returns a cursor at the begin of a script.
func New(src *lex.Source) *Cursor { return &Cursor{Src: src} }

// Tok is the next token.
func (c *Cursor) Tok() lex.Token { return c.Src.Tokens[c.At] }

// Peek is the token n places behind the next one.
func (c *Cursor) Peek(n int) lex.Token {
	return c.Src.Tokens[min(c.At+n, len(c.Src.Tokens)-1)]
}

// Prev is the token before the next one.
func (c *Cursor) Prev() lex.Token {
	if c.At == 0 {
		return lex.Token{}
	}
	return c.Src.Tokens[c.At-1]
}

// Next takes the next token. The end of the script is never passed.
func (c *Cursor) Next() lex.Token {
	t := c.Tok()
	if c.At < len(c.Src.Tokens)-1 {
		c.At++
	}
	return t
}

// Looks tells whether the next tokens are these keywords.
func (c *Cursor) Looks(keys ...string) bool {
	for i, k := range keys {
		if c.Peek(i).Key != k {
			return false
		}
	}
	return true
}

// LooksAny tells whether the next token is one of these keywords.
func (c *Cursor) LooksAny(keys ...string) bool {
	t := c.Tok()
	if t.Key == "" {
		return false
	}
	for _, k := range keys {
		if t.Key == k {
			return true
		}
	}
	return false
}

// Take takes the next tokens if they are these keywords.
func (c *Cursor) Take(keys ...string) bool {
	if !c.Looks(keys...) {
		return false
	}
	c.At += len(keys)
	return true
}

// TakeSymbol takes the next token if it is the symbol s.
func (c *Cursor) TakeSymbol(s string) bool {
	if !c.Tok().Is(s) {
		return false
	}
	c.At++
	return true
}

// Want takes these keywords or says that they are missing.
func (c *Cursor) Want(keys ...string) error {
	for _, k := range keys {
		if !c.Take(k) {
			return c.Unexpected(k)
		}
	}
	return nil
}

// WantSymbol takes the symbol s or says that it is missing.
func (c *Cursor) WantSymbol(s string) error {
	if !c.TakeSymbol(s) {
		return c.Unexpected("'" + s + "'")
	}
	return nil
}

// AtEnd tells whether the statement ends here.
func (c *Cursor) AtEnd() bool {
	t := c.Tok()
	return t.Kind == lex.EOF || t.Is(";")
}

// From is the span from byte start to the end of the last token taken.
func (c *Cursor) From(start int) diag.Span {
	return diag.Span{Start: start, End: max(c.Prev().End, start)}
}

// Enter counts one level of nesting; each Enter that gave no error needs a
// Leave.
func (c *Cursor) Enter() error {
	if c.depth >= MostNested {
		return diag.New(diag.TooDeep, c.Tok().Span(), "the nesting is deeper than %d levels", MostNested).
			WithHint("split the query with views or WITH")
	}
	c.depth++
	return nil
}

// Leave ends a level of nesting.
func (c *Cursor) Leave() { c.depth-- }

// Chained checks the number of operators, joins or set operations in a row.
func (c *Cursor) Chained(n int) error {
	if n < MostChained {
		return nil
	}
	return diag.New(diag.TooDeep, c.Tok().Span(), "more than %d operators follow each other", MostChained).
		WithHint("use parentheses, IN (...) or a table of values")
}

// Restart forgets the nesting: a new statement begins.
func (c *Cursor) Restart() { c.depth = 0 }
