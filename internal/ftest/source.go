package ftest

import (
	"errors"
	"strings"
)

// Source is the SQL of a record that has an answer: as text up to the
// separator, blank lines included, or in a file block of the same .ftest
// where its bytes matter.
type Source struct {
	Text string
	From string // path of the file block; Text is empty then
}

// InlineSQL says whether sql can stand as text in a record that has an answer.
func InlineSQL(sql string) bool {
	return visible(sql) && !strings.Contains("\n"+sql, "\n"+separator+"\n")
}

// parseAnswered reads SQL, separator and answer.
func parseAnswered(r *reader, from string, base64Form bool) (Source, string, error) {
	start := r.at
	for {
		line, ok := r.next()
		if !ok {
			r.at = start
			return Source{}, "", r.errorf("no %s follows the SQL of this record", separator)
		}
		if line == separator {
			break
		}
	}
	sql := Source{Text: joinLines(r.lines[start : r.at-1]), From: from}
	if from != "" && sql.Text != "" {
		return Source{}, "", r.errorf("from=%s and SQL in one record", from)
	}
	answer, err := r.block(1, base64Form)
	return sql, answer, err
}

func writeAnswered(w *writer, line string, sql Source, answer string) error {
	if sql.From != "" {
		line += " " + formatSettings([]Setting{{"from", sql.From}})
	} else if !InlineSQL(sql.Text) {
		return errors.New("SQL whose bytes matter must stand in a file block")
	}
	w.line(line)
	w.b.WriteString(sql.Text)
	w.line(separator)
	w.block(answer, 1)
	return nil
}
