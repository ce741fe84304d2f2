package output

import (
	"strings"

	"fsql/internal/value"
	"fsql/row"
)

// tsvFormat parts cells by tabs: backslash, tab and line breaks are escaped,
// NULL is \N, as in the dumps of PostgreSQL, MySQL and ClickHouse.
type tsvFormat struct{}

func (tsvFormat) begin(s *sink) error {
	if s.opts.NoHeader {
		return nil
	}
	var names []string
	if s.op {
		names = append(names, "op")
	}
	for _, c := range s.schema.Columns {
		names = append(names, tsvCell(c.Name))
	}
	_, err := s.w.WriteString(strings.Join(names, "\t") + "\n")
	return err
}

func (tsvFormat) row(s *sink, k row.Kind, b *row.Batch, r int) error {
	if s.op {
		s.w.WriteString(k.String() + "\t")
	}
	for i, c := range b.Cols {
		if i > 0 {
			s.w.WriteByte('\t')
		}
		if c.IsNull(r) {
			s.w.WriteString(s.null(`\N`))
			continue
		}
		s.cell = value.AppendText(s.cell[:0], c, r, s.opts.Zone)
		s.w.WriteString(tsvCell(string(s.cell)))
	}
	return s.w.WriteByte('\n')
}

func (tsvFormat) end(*sink) error { return nil }

func tsvCell(text string) string {
	if !strings.ContainsAny(text, "\\\t\r\n") {
		return text
	}
	return strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\r", `\r`, "\n", `\n`).Replace(text)
}
