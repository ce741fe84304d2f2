package output

import (
	"strings"

	"fsql/internal/value"
	"fsql/row"
)

// csvFormat spells rows as RFC 4180: header always, NULL bare, the empty string
// "" and the text NULL in quotes; cells are Flink's plain text.
type csvFormat struct{}

func (csvFormat) begin(s *sink) error {
	if s.opts.NoHeader {
		return nil
	}
	if s.op {
		s.w.WriteString("op,")
	}
	for i, c := range s.schema.Columns {
		if i > 0 {
			s.w.WriteByte(',')
		}
		s.quoted([]byte(c.Name))
	}
	return s.w.WriteByte('\n')
}

func (csvFormat) row(s *sink, k row.Kind, b *row.Batch, r int) error {
	if s.op {
		s.w.WriteString(k.String())
		s.w.WriteByte(',')
	}
	for i, c := range b.Cols {
		if i > 0 {
			s.w.WriteByte(',')
		}
		if c.IsNull(r) {
			s.w.WriteString(s.null("NULL"))
			continue
		}
		s.cell = value.AppendText(s.cell[:0], c, r, s.opts.Zone)
		s.quoted(s.cell)
	}
	return s.w.WriteByte('\n')
}

func (csvFormat) end(*sink) error { return nil }

func (s *sink) quoted(cell []byte) {
	if plain(cell) {
		s.w.Write(cell)
		return
	}
	s.w.WriteByte('"')
	s.w.WriteString(strings.ReplaceAll(string(cell), `"`, `""`))
	s.w.WriteByte('"')
}

// plain tells a cell that needs no quotes.
func plain(cell []byte) bool {
	n := len(cell)
	if n == 0 || isBlank(cell[0]) || isBlank(cell[n-1]) || string(cell) == "NULL" {
		return false
	}
	for _, c := range cell {
		if c <= ',' && (c == ',' || c == '"' || c == '\r' || c == '\n') {
			return false
		}
	}
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
