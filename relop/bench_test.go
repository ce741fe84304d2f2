package relop_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

var benchIn = &types.Schema{Columns: []types.Column{
	{Name: "k", Type: types.Of(types.BigInt)}, {Name: "s", Type: types.String()}, {Name: "x", Type: types.Of(types.BigInt)}, {Name: "d", Type: types.Of(types.Double)},
}}

// benchBatches makes n batches of 4,096 rows with keys below keys.
func benchBatches(n, keys int) []*row.Batch {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]*row.Batch, n)
	for i := range all {
		b := row.NewBuilder(benchIn)
		for j := 0; j < 4096; j++ {
			k := r.IntN(keys)
			for _, c := range b.Cols {
				c.Extend(1)
			}
			b.Cols[0].I64[j], b.Cols[1].Str[j] = int64(k)*7919, fmt.Sprintf("key-%d", k)
			b.Cols[2].I64[j], b.Cols[3].F64[j] = r.Int64N(100), r.Float64()
		}
		b.Added(4096, row.Insert)
		b.Mark(types.Time(i + 1))
		all[i] = b.Flush()
	}
	return all
}

var discard = op.EmitFunc(func(*row.Batch) error { return nil })

func BenchmarkGroupAggregate(b *testing.B) {
	for _, c := range []struct {
		name  string
		keys  int
		words []string
	}{
		{"keys=1000", 1000, []string{"key=k", "call=COUNT(*)", "call=SUM(x)"}},
		{"keys=1000/string", 1000, []string{"key=s", "call=COUNT(*)", "call=SUM(x)"}},
		{"keys=1000/max", 1000, []string{"key=k", "call=MAX(x)"}},
		{"keys=1000/distinct", 1000, []string{"key=k", "call=COUNT(DISTINCT,x)"}},
		{"keys=1000/five", 1000, []string{"key=k", "call=COUNT(*)", "call=SUM(x)", "call=AVG(d)", "call=MIN(x)", "call=MAX(d)"}},
		{"keys=3", 3, []string{"key=k", "call=COUNT(*)", "call=SUM(x)"}},
		{"keys=1e6", 1e6, []string{"key=k", "call=COUNT(*)", "call=SUM(x)"}},
		{"global", 1000, []string{"call=COUNT(*)", "call=SUM(x)"}},
		{"keys=1000/SELECT DISTINCT", 1000, []string{"key=k"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			all := benchBatches(64, c.keys)
			spec := groupSpec(b, benchIn, c.words...)
			spec.InKinds = row.InsertOnly
			o, err := spec.Build(testContext(4096, false))
			if err != nil {
				b.Fatal(err)
			}
			for _, batch := range all {
				feed(b, o, batch, discard)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				feed(b, o, all[i%len(all)], discard)
			}
			b.ReportMetric(float64(b.N)*4096/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// Rows cost no allocations: those of a batch do not depend on its size.
func TestAllocations(t *testing.T) {
	all := benchBatches(4, 1000)
	spec := groupSpec(t, benchIn, "key=k", "key=s", "call=COUNT(*)", "call=SUM(x)", "call=MAX(d)")
	spec.InKinds = row.InsertOnly
	for name, s := range map[string]op.Spec{
		"group": spec,
		"calc":  calcSpec(t, benchIn, "<(x,50)", "k,s,*(x,2)"),
		"drop":  &relop.DropUpdateBeforeSpec{In: benchIn},
	} {
		o, err := s.Build(testContext(4096, false))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			feed(t, o, b, discard)
		}
		n := testing.AllocsPerRun(20, func() { feed(t, o, all[0], discard) })
		if n > 60 {
			t.Errorf("%s: %v allocations for a batch of 4096 rows", name, n)
		}
	}
}
