package output

import (
	"fmt"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
)

// lineFormat spells every row as a block of lines, one per column: for rows
// that are wider than the screen.
type lineFormat struct{ width int }

func (f *lineFormat) begin(s *sink) error {
	f.width = 0
	for _, c := range s.schema.Columns {
		f.width = max(f.width, diag.Width(c.Name))
	}
	return nil
}

func (f *lineFormat) row(s *sink, k row.Kind, b *row.Batch, r int) error {
	cells := make([]string, len(b.Cols))
	for i, c := range b.Cols {
		cells[i] = s.null(nullCell)
		if !c.IsNull(r) {
			s.cell = value.AppendText(s.cell[:0], c, r, s.opts.Zone)
			cells[i] = string(s.cell)
		}
	}
	op := ""
	if s.op {
		op = " " + k.String() + " "
	}
	f.block(s, s.rows, op, cells)
	return nil
}

// block is one row.
func (f *lineFormat) block(s *sink, number int64, op string, cells []string) {
	head := fmt.Sprintf("-[ row %d ]%s", number, op)
	s.w.WriteString(head + strings.Repeat("-", max(0, f.width+8-len(head))) + "\n")
	for i, c := range cells {
		name := s.schema.Columns[i].Name
		fmt.Fprintf(s.w, "%s%s | %s\n", name, strings.Repeat(" ", f.width-diag.Width(name)), lines(c))
	}
}

// lines is a text of one or more lines as a terminal shows it and does not obey it.
func lines(c string) string {
	parts := strings.Split(c, "\n")
	for i, p := range parts {
		parts[i] = diag.Visible(p)
	}
	return strings.Join(parts, "\n")
}

func (f *lineFormat) end(s *sink) error {
	if s.opts.Mode == Log {
		fmt.Fprintf(s.w, "Received a total of %d %s\n", s.rows, plural(s.rows))
		return nil
	}
	if s.rows == 0 {
		s.w.WriteString("Empty set\n")
		return nil
	}
	fmt.Fprintf(s.w, "%d %s in set\n", s.rows, plural(s.rows))
	return nil
}
