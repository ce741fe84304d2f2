package expr_test

import (
	"testing"

	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

// numbers makes a batch of 4,096 rows: two INT, a BIGINT and a DOUBLE column.
func numbers(t testing.TB) (*row.Batch, []expr.Node) {
	const n = 4096
	b, c := ints(make([]int32, n), make([]int32, n))
	rnd := expr.NewRand(1)
	for i := 0; i < n; i++ {
		b.Cols[0].I32[i] = int32(rnd.Uint64() % 1000)
		b.Cols[1].I32[i] = int32(rnd.Uint64() % 1000)
	}
	big, real := row.NewVec(types.Of(types.BigInt), n), row.NewVec(types.Of(types.Double), n)
	for i := range big.I64 {
		big.I64[i], real.F64[i] = int64(rnd.Uint64()%1000), float64(rnd.Uint64()%1000)/8
	}
	b.Schema.Columns = append(b.Schema.Columns, types.Column{Name: "c", Type: big.Type}, types.Column{Name: "d", Type: real.Type})
	b.Cols = append(b.Cols, big, real)
	return b, append(c, expr.NewColumn(2, "c", big.Type), expr.NewColumn(3, "d", real.Type))
}

// filter is a < 500 AND c > 250 AND d * 2 < 200.
func filter(t testing.TB, c []expr.Node) expr.Node {
	two := lit(t, types.Of(types.Double), "2")
	return call(t, "AND", call(t, "AND", call(t, "<", c[0], intLit(t, "500")), call(t, ">", c[2], intLit(t, "250"))),
		call(t, "<", call(t, "*", c[3], two), lit(t, types.Of(types.Double), "200")))
}

func BenchmarkFilterArithmeticCompare(bm *testing.B) {
	b, c := numbers(bm)
	f := compile(bm, b, filter(bm, c))
	p := compile(bm, b, call(bm, "+", call(bm, "*", c[0], intLit(bm, "3")), c[1]), call(bm, ">", c[2], intLit(bm, "100")))
	ctx := &expr.Ctx{}
	var sel []int32
	bm.ReportAllocs()
	for bm.Loop() {
		var err error
		if sel, err = f.Select(ctx, b, sel[:0]); err != nil {
			bm.Fatal(err)
		}
		if _, err = p.Eval(ctx, b, sel); err != nil {
			bm.Fatal(err)
		}
	}
	bm.ReportMetric(float64(b.Rows)*float64(bm.N)/bm.Elapsed().Seconds()/1e6, "Mrows/s")
}

func BenchmarkSelect(bm *testing.B) {
	b, c := numbers(bm)
	f := compile(bm, b, filter(bm, c))
	ctx := &expr.Ctx{}
	var sel []int32
	for bm.Loop() {
		sel, _ = f.Select(ctx, b, sel[:0])
	}
	bm.ReportMetric(float64(b.Rows)*float64(bm.N)/bm.Elapsed().Seconds()/1e6, "Mrows/s")
}

func BenchmarkDecimal(bm *testing.B) {
	b, c := numbers(bm)
	t := types.DecimalOf(10, 2)
	x, err := expr.NewCast(c[0], t, false)
	if err != nil {
		bm.Fatal(err)
	}
	v, _ := compile(bm, b, x).Eval(&expr.Ctx{}, b, nil)
	d := &row.Batch{Schema: &types.Schema{Columns: []types.Column{{Name: "x", Type: t}}}, Rows: b.Rows, Cols: v}
	col := expr.NewColumn(0, "x", t)
	p := compile(bm, d, call(bm, "*", call(bm, "+", col, col), col))
	ctx := &expr.Ctx{}
	for bm.Loop() {
		if _, err := p.Eval(ctx, d, nil); err != nil {
			bm.Fatal(err)
		}
	}
	bm.ReportMetric(float64(b.Rows)*float64(bm.N)/bm.Elapsed().Seconds()/1e6, "Mrows/s")
}

// Allocations go by batches and results, not by rows: a column for each result,
// the list of them, and nothing for inner values.
func TestAllocations(t *testing.T) {
	b, c := numbers(t)
	f := compile(t, b, filter(t, c))
	p := compile(t, b, call(t, "+", call(t, "*", c[0], intLit(t, "3")), c[1]), call(t, ">", c[2], intLit(t, "100")))
	text, err := expr.NewCast(c[0], types.String(), false)
	if err != nil {
		t.Fatal(err)
	}
	q := compile(t, b, call(t, "=", call(t, "UPPER", text), lit(t, types.CharOf(3), "500")))
	ctx := &expr.Ctx{}
	sel := make([]int32, 0, b.Rows)
	for _, x := range []struct {
		name string
		most float64
		run  func()
	}{
		{"select", 1, func() { sel, _ = f.Select(ctx, b, sel[:0]) }},
		{"arithmetic and comparison", 6, func() { p.Eval(ctx, b, sel) }},
		{"texts", 20, func() { sel, _ = q.Select(ctx, b, sel[:0]) }},
	} {
		x.run()
		if n := testing.AllocsPerRun(20, x.run); n > x.most {
			t.Errorf("%s: %v allocations a batch of %d rows", x.name, n, b.Rows)
		}
	}
}
