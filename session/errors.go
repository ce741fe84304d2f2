package session

import (
	"errors"

	"fsql/internal/diag"
)

// Error is what every error of a statement is or wraps (errors.As finds it): a
// code that stays, one sentence, a hint where there is one, and the place in
// the text that was given, as a range of bytes.
type Error = diag.Error

// Code names a kind of error: "syntax", "unknown-table", "bad-row", ...
type Code = diag.Code

// Span is a range of bytes [Start, End) of a text; the zero Span is no place.
type Span = diag.Span

// Position is where an error is in the text that was run: line and column from
// 1, the column in characters. ok is false if the error has no place.
func Position(err error, text string) (line, column int, ok bool) {
	var e *Error
	if !errors.As(err, &e) || e.Span == (Span{}) {
		return 0, 0, false
	}
	line, column = diag.Source{Text: text}.Position(e.Span.Start)
	return line, column, true
}

// Message is an error as the command fsql prints it, over several lines: code
// and sentence, the line of the text with the place underlined, the hint.
func Message(err error, text string) string { return diag.Render(err, diag.Source{Text: text}) }
