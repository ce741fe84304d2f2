package spectest

import (
	"strings"

	"fsql/internal/diag"
)

// align puts the bars of lines with equally many cells below each other. Lines
// of another kind stay as they are.
func align(lines []string) []string {
	var widths []int
	cells := make([][]string, len(lines))
	for i, l := range lines {
		cells[i] = strings.Split(l, " | ")
		if i > 0 && len(cells[i]) != len(cells[0]) || len(cells[i]) < 2 {
			return lines
		}
		for c, text := range cells[i] {
			text = strings.TrimRight(text, " ")
			cells[i][c] = text
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], diag.Width(text))
		}
	}
	out := make([]string, len(lines))
	for i := range lines {
		var b strings.Builder
		for c, text := range cells[i] {
			if c > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(text)
			if c < len(cells[i])-1 {
				b.WriteString(strings.Repeat(" ", widths[c]-diag.Width(text)))
			}
		}
		out[i] = b.String()
	}
	return out
}
