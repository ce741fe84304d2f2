package join

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// The temporal join is compared with a model that keeps maps of versions, over random changes, marks, restarts and a clock.

type temporalModel struct {
	kind       Kind
	safe, cond bool
	ttl, now   types.Time
	waiting    []twinRow
	versions   map[string]map[int64]twinRow // by key and time
	ends       map[string]types.Time
	lines      []string
}

func newTemporalModel(kind Kind, safe, cond bool, ttl types.Time) *temporalModel {
	return &temporalModel{
		kind: kind, safe: safe, cond: cond, ttl: ttl,
		versions: map[string]map[int64]twinRow{}, ends: map[string]types.Time{},
	}
}

func (m *temporalModel) touch(key string) {
	if end, ok := m.ends[key]; m.ttl > 0 && (!ok || m.now+m.ttl > end) {
		m.ends[key] = m.now + m.ttl + m.ttl/2
	}
}

// begin is the start of a batch, end its end: keys that have nothing are
// forgotten.
func (m *temporalModel) begin(rows []twinRow) {
	for key, end := range m.ends {
		if end <= m.now {
			m.waiting = without(m.waiting, key)
			delete(m.versions, key)
			delete(m.ends, key)
		}
	}
	for _, r := range rows {
		if r.side >= 0 {
			m.touch(r.key)
		}
	}
}

func without(rows []twinRow, key string) []twinRow {
	var out []twinRow
	for _, r := range rows {
		if r.key != key {
			out = append(out, r)
		}
	}
	return out
}

func (m *temporalModel) end() {
	for key := range m.ends {
		if len(without(m.waiting, key)) == len(m.waiting) && len(m.versions[key]) == 0 {
			delete(m.ends, key)
		}
	}
}

func (m *temporalModel) take(r twinRow) {
	none := r.key == "" && !m.safe
	switch {
	case r.side < 0:
		m.mark(r.at)
	case r.side == left && (m.kind != Inner || !none):
		m.waiting = append(m.waiting, r)
	case r.side == right && !none && r.kind != row.UpdateBefore:
		if m.versions[r.key] == nil {
			m.versions[r.key] = map[int64]twinRow{}
		}
		m.versions[r.key][r.at] = r
	}
}

func (m *temporalModel) newest(key string, at int64) (v twinRow, ok bool) {
	for _, c := range m.versions[key] {
		if c.at <= at && (!ok || c.at > v.at) {
			v, ok = c, true
		}
	}
	return v, ok
}

func (m *temporalModel) mark(w int64) {
	var rest []twinRow
	for _, l := range m.waiting {
		if l.at > w {
			rest = append(rest, l)
			continue
		}
		m.touch(l.key)
		v, ok := m.newest(l.key, l.at)
		ok = ok && v.kind != row.Delete && (!m.cond || l.v < v.v)
		line := fmt.Sprintf("%s | %s | ", l.kind, l.text())
		switch {
		case ok:
			m.lines = append(m.lines, line+v.text())
		case m.kind == LeftOuter:
			m.lines = append(m.lines, line+nullRow)
		}
	}
	m.waiting = rest
	for key, all := range m.versions {
		if n, ok := m.newest(key, w); ok {
			maps.DeleteFunc(all, func(at int64, _ twinRow) bool { return at < n.at })
		}
	}
	m.lines = append(m.lines, "-- "+rowtext.Time(types.Time(w)))
}

// temporalRows are random rows of both kinds of tables, with late ones.
func temporalRows(r *rand.Rand, n int) []twinRow {
	rows := twinRows(r, n, true)
	for i := range rows {
		kinds := []row.Kind{row.Insert, row.Insert, row.UpdateAfter, row.UpdateBefore, row.Delete}
		if rows[i].side >= 0 {
			rows[i].kind = kinds[r.IntN(len(kinds))]
		}
	}
	return rows
}

