package window

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsql/expr/agg"
	"fsql/internal/value"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// An operator is compared with a model that keeps every row of every window in
// a list and looks at all of them, over random rows, marks, retractions and
// batch sizes.

var twinIn = &types.Schema{Columns: []types.Column{
	{Name: "k", Type: types.String()}, {Name: "id", Type: types.Of(types.BigInt)}, {Name: "ts", Type: types.TimestampOf(3)},
}}

// event is a row, or a mark if it has no kind.
type event struct {
	mark bool
	kind row.Kind
	key  string // "" is NULL
	id   int64
	at   int64 // time of the row or of the mark, ms
}

func (e event) String() string {
	if e.mark {
		return fmt.Sprintf("-- %s", utc(e.at))
	}
	return fmt.Sprintf("%v | %s | %d | %s", e.kind, e.key, e.id, utc(e.at))
}

// batches cuts events into batches of n rows, marks where they stand.
func batches(events []event, n int) []*row.Batch {
	b := row.NewBuilder(twinIn)
	var all []*row.Batch
	for _, e := range events {
		if e.mark {
			b.Mark(types.Time(e.at))
			continue
		}
		if b.Len() == n {
			all = append(all, b.Flush())
		}
		k, id, ts := b.Cols[0], b.Cols[1], b.Cols[2]
		if e.key == "" {
			k.AppendNull(1)
		} else {
			one := row.NewVec(k.Type, 1)
			one.Str[0] = e.key
			k.AppendRange(one, 0, 1)
		}
		id.I64, id.Len = append(id.I64, e.id), id.Len+1
		ts.I64, ts.Len = append(ts.I64, e.at*1000), ts.Len+1
		b.Added(1, e.kind)
	}
	if last := b.Flush(); last != nil {
		all = append(all, last)
	}
	return all
}

// group is a window of a key in the model.
type group struct {
	start, end  int64
	key         string
	plus, minus []int64
	net         int
}

func (g *group) add(e event) {
	a := idsAcc{plus: [][]int64{g.plus}, minus: [][]int64{g.minus}}
	a.fold(0, e.id, !e.kind.Adds())
	g.plus, g.minus = a.plus[0], a.minus[0]
	if g.net++; !e.kind.Adds() {
		g.net -= 2
	}
}

func (g *group) text() string {
	return fmt.Sprintf("%s | %s | %s | %s", g.key, idsText(g.plus, g.minus), utc(g.start), utc(g.end))
}

// model answers events with the lines of the output.
func model(w Window, zone value.Zone, events []event) (lines []string, late int64) {
	k := &clock{zone: zone}
	var groups []*group
	progress := types.MinTime
	over := func(end int64) bool { return k.passed(progress) >= end }
	for _, e := range events {
		if e.mark {
			progress = types.Time(e.at)
			var fired, rest []*group
			for _, g := range groups {
				if over(g.end) {
					fired = append(fired, g)
				} else {
					rest = append(rest, g)
				}
			}
			groups = rest
			slices.SortStableFunc(fired, func(a, b *group) int { return cmp.Or(cmp.Compare(a.end, b.end), strings.Compare(a.key, b.key)) })
			for _, g := range fired {
				if g.net != 0 {
					lines = append(lines, g.text())
				}
			}
			lines = append(lines, e.String())
			continue
		}
		local := e.at
		if zone != nil {
			local = zone.Local(e.at)
		}
		if w.Kind == Session {
			groups, late = modelSession(groups, e, local, int64(w.Size), over, late)
			continue
		}
		held, kept := false, false
		for n := int64(0); ; n++ {
			start, end, ok := w.shape().nth(local, n)
			if !ok {
				break
			}
			held = true
			if over(end) {
				continue
			}
			kept = true
			i := slices.IndexFunc(groups, func(g *group) bool { return g.key == e.key && g.start == start && g.end == end })
			if i < 0 {
				i = len(groups)
				groups = append(groups, &group{start: start, end: end, key: e.key})
			}
			groups[i].add(e)
		}
		if held && !kept {
			late++
		}
	}
	return lines, late
}

