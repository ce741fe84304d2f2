package format

import (
	"fmt"
	"unicode/utf8"
)

// longest text of a field or record that a message shows, in characters.
const longest = 120

// Cut makes the bytes of a field or record fit for a message.
func Cut(b []byte) string {
	out := make([]byte, 0, min(len(b), 4*longest))
	for n := 0; len(b) > 0; n++ {
		if n == longest {
			return string(out) + "..."
		}
		r, size := utf8.DecodeRune(b)
		out = utf8.AppendRune(out, r)
		b = b[size:]
	}
	return string(out)
}

// Message is one sentence on a bad record, to be preceded by the file:
// "line 2, column 'a': 'two' is not an INT". Of a message, which is one line, it
// is to be preceded by where that is: "column 'a': 'two' is not an INT".
func (b *Bad) Message() string {
	if b.Line > 0 {
		message := *b
		message.Line = 0
		sign := ": "
		if b.Column != "" {
			sign = ", "
		}
		return fmt.Sprintf("line %d%s%s", b.Line, sign, message.Message())
	}
	switch {
	case b.Column != "":
		return fmt.Sprintf("column '%s': '%s' is %s", b.Column, b.Value, b.Reason)
	case b.Value == "":
		return b.Reason
	}
	return b.Reason + ": " + b.Value
}

// Trim takes blanks and control characters from both ends, as Java's
// String.trim does.
func Trim(b []byte) []byte {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	return b
}
