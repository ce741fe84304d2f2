// Package lex cuts a script into tokens: Flink's characters and literals and
// no others. It never fails; a piece that is no token of Flink becomes a Bad
// token with its error, so that the statements before it can still be read.
package lex

import "fsql/internal/diag"

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	EOF       Kind = iota
	Word           // bare name or keyword
	Quoted         // `name`
	Number         // 12, 1.50, .5, 1e3
	String         // 'text' in any of its forms, decoded and joined
	Binary         // x'0aff'
	Symbol         // operator or punctuation
	HintBegin      // /*+
	HintEnd        // the */ of a hint
	Bad            // see Source.Err
)

// Token is one token with its bytes [Start, End) in the script.
type Token struct {
	Kind  Kind
	Start int
	End   int
	// Text is the name as written (Word), the decoded name (Quoted) or value
	// (String), the hex digits (Binary), the digits (Number), the symbol.
	Text string
	// Key is the keyword in upper case; "" for words that are no keywords of
	// Flink and for all other kinds.
	Key string
}

// Span is the place of the token.
func (t Token) Span() diag.Span { return diag.Span{Start: t.Start, End: t.End} }

// Is tells whether the token is the symbol s.
func (t Token) Is(s string) bool { return t.Kind == Symbol && t.Text == s }

// Source is a script cut into tokens. The last token is EOF, which stands at
// the end of the text.
type Source struct {
	Text   string
	Tokens []Token
	match  []int               // by token: of '(' the token that closes it, else 0
	errs   map[int]*diag.Error // of Bad tokens
}

// Err is the error of the Bad token at i, a new copy each time.
func (s *Source) Err(i int) *diag.Error {
	e := *s.errs[i]
	return &e
}

// Match returns the token that closes the parenthesis at token i, 0 if the
// statement ends before it is closed.
func (s *Source) Match(i int) int { return s.match[i] }
