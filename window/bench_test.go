package window

import (
	"math/rand/v2"
	"testing"

	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

var benchIn = &types.Schema{Columns: []types.Column{{Name: "k", Type: types.Of(types.BigInt)}, {Name: "ts", Type: types.TimestampOf(3)}}}

func benchSpec(w Window) *AggSpec {
	return &AggSpec{
		In: benchIn, Window: w, Keys: []int{0}, PartitionKeys: []int{0},
		Calls:   []agg.Call{{Fn: agg.NewRegistry(builtin.All()...).Lookup("COUNT"), Opts: agg.Options{Star: true}, Filter: -1, Type: types.Of(types.BigInt), Name: "COUNT(*)"}},
		Props:   []Prop{WindowStart, WindowEnd, WindowTime},
		InKinds: row.InsertOnly,
		Out: &types.Schema{Columns: []types.Column{
			{Name: "k", Type: types.Of(types.BigInt)}, {Name: "n", Type: types.Of(types.BigInt)}, {Name: "window_start", Type: types.TimestampOf(3)},
			{Name: "window_end", Type: types.TimestampOf(3)}, {Name: "window_time", Type: types.TimestampOf(3)},
		}},
	}
}

// benchBatches makes batches of rows in order of time, perMs rows to a
// millisecond, with keys below keys, and a mark 200 ms apart as a source makes.
func benchBatches(n, rows, keys, perMs int) []*row.Batch {
	r := rand.New(rand.NewPCG(1, 2))
	var all []*row.Batch
	at, last := int64(0), int64(0)
	for i := 0; i < n; i++ {
		k, ts := row.NewVec(benchIn.Columns[0].Type, rows), row.NewVec(benchIn.Columns[1].Type, rows)
		b := row.New(benchIn, rows, []*row.Vec{k, ts}, nil)
		for j := 0; j < rows; j++ {
			k.I64[j] = r.Int64N(int64(keys)) * 7919
			ts.I64[j] = at / int64(perMs) * 1000
			if ms := at / int64(perMs); ms > last+200 {
				last = ms
				b.Marks = append(b.Marks, row.Mark{Row: int32(j + 1), Time: types.Time(ms - 1)})
			}
			at++
		}
		all = append(all, b)
	}
	return all
}

// shift moves batches on in time so that they can be used again.
func shift(all []*row.Batch, by int64) {
	for _, b := range all {
		for i := range b.Cols[1].I64 {
			b.Cols[1].I64[i] += by * 1000
		}
		for i := range b.Marks {
			b.Marks[i].Time += types.Time(by)
		}
	}
}

func BenchmarkAggregation(b *testing.B) {
	for _, c := range []struct {
		name string
		w    Window
		keys int
		n    int // batches of 4,096 rows before the data repeats
		per  int // rows to a millisecond: 10 s hold 10,000 times as many
	}{
		{"tumble/keys=1e4", Window{Kind: Tumble, Size: 10_000, Time: 1}, 1e4, 512, 100},
		{"tumble/keys=1e6", Window{Kind: Tumble, Size: 10_000, Time: 1}, 1e6, 4096, 1600},
		{"tumble/keys=1e6/few", Window{Kind: Tumble, Size: 10_000, Time: 1}, 1e6, 2048, 200},
		{"hop/keys=1e4", Window{Kind: Hop, Size: 10_000, Slide: 2000, Time: 1}, 1e4, 512, 100},
		{"cumulate/keys=1e4", Window{Kind: Cumulate, Size: 60_000, Slide: 10_000, Time: 1}, 1e4, 512, 100},
		{"session/keys=1e4", Window{Kind: Session, Size: 500, Time: 1}, 1e4, 512, 10},
	} {
		b.Run(c.name, func(b *testing.B) {
			all := benchBatches(c.n, 4096, c.keys, c.per)
			span := int64(c.n*4096/c.per + 1)
			o, err := benchSpec(c.w).Build(testContext(4096, false))
			if err != nil {
				b.Fatal(err)
			}
			rows := 0
			take := op.EmitFunc(func(out *row.Batch) error { rows += out.Rows; return nil })
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				if i > 0 && i%c.n == 0 {
					b.StopTimer()
					shift(all, span)
					b.StartTimer()
				}
				for more := true; more; {
					if more, err = o.OnBatch(0, all[i%c.n], take); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.N)*4096/b.Elapsed().Seconds()/1e6, "Mrows/s")
			b.ReportMetric(float64(rows)/float64(b.N), "out/batch")
		})
	}
}

// In the steady state a batch costs no allocation, but for what it emits.
func TestNoAllocationPerRow(t *testing.T) {
	for _, w := range []Window{
		{Kind: Tumble, Size: 10_000, Time: 1}, {Kind: Hop, Size: 10_000, Slide: 2000, Time: 1},
		{Kind: Cumulate, Size: 10_000, Slide: 2000, Time: 1}, {Kind: Session, Size: 10_000, Time: 1},
	} {
		o, err := benchSpec(w).Build(testContext(4096, false))
		if err != nil {
			t.Fatal(err)
		}
		all := benchBatches(20, 1000, 100, 10)
		quiet := op.EmitFunc(func(*row.Batch) error { return nil })
		for _, b := range all {
			b.Marks = nil
		}
		feed := func(b *row.Batch) {
			if _, err := o.OnBatch(0, b, quiet); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range all {
			feed(b)
		}
		i := 0
		if n := testing.AllocsPerRun(50, func() { feed(all[i%len(all)]); i++ }); n > 0 {
			t.Errorf("%v: %v allocations per batch without a mark", w.Kind, n)
		}
		at := types.Time(0) // marks at which nothing fires
		n := testing.AllocsPerRun(50, func() {
			at++
			b := *all[len(all)-1]
			b.Marks = []row.Mark{{Row: 1, Time: at - 10_000}, {Row: 500, Time: at - 9_990}, {Row: 1000, Time: at - 9_980}}
			feed(&b)
		})
		if n > 30 {
			t.Errorf("%v: %v allocations per batch with marks", w.Kind, n)
		}
		if bytes := o.(op.Sized).StateBytes(); bytes < 100*8 || bytes > 4<<20 {
			t.Errorf("%v: %d bytes for 100 keys", w.Kind, bytes)
		}
	}
}
