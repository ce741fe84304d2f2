package join

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// TestRegularTTLTwin compares the join with its model while the clock goes on
// between batches, over restarts; and when the clock has gone on for long, no
// state is left.
func TestRegularTTLTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 6))
	for round := range 60 {
		m := &regularModel{
			kind: Kind(round % 6), keyed: r.IntN(4) > 0, cond: r.IntN(2) == 0, unique: [2]bool{r.IntN(2) == 0, r.IntN(2) == 0},
			ttl: [2]types.Time{types.Time(r.IntN(2) * 30), 20},
		}
		list, _ := changes(r, 60, m.unique)
		size := 1 + r.IntN(3)
		s := regularSpec(t, m)
		s.L.TTL, s.R.TTL = m.ttl[left], m.ttl[right]
		zero := r.IntN(3) == 0
		runs := newResuming(t, func() op.Operator {
			c := testContext(3, zero)
			c.Now = func() types.Time { return m.now }
			o, err := s.Build(c)
			if err != nil {
				t.Fatal(err)
			}
			return o
		})
		var lines []string
		take := op.EmitFunc(func(b *row.Batch) error {
			b = &row.Batch{Schema: b.Schema, Rows: b.Rows, Cols: b.Cols, Kinds: b.Kinds}
			if b.Rows > 0 {
				lines = append(lines, strings.Split(strings.TrimSpace(rowtext.Format(b)), "\n")...)
			}
			return nil
		})
		batches, ins := regularBatches(list, size)
		at := 0
		for i, b := range batches {
			m.now += types.Time(r.IntN(8))
			if clock := runs.o.(op.ClockHandler); m.now >= clock.NextClock() {
				if err := clock.OnClock(m.now, take); err != nil {
					t.Fatal(err)
				}
			}
			for range b.Rows {
				m.take(list[at])
				at++
			}
			runs.feed(r.Uint64(), ins[i], b, take)
		}
		if got, want := strings.Join(lines, "\n"), strings.Join(m.lines, "\n"); got != want {
			t.Fatalf("round %d, %+v, batches of %d:\n%s", round, m, size, difference(got, want))
		}
		if m.ttl[left] == 0 {
			continue
		}
		for range 4 {
			if next := runs.o.(op.ClockHandler).NextClock(); next != types.MaxTime {
				m.now = next
				if err := runs.o.(op.ClockHandler).OnClock(m.now, take); err != nil {
					t.Fatal(err)
				}
			}
		}
		if o := runs.o.(*expiringJoin); o.keys.Len() != 0 || o.side[left].table.Len() != 0 || o.side[right].table.Len() != 0 || o.sweep != types.MaxTime {
			t.Fatalf("round %d: %d keys, %d and %d rows are left", round, o.keys.Len(), o.side[left].table.Len(), o.side[right].table.Len())
		}
	}
}
