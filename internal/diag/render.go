package diag

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Source is the text an error's span points into.
type Source struct {
	Name string // of the file, "" for text given on the command line
	Text string
}

// Position returns the line and column (from 1, in characters) of a byte offset.
func (s Source) Position(offset int) (line, col int) {
	offset = min(max(offset, 0), len(s.Text))
	before := s.Text[:offset]
	line = 1 + strings.Count(before, "\n")
	return line, 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

// line returns the text of the line that holds a byte offset.
func (s Source) line(offset int) (text string, start int) {
	offset = min(max(offset, 0), len(s.Text))
	start = strings.LastIndexByte(s.Text[:offset], '\n') + 1
	end := strings.IndexByte(s.Text[offset:], '\n')
	if end < 0 {
		return strings.TrimSuffix(s.Text[start:], "\r"), start
	}
	return strings.TrimSuffix(s.Text[start:offset+end], "\r"), start
}

// Of returns err as an *Error; what is none becomes an internal error that
// keeps its text.
func Of(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: Internal, Msg: err.Error()}
}

// Render writes an error as users see it: code and message, place, the line
// with the range underlined, label and hint.
func Render(err error, src Source) string {
	e := Of(err)
	var b strings.Builder
	fmt.Fprintf(&b, "error[%s]: %s", e.Code, e.Msg)
	if e.Cause != nil {
		b.WriteString(": " + Plain(e.Cause))
	}
	b.WriteByte('\n')
	if e.Span != (Span{}) && src.Text != "" {
		line, col := src.Position(e.Span.Start)
		if src.Name == "" {
			fmt.Fprintf(&b, "  line %d, column %d\n", line, col)
		} else {
			fmt.Fprintf(&b, "  %s:%d:%d\n", src.Name, line, col)
		}
		text, start := src.line(e.Span.Start)
		head := fmt.Sprintf("%d | ", line)
		from := min(max(e.Span.Start-start, 0), len(text))
		to := min(max(e.Span.End-start, from), len(text))
		before, marked, after := excerpt(text, from, to)
		fmt.Fprintf(&b, "%s%s%s%s\n", head, before, marked, after)
		b.WriteString(strings.Repeat(" ", len(head)-2) + "| " + blanks(before))
		b.WriteString(strings.Repeat("^", max(1, Width(marked))))
		if e.Label != "" {
			b.WriteString(" " + e.Label)
		}
		b.WriteByte('\n')
	} else if e.Label != "" {
		fmt.Fprintf(&b, "  %s\n", e.Label)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "  hint: %s\n", e.Hint)
	}
	return b.String()
}

// longLine is the number of bytes from which on a line is shown in part, as much
// of it as excerptBytes before and after where the error begins.
const (
	longLine     = 1000
	excerptBytes = 150
)

// excerpt is what is shown of a line with an error in [from, to). Control
// characters, which a terminal would obey, are shown as the replacement
// character.
func excerpt(text string, from, to int) (before, marked, after string) {
	before, marked, after = text[:from], text[from:to], text[to:]
	if len(text) > longLine {
		if n := len(before) - excerptBytes; n > 0 {
			before = "..." + strings.ToValidUTF8(before[n:], "")
		}
		if n := excerptBytes; len(marked) > n {
			marked, after = strings.ToValidUTF8(marked[:n], ""), "..."
		} else if n -= len(marked); len(after) > n {
			after = strings.ToValidUTF8(after[:n], "") + "..."
		}
	}
	return Visible(before), Visible(marked), Visible(after)
}

// Visible is s with the replacement character for what a terminal would obey
// instead of showing it, but for tabs.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, s)
}

// blanks returns white space as wide as s, keeping its tabs.
func blanks(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteString(strings.Repeat(" ", runeWidth(r)))
		}
	}
	return b.String()
}

// Width is the number of terminal columns that s takes.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// runeWidth is 2 for the wide characters of East Asian scripts and emoji, 0 for
// marks that are put on the character before them and for joiners.
func runeWidth(r rune) int {
	if r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	if r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
		r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd) {
		return 2
	}
	return 1
}

// JSON writes an error as one line for programs.
func JSON(err error, src Source) string {
	e := Of(err)
	out := struct {
		Code    Code   `json:"code"`
		Message string `json:"message"`
		File    string `json:"file,omitempty"`
		Line    int    `json:"line,omitempty"`
		Col     int    `json:"col,omitempty"`
		EndLine int    `json:"endLine,omitempty"`
		EndCol  int    `json:"endCol,omitempty"`
		Hint    string `json:"hint,omitempty"`
	}{Code: e.Code, Message: e.Msg, File: src.Name, Hint: e.Hint}
	if e.Cause != nil {
		out.Message += ": " + Plain(e.Cause)
	}
	if e.Label != "" {
		out.Message += " (" + e.Label + ")"
	}
	if e.Span != (Span{}) {
		out.Line, out.Col = src.Position(e.Span.Start)
		out.EndLine, out.EndCol = src.Position(max(e.Span.End-1, e.Span.Start))
	}
	b, _ := json.Marshal(out)
	return string(b) + "\n"
}
