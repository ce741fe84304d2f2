package relop_test

import (
	"strings"
	"testing"

	"fsql/internal/golden"
	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

func TestUnnest(t *testing.T) {
	golden.RunOperator(t, "testdata/unnest.txt", func(c *golden.Case) op.Spec {
		return unnestSpec(t, c.Inputs[0], c.Args[1:])
	})
}

// unnestSpec makes a spec of words: outer, ordinality, where=CONDITION and
// select=COLUMNS. The collection is column c, the elements are e0, e1, ..
func unnestSpec(t testing.TB, in *types.Schema, words []string) *relop.UnnestSpec {
	t.Helper()
	s := &relop.UnnestSpec{In: &types.Schema{Columns: append([]types.Column(nil), in.Columns...)}, Of: in.Index("c"), Out: &types.Schema{}}
	for i := range s.In.Columns {
		if s.In.Columns[i].Name == "ts" {
			s.In.Columns[i].Type.Attr = types.Rowtime
		}
	}
	where, project := "", ""
	for _, w := range words {
		switch word, rest, _ := strings.Cut(w, "="); word {
		case "outer":
			s.Outer = true
		case "ordinality":
			s.Ordinality = true
		case "where":
			where = rest
		case "select":
			project = rest
		default:
			t.Fatalf("unknown word %q", w)
		}
	}
	both := &types.Schema{Columns: append([]types.Column(nil), s.In.Columns...)}
	for i, e := range relop.Elements(in.Columns[s.Of].Type, s.Ordinality) {
		e.Name = "e" + string(rune('0'+i))
		both.Columns = append(both.Columns, e)
	}
	if where != "" {
		s.Cond = (&terms{t: t, in: both, rest: where}).term()
	}
	for _, name := range strings.Split(project, ",") {
		c := both.Index(name)
		col := both.Columns[c]
		col.Type = col.Type.OrNull(s.Outer && c >= len(in.Columns))
		s.Cols, s.Out.Columns = append(s.Cols, c), append(s.Out.Columns, col)
	}
	return s
}

// A step gives no more rows than it may, however long a list is.
func TestUnnestBatchRows(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{{Name: "c", Type: types.ArrayOf(types.Of(types.Int))}}}
	c := row.NewVec(in.Columns[0].Type, 3)
	c.Kids[0] = row.NewVec(types.Of(types.Int), 1000)
	copy(c.Size, []int32{10, 1000, 0})
	for _, words := range [][]string{{"select=e0"}, {"outer", "select=e0"}, {"outer", "where=>(e0,1)", "select=e0"}} {
		s := unnestSpec(t, in, words)
		o := open(t, s, 64, false)
		rows, steps, sent := 0, 0, 0
		for more := true; more; steps++ {
			sent = 0
			var err error
			more, err = o.OnBatch(0, row.New(in, 3, []*row.Vec{c}, nil), op.EmitFunc(func(b *row.Batch) error {
				rows, sent = rows+b.Rows, sent+b.Rows
				return nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			if sent > 64 {
				t.Errorf("%v: a step gave %d rows", words, sent)
			}
		}
		want := 1010
		switch {
		case s.Cond != nil:
			want = 3
		case s.Outer:
			want = 1011
		}
		if rows != want || steps < 1000/64 {
			t.Errorf("%v: %d rows in %d steps", words, rows, steps)
		}
	}
}

func BenchmarkUnnest(b *testing.B) {
	in := &types.Schema{Columns: []types.Column{{Name: "k", Type: types.Of(types.BigInt)}, {Name: "s", Type: types.String()}, {Name: "c", Type: types.ArrayOf(types.Of(types.Int))}}}
	const n, each = 1024, 5
	batch := row.New(in, n, []*row.Vec{row.NewVec(in.Columns[0].Type, n), row.NewVec(in.Columns[1].Type, n), row.NewVec(in.Columns[2].Type, n)}, nil)
	batch.Cols[2].Kids[0] = row.NewVec(types.Of(types.Int), n*each)
	for i := range n {
		batch.Cols[2].Off[i], batch.Cols[2].Size[i] = int32(i*each), each
		for j := range each {
			batch.Cols[2].Kids[0].I32[i*each+j] = int32(j)
		}
	}
	for _, c := range []struct{ name, words string }{
		{"cross", "select=k,s,e0"}, {"left", "outer select=k,s,e0"}, {"where 40%", "where=>(e0,2) select=k,s,e0"}, {"left on 40%", "outer where=>(e0,2) select=k,s,e0"},
	} {
		b.Run(c.name, func(b *testing.B) {
			o, err := unnestSpec(b, in, strings.Fields(c.words)).Build(testContext(1024, false))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				feed(b, o, batch, discard)
			}
			b.ReportMetric(float64(b.N)*n*each/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}
