package relop_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"fsql/expr"
	"fsql/expr/builtin"
	"fsql/internal/golden"
	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

func TestCalc(t *testing.T) {
	golden.RunOperator(t, "testdata/calc.txt", func(c *golden.Case) op.Spec {
		in := &types.Schema{Columns: append([]types.Column(nil), c.Inputs[0].Columns...)}
		for i := range in.Columns {
			if in.Columns[i].Name == "ts" {
				in.Columns[i].Type.Attr = types.Rowtime
			}
		}
		return calcSpec(t, in, c.Arg("where"), c.Arg("select"))
	})
}

func calcSpec(t testing.TB, in *types.Schema, where, project string) *relop.CalcSpec {
	t.Helper()
	s := &relop.CalcSpec{In: in, Out: &types.Schema{}}
	if where != "" {
		p := &terms{t: t, in: in, rest: where}
		s.Where = p.term()
	}
	p := &terms{t: t, in: in, rest: project}
	for i := 0; ; i++ {
		e := p.term()
		name := fmt.Sprintf("EXPR$%d", i)
		if c, ok := e.(*expr.Column); ok {
			name = c.Name
		}
		s.Project, s.Out.Columns = append(s.Project, e), append(s.Out.Columns, types.Column{Name: name, Type: e.Type()})
		if p.rest == "" {
			return s
		}
		p.rest = p.rest[1:]
	}
}

// terms reads expressions written as calls without blanks: *(n,2).
type terms struct {
	t    testing.TB
	in   *types.Schema
	rest string
}

func (p *terms) term() expr.Node {
	end := strings.IndexAny(p.rest, "(),")
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	if !strings.HasPrefix(p.rest, "(") {
		if n, err := strconv.Atoi(word); err == nil {
			return expr.Int(int32(n))
		}
		i := p.in.Index(word)
		return expr.NewColumn(i, word, p.in.Columns[i].Type)
	}
	var args []expr.Node
	for p.rest[0] != ')' {
		p.rest = p.rest[1:]
		args = append(args, p.term())
	}
	p.rest = p.rest[1:]
	e, err := expr.NewCall(builtin.All(), strings.ReplaceAll(word, "_", " "), args)
	if err != nil && strings.Contains(word, "_") {
		e, err = expr.NewCall(builtin.All(), word, args)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return e
}

// Plain columns are passed on, not copied, and so are whole batches that pass.
func TestCalcShares(t *testing.T) {
	b := benchBatches(1, 10)[0]
	for _, where := range []string{"", ">=(x,0)"} {
		o := open(t, calcSpec(t, benchIn, where, "s,+(x,1),k"), 4096, false)
		var got *row.Batch
		feed(t, o, b, op.EmitFunc(func(out *row.Batch) error { got = out; return nil }))
		if got.Cols[0] != b.Cols[1] || got.Cols[2] != b.Cols[0] || got.Cols[1].I64[5] != b.Cols[2].I64[5]+1 {
			t.Errorf("where %q: columns are copied or wrong", where)
		}
	}
}

// A batch of which nothing is left goes no further, unless it has marks.
func TestCalcNothingLeft(t *testing.T) {
	b := benchBatches(1, 10)[0]
	o := open(t, calcSpec(t, benchIn, "<(x,0)", "k"), 4096, false)
	sent := 0
	count := op.EmitFunc(func(out *row.Batch) error { sent += 1 + out.Rows; return nil })
	feed(t, o, b, count)
	if sent != 1 {
		t.Errorf("%d rows and batches, want the mark alone", sent)
	}
	feed(t, o, b.Slice(0, 100), count)
	if sent != 1 {
		t.Error("an empty batch was sent")
	}
}

func BenchmarkCalc(b *testing.B) {
	all := benchBatches(16, 1000)
	for _, c := range []struct{ name, where, project string }{
		{"project", "", "k,s,*(x,2)"},
		{"filter 50%", "<(x,50)", "k,s,x"},
		{"filter 50% and project", "<(x,50)", "k,s,*(x,2)"},
		{"filter 5%", "<(x,5)", "k,s,*(x,2)"},
		{"filter 100%", "<(x,100)", "k,s,x"},
	} {
		b.Run(c.name, func(b *testing.B) {
			o, err := calcSpec(b, benchIn, c.where, c.project).Build(testContext(4096, false))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				feed(b, o, all[i%len(all)], discard)
			}
			b.ReportMetric(float64(b.N)*4096/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// Every row sees the mark in force before it, wherever batches are cut.
func TestCalcWatermark(t *testing.T) {
	now := &expr.Call{
		Fn: &expr.Func{Name: "CURRENT_WATERMARK", Nulls: expr.NullSeen, Dynamic: true}, T: types.Of(types.BigInt),
		Eval: func(c *expr.Ctx, _ *expr.Call, _ []*row.Vec, _ []int32, out *row.Vec) error {
			for i := range out.I64 {
				if out.I64[i] = int64(c.Watermark); c.Watermark == types.MinTime {
					out.SetNull(i)
				}
			}
			return nil
		},
	}
	golden.RunOperator(t, "testdata/watermark.txt", func(c *golden.Case) op.Spec {
		s := calcSpec(t, c.Inputs[0], "", "n")
		s.Project = append(s.Project, now)
		s.Out.Columns = append(s.Out.Columns, types.Column{Name: "w", Type: now.T})
		return s
	})
}
