package exec

import (
	"fmt"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// TestRouter writes down what each of three targets gets.
func TestRouter(t *testing.T) {
	first := routed(t, "+I | 1\n+I | 2\n-- 00:00:05.000\n-D | 3\n-- 00:00:06.000\n")
	second := routed(t, "+I | 4\n+I | 5\n")
	third := routed(t, "-- 00:00:07.000\n")
	all := "+I | 1\n+I | 2\n-- 00:00:05.000\n-D | 3\n-- 00:00:06.000\n/ +I | 4\n+I | 5\n/ -- 00:00:07.000\n"
	none := "-- 00:00:06.000\n/ -- 00:00:07.000\n"
	cases := []struct {
		ship physical.Ship
		want [3]string
	}{
		{physical.Broadcast, [3]string{all, all, all}},
		{physical.Single, [3]string{all, none, none}},
		{physical.Rebalance, [3]string{
			"+I | 1\n+I | 2\n-- 00:00:05.000\n-D | 3\n-- 00:00:06.000\n/ -- 00:00:07.000\n",
			"-- 00:00:06.000\n/ +I | 4\n+I | 5\n/ -- 00:00:07.000\n",
			none,
		}},
	}
	for _, tc := range cases {
		r := routerTo(3, tc.ship)
		if got := outputs(t, r, first, second, third); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.ship, got, tc.want)
		}
	}
}

// TestScatter: rows of one key meet in the subtask that owns the key's group,
// in their order; every target has every mark after exactly those of its rows
// that stood before it.
func TestScatter(t *testing.T) {
	b := longs(500, 2)
	for i := range b.Rows {
		b.Cols[0].I64[i] = int64(i % 37)
	}
	b.Cols[0].SetNull(7)
	b.Kinds = make([]row.Kind, b.Rows)
	b.Kinds[9] = row.Delete
	for i := 10; i <= 500; i += 49 {
		b.Marks = append(b.Marks, row.Mark{Row: int32(i), Time: types.Time(i)})
	}
	var k row.Keys
	k.Encode(b.Cols[:1], b.Rows, nil)
	for _, n := range []int{2, 3, 16} {
		r := routerTo(n, physical.Hash)
		if err := r.take(b); err != nil {
			t.Fatal(err)
		}
		for target, q := range r.out {
			var want strings.Builder
			for i := 0; i <= b.Rows; i++ {
				for _, m := range b.Marks {
					if int(m.Row) == i {
						// Of marks without a row between them the last one holds.
						s := want.String()
						if at := strings.LastIndex(strings.TrimSuffix(s, "\n"), "\n") + 1; strings.HasPrefix(s[at:], "--") {
							want.Reset()
							want.WriteString(s[:at])
						}
						fmt.Fprintf(&want, "-- %s\n", rowtext.Time(m.Time))
					}
				}
				if i < b.Rows && row.Subtask(row.Group(k.Hash[i]), n) == target {
					want.WriteString(rowtext.Row(b, i) + "\n")
				}
			}
			e, _ := q.Pop()
			if got := rowtext.Format(e.Batch); got != want.String() {
				t.Errorf("target %d of %d: got\n%s\nwant\n%s", target, n, got, want.String())
			}
		}
	}
}

// TestScatterAllocates per batch and column, not per row.
func TestScatterAllocates(t *testing.T) {
	allocs := func(rows int) float64 {
		b, r := longs(rows, 4), routerTo(4, physical.Hash)
		return testing.AllocsPerRun(20, func() {
			_ = r.take(b)
			for _, q := range r.out {
				q.Pop()
			}
		})
	}
	if few, many := allocs(256), allocs(4096); many > few+2 {
		t.Errorf("%v allocations for 256 rows, %v for 4096", few, many)
	}
}

func routerTo(n int, ship physical.Ship) *router {
	r := &router{ship: ship, account: &Account{}, scatter: newScatter([]int{0}, n, false)}
	for range n {
		r.out = append(r.out, NewQueue[Element](8))
	}
	return r
}

func routed(t *testing.T, text string) *row.Batch {
	s := &types.Schema{Columns: []types.Column{{Name: "a", Type: types.Of(types.BigInt)}}}
	b, err := rowtext.Parse(s, text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// outputs is what each queue got, batches parted by "/ ".
func outputs(t *testing.T, r *router, in ...*row.Batch) (out [3]string) {
	for _, b := range in {
		if err := r.take(b); err != nil {
			t.Fatal(err)
		}
	}
	for i, q := range r.out {
		var parts []string
		for e, ok := q.Pop(); ok; e, ok = q.Pop() {
			parts = append(parts, rowtext.Format(e.Batch))
		}
		out[i] = strings.Join(parts, "/ ")
	}
	return out
}
