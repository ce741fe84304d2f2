package builtin_test

import (
	"strconv"
	"testing"

	"fsql/expr"
	"fsql/expr/builtin"
	"fsql/row"
	"fsql/sql"
	"fsql/types"
)

// speeds are representative functions and operators over the columns of
// benchBatch, with how many allocations a batch of 4096 rows may cost at most
// beyond its result: kernels of plain values allocate nothing per row, those
// that make texts share the memory of a batch.
var speeds = []struct {
	text string
	most float64
}{
	{"i + j * 2", 8},
	{"l / 7", 8},
	{"MOD(i, 10)", 8},
	{"d * 1.5E0 - 2E0", 8},
	{"p + p", 8},
	{"p * p", 8},
	{"i > j AND d < 50E0", 8},
	{"CASE WHEN i > 500 THEN i ELSE j END", 12},
	{"COALESCE(n, i)", 10},
	{"i IN (1, 5, 9, 100, 700)", 8},
	{"i BETWEEN 100 AND 500", 10},
	{"ABS(i - j)", 8},
	{"ROUND(d, 1)", 8},
	{"POWER(d, 2E0)", 8},
	{"CAST(l AS INT)", 8},
	{"CAST(i AS STRING)", 40},
	{"CAST(t AS INT)", 8},
	{"UPPER(s)", 40},
	{"SUBSTRING(s, 3, 4)", 10},
	{"CHAR_LENGTH(s)", 8},
	{"s || '-' || t", 40},
	{"s LIKE '%ame5%'", 8},
	{"TRIM(s)", 10},
	{"REGEXP_EXTRACT(s, '([0-9]+)', 1)", 60},
	{"POSITION('5' IN s)", 8},
	{"SPLIT_INDEX(s, '-', 1)", 12},
	{"MD5(s)", 40},
	{"EXTRACT(HOUR FROM ts)", 8},
	{"ts + INTERVAL '5' MINUTE", 8},
	{"DATE_FORMAT(ts, 'yyyy-MM-dd HH:mm')", 60},
	{"CAST(ts AS STRING)", 40},
	{"TIMESTAMPDIFF(SECOND, ts, TIMESTAMP '2024-06-01 00:00:00')", 10},
}

const benchRows = 4096

// benchBatch has columns i and j INT, n INT with NULLs, l BIGINT, d DOUBLE,
// p DECIMAL(10, 2), s STRING, t STRING of digits, ts TIMESTAMP(3).
func benchBatch() (*row.Batch, map[string]expr.Node) {
	b := &row.Batch{Schema: &types.Schema{}, Rows: benchRows}
	columns := map[string]expr.Node{}
	add := func(name string, t types.Type, set func(v *row.Vec, r, x int)) {
		v := row.NewVec(t, benchRows)
		rnd := expr.NewRand(uint64(len(b.Cols)))
		for r := range benchRows {
			set(v, r, int(rnd.Uint64()%1000))
		}
		columns[name] = expr.NewColumn(len(b.Cols), name, t)
		b.Schema.Columns = append(b.Schema.Columns, types.Column{Name: name, Type: t})
		b.Cols = append(b.Cols, v)
	}
	int32s := func(v *row.Vec, r, x int) { v.I32[r] = int32(x) }
	add("i", types.Of(types.Int), int32s)
	add("j", types.Of(types.Int), int32s)
	add("n", types.Of(types.Int), func(v *row.Vec, r, x int) {
		if v.I32[r] = int32(x); x%3 == 0 {
			v.SetNull(r)
		}
	})
	add("l", types.Of(types.BigInt), func(v *row.Vec, r, x int) { v.I64[r] = int64(x) * 1_000 })
	add("d", types.Of(types.Double), func(v *row.Vec, r, x int) { v.F64[r] = float64(x) / 8 })
	add("p", types.DecimalOf(10, 2), func(v *row.Vec, r, x int) { v.Dec[r] = types.Dec{Lo: uint64(x)} })
	add("s", types.String(), func(v *row.Vec, r, x int) { v.Str[r] = "name" + strconv.Itoa(x) + "-end" })
	add("t", types.String(), func(v *row.Vec, r, x int) { v.Str[r] = strconv.Itoa(x) })
	add("ts", types.TimestampOf(3), func(v *row.Vec, r, x int) { v.I64[r] = 1_700_000_000_000 + int64(x)*60_000 })
	return b, columns
}

func benchProgram(t testing.TB, text string, b *row.Batch, columns map[string]expr.Node) *expr.Program {
	t.Helper()
	e, err := sql.ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	n, err := binder{reg: builtin.All(), columns: columns}.bind(e)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	p, err := expr.Compile([]expr.Node{n}, b.Schema)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// BenchmarkFunctions: go test ./expr/builtin -run '^$' -bench Functions -cpu 1
func BenchmarkFunctions(bm *testing.B) {
	b, columns := benchBatch()
	for _, s := range speeds {
		bm.Run(s.text, func(bm *testing.B) {
			p := benchProgram(bm, s.text, b, columns)
			c := &expr.Ctx{}
			bm.ReportAllocs()
			for bm.Loop() {
				if _, err := p.Eval(c, b, nil); err != nil {
					bm.Fatal(err)
				}
			}
			bm.ReportMetric(float64(benchRows)*float64(bm.N)/bm.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// TestFunctionAllocations: allocations go by batches, not by rows.
func TestFunctionAllocations(t *testing.T) {
	b, columns := benchBatch()
	for _, s := range speeds {
		p := benchProgram(t, s.text, b, columns)
		c := &expr.Ctx{}
		run := func() {
			if _, err := p.Eval(c, b, nil); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if n := testing.AllocsPerRun(10, run); n > s.most {
			t.Errorf("%s: %v allocations for %d rows, at most %v are good", s.text, n, benchRows, s.most)
		}
	}
}

// TestRoundPlain: the short way gives what the text gives.
func TestRoundPlain(t *testing.T) {
	b, columns := benchBatch()
	rnd := expr.NewRand(7)
	d := b.Cols[4]
	for r := range d.F64 {
		x := float64(int64(rnd.Uint64()>>20)) / float64(uint64(1)<<(rnd.Uint64()%44))
		switch r % 4 {
		case 0:
			x = float64(rnd.Uint64()%2_000_000)/1000 - 1000 // ties and near ones
		case 1:
			x = -x
		}
		d.F64[r] = x
	}
	for _, f := range []string{"ROUND", "TRUNCATE"} {
		for _, digits := range []string{"0", "1", "2", "5", "12"} {
			// As text the number takes the long way: a DECIMAL of 38 digits holds all of it.
			short := benchProgram(t, f+"(d, "+digits+")", b, columns)
			long := benchProgram(t, "CAST("+f+"(CAST(CAST(d AS STRING) AS DECIMAL(38, 20)), "+digits+") AS DOUBLE)", b, columns)
			got, err := short.Eval(&expr.Ctx{}, b, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := long.Eval(&expr.Ctx{}, b, nil)
			if err != nil {
				t.Fatal(err)
			}
			for r, x := range d.F64 {
				if g, w := got[0].F64[r], want[0].F64[r]; g != w && x < 1e22 {
					t.Fatalf("%s(%v, %s) = %v, want %v", f, x, digits, g, w)
				}
			}
		}
	}
}
