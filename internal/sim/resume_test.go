package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fsql/expr/agg"
	"fsql/join"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
	"fsql/window"
)

// resumable are all scenarios that are run with crashes.
func resumable(t testing.TB) []checked { return append(inScripts(t), byHand()...) }

// byHand are those whose plans are made by hand: jobs whose operators
// take part in checkpoints, and whose answer does not depend on when they die.
func byHand() []checked {
	return []checked{
		{name: "tumble", plan: lateWindow(18, 200, window.Window{Kind: window.Tumble, Size: minute, Time: 1})},
		{name: "rare marks", plan: lateWindow(18, 45_000, window.Window{Kind: window.Tumble, Size: minute, Time: 1})},
		{name: "hop", plan: lateWindow(19, 200, window.Window{Kind: window.Hop, Size: 3 * minute, Slide: minute, Offset: 7000, Time: 1})},
		{name: "cumulate", plan: lateWindow(20, 200, window.Window{Kind: window.Cumulate, Size: 5 * minute, Slide: minute, Time: 1})},
		{name: "session", plan: lateWindow(21, 200, window.Window{Kind: window.Session, Size: 15_000, Time: 1})},
		{name: "tumble by clock", simOnly: true, plan: byClock(window.Window{Kind: window.Tumble, Size: 40}, inEach(1))},
		{name: "hop by clock", simOnly: true, plan: byClock(window.Window{Kind: window.Hop, Size: 60, Slide: 15}, inEach(4))},
		{name: "cumulate by clock", simOnly: true, plan: byClock(window.Window{Kind: window.Cumulate, Size: 60, Slide: 10}, inSteps(60, 10))},
		{name: "session by clock", simOnly: true, plan: byClock(window.Window{Kind: window.Session, Size: 20}, inEach(1))},
		{name: "session rows", plan: sessionRows()},
		{name: "emitted early", plan: emittedEarly()},
		{name: "rows by count", plan: byCount()},
		{name: "groups", plan: groups},
		{name: "accumulators", plan: accumulators},
		{name: "two tables", plan: twoTables},
		{name: "two sinks", plan: twoSinks},
		{name: "interval join", plan: joined},
		{name: "regular join", plan: matched},
		{name: "limit", plan: limited},
		{name: "late union", plan: lateUnion},
		{name: "late join", plan: lateJoin},
		{name: "late window join", plan: lateWindowJoin},
		{name: "temporal join", plan: versionsOf},
		{name: "join into windows", plan: joinIntoWindows},
	}
}

func late(seed uint64) *row.Batch { return generate(seed, 150, 5, 8000, 200_000, 20_000) }

func lateWindow(seed uint64, interval types.Time, w window.Window) func(*World) (*physical.Plan, func(*Outcome) error) {
	return onWindow(late(seed), interval, sumsOver(w), nil)
}

var sessionRow = schema("k", long, "ts", stamp, "v", long, "window_start", stamp.NotNull(), "window_end", stamp.NotNull(), "window_time", stamp.NotNull())

func sessionRows() func(*World) (*physical.Plan, func(*Outcome) error) {
	return onWindow(late(10), 200, &window.AssignSpec{
		In: narrow, Window: window.Window{Kind: window.Session, Size: 15_000, Time: 1}, PartitionKeys: []int{0}, Out: sessionRow,
	}, nil)
}

// emittedEarly: windows that are emitted before their end, after a time of the
// clock, and again with every late row.
func emittedEarly() func(*World) (*physical.Plan, func(*Outcome) error) {
	s := sumsOver(window.Window{Kind: window.Tumble, Size: minute, Time: 1})
	s.Legacy, s.Emit = true, &window.Emit{Early: 15, Late: 0, Lateness: 2 * minute}
	return onWindow(late(11), 200, s, nil)
}

func byCount() func(*World) (*physical.Plan, func(*Outcome) error) {
	return onWindow(late(12), 200, &window.CountSpec{
		In: narrow, Size: 6, Slide: 4, Keys: []int{0}, Calls: []agg.Call{call("COUNT", long.NotNull()), call("SUM", long, 2)},
		Props: []window.Prop{window.WindowEnd}, Out: schema("k", long, "n", long.NotNull(), "s", long, "to", long.NotNull()),
	}, nil)
}

