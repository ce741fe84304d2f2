package output

import (
	"fmt"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// tableFormat draws a table. In log mode rows appear as they come, so widths
// follow from the types; in final mode they follow from the data. Cells are cut
// to the largest width.
type tableFormat struct {
	look   frameLook
	widths []int
	cells  [][]string // kept in final mode
	// blocks takes over where the screen is too narrow for a table.
	blocks *lineFormat
}

const nullCell = "<NULL>"

func (t *tableFormat) begin(s *sink) error {
	t.widths = make([]int, len(s.schema.Columns))
	for i, c := range s.schema.Columns {
		t.widths[i] = max(diag.Width(c.Name), len(nullCell), diag.Width(s.null(nullCell)))
		if s.opts.Mode == Log {
			t.widths[i] = max(t.widths[i], typeWidth(c.Type, s.opts.MaxWidth))
		}
	}
	if s.opts.Mode == Log {
		if s.opts.Blocks && !fits(t.widths, s.op, s.opts.Width) {
			t.blocks = &lineFormat{}
			return t.blocks.begin(s)
		}
		fit(t.widths, s.schema, s.op, s.opts.Width)
		t.head(s)
	}
	return nil
}

func (t *tableFormat) row(s *sink, k row.Kind, b *row.Batch, r int) error {
	if t.blocks != nil {
		return t.blocks.row(s, k, b, r)
	}
	cells := make([]string, len(b.Cols))
	for i, c := range b.Cols {
		cells[i] = s.null(nullCell)
		if !c.IsNull(r) {
			s.cell = value.AppendText(s.cell[:0], c, r, s.opts.Zone)
			cells[i] = string(s.cell)
		}
	}
	if s.opts.Mode == Log {
		t.change(s, k, cells)
		return nil
	}
	for i, c := range cells {
		t.widths[i] = max(t.widths[i], min(diag.Width(c), s.opts.MaxWidth))
	}
	t.cells = append(t.cells, cells)
	return nil
}

func (t *tableFormat) end(s *sink) error {
	if t.blocks != nil {
		return t.blocks.end(s)
	}
	if s.opts.Mode == Log {
		if s.rows > 0 || !t.look.counted {
			t.rule(s, t.look.bottom)
		}
		if !t.look.counted {
			return nil
		}
		fmt.Fprintf(s.w, "Received a total of %d %s\n", s.rows, plural(s.rows))
		return nil
	}
	if len(t.cells) == 0 && t.look.counted {
		s.w.WriteString("Empty set\n")
		return nil
	}
	if s.opts.Blocks && !fits(t.widths, s.op, s.opts.Width) {
		f := &lineFormat{}
		if err := f.begin(s); err != nil {
			return err
		}
		for i, c := range t.cells {
			f.block(s, int64(i+1), "", c)
		}
		return f.end(s)
	}
	fit(t.widths, s.schema, s.op, s.opts.Width)
	t.head(s)
	for _, c := range t.cells {
		t.line(s, "", c)
		if err := s.w.rowEnds(); err != nil {
			return err
		}
	}
	t.rule(s, t.look.bottom)
	if t.look.counted {
		fmt.Fprintf(s.w, "%d %s in set\n", s.rows, plural(s.rows))
	}
	return nil
}

func plural(n int64) string {
	if n == 1 {
		return "row"
	}
	return "rows"
}

func (t *tableFormat) head(s *sink) {
	names := make([]string, len(s.schema.Columns))
	for i, c := range s.schema.Columns {
		names[i] = c.Name
	}
	t.rule(s, t.look.top)
	if !s.opts.NoHeader {
		t.line(s, "op", names)
		t.rule(s, t.look.middle)
	}
}

func (t *tableFormat) rule(s *sink, ends [3]string) {
	s.w.WriteString(t.look.rule(ends, t.widths, s.op) + "\n")
}

// change is a line of the log. In colours an old row is dim, its new image
// green, a deletion red: newcomers take the pairs for errors otherwise.
func (t *tableFormat) change(s *sink, k row.Kind, cells []string) {
	style := ""
	if s.opts.Color && s.op {
		style = [...]string{"", "\x1b[2m", "\x1b[32m", "\x1b[31m"}[k]
	}
	s.w.WriteString(style)
	t.line(s, k.String(), cells)
	if style != "" {
		s.w.Truncate(s.w.Len() - 1)
		s.w.WriteString("\x1b[0m\n")
	}
}

func (t *tableFormat) line(s *sink, op string, cells []string) {
	down := t.look.down
	if s.op {
		s.w.WriteString(down + " " + op + " ")
	}
	for i, c := range cells {
		s.w.WriteString(down + " " + t.look.padded(cut(c, t.widths[i]), t.widths[i], s.schema.Columns[i].Type) + " ")
	}
	s.w.WriteString(down + "\n")
}

// cut shortens a cell to width w, with "..." at the end; line breaks would break
// the frame, and a terminal must not obey what is in the data.
func cut(c string, w int) string {
	if strings.ContainsAny(c, "\r\n\t") {
		c = strings.NewReplacer("\r", " ", "\n", " ", "\t", " ").Replace(c)
	}
	c = diag.Visible(c)
	if diag.Width(c) <= w {
		return c
	}
	left := w - 3
	for i, r := range c {
		if left -= diag.Width(string(r)); left < 0 {
			return c[:i] + "..."
		}
	}
	return c + "..."
}

// typeWidth is the width of a type's longest common text (Flink's tableau).
func typeWidth(t types.Type, most int) int {
	switch t.Kind {
	case types.Boolean:
		return 5
	case types.TinyInt:
		return 4
	case types.SmallInt:
		return 6
	case types.Int:
		return 11
	case types.BigInt:
		return 20
	case types.Decimal:
		return int(t.Precision) + 2
	case types.Date:
		return 10
	case types.TimeOfDay:
		if t.Precision == 0 {
			return 8
		}
		return 9 + int(t.Precision)
	case types.Timestamp, types.TimestampLTZ:
		if t.Precision == 0 {
			return 19
		}
		return 20 + int(t.Precision)
	case types.Char:
		return min(int(t.Length), most)
	}
	return most
}
