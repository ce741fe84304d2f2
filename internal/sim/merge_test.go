package sim

import (
	"fmt"
	"strings"

	"fsql/expr/agg"
	"fsql/join"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
	"fsql/window"
)

// The scenarios of ADR 0008: inputs with late rows that meet. Which rows are late
// must not depend on anything but the inputs. The tables are of very different
// lengths and times: a few rows beside hundreds, days apart.

func merging() []checked {
	return []checked{
		{name: "late union", plan: lateUnion},
		{name: "late join", plan: lateJoin},
		{name: "late window join", plan: lateWindowJoin},
		{name: "join into windows", plan: joinIntoWindows},
		{name: "crossed unions", plan: crossedUnions},
		{name: "filtered ways", plan: filteredWays},
	}
}

// tables are three with late rows.
func tables() (short, long, old *row.Batch) {
	return generate(31, 24, 4, 30_000, 200_000, 20_000), generate(32, 110, 4, 4000, 200_000, 20_000), generate(33, 60, 4, 1000, 90_000, 5_000)
}

var countPanes = &window.AggSpec{
	In: events, Window: window.Window{Kind: window.Tumble, Size: minute, Time: 1}, Keys: []int{0}, InKinds: row.InsertOnly,
	Calls: []agg.Call{call("COUNT", long.NotNull())}, Props: []window.Prop{window.WindowEnd},
	Out: schema("k", long, "n", long.NotNull(), "window_end", stamp.NotNull()),
}

// lateUnion: three tables in one window. A row is late exactly if it is late in
// its own table, which plain loops tell.
func lateUnion(w *World) (*physical.Plan, func(*Outcome) error) {
	a, b, c := tables()
	sink := w.Sink("out")
	g := &graph{}
	var ins []physical.Edge
	for i, t := range []*row.Batch{a, b, c} {
		scan := g.add((&Source{Schema: events, Parts: split(t, 1+i%2), Pause: w.Pause}).Scan(fmt.Sprint("t", i), 1, 2, 200), 1)
		ins = append(ins, physical.Edge{From: scan, Ship: physical.Rebalance})
	}
	union := g.add(operator(&relop.UnionSpec{Out: events, Inputs: 3}), max(1, w.Parallel-1), ins...)
	count := g.add(operator(countPanes), w.Parallel, physical.Edge{From: union, Ship: physical.Hash, Keys: []int{0}})
	g.add(sink.Node("out", countPanes.Out), 1, physical.Edge{From: count, Ship: physical.Single})
	n, late := map[pane]int64{}, int64(0)
	for _, t := range []*row.Batch{a, b, c} {
		answer, missed := naive(t, nil, minute, 200)
		late += missed
		for _, l := range strings.Split(answer, "\n") {
			var p pane
			var rows int64
			fmt.Sscanf(l, "%d | %d | %d", &p.key, &p.end, &rows)
			n[p] += rows
		}
	}
	return &g.Plan, func(o *Outcome) error {
		rows := strings.Split(sink.Rows(), "\n")
		if len(rows) != len(n) {
			return fmt.Errorf("%d windows, not %d", len(rows), len(n))
		}
		sum := int64(0)
		for _, l := range rows {
			var k, c int64
			fmt.Sscanf(l, "%d | %d", &k, &c)
			sum += c
		}
		if total := a.Rows + b.Rows + c.Rows; sum != int64(total)-late {
			return fmt.Errorf("%d rows counted, not %d: %d of %d are late", sum, int64(total)-late, late, total)
		}
		if d := dropped(o); d != late && o.Crashes == 0 {
			return fmt.Errorf("%d rows dropped as late, not %d", d, late)
		}
		return nil
	}
}

