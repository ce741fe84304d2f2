package row

import (
	"slices"
	"testing"

	"fsql/types"
)

// However a batch is cut, every mark is in one part, between the same rows.
func TestPartsKeepMarks(t *testing.T) {
	s := &types.Schema{Columns: []types.Column{{Name: "n", Type: types.Of(types.Int)}}}
	v := NewVec(types.Of(types.Int), 5)
	b := &Batch{Schema: s, Rows: 5, Cols: []*Vec{v}, Marks: []Mark{{Row: 0, Time: 1}, {Row: 2, Time: 2}, {Row: 4, Time: 3}, {Row: 5, Time: 4}}}
	for step := 1; step <= 5; step++ {
		var marks []Mark
		rows := 0
		for from := 0; from < b.Rows; from += step {
			p := b.Part(from, min(from+step, b.Rows))
			for _, m := range p.Marks {
				marks = append(marks, Mark{Row: m.Row + int32(from), Time: m.Time})
			}
			rows += p.Rows
		}
		if rows != b.Rows || !slices.Equal(marks, b.Marks) {
			t.Errorf("parts of %d: %d rows, marks %v", step, rows, marks)
		}
	}
}
