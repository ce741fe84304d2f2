// Package diag is the catalogue of what users are told when something is
// wrong: stable codes, places in the text, hints.
package diag

import "fmt"

// Code names a kind of error in words. Codes are stable: documented, tested,
// never reused for something else.
type Code string

// Span is a range of bytes [Start, End) in the text of a script. The zero Span
// means that no place is known.
type Span struct{ Start, End int }

// Join returns the smallest span that covers both.
func (s Span) Join(t Span) Span {
	if s == (Span{}) {
		return t
	}
	if t == (Span{}) {
		return s
	}
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// Error is what a user sees: a stable code, a place in the SQL, one factual
// sentence and, where there is one, something to do about it.
type Error struct {
	Code  Code
	Span  Span
	Msg   string // a short fact, lower case, no final stop
	Hint  string // one sentence, with a fix that works when pasted; may be ""
	Label string // short text printed at the caret: "did you mean 'city'?"; may be ""
	Cause error
}

// Error returns code and message on one line.
func (e *Error) Error() string {
	s := fmt.Sprintf("error[%s]: %s", e.Code, e.Msg)
	if e.Cause != nil {
		s += ": " + Plain(e.Cause)
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// New makes an error of code c at span s.
func New(c Code, s Span, format string, args ...any) *Error {
	return &Error{Code: c, Span: s, Msg: fmt.Sprintf(format, args...)}
}

// WithHint sets the hint and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithLabel sets the text at the caret and returns e.
func (e *Error) WithLabel(format string, args ...any) *Error {
	e.Label = fmt.Sprintf(format, args...)
	return e
}

// At sets the span when none is known yet and returns e.
func (e *Error) At(s Span) *Error {
	if e.Span == (Span{}) {
		e.Span = s
	}
	return e
}