// quiet gives the answer of a run without disturbance; it must hold in all.
func quiet(plan func(w *World) (*physical.Plan, []*Sink)) func(*World) (*physical.Plan, func(*Outcome) error) {
	var answers []string
	var late int64
	return func(w *World) (*physical.Plan, func(*Outcome) error) {
		if answers == nil {
			var sinks []*Sink
			out, err := Quiet(Scenario{Plan: func(w *World) (p *physical.Plan) { p, sinks = plan(w); return p }})
			if err != nil {
				panic(err)
			}
			for _, s := range sinks {
				answers = append(answers, s.Rows())
			}
			late = dropped(out)
		}
		p, sinks := plan(w)
		return p, func(o *Outcome) error {
			for i, s := range sinks {
				if err := same(s, answers[i]); err != nil {
					return err
				}
			}
			if d := dropped(o); d != late && o.Crashes == 0 {
				return fmt.Errorf("%d rows dropped as late, not %d", d, late)
			}
			return nil
		}
	}
}

var near = &join.IntervalSpec{
	Kind: join.FullOuter, L: join.Side{In: events, Keys: []int{0}, Time: 1}, R: join.Side{In: events, Keys: []int{0}, Time: 1},
	NullSafe: []bool{false}, Lo: -15_000, Hi: 5000, Cols: []int{0, 3, 5, 8}, Out: pairs,
}

// lateJoin: late rows meet those that are still stored, and no others.
var lateJoin = quiet(func(w *World) (*physical.Plan, []*Sink) {
	a, b, _ := tables()
	p, sink := twoInputs(w, a, b, true, near)
	return p, []*Sink{sink}
})

// lateWindowJoin: rows that come when their window has been joined are dropped.
var lateWindowJoin = quiet(func(w *World) (*physical.Plan, []*Sink) {
	a, b, _ := tables()
	rows := schema("k", long, "ts", stamp, "wm", stamp, "v", long, "keep", types.Of(types.Boolean),
		"window_start", stamp.NotNull(), "window_end", stamp.NotNull(), "window_time", stamp.NotNull())
	spec := &join.WindowSpec{
		Kind: join.FullOuter, L: join.Side{In: rows, Keys: []int{6, 0}, Time: 7}, R: join.Side{In: rows, Keys: []int{6, 0}, Time: 7},
		NullSafe: []bool{false, false}, Cols: []int{0, 3, 8, 11}, Out: pairs, Windows: "TUMBLE",
	}
	sink := w.Sink("out")
	g := &graph{}
	var ins []physical.Edge
	for i, t := range []*row.Batch{a, b} {
		scan := g.add((&Source{Schema: events, Parts: split(t, 1+i), Pause: w.Pause}).Scan(fmt.Sprint("t", i), 1, 2, 200), 1)
		assign := g.chain(operator(&window.AssignSpec{In: events, Window: window.Window{Kind: window.Tumble, Size: minute, Time: 1}, Out: rows}), scan)
		ins = append(ins, physical.Edge{From: assign, Ship: physical.Hash, Keys: []int{6, 0}})
	}
	joined := g.add(operator(spec), w.Parallel, ins...)
	g.add(sink.Node("out", spec.Out), 1, physical.Edge{From: joined, Ship: physical.Single})
	return &g.Plan, []*Sink{sink}
})

// versionsOf: late rows find the newest version, late versions take their place.
var versionsOf = quiet(func(w *World) (*physical.Plan, []*Sink) {
	a, b, _ := tables()
	p, sink := twoInputs(w, a, b, true, &join.TemporalSpec{
		Kind: join.LeftOuter, L: join.Side{In: events, Keys: []int{0}, Time: 1}, R: join.Side{In: events, Keys: []int{0}, Time: 1},
		NullSafe: []bool{false}, Cols: []int{0, 3, 5, 8}, Out: pairs,
	})
	return p, []*Sink{sink}
})