// accumulators: aggregates of several kinds over a table that takes rows back.
func accumulators(w *World) (*physical.Plan, func(*Outcome) error) {
	r := rand.New(rand.NewPCG(13, 7))
	build := row.NewBuilder(narrow)
	have := map[int64][]int64{}
	for range 160 {
		k, v, kind := r.Int64N(7), r.Int64N(9), row.Insert
		if vs := have[k]; len(vs) > 0 && r.IntN(3) == 0 {
			kind = row.Delete
			v, have[k] = vs[0], vs[1:]
		} else {
			have[k] = append(vs, v)
		}
		appendLong(build.Cols[0], k)
		appendLong(build.Cols[1], 0)
		appendLong(build.Cols[2], v)
		build.Added(1, kind)
	}
	sink := w.Sink("out")
	spec := &relop.GroupAggSpec{
		In: narrow, Keys: []int{0}, UpdateBefore: true, InKinds: row.AllKinds,
		Calls: []agg.Call{call("COUNT", long.NotNull()), call("SUM", long, 2), call("MIN", long, 2), call("MAX", long, 2), call("COUNT", long.NotNull(), 2)},
		Out:   schema("k", long, "n", long.NotNull(), "s", long, "lo", long, "hi", long, "d", long.NotNull()),
	}
	spec.Calls[4].Opts.Distinct = true
	g := &graph{}
	scan := g.add((&Source{Schema: narrow, Parts: []*row.Batch{build.Flush()}, Pause: w.Pause}).Scan("changes", -1, -1, 0), 1)
	group := g.add(operator(spec), w.Parallel, physical.Edge{From: scan, Ship: physical.Hash, Keys: []int{0}})
	g.chain(sink.Node("out", spec.Out), group)
	var lines []string
	for k, vs := range have {
		if len(vs) == 0 {
			continue
		}
		sum, lo, hi, distinct := int64(0), vs[0], vs[0], map[int64]bool{}
		for _, v := range vs {
			sum, lo, hi = sum+v, min(lo, v), max(hi, v)
			distinct[v] = true
		}
		lines = append(lines, fmt.Sprintf("%d | %d | %d | %d | %d | %d", k, len(vs), sum, lo, hi, len(distinct)))
	}
	return &g.Plan, func(*Outcome) error { return same(sink, sorted(lines)) }
}

// twoTables: the union of two tables none of whose rows is late, into windows.
func twoTables(w *World) (*physical.Plan, func(*Outcome) error) {
	a, b := generate(14, 90, 4, 3000, 9_000, 10_000), generate(15, 70, 4, 4000, 9_000, 10_000)
	sink := w.Sink("out")
	g := &graph{}
	left := g.add((&Source{Schema: events, Parts: split(a, 2), Pause: w.Pause}).Scan("a", 1, 2, 0), 1)
	right := g.add((&Source{Schema: events, Parts: split(b, 1), Pause: w.Pause}).Scan("b", 1, 2, 0), 1)
	both := g.add(operator(&relop.UnionSpec{Out: events, Inputs: 2}), w.Parallel,
		physical.Edge{From: left, Ship: physical.Rebalance}, physical.Edge{From: right, Ship: physical.Rebalance})
	spec := &window.AggSpec{
		In: events, Window: window.Window{Kind: window.Tumble, Size: minute, Time: 1}, Keys: []int{0}, InKinds: row.InsertOnly,
		Calls: []agg.Call{call("COUNT", long.NotNull())}, Props: []window.Prop{window.WindowEnd},
		Out: schema("k", long, "n", long.NotNull(), "window_end", stamp.NotNull()),
	}
	count := g.add(operator(spec), w.Parallel, physical.Edge{From: both, Ship: physical.Hash, Keys: []int{0}})
	g.add(sink.Node("out", spec.Out), 1, physical.Edge{From: count, Ship: physical.Single})
	n := map[pane]int{}
	for _, t := range []*row.Batch{a, b} {
		for r := range t.Rows {
			n[pane{windowEnd(types.Time(t.Cols[1].I64[r]/1000), minute), t.Cols[0].I64[r]}]++
		}
	}
	return &g.Plan, func(*Outcome) error {
		rows := strings.Split(sink.Rows(), "\n")
		if len(rows) != len(n) {
			return fmt.Errorf("%d windows, not %d", len(rows), len(n))
		}
		sum := 0
		for _, l := range rows {
			var k, c int
			fmt.Sscanf(l, "%d | %d", &k, &c)
			sum += c
		}
		if sum != a.Rows+b.Rows {
			return fmt.Errorf("%d rows counted, not %d", sum, a.Rows+b.Rows)
		}
		return nil
	}
}

// twoSinks: the rows of a table as they are, and counted in windows.
func twoSinks(w *World) (*physical.Plan, func(*Outcome) error) {
	data := generate(16, 120, 4, 3000, 9_000, 10_000)
	all, counted := w.Sink("all"), w.Sink("counted")
	spec := &relop.GroupAggSpec{In: narrow, Keys: []int{0}, Calls: []agg.Call{call("COUNT", long.NotNull())},
		Out: schema("k", long, "n", long.NotNull()), UpdateBefore: true, InKinds: row.InsertOnly}
	g := &graph{}
	scan := g.add((&Source{Schema: events, Parts: split(data, 3), Pause: w.Pause}).Scan("events", -1, -1, 0), w.Parallel)
	where := g.chain(calc(), scan)
	g.chain(all.Node("all", narrow), where)
	count := g.add(operator(spec), w.Parallel, physical.Edge{From: where, Ship: physical.Hash, Keys: []int{0}})
	g.chain(counted.Node("counted", spec.Out), count)
	n, rows := map[int64]int{}, 0
	for r := range data.Rows {
		if data.Cols[4].Bool[r] {
			n[data.Cols[0].I64[r]]++
			rows++
		}
	}
	var lines []string
	for k, c := range n {
		lines = append(lines, fmt.Sprintf("%d | %d", k, c))
	}
	return &g.Plan, func(*Outcome) error {
		if all.Changes() != rows {
			return fmt.Errorf("%d rows, not %d", all.Changes(), rows)
		}
		return same(counted, sorted(lines))
	}
}

