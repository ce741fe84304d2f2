package join

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// The interval join is compared with a model that keeps all rows of both sides
// in lists and looks at all of them, over random rows, marks and batch sizes.

var twinSides = [2]*types.Schema{
	{Columns: []types.Column{{Name: "k", Type: types.String()}, {Name: "id", Type: types.Of(types.BigInt)}, {Name: "ts", Type: types.TimestampOf(3)}, {Name: "v", Type: types.Of(types.Int)}}},
	{Columns: []types.Column{{Name: "ts", Type: types.TimestampOf(3)}, {Name: "k", Type: types.String()}, {Name: "v", Type: types.Of(types.Int)}, {Name: "id", Type: types.Of(types.BigInt)}}},
}

// twinRow is a row, or a mark if side is -1.
type twinRow struct {
	side int
	key  string // "" is NULL
	id   int64
	at   int64
	v    int32
	kind row.Kind
}

// nullTime stands for NULL.
const nullTime = -1

func (r twinRow) text() string {
	key := "'" + r.key + "'"
	if r.key == "" {
		key = "NULL"
	}
	at := "NULL"
	if r.at != nullTime {
		at = rowtext.Value(&row.Vec{Type: types.TimestampOf(3), Len: 1, I64: []int64{r.at * 1000}}, 0)
	}
	if r.side == left {
		return fmt.Sprintf("%s | %d | %s | %d", key, r.id, at, r.v)
	}
	return fmt.Sprintf("%s | %s | %d | %d", at, key, r.v, r.id)
}

const nullRow = "NULL | NULL | NULL | NULL"

type twinModel struct {
	spec  *IntervalSpec
	rows  [2][]*twinStored
	time  int64
	seq   int64
	lines []string
}

type twinStored struct {
	twinRow
	seq   int64
	until int64
	met   bool
}

func (m *twinModel) pad(r twinRow) {
	if !m.spec.Kind.Pads(r.side) {
		return
	}
	if r.side == left {
		m.lines = append(m.lines, "+I | "+r.text()+" | "+nullRow)
	} else {
		m.lines = append(m.lines, "+I | "+nullRow+" | "+r.text())
	}
}

func (m *twinModel) matches(a, b twinRow) bool {
	l, r := a, b
	if l.side == right {
		l, r = r, l
	}
	d := l.at - r.at
	if d < int64(m.spec.Lo) || d > int64(m.spec.Hi) {
		return false
	}
	if len(m.spec.NullSafe) > 0 && (l.key != r.key || l.key == "" && !m.spec.NullSafe[0]) {
		return false
	}
	return m.spec.Cond == nil || l.v < r.v
}

func (m *twinModel) take(r twinRow) {
	if r.side < 0 {
		m.mark(r.at)
		return
	}
	met := false
	var hits []*twinStored
	for _, s := range m.rows[1-r.side] {
		if m.matches(r, s.twinRow) {
			hits = append(hits, s)
		}
	}
	slices.SortStableFunc(hits, func(a, b *twinStored) int { return cmp.Compare(a.at, b.at) })
	for _, s := range hits {
		met, s.met = true, true
		l, o := r, s.twinRow
		if r.side == right {
			l, o = o, l
		}
		m.lines = append(m.lines, "+I | "+l.text()+" | "+o.text())
	}
	width := int64(m.spec.Hi)
	if r.side == left {
		width = -int64(m.spec.Lo)
	}
	m.seq++
	if m.time < r.at+width && m.spec.Lo <= m.spec.Hi {
		m.rows[r.side] = append(m.rows[r.side], &twinStored{r, m.seq, r.at + width + int64(m.spec.Cleanup) + 1, met})
	} else if !met {
		m.pad(r)
	}
}

func (m *twinModel) mark(w int64) {
	m.time = w
	var gone []*twinStored
	for s := range m.rows {
		m.rows[s] = slices.DeleteFunc(m.rows[s], func(r *twinStored) bool {
			if r.until <= w {
				gone = append(gone, r)
			}
			return r.until <= w
		})
	}
	slices.SortFunc(gone, func(a, b *twinStored) int { return cmp.Or(cmp.Compare(a.until, b.until), cmp.Compare(a.seq, b.seq)) })
	for _, r := range gone {
		if !r.met {
			m.pad(r.twinRow)
		}
	}
	if w < int64(types.MaxTime) && m.spec.Lo <= m.spec.Hi {
		w -= max(-int64(m.spec.Lo), int64(m.spec.Hi))
	}
	m.lines = append(m.lines, "-- "+rowtext.Time(types.Time(w)))
}

// merge leaves the last of several marks in a row.
func merge(lines []string) []string {
	var out []string
	for _, l := range lines {
		if n := len(out); n > 0 && strings.HasPrefix(l, "--") && strings.HasPrefix(out[n-1], "--") {
			out = out[:n-1]
		}
		out = append(out, l)
	}
	return out
}