// joinIntoWindows: the rows of a join, late ones among them, go to windows by
// another key: each window gets them from all subtasks of the join.
var joinIntoWindows = quiet(func(w *World) (*physical.Plan, []*Sink) {
	_, b, c := tables()
	both := schema("v", long, "ts", stamp, "wm", stamp, "k", long, "keep", types.Of(types.Boolean))
	inner := &join.IntervalSpec{
		Kind: join.Inner, L: join.Side{In: events, Keys: []int{0}, Time: 1}, R: join.Side{In: events, Keys: []int{0}, Time: 1},
		NullSafe: []bool{false}, Lo: -30_000, Hi: 30_000, Cols: []int{3, 1, 2, 5, 4}, Out: both,
	}
	count := *countPanes
	count.In = both
	sink := w.Sink("out")
	g := &graph{}
	left := g.add((&Source{Schema: events, Parts: split(b, 2), Pause: w.Pause}).Scan("b", 1, 2, 200), 1)
	right := g.add((&Source{Schema: events, Parts: split(c, 1), Pause: w.Pause}).Scan("c", 1, 2, 200), 1)
	joined := g.add(operator(inner), w.Parallel,
		physical.Edge{From: left, Ship: physical.Hash, Keys: []int{0}}, physical.Edge{From: right, Ship: physical.Hash, Keys: []int{0}})
	counted := g.add(operator(&count), w.Parallel, physical.Edge{From: joined, Ship: physical.Hash, Keys: []int{0}})
	g.add(sink.Node("out", count.Out), 1, physical.Edge{From: counted, Ship: physical.Single})
	return &g.Plan, []*Sink{sink}
})

// crossedUnions: two unions of the same two tables, in opposite order, and one
// behind a join that holds event time back. Each waits for what the other could
// be holding up.
var crossedUnions = quiet(func(w *World) (*physical.Plan, []*Sink) {
	_, b, c := tables()
	s1, s2 := w.Sink("one"), w.Sink("two")
	g := &graph{}
	left := g.add((&Source{Schema: events, Parts: split(b, 2), Pause: w.Pause}).Scan("b", 1, 2, 200), 1)
	right := g.add((&Source{Schema: events, Parts: split(c, 1), Pause: w.Pause}).Scan("c", 1, 2, 200), 1)
	slow := *near
	slow.Kind, slow.Lo, slow.Hi, slow.Cols, slow.Out = join.LeftOuter, -60_000, 60_000, []int{0, 1, 2, 3, 4}, events
	held := g.add(operator(&slow), 1, physical.Edge{From: left}, physical.Edge{From: right})
	for i, ins := range [][]physical.Edge{{{From: left}, {From: right}}, {{From: right}, {From: left}, {From: held}}} {
		union := g.add(operator(&relop.UnionSpec{Out: events, Inputs: len(ins)}), 1, ins...)
		count := g.add(operator(countPanes), w.Parallel, physical.Edge{From: union, Ship: physical.Hash, Keys: []int{0}})
		g.add([]*Sink{s1, s2}[i].Node(fmt.Sprint("out", i), countPanes.Out), 1, physical.Edge{From: count, Ship: physical.Single})
	}
	return &g.Plan, []*Sink{s1, s2}
})

// filteredWays: a table reaches a union by two ways, one of which lets nothing
// through for long, without event time. Bounded queues must not lock up.
var filteredWays = quiet(func(w *World) (*physical.Plan, []*Sink) {
	data := generate(34, 200, 4, 1000, 0, 0)
	sink := w.Sink("out")
	g := &graph{}
	scan := g.add((&Source{Schema: events, Parts: split(data, 1), Pause: w.Pause}).Scan("t", -1, -1, 0), 1)
	none := g.chain(operator(&pass{base{name: "Calc", schema: events, kinds: row.InsertOnly}, func(b *row.Batch, r int) bool { return b.Cols[3].I64[r] > 8 && b.Cols[0].I64[r] == 2 }}), scan)
	union := g.add(operator(&relop.UnionSpec{Out: events, Inputs: 2}), 1, physical.Edge{From: none}, physical.Edge{From: scan})
	text := &relop.GroupAggSpec{In: events, Keys: []int{4}, Calls: []agg.Call{call("COUNT", long.NotNull()), call("LAST_VALUE", long, 3)},
		Out: schema("keep", types.Of(types.Boolean), "n", long.NotNull(), "v", long), UpdateBefore: true, InKinds: row.InsertOnly}
	group := g.add(operator(text), w.Parallel, physical.Edge{From: union, Ship: physical.Hash, Keys: []int{4}})
	g.add(sink.Node("out", text.Out), 1, physical.Edge{From: group, Ship: physical.Single})
	return &g.Plan, []*Sink{sink}
})
