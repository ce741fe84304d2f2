package sim

import (
	"fmt"

	"fsql/expr"
	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
	"fsql/window"
)

// The operators of the product, with the plans the planner makes of them.

var (
	narrow   = schema("k", long, "ts", stamp, "v", long)
	sums     = schema("k", long, "n", long.NotNull(), "s", long, "window_end", stamp.NotNull())
	perKey   = schema("k", long, "n", long.NotNull(), "hi", long)
	perCount = schema("n", long.NotNull(), "ks", long.NotNull(), "hi", long)
)

// calc is SELECT k, ts, v FROM ... WHERE keep.
func calc() *physical.Node {
	column := func(i int) expr.Node { return expr.NewColumn(i, events.Columns[i].Name, events.Columns[i].Type) }
	return operator(&relop.CalcSpec{In: events, Where: column(4), Project: []expr.Node{column(0), column(1), column(3)}, Out: narrow})
}

func call(name string, t types.Type, args ...int) agg.Call {
	fn := agg.NewRegistry(builtin.All()...).Lookup(name)
	return agg.Call{Fn: fn, Args: args, Filter: -1, Type: t, Name: name, Opts: agg.Options{Star: len(args) == 0}}
}

// onWindow puts the rows of a table, many of them late, into an operator per
// key. Where there is a plain loop to compare with, it must agree; the other
// answers are those of a quiet run. A watermark comes when it rose by more than
// the interval.
func onWindow(data *row.Batch, interval types.Time, spec op.Spec, late func() int64) func(*World) (*physical.Plan, func(*Outcome) error) {
	plan := func(w *World) (*physical.Plan, *Sink) {
		sink := w.Sink("out")
		g := &graph{}
		scan := g.add((&Source{Schema: events, Parts: split(data, 2), Pause: w.Pause}).Scan("events", 1, 2, interval), 1)
		where := g.chain(calc(), scan)
		counted := g.add(operator(spec), w.Parallel, physical.Edge{From: where, Ship: physical.Hash, Keys: []int{0}})
		g.chain(sink.Node("out", spec.Output()), counted)
		return &g.Plan, sink
	}
	var answer string
	var tardy int64
	return func(world *World) (*physical.Plan, func(*Outcome) error) {
		if answer == "" {
			var sink *Sink
			out, err := Quiet(Scenario{Plan: func(w *World) (p *physical.Plan) { p, sink = plan(w); return p }})
			if err != nil {
				return &physical.Plan{}, func(*Outcome) error { return err }
			}
			answer, tardy = sink.Rows(), dropped(out)
			if late != nil && tardy != late() {
				return &physical.Plan{}, func(*Outcome) error { return fmt.Errorf("%d rows dropped as late, not %d", tardy, late()) }
			}
		}
		p, sink := plan(world)
		return p, func(o *Outcome) error {
			if n := dropped(o); n != tardy && o.Crashes == 0 {
				return fmt.Errorf("%d rows dropped as late, not %d", n, tardy)
			}
			return same(sink, answer)
		}
	}
}

// realWindow counts and sums per key and window.
func realWindow(w window.Window) func(*World) (*physical.Plan, func(*Outcome) error) {
	data := generate(8, 300, 5, 4000, 200_000, 20_000)
	var late func() int64
	if w.Kind == window.Tumble {
		late = func() int64 {
			_, n := naive(data, func(b *row.Batch, r int) bool { return b.Cols[4].Bool[r] }, w.Size, 200)
			return n
		}
	}
	return onWindow(data, 200, sumsOver(w), late)
}

func sumsOver(w window.Window) *window.AggSpec {
	return &window.AggSpec{
		In: narrow, Window: w, Keys: []int{0}, PartitionKeys: []int{0}, InKinds: row.InsertOnly,
		Calls: []agg.Call{call("COUNT", long.NotNull()), call("SUM", long, 2)},
		Props: []window.Prop{window.WindowEnd}, Out: sums,
	}
}

func dropped(o *Outcome) (n int64) {
	for _, m := range o.Metrics {
		n += m.Late()
	}
	return n
}

// groups aggregates twice: how many keys have n rows. The second aggregation
// takes rows back.
func groups(w *World) (*physical.Plan, func(*Outcome) error) {
	data := generate(9, 200, 23, 1000, 0, 0)
	sink := w.Sink("out")
	g := &graph{}
	scan := g.add((&Source{Schema: events, Parts: split(data, 3), Pause: w.Pause}).Scan("events", -1, -1, 0), w.Parallel)
	where := g.chain(calc(), scan)
	first := g.add(operator(&relop.GroupAggSpec{
		In: narrow, Keys: []int{0}, Calls: []agg.Call{call("COUNT", long.NotNull()), call("MAX", long, 2)},
		Out: perKey, UpdateBefore: true, InKinds: row.InsertOnly,
	}), w.Parallel, physical.Edge{From: where, Ship: physical.Hash, Keys: []int{0}})
	second := g.add(operator(&relop.GroupAggSpec{
		In: perKey, Keys: []int{1}, Calls: []agg.Call{call("COUNT", long.NotNull()), call("MAX", long, 2)},
		Out: perCount, UpdateBefore: true, InKinds: row.AllKinds,
	}), w.Parallel, physical.Edge{From: first, Ship: physical.Hash, Keys: []int{1}})
	g.add(sink.Node("out", perCount), 1, physical.Edge{From: second, Ship: physical.Single})
	n, hi := map[int64]int64{}, map[int64]int64{}
	for r := range data.Rows {
		if k, v := data.Cols[0].I64[r], data.Cols[3].I64[r]; data.Cols[4].Bool[r] {
			n[k]++
			hi[k] = max(hi[k], v)
		}
	}
	keys, top := map[int64]int64{}, map[int64]int64{}
	for k, c := range n {
		keys[c]++
		top[c] = max(top[c], hi[k])
	}
	var lines []string
	for c, ks := range keys {
		lines = append(lines, fmt.Sprintf("%d | %d | %d", c, ks, top[c]))
	}
	return &g.Plan, func(*Outcome) error { return same(sink, sorted(lines)) }
}
