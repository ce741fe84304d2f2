package join

import (
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

// The regular join is compared with a model that writes the table of
// flink-sql 4.7 down over lists, over random changes and batch sizes; and what
// is left in the end with a join of the tables that are left.

var regularSides = [2]*types.Schema{
	{Columns: []types.Column{{Name: "k", Type: types.String()}, {Name: "id", Type: types.Of(types.BigInt)}, {Name: "v", Type: types.Of(types.Int)}}},
	{Columns: []types.Column{{Name: "v", Type: types.Of(types.Int)}, {Name: "id", Type: types.Of(types.BigInt)}, {Name: "k", Type: types.String()}}},
}

type change struct {
	side int
	kind row.Kind
	tuple
}

// tuple is a row of either side.
type tuple struct {
	key string // "" is NULL
	id  int64
	v   int32
}

func (r tuple) text(side int) string {
	key := "'" + r.key + "'"
	if r.key == "" {
		key = "NULL"
	}
	if side == left {
		return fmt.Sprintf("%s | %d | %d", key, r.id, r.v)
	}
	return fmt.Sprintf("%d | %d | %s", r.v, r.id, key)
}

const nullTuple = "NULL | NULL | NULL"

// held are equal rows.
type held struct {
	tuple
	count int
	met   int
	since types.Time // when it was written
}

type regularModel struct {
	kind   Kind
	keyed  bool
	safe   bool
	cond   bool
	unique [2]bool // rows are told apart by id
	state  [2][]*held
	lines  []string
	ttl    [2]types.Time // 0: for ever
	now    types.Time
}

// expire drops the rows whose time to live is over.
func (m *regularModel) expire() {
	for side, ttl := range m.ttl {
		if ttl > 0 {
			m.state[side] = slices.DeleteFunc(m.state[side], func(h *held) bool { return m.now-h.since >= ttl })
		}
	}
}

func (m *regularModel) matches(l, r tuple) bool {
	if m.keyed && (l.key != r.key || l.key == "" && !m.safe) {
		return false
	}
	return !m.cond || l.v < r.v
}

func (m *regularModel) emit(k row.Kind, l, r *tuple) {
	text := func(side int, t *tuple) string {
		if t == nil {
			return nullTuple
		}
		return t.text(side)
	}
	line := k.String() + " | " + text(left, l)
	if !m.kind.LeftOnly() {
		line += " | " + text(right, r)
	}
	m.lines = append(m.lines, line)
}

func (m *regularModel) out(k row.Kind, side int, own, other *tuple) {
	if side == left {
		m.emit(k, own, other)
	} else {
		m.emit(k, other, own)
	}
}

func (m *regularModel) find(side int, t tuple) int {
	return slices.IndexFunc(m.state[side], func(h *held) bool {
		if m.unique[side] {
			return h.id == t.id && (!m.keyed || h.key == t.key)
		}
		return h.tuple == t
	})
}

func (m *regularModel) add(side int, t tuple, met int) {
	if i := m.find(side, t); i < 0 {
		m.state[side] = append(m.state[side], &held{t, 1, met, m.now})
	} else if h := m.state[side][i]; m.unique[side] {
		h.tuple, h.met, h.since = t, met, m.now
	} else {
		h.count, h.met, h.since = h.count+1, met, m.now
	}
}

func (m *regularModel) retract(side int, t tuple) {
	if i := m.find(side, t); i >= 0 {
		m.state[side][i].since = m.now
		if m.state[side][i].count--; m.state[side][i].count == 0 {
			m.state[side] = slices.Delete(m.state[side], i, i+1)
		}
	}
}

func (m *regularModel) take(c change) {
	m.expire()
	if m.keyed && !m.safe && c.key == "" {
		m.lonely(c)
		return
	}
	own, other := c.side, 1-c.side
	t := &c.tuple
	var hits []*held // equal rows once each
	all := 0
	for _, h := range m.state[other] {
		l, r := c.tuple, h.tuple
		if own == right {
			l, r = r, l
		}
		if m.matches(l, r) {
			hits = append(hits, h)
			all += h.count
		}
	}
	each := func(f func(h *held)) {
		for _, h := range hits {
			for range h.count {
				f(h)
			}
		}
	}
	add := c.kind.Adds()
	if m.kind.LeftOnly() {
		if own == left {
			if (all == 0) == (m.kind == Anti) {
				m.emit(c.kind, t, nil)
			}
			if add {
				m.add(left, *t, all)
			} else {
				m.retract(left, *t)
			}
			return
		}
		edge, step, anti := 0, 1, row.Delete
		if !add {
			edge, step, anti = 1, -1, row.Insert
		}
		each(func(h *held) {
			if h.met == edge {
				k := c.kind
				if m.kind == Anti {
					k = anti
				}
				m.emit(k, &h.tuple, nil)
			}
		})
		for _, h := range hits {
			h.met, h.since = h.met+step, m.now
		}
		if add {
			m.add(right, *t, 0)
		} else {
			m.retract(right, *t)
		}
		return
	}
	inOuter, otherOuter := m.kind.Pads(own), m.kind.Pads(other)
	if add {
		if all == 0 {
			if inOuter {
				m.out(row.Insert, own, t, nil)
			}
		} else {
			k := row.Insert
			if !inOuter && !otherOuter {
				k = c.kind
			}
			each(func(h *held) {
				if otherOuter && h.met == 0 {
					m.out(row.Delete, other, &h.tuple, nil)
				}
				m.out(k, own, t, &h.tuple)
			})
			m.counted(hits, otherOuter, 1)
		}
		m.add(own, *t, all)
		return
	}
	m.retract(own, *t)
	if all == 0 {
		if inOuter {
			m.out(row.Delete, own, t, nil)
		}
		return
	}
	k := c.kind
	if inOuter {
		k = row.Delete
	}
	each(func(h *held) {
		m.out(k, own, t, &h.tuple)
		if otherOuter && h.met == 1 {
			m.out(row.Insert, other, &h.tuple, nil)
		}
	})
	m.counted(hits, otherOuter, -1)
}

// counted writes the number of partners down, on the sides that keep it.
func (m *regularModel) counted(hits []*held, outer bool, step int) {
	for _, h := range hits {
		if outer {
			h.met, h.since = h.met+step, m.now
		}
	}
}

// lonely is a row whose key is NULL: it meets nobody.
func (m *regularModel) lonely(c change) {
	k := row.Insert
	if !c.kind.Adds() {
		k = row.Delete
	}
	switch {
	case m.kind == Anti && c.side == left:
		m.emit(c.kind, &c.tuple, nil)
	case m.kind.Pads(c.side):
		m.out(k, c.side, &c.tuple, nil)
	}
}

// changes are random changes of two tables, and what is left of these.
func changes(r *rand.Rand, n int, unique [2]bool) (list []change, rest [2][]tuple) {
	keys := []string{"", "a", "b", "c"}
	next := int64(0)
	fresh := func(side int) tuple {
		t := tuple{keys[r.IntN(4)], int64(r.IntN(3)), r.Int32N(4)}
		if unique[side] {
			next++
			t.id = next
		}
		return t
	}
	for range n {
		side := r.IntN(2)
		have := rest[side]
		switch x := r.IntN(10); {
		case x < 5 || len(have) == 0:
			t := fresh(side)
			rest[side] = append(have, t)
			list = append(list, change{side, row.Insert, t})
		case x < 7:
			i := r.IntN(len(have))
			list = append(list, change{side, row.Delete, have[i]})
			rest[side] = slices.Delete(have, i, i+1)
		default:
			i := r.IntN(len(have))
			t := fresh(side)
			if unique[side] && r.IntN(2) == 0 {
				t.id, t.key = have[i].id, have[i].key
			}
			list = append(list, change{side, row.UpdateBefore, have[i]}, change{side, row.UpdateAfter, t})
			have[i] = t
		}
	}
	return list, rest
}

// joinTables are the lines of a join of two tables.
func (m *regularModel) joinTables(tables [2][]tuple) []string {
	saved := m.lines
	m.lines = nil
	hit := make([]bool, len(tables[right]))
	for i := range tables[left] {
		l := &tables[left][i]
		met := false
		for j := range tables[right] {
			r := &tables[right][j]
			if !m.matches(*l, *r) {
				continue
			}
			met, hit[j] = true, true
			if !m.kind.LeftOnly() {
				m.emit(row.Insert, l, r)
			}
		}
		if m.kind == Semi && met || m.kind == Anti && !met || m.kind.Pads(left) && !met {
			m.emit(row.Insert, l, nil)
		}
	}
	for j := range tables[right] {
		if m.kind.Pads(right) && !hit[j] {
			m.emit(row.Insert, nil, &tables[right][j])
		}
	}
	lines := m.lines
	m.lines = saved
	slices.Sort(lines)
	return lines
}

// materialized is what a list of changes leaves.
func materialized(t *testing.T, lines []string) []string {
	counts := map[string]int{}
	for _, l := range lines {
		if l[0] == '+' {
			counts[l[2:]]++
		} else {
			counts[l[2:]]--
		}
	}
	var left []string
	for l, n := range counts {
		if n < 0 {
			t.Fatalf("%s was removed too often", l)
		}
		for range n {
			left = append(left, "+I"+l)
		}
	}
	slices.Sort(left)
	return left
}

func regularSpec(t testing.TB, m *regularModel) *RegularSpec {
	s := &RegularSpec{Kind: m.kind, L: Side{In: regularSides[left]}, R: Side{In: regularSides[right]}}
	if m.keyed {
		s.L.Keys, s.R.Keys, s.NullSafe = []int{0}, []int{2}, []bool{m.safe}
	}
	if m.unique[left] {
		s.L.Unique = []int{1}
	}
	if m.unique[right] {
		s.R.Unique = []int{1}
	}
	if m.cond {
		s.Cond = compare(t, "<", concat(regularSides[left], regularSides[right]), 2, 3)
	}
	s.Cols, s.Out = allColumns(m.kind, regularSides[left], regularSides[right])
	return s
}

// regularBatches cuts changes into batches of n at most.
func regularBatches(list []change, n int) (all []*row.Batch, ins []int) {
	var b *row.Builder
	in := -1
	for i, c := range list {
		if b == nil {
			b, in = row.NewBuilder(regularSides[c.side]), c.side
		}
		one, err := rowtext.Parse(regularSides[in], c.kind.String()+" | "+c.text(in))
		if err != nil {
			panic(err)
		}
		for i, col := range one.Cols {
			b.Cols[i].AppendRange(col, 0, 1)
		}
		b.Added(1, c.kind)
		if i%5 == 4 {
			b.Mark(types.Time(i))
		}
		if i+1 == len(list) || b.Len() == n || list[i+1].side != in {
			all, ins, b = append(all, b.Flush()), append(ins, in), nil
		}
	}
	return all, ins
}

func TestRegularTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 48 {
		m := &regularModel{kind: Kind(round % 6), keyed: r.IntN(4) > 0, safe: r.IntN(3) == 0, cond: r.IntN(2) == 0, unique: [2]bool{r.IntN(2) == 0, r.IntN(2) == 0}}
		list, rest := changes(r, 50, m.unique)
		for _, c := range list {
			m.take(c)
		}
		mask := r.IntN(64) | 1<<r.IntN(3)
		keep := func(i int) bool { return mask&(1<<i) != 0 }
		want := strings.Join(narrowLines(m.lines, keep), "\n")
		if got, table := strings.Join(materialized(t, m.lines), "\n"), strings.Join(m.joinTables(rest), "\n"); got != table {
			t.Fatalf("the model of %s is wrong: %s", m.kind, difference(got, table))
		}
		for _, size := range [][2]int{{1, 1}, {2, 7}, {7, 2}, {1024, 1024}} {
			s := regularSpec(t, m)
			s.Cols, s.Out = narrowed(s.Cols, s.Out, keep)
			o, err := s.Build(testContext(size[1], size[0] == 2))
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			marks := 0
			take := op.EmitFunc(func(b *row.Batch) error {
				if b.Rows > size[1] {
					t.Fatalf("%d rows in a batch of at most %d", b.Rows, size[1])
				}
				marks += len(b.Marks)
				b = &row.Batch{Schema: b.Schema, Rows: b.Rows, Cols: b.Cols, Kinds: b.Kinds}
				if b.Rows > 0 {
					lines = append(lines, strings.Split(strings.TrimSpace(rowtext.Format(b)), "\n")...)
				}
				return nil
			})
			checked := op.Checked(o, s, row.AllKinds, row.AllKinds)
			batches, ins := regularBatches(list, size[0])
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
			if got := strings.Join(lines, "\n"); got != want {
				t.Fatalf("round %d, %+v, batches of %v:\n%s", round, m, size, difference(got, want))
			}
			if marks == 0 {
				t.Fatal("marks were lost")
			}
			empties(t, o.(*regularJoin), rest)
		}
	}
}

// empties takes away what is left: no state must stay.
func empties(t *testing.T, o *regularJoin, rest [2][]tuple) {
	for side, rows := range rest {
		var list []change
		for _, r := range rows {
			list = append(list, change{side, row.Delete, r})
		}
		batches, ins := regularBatches(list, 7)
		for i, b := range batches {
			feed(t, o, ins[i], b, op.EmitFunc(func(*row.Batch) error { return nil }))
		}
	}
	if o.keys.Len() != 0 || o.side[left].table.Len() != 0 || o.side[right].table.Len() != 0 {
		t.Fatal("rows are left after the last one was taken away")
	}
}
