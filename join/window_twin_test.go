package join

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// The window join is compared with a model that keeps the rows of every key in
// lists and goes through all of them in two loops when event time has passed.
// The time column is that of the window: it is a key and the last millisecond.

type windowModel struct {
	spec   *WindowSpec
	keyed  bool
	groups []*windowGroup
	time   int64
	seq    int64
	late   [2]int64
	lines  []string
}

type windowGroup struct {
	at, end int64
	key     string
	seq     int64
	alone   bool
	rows    [2][]twinRow
}

func (m *windowModel) take(r twinRow) {
	if r.side < 0 {
		m.mark(r.at)
		return
	}
	end := r.at
	if r.at == nullTime {
		end = m.time + 1
	} else if end <= m.time {
		m.late[r.side]++
		return
	}
	key := ""
	if m.keyed {
		key = r.key
	}
	alone := r.at == nullTime || m.keyed && key == "" && !m.spec.NullSafe[1]
	if alone && !m.spec.Kind.Pads(r.side) && !(m.spec.Kind == Anti && r.side == left) {
		return // it will not come out
	}
	for _, g := range m.groups {
		if g.at == r.at && g.key == key {
			g.rows[r.side] = append(g.rows[r.side], r)
			return
		}
	}
	m.seq++
	g := &windowGroup{at: r.at, end: end, key: key, seq: m.seq, alone: alone}
	g.rows[r.side] = []twinRow{r}
	m.groups = append(m.groups, g)
}

func (m *windowModel) mark(w int64) {
	m.time = w
	var due []*windowGroup
	m.groups = slices.DeleteFunc(m.groups, func(g *windowGroup) bool {
		if g.end <= w {
			due = append(due, g)
		}
		return g.end <= w
	})
	slices.SortFunc(due, func(a, b *windowGroup) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.seq, b.seq)) })
	for _, g := range due {
		m.fire(g)
	}
	m.lines = append(m.lines, "-- "+rowtext.Time(types.Time(w)))
}

func (m *windowModel) fire(g *windowGroup) {
	outer := left
	if m.spec.Kind == RightOuter {
		outer = right
	}
	met := make([]bool, len(g.rows[1-outer]))
	for _, a := range g.rows[outer] {
		hit := false
		for i, b := range g.rows[1-outer] {
			l, r := a, b
			if outer == right {
				l, r = b, a
			}
			if g.alone || m.spec.Cond != nil && l.v >= r.v {
				continue
			}
			hit, met[i] = true, true
			if !m.spec.Kind.LeftOnly() {
				m.lines = append(m.lines, "+I | "+l.text()+" | "+r.text())
			}
		}
		switch k := m.spec.Kind; {
		case k == Semi && hit, k == Anti && !hit:
			m.lines = append(m.lines, "+I | "+a.text())
		case k.Pads(outer) && !hit:
			m.pad(outer, a)
		}
	}
	if m.spec.Kind == FullOuter {
		for i, b := range g.rows[right] {
			if !met[i] {
				m.pad(right, b)
			}
		}
	}
}

func (m *windowModel) pad(side int, r twinRow) {
	if side == left {
		m.lines = append(m.lines, "+I | "+r.text()+" | "+nullRow)
	} else {
		m.lines = append(m.lines, "+I | "+nullRow+" | "+r.text())
	}
}

func windowSpec(t testing.TB, k Kind, keyed, safe, cond bool) *WindowSpec {
	s := &WindowSpec{Kind: k, L: Side{In: twinSides[left], Time: 2, Keys: []int{2}}, R: Side{In: twinSides[right], Time: 0, Keys: []int{0}}, NullSafe: []bool{false}}
	if keyed {
		s.L.Keys, s.R.Keys, s.NullSafe = []int{2, 0}, []int{0, 1}, []bool{false, safe}
	}
	if cond {
		s.Cond = compare(t, "<", concat(twinSides[left], twinSides[right]), 3, 6)
	}
	s.Cols, s.Out = allColumns(k, twinSides[left], twinSides[right])
	return s
}

// windowRows puts rows into windows of ten milliseconds, a few into none.
func windowRows(r *rand.Rand, n int) []twinRow {
	rows := twinRows(r, n, true)
	for i := range rows {
		switch {
		case rows[i].side < 0:
		case r.IntN(12) == 0:
			rows[i].at = nullTime
		default:
			rows[i].at = rows[i].at/10*10 + 9
		}
	}
	return rows
}

func TestWindowTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		keyed := r.IntN(4) > 0
		s := windowSpec(t, Kind(round%6), keyed, r.IntN(3) == 0, r.IntN(2) == 0)
		rows := windowRows(r, 40)
		mask := r.IntN(256) | 1<<r.IntN(4)
		keep := func(i int) bool { return mask&(1<<i) != 0 }
		s.Cols, s.Out = narrowed(s.Cols, s.Out, keep)
		m := &windowModel{spec: s, keyed: keyed, time: int64(types.MinTime)}
		for _, e := range rows {
			m.take(e)
		}
		want := strings.Join(merge(narrowLines(m.lines, keep)), "\n")
		for _, size := range [][2]int{{1, 1}, {2, 7}, {7, 2}, {1024, 1024}} {
			build := func() op.Operator {
				o, err := s.Build(testContext(size[1], size[0] == 2))
				if err != nil {
					t.Fatal(err)
				}
				return o
			}
			var lines []string
			take := op.EmitFunc(func(b *row.Batch) error {
				if b.Rows > size[1] {
					t.Fatalf("%d rows in a batch of at most %d", b.Rows, size[1])
				}
				lines = append(lines, strings.Split(strings.TrimSpace(rowtext.Format(b)), "\n")...)
				return nil
			})
			o := build()
			checked := op.Checked(o, s, row.InsertOnly, row.InsertOnly)
			batches, ins := twinBatches(rows, size[0])
			resumes := newResuming(t, build)
			for i, b := range batches {
				if size[0] == 1 {
					feed(t, checked, ins[i], b, take)
				} else {
					resumes.feed(r.Uint64(), ins[i], b, take)
					o = resumes.o
				}
			}
			if got := strings.Join(merge(lines), "\n"); got != want {
				t.Fatalf("round %d, %s keys %v cond %v, batches of %v:\n%s", round, s.Kind, s.NullSafe, s.Cond, size, difference(got, want))
			}
			j := o.(*windowJoin)
			if size[0] == 1 && j.late != m.late {
				t.Fatalf("round %d: %v rows late, not %v", round, j.late, m.late)
			}
			if j.table.Len() != 0 || j.due.Len() != 0 || j.rows.Bytes() != 0 {
				t.Fatalf("round %d: rows are left after the last mark", round)
			}
		}
	}
}
