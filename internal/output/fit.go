package output

import (
	"fsql/diag"
	"fsql/types"
)

// narrowest is the width below which a cell says nothing.
const narrowest = len(nullCell)

// fit narrows columns until a table is no wider than total columns of the
// screen, the widest first. A table that cannot be made to fit stays as it is.
func fit(widths []int, op bool, total int) {
	if total <= 0 || frame(len(widths), op)+len(widths)*narrowest > total {
		return
	}
	sum := frame(len(widths), op)
	for _, w := range widths {
		sum += w
	}
	for ; sum > total; sum-- {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		widths[widest]--
	}
}

// frame is the width of a table without its cells.
func frame(columns int, op bool) int {
	n := 3*columns + 1
	if op {
		n += 5
	}
	return n
}

// Fits tells whether a result can be shown as a table on a screen of that
// width.
func Fits(s *types.Schema, op bool, total int) bool {
	need := frame(len(s.Columns), op)
	for _, c := range s.Columns {
		need += max(narrowest, min(diag.Width(c.Name), 12))
	}
	return total <= 0 || need <= total
}