func modelSession(groups []*group, e event, t, gap int64, over func(int64) bool, late int64) ([]*group, int64) {
	mine := &group{start: t, end: t + gap, key: e.key}
	var rest []*group
	met := false
	for _, g := range groups {
		if g.key == e.key && t-gap <= g.end-gap && g.start-gap <= t {
			met = true
			mine.start, mine.end = min(mine.start, g.start), max(mine.end, g.end)
			for _, id := range g.plus {
				mine.add(event{id: id})
			}
			for _, id := range g.minus {
				mine.add(event{id: id, kind: row.Delete})
			}
			mine.net += g.net - len(g.plus) + len(g.minus)
			continue
		}
		rest = append(rest, g)
	}
	if !met && over(t+gap) {
		return groups, late + 1
	}
	mine.add(e)
	return append(rest, mine), late
}

// drive runs an operator over batches and returns its rows and marks.
func drive(t *testing.T, o op.Operator, in []*row.Batch, batchRows int) (lines []string) {
	t.Helper()
	take := op.EmitFunc(func(b *row.Batch) error {
		if b.Rows > batchRows {
			t.Fatalf("%d rows in a batch of at most %d", b.Rows, batchRows)
		}
		marks := b.Marks
		for r := 0; r <= b.Rows; r++ {
			for len(marks) > 0 && int(marks[0].Row) == r {
				lines = append(lines, event{mark: true, at: int64(marks[0].Time)}.String())
				marks = marks[1:]
			}
			if r < b.Rows {
				key := b.Cols[0].Str[r]
				if b.Cols[0].IsNull(r) {
					key = ""
				}
				lines = append(lines, fmt.Sprintf("%s | %s | %s | %s", key, b.Cols[1].Str[r], utc(b.Cols[2].I64[r]/1000), utc(b.Cols[3].I64[r]/1000)))
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
	return lines
}

func twinSpec(w Window, kinds row.Kinds) *AggSpec {
	return &AggSpec{
		In: twinIn, Window: w, Keys: []int{0}, PartitionKeys: []int{0}, Calls: []agg.Call{idsCall(1, -1)}, Props: []Prop{WindowStart, WindowEnd}, InKinds: kinds,
		Out: &types.Schema{Columns: []types.Column{
			{Name: "k", Type: types.String()}, {Name: "ids", Type: types.String()},
			{Name: "window_start", Type: types.TimestampOf(3)}, {Name: "window_end", Type: types.TimestampOf(3)},
		}},
	}
}

func testContext(batchRows int, zero bool) *op.Context {
	return &op.Context{Name: "test", Log: slog.New(slog.NewTextHandler(io.Discard, nil)), BatchRows: batchRows, ZeroHash: zero, Parallel: 1}
}

func build(t *testing.T, s *AggSpec, zone value.Zone, batchRows int, zero bool) op.Operator {
	calls, err := newCalls(s.In, s.Calls, s.InKinds != row.InsertOnly, s.Window.Kind != Tumble, zero)
	if err != nil {
		t.Fatal(err)
	}
	k := &clock{zone: zone}
	if s.Window.Kind == Session {
		return newSessions(s, testContext(batchRows, zero), k, calls)
	}
	return newSliced(s, testContext(batchRows, zero), k, calls)
}

// randomEvents makes rows around a time that moves on, some of them early, some
// late, with marks and rows that take back earlier ones.
func randomEvents(r *rand.Rand, base, unit int64, retract bool) []event {
	var events, rows []event
	now, mark := base, base-1000*unit
	for i := 0; i < 150; i++ {
		now += r.Int64N(4) * unit / 2
		e := event{key: []string{"a", "b", "c", ""}[r.IntN(4)], id: int64(i + 1), at: now - r.Int64N(30)*r.Int64N(2)*unit + r.Int64N(8)*unit}
		if r.IntN(3) > 0 {
			e.at -= e.at % unit
		}
		if retract && len(rows) > 0 && r.IntN(3) == 0 {
			e = rows[r.IntN(len(rows))]
			e.kind = []row.Kind{row.UpdateBefore, row.Delete}[r.IntN(2)]
		} else if retract && r.IntN(4) == 0 {
			e.kind = row.UpdateAfter
		}
		rows = append(rows, e)
		events = append(events, e)
		if r.IntN(3) == 0 {
			if m := now - r.Int64N(12)*unit + r.Int64N(3) - 1; m > mark {
				mark = m
				events = append(events, event{mark: true, at: m})
			}
		}
	}
	if events[len(events)-1].mark { // a batch holds one mark at a place
		events = events[:len(events)-1]
	}
	return append(events, event{mark: true, at: now + 10_000*unit})
}

func randomWindow(r *rand.Rand, unit types.Time) Window {
	w := Window{Kind: Kind(r.IntN(4)), Time: 2, Size: unit * types.Time(1+r.IntN(12)), Offset: unit * types.Time(r.IntN(7)-3)}
	switch w.Kind {
	case Tumble:
		w.Offset %= w.Size
	case Hop:
		w.Slide = unit * types.Time(1+r.IntN(12))
	case Cumulate:
		w.Slide = unit * types.Time(1+r.IntN(4))
		w.Size = w.Slide * types.Time(1+r.IntN(5))
	}
	return w
}

func TestAggregationAgainstTwin(t *testing.T) {
	zones := []struct {
		zone string
		base string
	}{{"", "2024-05-01 00:00:00"}, {"Europe/Berlin", "2024-03-30 20:00:00"}, {"Europe/Berlin", "2024-10-26 20:00:00"}, {"Asia/Kolkata", "2024-05-01 00:00:00"}}
	for seed := uint64(1); seed <= 200; seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		unit := int64(600_000)
		if seed%5 == 0 {
			unit = 1 // neighbouring milliseconds
		}
		z := zones[r.IntN(len(zones))]
		var zone value.Zone
		if z.zone != "" {
			zone = zoneFor(t, z.zone)
		}
		w := randomWindow(r, types.Time(unit))
		kinds := row.InsertOnly
		if r.IntN(2) == 0 {
			kinds = row.AllKinds
		}
		events := randomEvents(r, ms(t, z.base), unit, kinds == row.AllKinds)
		want, late := model(w, zone, events)
		var order []string
		for _, n := range []int{1, 2, 7, 1024} {
			out := []int{1024, 1, 3, 50}[r.IntN(4)]
			o := build(t, twinSpec(w, kinds), zone, out, r.IntN(2) == 0)
			got := lastMarks(drive(t, o, batches(events, n), out))
			where := fmt.Sprintf("seed %d: %+v, zone %q, batches of %d rows, output of %d", seed, w, z.zone, n, out)
			if order == nil {
				order = got
			} else if !slices.Equal(order, got) {
				t.Fatalf("%s: the order depends on the batch size", where)
			}
			if diff := compare(got, lastMarks(want)); diff != "" {
				t.Fatalf("%s: %s\nevents:\n%s", where, diff, text(events))
			}
			if c := o.(op.Metered).Counters()[0]; c.Value != late {
				t.Fatalf("%s: %d late rows, want %d", where, c.Value, late)
			}
			if n := groupsLeft(o); n != 0 {
				t.Fatalf("%s: %d groups left at the end", where, n)
			}
		}
	}
}

func groupsLeft(o op.Operator) int {
	switch o := o.(type) {
	case *sliced:
		return o.table.Len() + len(o.panes.open) + len(o.win.slots)
	case *sessionAgg:
		return o.set.table.Len() + len(o.set.list) - len(o.set.free)
	}
	return -1
}

func text(events []event) string {
	var lines []string
	for _, e := range events {
		lines = append(lines, e.String())
	}
	return strings.Join(lines, "\n")
}

// lastMarks keeps the last of several marks at one place.
func lastMarks(lines []string) (kept []string) {
	for i, l := range lines {
		if strings.HasPrefix(l, "--") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "--") {
			continue
		}
		kept = append(kept, l)
	}
	return kept
}

// compare tells where two outputs differ, where the rows of windows with one
// end may be in any order and their ids too.
func compare(got, want []string) string {
	norm := func(lines []string) []string {
		var out []string
		for _, l := range lines {
			f := strings.Split(l, " | ")
			if len(f) == 4 {
				list := strings.Fields(f[1])
				slices.Sort(list)
				l = strings.Join([]string{f[3], f[0], f[2], strings.Join(list, " ")}, " | ")
			}
			out = append(out, l)
		}
		for i := 0; i < len(out); {
			j := i + 1
			for j < len(out) && out[j][:min(23, len(out[j]))] == out[i][:min(23, len(out[i]))] {
				j++
			}
			slices.Sort(out[i:j])
			i = j
		}
		return out
	}
	g, w := norm(got), norm(want)
	for i := 0; i < max(len(g), len(w)); i++ {
		a, b := "nothing", "nothing"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d: %s, want %s", i, a, b)
		}
	}
	return ""
}
