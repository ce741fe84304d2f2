package relop

import (
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// rowtimes reads a time attribute in whole milliseconds, rounded down. Flink
// fails a job at a NULL in it.
func rowtimes(dst []int64, b *row.Batch, col int, what string) ([]int64, error) {
	v := b.Cols[col]
	if v.Valid.Nulls(b.Rows) > 0 {
		name := b.Schema.Columns[col].Name
		return dst, diag.New(diag.NullRowtime, diag.Span{}, "the time column %q is NULL: a row without a time has no place in %s", name, what).
			WithHint("filter such rows before: WHERE %s IS NOT NULL", name)
	}
	dst = sized(dst, b.Rows)
	if v.Type.Layout() == types.LayoutNano {
		copy(dst, v.I64)
		return dst, nil
	}
	for i, us := range v.I64[:b.Rows] {
		ms := us / 1000
		if us%1000 < 0 {
			ms--
		}
		dst[i] = ms
	}
	return dst, nil
}
