package sim

import (
	"fmt"
	"strings"

	"fsql/exec"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/window"
)

// checked is a scenario with what must be true of its outcome.
type checked struct {
	name  string
	plan  func(w *World) (*physical.Plan, func(o *Outcome) error)
	wrap  func(o op.Operator, n *physical.Node) op.Operator
	fault func(w *World) exec.Fault
	// simOnly: it needs the clock of a world.
	simOnly bool
}

// run runs it under a seed.
func (c checked) run(seed uint64) (*Outcome, error) {
	var check func(*Outcome) error
	out, err := Run(seed, Scenario{
		Plan: func(w *World) *physical.Plan {
			p, f := c.plan(w)
			check = f
			return p
		},
		Wrap: c.wrap, Fault: c.fault,
	})
	if err != nil {
		return out, err
	}
	if err := check(out); err != nil {
		return out, failed(seed, err)
	}
	return out, nil
}

func scenarios() []checked {
	return append(merging(), []checked{
		{name: "windows", plan: windows},
		{name: "updates", plan: updates},
		{name: "union", plan: union},
		{name: "diamond", plan: diamond},
		{name: "idle", plan: idle},
		{name: "tumble", plan: realWindow(window.Window{Kind: window.Tumble, Size: minute, Time: 1})},
		{name: "hop", plan: realWindow(window.Window{Kind: window.Hop, Size: 3 * minute, Slide: minute, Offset: 7000, Time: 1})},
		{name: "session", plan: realWindow(window.Window{Kind: window.Session, Size: 15_000, Time: 1})},
		{name: "groups", plan: groups},
	}...)
}

const minute = 60_000

// windows: one table with a watermark and several splits, a filter in its
// chain, a hash exchange, tumbling windows. Many rows are late, and the same
// ones whatever happens, because one subtask reads all splits in order.
func windows(w *World) (*physical.Plan, func(*Outcome) error) {
	data := generate(1, 400, 5, 4000, 200_000, 20_000)
	keep := func(b *row.Batch, r int) bool { return b.Cols[4].Bool[r] }
	src := &Source{Schema: events, Parts: split(data, 3), Pause: w.Pause}
	sink := &Sink{}
	g := &graph{}
	scan := g.add(src.Scan("events", 1, 2, 200), 1)
	calc := g.chain(operator(&pass{base{name: "Calc", schema: events, kinds: row.InsertOnly}, keep}), scan)
	agg := g.add(operator(&tumble{base: base{name: "Tumble", schema: panes, kinds: row.InsertOnly}, size: minute, ts: 1}),
		w.Parallel, physical.Edge{From: calc, Ship: physical.Hash, Keys: []int{0}})
	g.chain(sink.Node("out", panes), agg)
	answer, late := naive(data, keep, minute, 200)
	return &g.Plan, func(o *Outcome) error {
		var dropped int64
		for _, m := range o.Metrics {
			dropped += m.Late()
		}
		if dropped != late {
			return fmt.Errorf("%d rows dropped as late, not %d", dropped, late)
		}
		return same(sink, answer)
	}
}

// updates: a table without event time, its splits dealt to subtasks, batches
// dealt on to an operator that multiplies rows and pauses, an updating
// aggregate after a hash exchange.
func updates(w *World) (*physical.Plan, func(*Outcome) error) {
	data := generate(2, 150, 9, 1000, 0, 0)
	src := &Source{Schema: events, Parts: split(data, 4), Pause: w.Pause}
	sink := &Sink{}
	g := &graph{}
	scan := g.add(src.Scan("events", -1, -1, 0), max(1, w.Parallel-1))
	twice := g.add(operator(&repeat{base{name: "Repeat", schema: events, kinds: row.InsertOnly, pause: true}, 3}),
		w.Parallel, physical.Edge{From: scan, Ship: physical.Rebalance})
	agg := g.add(operator(&counting{base: base{name: "GroupAggregate", schema: counts, kinds: row.AllKinds}}),
		w.Parallel, physical.Edge{From: twice, Ship: physical.Hash, Keys: []int{0}})
	g.add(sink.Node("out", counts), 1, physical.Edge{From: agg, Ship: physical.Single})
	want := map[int64]int{}
	for _, k := range data.Cols[0].I64 {
		want[k] += 3
	}
	var lines []string
	changes := 0
	for k, n := range want {
		lines = append(lines, fmt.Sprintf("%d | %d", k, n))
		changes += 2*n - 1
	}
	return &g.Plan, func(o *Outcome) error {
		if sink.Changes() != changes {
			return fmt.Errorf("%d changes, not %d", sink.Changes(), changes)
		}
		return same(sink, sorted(lines))
	}
}

