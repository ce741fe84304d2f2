package window

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// modelEager answers events with early or late emission, both with every row.
func modelEager(w Window, e Emit, events []event) (lines []string, late int64) {
	type entry struct {
		*group
		fired bool
		shown string
	}
	k := &clock{}
	progress := types.MinTime
	var groups []*entry
	show := func(g *entry) {
		text := g.text()
		switch {
		case g.net == 0 && g.shown != "":
			lines = append(lines, "-D | "+g.shown)
			g.shown = ""
		case g.net == 0 || text == g.shown:
		case g.shown == "":
			lines = append(lines, "+I | "+text)
			g.shown = text
		default:
			lines = append(lines, "-U | "+g.shown, "+U | "+text)
			g.shown = text
		}
	}
	for _, ev := range events {
		if ev.mark {
			progress = types.Time(ev.at)
			for _, g := range groups {
				if !g.fired && k.passed(progress) >= g.end {
					g.fired = true
					show(g)
				}
			}
			groups = slices.DeleteFunc(groups, func(g *entry) bool { return k.passed(progress) >= g.end+e.lateness() })
			lines = append(lines, ev.String())
			continue
		}
		held, kept := false, []*entry{}
		for n := int64(0); ; n++ {
			start, end, ok := w.shape().nth(ev.at, n)
			if !ok {
				break
			}
			held = true
			if k.passed(progress) >= end+e.lateness() {
				continue
			}
			at, found := slices.BinarySearchFunc(groups, end, func(g *entry, end int64) int { return int(g.end - end) })
			for ; found && at < len(groups) && groups[at].end == end && groups[at].key != ev.key; at++ {
			}
			if !found || at == len(groups) || groups[at].end != end {
				groups = slices.Insert(groups, at, &entry{group: &group{start: start, end: end, key: ev.key}})
			}
			groups[at].add(ev)
			kept = append(kept, groups[at])
		}
		if held && len(kept) == 0 {
			late++
		}
		for _, g := range kept {
			switch first := !g.fired && k.passed(progress) >= g.end; {
			case first:
				g.fired = true
				show(g)
			case g.fired && e.Late == 0 || !g.fired && e.Early == 0:
				show(g)
			}
		}
	}
	return lines, late
}

func TestEagerAgainstTwin(t *testing.T) {
	for seed := uint64(1); seed <= 50; seed++ {
		r := rand.New(rand.NewPCG(seed, 11))
		var w Window
		for w = randomWindow(r, 1000); w.Kind > Hop; w = randomWindow(r, 1000) {
		}
		e := Emit{Early: Never, Late: Never}
		if r.IntN(2) == 0 {
			e.Early = 0
		}
		if r.IntN(2) == 0 {
			e.Late, e.Lateness = 0, types.Time(r.IntN(10_000))
		}
		retract := r.IntN(2) == 0
		kinds := row.InsertOnly
		if retract {
			kinds = row.AllKinds
		}
		events := randomEvents(r, 0, 1000, retract)
		want, late := modelEager(w, e, events)
		for _, n := range []int{1, 2, 7, 1024} {
			limit := []int{1024, 1, 2, 5}[r.IntN(4)]
			spec := twinSpec(w, kinds)
			spec.Emit = &e
			o, err := spec.Build(testContext(limit, r.IntN(2) == 0))
			if err != nil {
				t.Fatal(err)
			}
			o = op.Checked(o, spec)
			got := driveKinds(t, o, batches(events, n), limit)
			if g, w := fmt.Sprint(got), fmt.Sprint(lastMarks(want)); g != w {
				for i := range got {
					if i >= len(want) || got[i] != lastMarks(want)[i] {
						t.Fatalf("seed %d: %+v, %+v, batches of %d rows: line %d: %s, want %s\n%s", seed, spec.Window, e, n, i, got[i], lastMarks(want)[i], text(events))
					}
				}
				t.Fatalf("seed %d: %d lines, want %d", seed, len(got), len(want))
			}
			if c := o.(op.Metered).Counters()[0].Value; c != late {
				t.Fatalf("seed %d: %d late rows, want %d", seed, c, late)
			}
		}
	}
}

func driveKinds(t *testing.T, o op.Operator, in []*row.Batch, limit int) (lines []string) {
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
				g := group{key: b.Cols[0].Str[r], start: b.Cols[2].I64[r] / 1000, end: b.Cols[3].I64[r] / 1000}
				if b.Cols[0].IsNull(r) {
					g.key = ""
				}
				lines = append(lines, fmt.Sprintf("%v | %s | %s | %s | %s", b.Kind(r), g.key, b.Cols[1].Str[r], utc(g.start), utc(g.end)))
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
