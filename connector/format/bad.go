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
// "line 2, column 'a': 'two' is not an INT".
func (b *Bad) Message() string {
	where := fmt.Sprintf("line %d", b.Line)
	if b.Column == "" {
		if b.Value == "" {
			return where + ": " + b.Reason
		}
		return where + ": " + b.Reason + ": " + b.Value
	}
	return fmt.Sprintf("%s, column '%s': '%s' is %s", where, b.Column, b.Value, b.Reason)
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
