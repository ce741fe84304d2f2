package shell

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// plainEditor is the Editor of a dumb terminal: the system edits the line,
// nothing is coloured, completed or recalled.
type plainEditor struct {
	t  *terminal
	in []byte
}

// ReadStatement implements Editor.
func (e *plainEditor) ReadStatement(start string, look func(string) Look) (string, error) {
	text := start
	for {
		_, _ = io.WriteString(e.t.out, look(text).Prompt)
		line, err := e.line()
		switch {
		case errors.Is(err, errWoken):
			_, _ = io.WriteString(e.t.out, "\n")
			return "", errInterrupt
		case err == io.EOF && strings.TrimSpace(text+line) != "":
			_, _ = io.WriteString(e.t.out, "\n")
			return text + line, nil // as at the end of a script
		case err != nil:
			_, _ = io.WriteString(e.t.out, "\n")
			return "", err
		}
		if text != "" {
			text += "\n"
		}
		if text += line; strings.TrimSpace(text) == "" || look(text).Done {
			return text, nil
		}
	}
}

func (e *plainEditor) line() (string, error) {
	for {
		if i := bytes.IndexByte(e.in, '\n'); i >= 0 {
			line := string(e.in[:i])
			e.in = e.in[i+1:]
			return strings.TrimSuffix(line, "\r"), nil
		}
		buf := make([]byte, 4096)
		n, err := e.t.read(buf)
		if errors.Is(err, errWoken) {
			e.in = nil
			return "", err
		}
		if n == 0 {
			rest := string(e.in)
			e.in = nil
			return rest, io.EOF
		}
		e.in = append(e.in, buf[:n]...)
	}
}

// SetCompleter implements Editor.
func (*plainEditor) SetCompleter(Completer) {}

// SetPainter implements Editor.
func (*plainEditor) SetPainter(Painter) {}

// AddHistory implements Editor.
func (*plainEditor) AddHistory(string) {}

// Printf implements Editor.
func (e *plainEditor) Printf(format string, args ...any) {
	_, _ = io.WriteString(e.t.out, fmt.Sprintf(format, args...))
}

// Close implements Editor.
func (*plainEditor) Close() error { return nil }
