package relop_test

import (
	"io"
	"log/slog"
	"testing"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

func testContext(batchRows int, zero bool) *op.Context {
	return &op.Context{
		Name: "test", Log: slog.New(slog.NewTextHandler(io.Discard, nil)), BatchRows: batchRows,
		Now: func() types.Time { return 0 }, Zone: "UTC", ZeroHash: zero, Parallel: 1,
	}
}

func open(t testing.TB, s op.Spec, batchRows int, zero bool) op.Operator {
	t.Helper()
	o, err := s.Build(testContext(batchRows, zero))
	if err != nil {
		t.Fatal(err)
	}
	return op.Checked(o, s, row.AllKinds)
}

func feed(t testing.TB, o op.Operator, b *row.Batch, out op.Emitter) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = o.OnBatch(0, b, out); err != nil {
			t.Fatal(err)
		}
	}
}

// Which changes the operators take and send (flink-sql 6.2).
func TestEmits(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{{Name: "k", Type: types.String()}}}
	updates := row.InsertOnly | 1<<row.UpdateBefore | 1<<row.UpdateAfter
	for _, c := range []struct {
		name string
		spec op.Spec
		in   []row.Kinds
		want row.Kinds // 0: refused
	}{
		{"distinct", groupSpec(t, in, "key=k"), []row.Kinds{row.InsertOnly}, updates},
		{"group of updates", groupSpec(t, in, "key=k"), []row.Kinds{updates}, row.AllKinds},
		{"group of upserts", groupSpec(t, in, "key=k"), []row.Kinds{row.Upserts}, 0},
		{"project upserts", &relop.CalcSpec{In: in, Out: in}, []row.Kinds{row.Upserts}, row.Upserts},
		{"filter upserts", &relop.CalcSpec{In: in, Out: in, Where: expr.Bool(true)}, []row.Kinds{row.Upserts}, 0},
		{"filter updates", &relop.CalcSpec{In: in, Out: in, Where: expr.Bool(true)}, []row.Kinds{updates}, updates},
		{"union", &relop.UnionSpec{Out: in, Inputs: 2}, []row.Kinds{row.InsertOnly, updates}, updates},
		{"union of upserts", &relop.UnionSpec{Out: in, Inputs: 2}, []row.Kinds{row.InsertOnly, row.Upserts}, row.Upserts},
		{"union of both", &relop.UnionSpec{Out: in, Inputs: 2}, []row.Kinds{updates, row.Upserts}, 0},
		{"drop", &relop.DropUpdateBeforeSpec{In: in}, []row.Kinds{row.AllKinds}, row.Upserts},
		{"limit", &relop.LimitSpec{In: in, Limit: 1}, []row.Kinds{row.InsertOnly}, row.InsertOnly},
		{"limit of updates", &relop.LimitSpec{In: in, Limit: 1}, []row.Kinds{updates}, 0},
	} {
		got, err := c.spec.Emits(c.in)
		if got != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("%s: %b, %v", c.name, got, err)
		}
		if d, ok := err.(*diag.Error); err != nil && (!ok || d.Code != diag.ChangelogMode) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