// limited: the first rows of several readers; which they are is left open.
func limited(w *World) (*physical.Plan, func(*Outcome) error) {
	data := generate(17, 100, 4, 3000, 0, 0)
	sink := w.Sink("out")
	g := &graph{}
	scan := g.add((&Source{Schema: events, Parts: split(data, 3), Pause: w.Pause}).Scan("events", -1, -1, 0), w.Parallel)
	limit := g.add(operator(&relop.LimitSpec{In: events, Limit: 40, Offset: 20}), 1, physical.Edge{From: scan, Ship: physical.Single})
	g.chain(sink.Node("out", events), limit)
	return &g.Plan, func(*Outcome) error {
		if sink.Changes() != 40 {
			return fmt.Errorf("%d rows, not 40", sink.Changes())
		}
		return nil
	}
}

// sides are two tables of rows with a key, a time that is never late, and a
// number.
func sides() (a, b *row.Batch) {
	return generate(22, 70, 3, 3000, 9_000, 10_000), generate(23, 60, 3, 3500, 9_000, 10_000)
}

// twoInputs puts two tables into an operator by their keys.
func twoInputs(w *World, a, b *row.Batch, event bool, spec op.Spec) (*physical.Plan, *Sink) {
	sink := w.Sink("out")
	g := &graph{}
	ts, wm := -1, -1
	if event {
		ts, wm = 1, 2
	}
	left := g.add((&Source{Schema: events, Parts: split(a, 2), Pause: w.Pause}).Scan("a", ts, wm, 0), 1)
	right := g.add((&Source{Schema: events, Parts: split(b, 1), Pause: w.Pause}).Scan("b", ts, wm, 0), 1)
	both := g.add(operator(spec), w.Parallel,
		physical.Edge{From: left, Ship: physical.Hash, Keys: []int{0}}, physical.Edge{From: right, Ship: physical.Hash, Keys: []int{0}})
	g.add(sink.Node("out", spec.Output()), 1, physical.Edge{From: both, Ship: physical.Single})
	return &g.Plan, sink
}

var pairs = schema("k", long, "v", long, "k2", long, "v2", long)

// joined: FULL JOIN of rows that are at most five seconds apart.
func joined(w *World) (*physical.Plan, func(*Outcome) error) {
	a, b := sides()
	plan, sink := twoInputs(w, a, b, true, &join.IntervalSpec{
		Kind: join.FullOuter, L: join.Side{In: events, Keys: []int{0}, Time: 1}, R: join.Side{In: events, Keys: []int{0}, Time: 1},
		NullSafe: []bool{false}, Lo: -5000, Hi: 5000, Cols: []int{0, 3, 5, 8}, Out: pairs,
	})
	answer := matches(a, b, func(i, j int) bool {
		d := a.Cols[1].I64[i] - b.Cols[1].I64[j]
		return d >= -5_000_000 && d <= 5_000_000
	})
	return plan, func(*Outcome) error { return same(sink, answer) }
}

// matched: FULL JOIN of all rows with the same key.
func matched(w *World) (*physical.Plan, func(*Outcome) error) {
	a, b := sides()
	a, b = a.Slice(0, 24), b.Slice(0, 20)
	plan, sink := twoInputs(w, a, b, false, &join.RegularSpec{
		Kind: join.FullOuter, L: join.Side{In: events, Keys: []int{0}}, R: join.Side{In: events, Keys: []int{0}},
		NullSafe: []bool{false}, Cols: []int{0, 3, 5, 8}, Out: pairs,
	})
	answer := matches(a, b, func(int, int) bool { return true })
	return plan, func(*Outcome) error { return same(sink, answer) }
}

// matches is FULL JOIN as two loops.
func matches(a, b *row.Batch, fit func(i, j int) bool) string {
	var lines []string
	met := make([]bool, b.Rows)
	for i := range a.Rows {
		alone := true
		for j := range b.Rows {
			if a.Cols[0].I64[i] == b.Cols[0].I64[j] && fit(i, j) {
				alone, met[j] = false, true
				lines = append(lines, fmt.Sprintf("%d | %d | %d | %d", a.Cols[0].I64[i], a.Cols[3].I64[i], b.Cols[0].I64[j], b.Cols[3].I64[j]))
			}
		}
		if alone {
			lines = append(lines, fmt.Sprintf("%d | %d | NULL | NULL", a.Cols[0].I64[i], a.Cols[3].I64[i]))
		}
	}
	for j, m := range met {
		if !m {
			lines = append(lines, fmt.Sprintf("NULL | NULL | %d | %d", b.Cols[0].I64[j], b.Cols[3].I64[j]))
		}
	}
	return sorted(lines)
}
