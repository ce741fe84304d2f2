package window

import (
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// times is the time column of a batch as it lies: tick units to a millisecond.
type times struct {
	at   []int64
	tick int64
}

// rowtimes reads the time column. Flink fails a job at a NULL in it.
func rowtimes(b *row.Batch, col int) (times, error) {
	v := b.Cols[col]
	if n := v.Valid.Nulls(b.Rows); n > 0 {
		return times{}, diag.New(diag.NullRowtime, diag.Span{}, "the time column %q is NULL, a row without a time belongs to no window", b.Schema.Columns[col].Name).
			WithHint("filter such rows before the window: WHERE %s IS NOT NULL", b.Schema.Columns[col].Name)
	}
	return timesOf(v), nil
}

func timesOf(v *row.Vec) times {
	if v.Type.Layout() == types.LayoutNano {
		return times{v.I64, 1}
	}
	return times{v.I64, 1000}
}

// millis is a time in whole milliseconds, rounded down.
func (t times) millis(at int64) int64 {
	if t.tick == 1 {
		return at
	}
	return floor(at, t.tick, 0) / t.tick
}

// sameTime gives all rows of a batch one time: processing time.
func sameTime(dst []int64, now types.Time, rows int) times {
	dst = dst[:0]
	for i := 0; i < rows; i++ {
		dst = append(dst, int64(now))
	}
	return times{dst, 1}
}
