package join

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"fsql/expr"
	"fsql/expr/builtin"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

func testContext(rows int, zero bool) *op.Context {
	return &op.Context{
		Name: "join", Log: slog.New(slog.NewTextHandler(io.Discard, nil)), BatchRows: rows, Zone: "UTC", ZeroHash: zero,
		Now: func() types.Time { return 0 }, Parallel: 1,
	}
}

// allColumns are the columns of both sides as the output has them: of a padded
// side they may be NULL.
func allColumns(k Kind, l, r *types.Schema) (cols []int, out *types.Schema) {
	out = &types.Schema{}
	for i, c := range l.Columns {
		c.Type.Nullable = c.Type.Nullable || k.Pads(right)
		cols, out.Columns = append(cols, i), append(out.Columns, c)
	}
	if k.LeftOnly() {
		return cols, out
	}
	for i, c := range r.Columns {
		c.Type.Nullable = c.Type.Nullable || k.Pads(left)
		cols, out.Columns = append(cols, len(l.Columns)+i), append(out.Columns, c)
	}
	return cols, out
}

// narrowed leaves the columns of the output for which keep holds.
func narrowed(cols []int, out *types.Schema, keep func(i int) bool) ([]int, *types.Schema) {
	var some []int
	s := &types.Schema{}
	for i, c := range cols {
		if keep(i) {
			some, s.Columns = append(some, c), append(s.Columns, out.Columns[i])
		}
	}
	return some, s
}

// narrowLines leaves the same columns of lines of text.
func narrowLines(lines []string, keep func(i int) bool) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		parts := strings.Split(l, " | ")
		if len(parts) == 1 {
			out[i] = l
			continue
		}
		some := parts[:1:1]
		for c, p := range parts[1:] {
			if keep(c) {
				some = append(some, p)
			}
		}
		out[i] = strings.Join(some, " | ")
	}
	return out
}

// compare is the condition "l op r" of two columns of both sides.
func compare(t testing.TB, op string, both *types.Schema, l, r int) expr.Node {
	t.Helper()
	n, err := expr.NewCall(builtin.All(), op, []expr.Node{
		expr.NewColumn(l, both.Columns[l].Name, both.Columns[l].Type), expr.NewColumn(r, both.Columns[r].Name, both.Columns[r].Type),
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func concat(l, r *types.Schema) *types.Schema {
	return &types.Schema{Columns: append(append([]types.Column(nil), l.Columns...), r.Columns...)}
}

// feed gives an operator a batch and returns after it is done.
func feed(t testing.TB, o op.Operator, in int, b *row.Batch, out op.Emitter) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = o.OnBatch(in, b, out); err != nil {
			t.Fatal(err)
		}
	}
}
