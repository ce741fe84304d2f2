package output

import (
	"strings"

	"fsql/internal/diag"
	"fsql/types"
)

// frameLook is how the lines of a table are drawn: the corners and crossings
// from left to right at the top, below the names and at the bottom.
type frameLook struct {
	top, middle, bottom [3]string
	across, down        string
	// left puts texts to the left; Flink's tableau has everything on the right.
	left bool
	// counted tables end with the number of their rows.
	counted bool
}

// tableau is Flink's.
func tableau() frameLook {
	plus := [3]string{"+", "+", "+"}
	return frameLook{top: plus, middle: plus, bottom: plus, across: "-", down: "|", counted: true}
}

// boxed is drawn with the characters made for it.
func boxed() frameLook {
	return frameLook{
		top: [3]string{"┌", "┬", "┐"}, middle: [3]string{"├", "┼", "┤"}, bottom: [3]string{"└", "┴", "┘"},
		across: "─", down: "│", left: true,
	}
}

// rule is a line between rows.
func (f *frameLook) rule(ends [3]string, widths []int, op bool) string {
	var b strings.Builder
	b.WriteString(ends[0])
	if op {
		b.WriteString(strings.Repeat(f.across, 4) + ends[1])
	}
	for i, w := range widths {
		if i > 0 {
			b.WriteString(ends[1])
		}
		b.WriteString(strings.Repeat(f.across, w+2))
	}
	return b.String() + ends[2]
}

// padded is a cell as wide as its column.
func (f *frameLook) padded(c string, w int, t types.Type) string {
	blanks := strings.Repeat(" ", max(0, w-diag.Width(c)))
	if f.left && !isNumber(t) {
		return c + blanks
	}
	return blanks + c
}

func isNumber(t types.Type) bool {
	switch t.Kind {
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt, types.Float, types.Double, types.Decimal:
		return true
	}
	return false
}