// union: two tables with watermarks whose rows are never late, read at
// different speeds, into one window. Nothing may be dropped, which it would be
// if one table's event time ran ahead of the other's.
func union(w *World) (*physical.Plan, func(*Outcome) error) {
	a, b := generate(3, 200, 4, 3000, 9_000, 10_000), generate(4, 150, 4, 4000, 9_000, 10_000)
	sink := &Sink{}
	g := &graph{}
	left := g.add((&Source{Schema: events, Parts: split(a, 2), Pause: w.Pause}).Scan("a", 1, 2, 0), 1)
	right := g.add((&Source{Schema: events, Parts: split(b, 1), Pause: w.Pause}).Scan("b", 1, 2, 0), 1)
	both := g.add(operator(&pass{base: base{name: "Union", schema: events, kinds: row.InsertOnly}}), w.Parallel,
		physical.Edge{From: left, Ship: physical.Rebalance}, physical.Edge{From: right, Ship: physical.Rebalance})
	agg := g.add(operator(&tumble{base: base{name: "Tumble", schema: panes, kinds: row.InsertOnly}, size: minute, ts: 1}),
		w.Parallel, physical.Edge{From: both, Ship: physical.Hash, Keys: []int{0}})
	g.add(sink.Node("out", panes), max(1, w.Parallel/2), physical.Edge{From: agg, Ship: physical.Rebalance})
	answer := merged(a, b)
	return &g.Plan, func(o *Outcome) error { return same(sink, answer) }
}

// diamond: one table goes two ways that meet again, and to every subtask of a
// third reader. The ways have different numbers of tasks; bounded queues must
// not lock up.
func diamond(w *World) (*physical.Plan, func(*Outcome) error) {
	data := generate(5, 200, 4, 3000, 9_000, 10_000)
	first, all := &Sink{}, &Sink{}
	g := &graph{}
	scan := g.add((&Source{Schema: events, Parts: split(data, 1), Pause: w.Pause}).Scan("events", 1, 2, 200), 1)
	long := g.add(operator(&repeat{base{name: "Repeat", schema: events, kinds: row.InsertOnly, pause: true}, 2}),
		w.Parallel, physical.Edge{From: scan, Ship: physical.Hash, Keys: []int{0}})
	short := g.chain(operator(&pass{base: base{name: "Calc", schema: events, kinds: row.InsertOnly}}), scan)
	agg := g.add(operator(&tumble{base: base{name: "Tumble", schema: panes, kinds: row.InsertOnly}, size: minute, ts: 1}),
		w.Parallel, physical.Edge{From: long, Ship: physical.Forward}, physical.Edge{From: short, Ship: physical.Hash, Keys: []int{0}})
	g.add(first.Node("first", panes), 1, physical.Edge{From: agg, Ship: physical.Single})
	g.add(all.Node("all", events), w.Parallel, physical.Edge{From: short, Ship: physical.Broadcast})
	answer := merged(data, data, data)
	return &g.Plan, func(o *Outcome) error {
		if all.Changes() != data.Rows*w.Parallel {
			return fmt.Errorf("%d rows broadcast, not %d", all.Changes(), data.Rows*w.Parallel)
		}
		return same(first, answer)
	}
}

// idle: as union, but one table falls silent and is announced as idle, so that
// its rows may come late. No row may be lost or counted twice. An operator that
// pauses stands inside a chain here and must be called to its end.
func idle(w *World) (*physical.Plan, func(*Outcome) error) {
	a, b := generate(6, 200, 3, 3000, 0, 1000), generate(7, 60, 3, 9000, 0, 1000)
	w.Pauses = max(w.Pauses, 0.5)
	sink := &Sink{}
	g := &graph{}
	left := g.add((&Source{Schema: events, Parts: split(a, 1)}).Scan("a", 1, 2, 0), 1)
	left = g.chain(operator(&repeat{base{name: "Repeat", schema: events, kinds: row.InsertOnly, pause: true}, 2}), left)
	scan := (&Source{Schema: events, Parts: split(b, 2), Pause: w.Pause}).Scan("b", 1, 2, 0)
	scan.Source.IdleAfter = 5
	right := g.add(scan, 1)
	agg := g.add(operator(&tumble{base: base{name: "Tumble", schema: panes, kinds: row.InsertOnly}, size: minute, ts: 1}),
		w.Parallel, physical.Edge{From: left, Ship: physical.Hash, Keys: []int{0}}, physical.Edge{From: right, Ship: physical.Hash, Keys: []int{0}})
	g.add(sink.Node("out", panes), 1, physical.Edge{From: agg, Ship: physical.Single})
	return &g.Plan, func(o *Outcome) error {
		var late, in, kept int64
		for _, m := range o.Metrics {
			late += m.Late()
			if m.Node == agg {
				in += m.RecordsIn
			}
		}
		for _, l := range strings.Split(sink.Rows(), "\n") {
			var k, end, n int64
			fmt.Sscanf(l, "%d | %d | %d", &k, &end, &n)
			kept += n
		}
		if in != int64(2*a.Rows+b.Rows) || kept+late != in {
			return fmt.Errorf("%d rows came, %d were counted and %d dropped as late, of %d", in, kept, late, 2*a.Rows+b.Rows)
		}
		return nil
	}
}

func operator(s op.Spec) *physical.Node {
	k, _ := s.Emits([]row.Kinds{row.AllKinds, row.AllKinds})
	return &physical.Node{Spec: s, Schema: s.Output(), Kinds: k}
}

func same(s *Sink, want string) error {
	if got := s.Rows(); got != want {
		return fmt.Errorf("wrong answer: got\n%s\nwant\n%s", got, want)
	}
	return nil
}
