package sim

import (
	"fmt"
	"strings"
	"time"

	"fsql/expr/agg"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
	"fsql/window"
)

// byClock puts rows into windows of processing time. Which window a row is in
// depends on the seed, but every row is in as many windows as the kind says, and
// no window of a key is sent twice. The source ends when all windows are over.
func byClock(win window.Window, check func(rows int, sent map[[2]int64]int64) error) func(*World) (*physical.Plan, func(*Outcome) error) {
	win.Proctime, win.Time = true, 1
	return func(w *World) (*physical.Plan, func(*Outcome) error) {
		data := generate(30, 70, 6, 1000, 0, 0)
		sink := w.Sink("out")
		until := types.MinTime
		pause := func() bool { return until == types.MinTime && w.Pause() }
		src := &Source{Schema: events, Parts: split(data, 2), Pause: pause, Hold: func() bool {
			if until == types.MinTime {
				until = w.Now + 1000 // time for what is in queues, and for the windows
			}
			w.Now++
			return w.Now < until
		}}
		spec := &window.AggSpec{
			In: events, Window: win, Keys: []int{0}, PartitionKeys: []int{0}, InKinds: row.InsertOnly,
			Calls: []agg.Call{call("COUNT", long.NotNull())}, Props: []window.Prop{window.WindowEnd},
			Out: schema("k", long, "n", long.NotNull(), "window_end", stamp.NotNull()),
		}
		g := &graph{}
		scan := g.add(src.Scan("events", -1, -1, 0), 1)
		count := g.add(operator(spec), w.Parallel, physical.Edge{From: scan, Ship: physical.Hash, Keys: []int{0}})
		g.chain(sink.Node("out", spec.Out), count)
		return &g.Plan, func(*Outcome) error {
			sent := map[[2]int64]int64{}
			for _, l := range strings.Split(sink.Rows(), "\n") {
				f := strings.Split(l, " | ")
				if len(f) != 3 {
					return fmt.Errorf("row %q", l)
				}
				var k, n int64
				fmt.Sscan(f[0], &k)
				fmt.Sscan(f[1], &n)
				end, err := stampMillis(f[2])
				if err != nil {
					return err
				}
				if _, twice := sent[[2]int64{k, end}]; twice {
					return fmt.Errorf("the window of key %d that ends at %s was sent twice", k, f[2])
				}
				sent[[2]int64{k, end}] = n
			}
			return check(data.Rows, sent)
		}
	}
}

// inEach: every row is counted in so many windows.
func inEach(times int) func(int, map[[2]int64]int64) error {
	return func(rows int, sent map[[2]int64]int64) error {
		sum := int64(0)
		for _, n := range sent {
			sum += n
		}
		if sum != int64(rows*times) {
			return fmt.Errorf("%d rows counted in all windows, not %d times %d", sum, times, rows)
		}
		return nil
	}
}

// inSteps: the last window of every full one has its rows, and no earlier one
// has more than a later one.
func inSteps(size, step int64) func(int, map[[2]int64]int64) error {
	return func(rows int, sent map[[2]int64]int64) error {
		sum := int64(0)
		for at, n := range sent {
			switch next, ok := sent[[2]int64{at[0], at[1] + step}]; {
			case at[1]%size == 0:
				sum += n
			case !ok || next < n:
				return fmt.Errorf("key %d: %d rows up to %d, then %d", at[0], n, at[1], next)
			}
		}
		if sum != int64(rows) {
			return fmt.Errorf("%d rows in full windows, not %d", sum, rows)
		}
		return nil
	}
}

// stampMillis reads a time within the first day of 1970.
func stampMillis(text string) (int64, error) {
	t, err := time.Parse("15:04:05.999", text)
	return t.UnixMilli() - time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli(), err
}
