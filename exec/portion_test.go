package exec

import (
	"strings"
	"testing"

	"fsql/row"
	"fsql/types"
)

// Batches go on whole unless they are heavy: then in portions of about portion
// bytes, of one row at least.
func TestPortions(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		text string
		rows int
		want int
	}{
		{"short", 4096, 4096}, {long[:1<<10], 4096, 4096}, {long[:1<<14], 4096, 256}, {long, 15, 15}, {long, 64, 4}, {long + long + long + long + long, 8, 1}, {long, 1, 1},
	} {
		v := row.NewVec(types.String(), c.rows)
		for i := range v.Str {
			v.Str[i] = c.text
		}
		if got := portions(&row.Batch{Rows: c.rows, Cols: []*row.Vec{v}}); got != c.want {
			t.Errorf("%d rows of %d bytes: %d at once, want %d", c.rows, len(c.text), got, c.want)
		}
	}
}
