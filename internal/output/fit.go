package output

import (
	"fsql/types"
)

const (
	// narrowest is the width below which a cell says nothing.
	narrowest = len(nullCell)
	// readable is the width at which most cells can be told apart. A table that
	// would need narrower ones is better shown as blocks of lines.
	readable = 12
)

// fit narrows columns until a table is no wider than total columns of the
// screen: texts first, which bear it best, then whatever is widest. A table that
// cannot be made to fit stays as it is.
func fit(widths []int, s *types.Schema, op bool, total int) {
	if total <= 0 || frame(len(widths), op)+len(widths)*narrowest > total {
		return
	}
	sum := frame(len(widths), op)
	for _, w := range widths {
		sum += w
	}
	for ; sum > total; sum-- {
		if i := widest(widths, func(i int) bool { return isText(s.Columns[i].Type) && widths[i] > readable }); i >= 0 {
			widths[i]--
			continue
		}
		widths[widest(widths, func(int) bool { return true })]--
	}
}

// widest is the widest column of those that count, -1 if there is none.
func widest(widths []int, counts func(i int) bool) int {
	at := -1
	for i, w := range widths {
		if counts(i) && (at < 0 || w > widths[at]) {
			at = i
		}
	}
	return at
}

func isText(t types.Type) bool {
	switch t.Kind {
	case types.Char, types.VarChar, types.Binary, types.VarBinary, types.Array, types.Map, types.Multiset, types.Row:
		return true
	}
	return false
}

// frame is the width of a table without its cells.
func frame(columns int, op bool) int {
	n := 3*columns + 1
	if op {
		n += 5
	}
	return n
}

// fits tells whether a table can be read on a screen of that width.
func fits(widths []int, op bool, total int) bool {
	need := frame(len(widths), op)
	for _, w := range widths {
		need += min(w, readable)
	}
	return total <= 0 || need <= total
}
