package window

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// TestSessionRowsAgainstTwin runs the table function SESSION long enough for
// kept rows to be moved together, and compares with the model: the rows of a
// session come out at its end, in the order in which they came in.
func TestSessionRowsAgainstTwin(t *testing.T) {
	out := &types.Schema{Columns: append(slices.Clone(twinIn.Columns),
		types.Column{Name: "window_start", Type: types.TimestampOf(3)}, types.Column{Name: "window_end", Type: types.TimestampOf(3)},
		types.Column{Name: "window_time", Type: types.TimestampOf(3)})}
	for seed := uint64(1); seed <= 4; seed++ {
		r := rand.New(rand.NewPCG(seed, 3))
		w := Window{Kind: Session, Size: types.Time(1 + r.IntN(6)), Time: 2}
		var events []event
		base := int64(0)
		for i := 0; i < 20; i++ {
			part := randomEvents(r, base, 1, false)
			part = part[:len(part)-1]
			for j := range part {
				part[j].id = int64(len(events) + j + 1)
				base = max(base, part[j].at)
			}
			events = append(events, part...)
		}
		events = rising(append(events, event{mark: true, at: base + 1000}))
		want, late := model(w, nil, events)
		var order []string
		for _, n := range []int{1, 7, 1024} {
			limit := []int{1024, 1, 5}[r.IntN(3)]
			spec := &AssignSpec{In: twinIn, Window: w, PartitionKeys: []int{0}, Out: out}
			o, err := spec.Build(testContext(limit, false))
			if err != nil {
				t.Fatal(err)
			}
			rows := driveRows(t, o, batches(events, n), limit)
			if order == nil {
				order = rows
			} else if !slices.Equal(order, rows) {
				t.Fatalf("seed %d: the order depends on the batch size", seed)
			}
			if diff := compare(together(t, rows), lastMarks(want)); diff != "" {
				t.Fatalf("seed %d, batches of %d rows: %s", seed, n, diff)
			}
			s := o.(*assignSession)
			if s.late != late || s.live != 0 || len(s.next) > 1024 {
				t.Fatalf("seed %d: %d late rows, want %d; %d of %d rows left", seed, s.late, late, s.live, len(s.next))
			}
		}
	}
}

// rising leaves out marks that do not rise, and all but the last at one place.
func rising(events []event) (kept []event) {
	last := int64(-1 << 40)
	for _, e := range events {
		if e.mark {
			if e.at <= last {
				continue
			}
			last = e.at
			if n := len(kept); n > 0 && kept[n-1].mark {
				kept = kept[:n-1]
			}
		}
		kept = append(kept, e)
	}
	return kept
}

func driveRows(t *testing.T, o op.Operator, in []*row.Batch, limit int) (lines []string) {
	take := op.EmitFunc(func(b *row.Batch) error {
		if b.Rows > limit {
			t.Fatalf("%d rows in a batch of at most %d", b.Rows, limit)
		}
		marks := b.Marks
		for r := 0; r <= b.Rows; r++ {
			for len(marks) > 0 && int(marks[0].Row) == r {
				lines = append(lines, event{mark: true, at: int64(marks[0].Time)}.String())
				marks = marks[1:]
			}
			if r < b.Rows {
				key := ""
				if !b.Cols[0].IsNull(r) {
					key = b.Cols[0].Str[r]
				}
				lines = append(lines, fmt.Sprintf("%s | %d | %s | %s", key, b.Cols[1].I64[r], utc(b.Cols[3].I64[r]/1000), utc(b.Cols[4].I64[r]/1000)))
			}
		}
		return nil
	})
	for _, b := range in {
		for more := true; more; {
			var err error
			if more, err = o.OnBatch(0, b, take); err != nil {
				t.Fatal(err)
			}
		}
	}
	return lastMarks(lines)
}

// together makes one line of the rows of a session, which must stand together
// and in order.
func together(t *testing.T, lines []string) (sessions []string) {
	var last []string
	for _, l := range lines {
		f := strings.Split(l, " | ")
		if len(f) == 4 && last != nil && f[0] == last[0] && f[2] == last[2] && f[3] == last[3] {
			ids := strings.Fields(last[1])
			var a, b int
			fmt.Sscan(ids[len(ids)-1], &a)
			fmt.Sscan(f[1], &b)
			if a >= b {
				t.Fatalf("row %d after row %d", b, a)
			}
			last[1] += " " + f[1]
			sessions[len(sessions)-1] = strings.Join(last, " | ")
			continue
		}
		last = nil
		if len(f) == 4 {
			last = f
		}
		sessions = append(sessions, l)
	}
	return sessions
}
