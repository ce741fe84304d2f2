package join

import (
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// rowtimes reads a time attribute in whole milliseconds, rounded down. Flink
// fails a job at a NULL in it.
func rowtimes(dst []int64, b *row.Batch, col int) ([]int64, error) {
	v := b.Cols[col]
	if v.Valid.Nulls(b.Rows) > 0 {
		name := b.Schema.Columns[col].Name
		return dst, diag.New(diag.NullRowtime, diag.Span{}, "the time column %q is NULL: a row without a time cannot be joined by time", name).
			WithHint("filter such rows before the join: WHERE %s IS NOT NULL", name)
	}
	return millis(dst, v, b.Rows), nil
}

func millis(dst []int64, v *row.Vec, rows int) []int64 {
	dst = sized(dst, rows)
	if v.Type.Layout() == types.LayoutNano {
		copy(dst, v.I64)
		return dst
	}
	for i, us := range v.I64[:rows] {
		ms := us / 1000
		if us%1000 < 0 {
			ms--
		}
		dst[i] = ms
	}
	return dst
}

// noTime stands for a time that is NULL.
const noTime = int64(types.MinTime)

// timesOrNone reads times that may be NULL in whole milliseconds.
func timesOrNone(dst []int64, v *row.Vec, rows int) []int64 {
	dst = millis(dst, v, rows)
	if v.Valid.Nulls(rows) > 0 {
		for i := range dst {
			if v.IsNull(i) {
				dst[i] = noTime
			}
		}
	}
	return dst
}

// sameTime gives all rows of a batch one time: processing time.
func sameTime(dst []int64, t types.Time, rows int) []int64 {
	dst = sized(dst, rows)
	for i := range dst {
		dst[i] = int64(t)
	}
	return dst
}

// plus adds without running over.
func plus(a, b int64) int64 {
	c := a + b
	switch {
	case b > 0 && c < a:
		return int64(types.MaxTime)
	case b < 0 && c > a:
		return int64(types.MinTime)
	}
	return c
}

// nullKeys tells which rows have a NULL in a key column that is compared with
// =; empty: none.
func nullKeys(dst []bool, cols []*row.Vec, safe []bool, rows int) []bool {
	found := false
	for i, v := range cols {
		if safe[i] || v.Valid.Nulls(rows) == 0 {
			continue
		}
		if !found {
			dst, found = sized(dst, rows), true
			clear(dst)
		}
		for r := range dst {
			dst[r] = dst[r] || v.IsNull(r)
		}
	}
	if !found {
		return dst[:0]
	}
	return dst
}

func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
