package ftest

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// separator parts SQL from its answer. Doubled, it stands on both ends of a
// text that holds blank lines.
const separator = "----"

// form is how a block of bytes stands in a file. All forms are lossless.
type form uint8

const (
	plain   form = iota // lines up to the next blank line
	fenced              // between doubled separators
	encoded             // base64
)

// formOf chooses the most readable form that gives the bytes back. Whatever
// an editor or a version control system might change without showing it is
// encoded: carriage returns, byte order marks, a missing last line end.
func formOf(text string) form {
	if text == "" {
		return plain
	}
	if !visible(text) {
		return encoded
	}
	if !strings.HasPrefix(text, "\n") && !strings.Contains(text, "\n\n") && !strings.HasPrefix(text, separator) {
		return plain
	}
	const closing = separator + "\n" + separator + "\n"
	if strings.Index("\n"+text+closing, "\n"+closing) != len(text) {
		return encoded
	}
	return fenced
}

// visible says that text is made of whole lines of UTF-8 without bytes that
// editors hide.
func visible(text string) bool {
	return utf8.ValidString(text) && strings.HasSuffix(text, "\n") &&
		!strings.ContainsAny(text, "\r\x00\ufeff")
}

// block writes text. opening is how many separators open the fenced form: two
// for a block of its own, one after the separator that parts it from SQL.
func (w *writer) block(text string, opening int) {
	switch formOf(text) {
	case plain:
		w.b.WriteString(text)
	case fenced:
		w.b.WriteString(strings.Repeat(separator+"\n", opening))
		w.b.WriteString(text)
		w.line(separator)
		w.line(separator)
	case encoded:
		code := base64.StdEncoding.EncodeToString([]byte(text))
		for len(code) > 76 {
			w.line(code[:76])
			code = code[76:]
		}
		w.line(code)
	}
}

// block reads what writer.block wrote.
func (r *reader) block(opening int, base64Form bool) (string, error) {
	if base64Form {
		bytes, err := base64.StdEncoding.DecodeString(strings.Join(r.paragraph(), ""))
		if err != nil {
			return "", r.errorf("bad base64: %v", err)
		}
		return string(bytes), nil
	}
	if !r.separatorsFollow(opening) {
		return joinLines(r.paragraph()), nil
	}
	r.at += opening
	from := r.at
	for !r.separatorsFollow(2) {
		if _, ok := r.next(); !ok {
			r.at = from
			return "", r.errorf("no closing %s %s for the text that starts here", separator, separator)
		}
	}
	text := joinLines(r.lines[from:r.at])
	r.at += 2
	return text, nil
}

func (r *reader) separatorsFollow(n int) bool {
	for i := range n {
		if r.at+i >= len(r.lines) || r.lines[r.at+i] != separator {
			return false
		}
	}
	return true
}

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