func twinSpec(t testing.TB, k Kind, lo, hi, cleanup types.Time, keyed, safe, cond bool) *IntervalSpec {
	s := &IntervalSpec{Kind: k, L: Side{In: twinSides[left], Time: 2}, R: Side{In: twinSides[right], Time: 0}, Lo: lo, Hi: hi, Cleanup: cleanup}
	if keyed {
		s.L.Keys, s.R.Keys, s.NullSafe = []int{0}, []int{1}, []bool{safe}
	}
	if cond {
		s.Cond = compare(t, "<", concat(twinSides[left], twinSides[right]), 3, 6)
	}
	s.Cols, s.Out = allColumns(k, twinSides[left], twinSides[right])
	return s
}

// twinBatches cuts rows into batches of n at most, a new one where the side
// changes.
func twinBatches(rows []twinRow, n int) (all []*row.Batch, ins []int) {
	var b *row.Builder
	in := 0
	flush := func() {
		if b != nil && !b.Empty() {
			all, ins = append(all, b.Flush()), append(ins, in)
		}
	}
	for _, r := range rows {
		if r.side < 0 {
			if b == nil {
				b = row.NewBuilder(twinSides[in])
			}
			b.Mark(types.Time(r.at))
			continue
		}
		if b == nil || in != r.side || b.Len() == n {
			flush()
			if in = r.side; b == nil || b.Schema != twinSides[in] {
				b = row.NewBuilder(twinSides[in])
			}
		}
		one, err := rowtext.Parse(twinSides[in], "+I | "+r.text())
		if err != nil {
			panic(err)
		}
		for i, c := range one.Cols {
			b.Cols[i].AppendRange(c, 0, 1)
		}
		b.Added(1, r.kind)
	}
	flush()
	return all, ins
}

func twinRows(r *rand.Rand, n int, end bool) []twinRow {
	var rows []twinRow
	time, mark := int64(10_000), int64(0)
	keys := []string{"", "a", "b", "c"}
	for i := range n {
		time += r.Int64N(3)
		if r.IntN(3) == 0 {
			if w := time - r.Int64N(12); w > mark {
				mark = w
				rows = append(rows, twinRow{side: -1, at: mark})
			}
		}
		for range 1 + r.IntN(3) {
			rows = append(rows, twinRow{side: r.IntN(2), key: keys[r.IntN(len(keys))], id: int64(i), at: time - r.Int64N(20), v: r.Int32N(6)})
		}
	}
	if end {
		rows = append(rows, twinRow{side: -1, at: int64(types.MaxTime)})
	}
	return rows
}

func TestIntervalTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	spans := [][2]types.Time{{-5, 10}, {0, 0}, {3, 8}, {-9, -2}, {2, -2}, {-1, 0}, {0, 7}, {-100, 100}}
	for round := range 32 {
		span := spans[r.IntN(len(spans))]
		s := twinSpec(t, Kind(r.IntN(4)), span[0], span[1], types.Time(r.IntN(2)*r.IntN(9)), r.IntN(4) > 0, r.IntN(3) == 0, r.IntN(2) == 0)
		rows := twinRows(r, 60, true)
		mask := r.IntN(256) | 1<<r.IntN(8)
		keep := func(i int) bool { return mask&(1<<i) != 0 }
		s.Cols, s.Out = narrowed(s.Cols, s.Out, keep)
		m := &twinModel{spec: s, time: int64(types.MinTime)}
		for _, e := range rows {
			m.take(e)
		}
		want := strings.Join(merge(narrowLines(m.lines, keep)), "\n")
		for _, size := range [][2]int{{1, 1}, {2, 7}, {7, 2}, {1024, 1024}} {
			o, err := s.Build(testContext(size[1], size[0] == 2))
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			take := op.EmitFunc(func(b *row.Batch) error {
				if b.Rows > size[1] {
					t.Fatalf("%d rows in a batch of at most %d", b.Rows, size[1])
				}
				lines = append(lines, strings.Split(strings.TrimSpace(rowtext.Format(b)), "\n")...)
				return nil
			})
			checked := op.Checked(o, s, row.InsertOnly, row.InsertOnly)
			batches, ins := twinBatches(rows, size[0])
			resumes := newResuming(t, func() op.Operator {
				o, err := s.Build(testContext(size[1], size[0] == 2))
				if err != nil {
					t.Fatal(err)
				}
				return o
			})
			for i, b := range batches {
				if size[0] == 1 {
					feed(t, checked, ins[i], b, take)
				} else {
					resumes.feed(r.Uint64(), ins[i], b, take)
					o = resumes.o
				}
			}
			if got := strings.Join(merge(lines), "\n"); got != want {
				t.Fatalf("round %d, %s [%d, %d] keys %v cond %v, batches of %v:\n%s", round, s.Kind, s.Lo, s.Hi, s.NullSafe, s.Cond, size, difference(got, want))
			}
			j := o.(*intervalJoin)
			if j.table.Len() != 0 || j.queue[left].Len() != 0 || j.queue[right].Len() != 0 || j.rows.Bytes() != 0 {
				t.Fatalf("round %d: rows are left after the last mark", round)
			}
		}
	}
}

// difference shows two texts from where they part.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(g) && i < len(w) && g[i] == w[i] {
		i++
	}
	return fmt.Sprintf("from line %d, got:\n%s\nwant:\n%s", i, strings.Join(g[i:min(len(g), i+8)], "\n"), strings.Join(w[i:min(len(w), i+8)], "\n"))
}
