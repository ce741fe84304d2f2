package ftest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// reader hands out the lines of a file. Lines end with \n alone: a carriage
// return belongs to the text.
type reader struct {
	name  string
	lines []string
	// source is lines before values were put in.
	source []string
	at     int // number of lines handed out
	// imported: the header says compare=text.
	imported bool
	vars     map[string]string
}

func newReader(name string, src []byte) (*reader, error) {
	text := string(src)
	if text == "" {
		return nil, fmt.Errorf("%s: the file is empty", name)
	}
	if !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("%s: the last line has no line end", name)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return &reader{name: name, lines: lines, source: slices.Clone(lines)}, nil
}

func (r *reader) atEnd() bool { return r.at == len(r.lines) }

// line is the number of the line handed out last.
func (r *reader) line() int { return r.at }

func (r *reader) peek() (string, bool) {
	if r.atEnd() {
		return "", false
	}
	return r.lines[r.at], true
}

func (r *reader) next() (string, bool) {
	line, ok := r.peek()
	if ok {
		r.at++
	}
	return line, ok
}

func (r *reader) skipBlank() {
	for {
		if line, ok := r.peek(); !ok || line != "" {
			return
		}
		r.at++
	}
}

// comments takes the comment lines that stand here.
func (r *reader) comments() []string {
	var text []string
	for {
		line, ok := r.peek()
		if !ok || !strings.HasPrefix(line, "#") {
			return text
		}
		r.at++
		text = append(text, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
	}
}

// paragraph takes the lines up to a blank line or the end.
func (r *reader) paragraph() []string {
	from := r.at
	for {
		if line, ok := r.peek(); !ok || line == "" {
			return r.lines[from:r.at]
		}
		r.at++
	}
}

// errorf names the file and the line handed out last.
func (r *reader) errorf(format string, args ...any) error {
	return errors.New(fmt.Sprintf("%s:%d: ", r.name, r.at) + fmt.Sprintf(format, args...))
}
