package ftest

import (
	"errors"
	"strings"
)

// Exec is the directive "exec": statements that must succeed. They end at the
// first blank line that follows a semicolon.
type Exec struct {
	Place
	SQL string
}

func parseExec(r *reader, at Place, args words) (Record, error) {
	if err := args.allow(); err != nil {
		return nil, r.errorf("%v", err)
	}
	if err := args.noPlain(); err != nil {
		return nil, r.errorf("%v", err)
	}
	from := r.at
	for {
		r.paragraph()
		if r.atEnd() || r.at > from && strings.HasSuffix(strings.TrimRight(r.lines[r.at-1], " \t"), ";") {
			break
		}
		r.next() // a blank line within a statement
	}
	return &Exec{Place: at, SQL: joinLines(r.lines[from:r.at])}, nil
}

func (e *Exec) write(w *writer) error {
	if !visible(e.SQL) || !strings.HasSuffix(strings.TrimRight(e.SQL, " \t\n"), ";") || strings.HasSuffix(e.SQL, "\n\n") {
		return errors.New("exec: the SQL does not end with a semicolon and a line end")
	}
	w.line("exec")
	w.b.WriteString(e.SQL)
	return nil
}

// parseSound is parseExec for tests that people write: what follows a missing
// semicolon is not swallowed.
func parseSound(r *reader, at Place, args words) (Record, error) {
	if err := args.none(); err != nil {
		return nil, r.errorf("%v", err)
	}
	text, err := r.statements()
	return &Exec{Place: at, SQL: text}, err
}
