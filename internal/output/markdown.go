package output

import (
	"strings"

	"fsql/internal/value"
	"fsql/row"
)

// markdownFormat spells a table of Markdown (GitHub's): numbers to the right,
// line breaks as <br>.
type markdownFormat struct{}

func (markdownFormat) begin(s *sink) error {
	names, rules := "|", "|"
	if s.op {
		names, rules = "| op |", "|----|"
	}
	for _, c := range s.schema.Columns {
		names += " " + markdownCell(c.Name) + " |"
		if isNumber(c.Type) {
			rules += "---:|"
		} else {
			rules += "----|"
		}
	}
	_, err := s.w.WriteString(names + "\n" + rules + "\n")
	return err
}

func (markdownFormat) row(s *sink, k row.Kind, b *row.Batch, r int) error {
	s.w.WriteByte('|')
	if s.op {
		s.w.WriteString(" " + k.String() + " |")
	}
	for _, c := range b.Cols {
		cell := s.null("NULL")
		if !c.IsNull(r) {
			s.cell = value.AppendText(s.cell[:0], c, r, s.opts.Zone)
			cell = markdownCell(string(s.cell))
		}
		s.w.WriteString(" " + cell + " |")
	}
	return s.w.WriteByte('\n')
}

func (markdownFormat) end(*sink) error { return nil }

func markdownCell(text string) string {
	return strings.NewReplacer("|", `\|`, "\r\n", "<br>", "\n", "<br>").Replace(text)
}