func temporalSpec(t testing.TB, m *temporalModel) *TemporalSpec {
	s := &TemporalSpec{
		Kind: m.kind, L: Side{In: twinSides[left], Keys: []int{0}, Time: 2}, R: Side{In: twinSides[right], Keys: []int{1}, Time: 0},
		NullSafe: []bool{m.safe}, TTL: m.ttl,
	}
	if m.cond {
		s.Cond = compare(t, "<", concat(s.L.In, s.R.In), 3, 6)
	}
	s.Cols, s.Out = allColumns(m.kind, s.L.In, s.R.In)
	return s
}

func TestTemporalTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	for round := range 60 {
		kind, safe, cond := Kind(r.IntN(2)), r.IntN(3) == 0, r.IntN(2) == 0
		rows := temporalRows(r, 60)
		mask := r.IntN(256) | 1<<r.IntN(8)
		keep := func(i int) bool { return mask&(1<<i) != 0 }
		m := newTemporalModel(kind, safe, cond, 0)
		for _, e := range rows {
			m.take(e)
		}
		want := strings.Join(merge(narrowLines(m.lines, keep)), "\n")
		s := temporalSpec(t, m)
		s.Cols, s.Out = narrowed(s.Cols, s.Out, keep)
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
			checked := op.Checked(o, s, row.AllKinds, row.AllKinds)
			op.HasPast(checked) // a late row may be taken back beside another version
			runs := newResuming(t, build)
			batches, ins := twinBatches(rows, size[0])
			for i, b := range batches {
				if size[0] == 1 {
					feed(t, checked, ins[i], b, take)
				} else {
					runs.feed(r.Uint64(), ins[i], b, take)
					o = runs.o
				}
			}
			if got := strings.Join(merge(lines), "\n"); got != want {
				t.Fatalf("round %d, %s safe %v cond %v, batches of %v:\n%s", round, kind, safe, cond, size, difference(got, want))
			}
			j := o.(*temporalJoin)
			if n := j.waiting.Len(); n != 0 || j.versions.Len() > 4 || j.table.Len() > 4 {
				t.Fatalf("round %d: %d rows, %d versions and %d keys are left after the last mark", round, n, j.versions.Len(), j.table.Len())
			}
		}
	}
}

// TestTemporalTTLTwin: keys that are not touched lose what they have.
func TestTemporalTTLTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	for round := range 60 {
		m := newTemporalModel(Kind(r.IntN(2)), r.IntN(3) == 0, r.IntN(2) == 0, 20)
		rows := temporalRows(r, 60)
		rows = rows[:len(rows)-1]
		s := temporalSpec(t, m)
		runs := newResuming(t, func() op.Operator {
			c := testContext(3, round%3 == 0)
			c.Now = func() types.Time { return m.now }
			o, err := s.Build(c)
			if err != nil {
				t.Fatal(err)
			}
			return o
		})
		var lines []string
		take := op.EmitFunc(func(b *row.Batch) error {
			lines = append(lines, strings.Split(strings.TrimSpace(rowtext.Format(b)), "\n")...)
			return nil
		})
		tick := func() {
			if clock := runs.o.(op.ClockHandler); m.now >= clock.NextClock() {
				if err := clock.OnClock(m.now, take); err != nil {
					t.Fatal(err)
				}
			}
		}
		batches, ins := twinBatches(rows, 1)
		at := 0
		for i, b := range batches {
			m.now += types.Time(r.IntN(10))
			tick()
			mine := rows[at : at+b.Rows+len(b.Marks)]
			at += len(mine)
			m.begin(mine)
			for _, e := range mine {
				m.take(e)
			}
			m.end()
			runs.feed(r.Uint64(), ins[i], b, take)
		}
		if got, want := strings.Join(merge(lines), "\n"), strings.Join(merge(m.lines), "\n"); got != want {
			t.Fatalf("round %d, %s safe %v cond %v:\n%s", round, m.kind, m.safe, m.cond, difference(got, want))
		}
		m.now += 31
		tick()
		if o := runs.o.(*expiringTemporal); o.table.Len() != 0 || o.versions.Len() != 0 || o.waiting.Len() != 0 {
			t.Fatalf("round %d: %d keys, %d versions, %d rows are left", round, o.table.Len(), o.versions.Len(), o.waiting.Len())
		}
	}
}
