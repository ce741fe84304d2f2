package relop

import (
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// UnionSpec is UNION ALL: the rows of all inputs, which have the columns of the
// output. The gate has merged the event times of the inputs.
type UnionSpec struct {
	Out    *types.Schema
	Inputs int
}

// Describe implements op.Spec.
func (s *UnionSpec) Describe() op.Description {
	names := make([]string, len(s.Out.Columns))
	for i, c := range s.Out.Columns {
		names[i] = c.Name
	}
	return op.Description{Name: "Union", Args: [][2]string{{"all", "[true]"}, {"union", list(names)}}}
}

// Output implements op.Spec.
func (s *UnionSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *UnionSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec: all that comes. Updates with and without their old
// rows do not mix (flink-sql 6.2): nobody could tell which rows end.
func (s *UnionSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	all, bare := row.Kinds(0), false
	for _, k := range in {
		all, bare = all|k, bare || withoutOld(k)
	}
	if bare && all.Has(row.UpdateBefore) {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "UNION ALL of updates with and without their old rows")
	}
	return all, nil
}

// Blends implements op.Blending.
func (s *UnionSpec) Blends() bool { return true }

// MayPause implements op.Spec.
func (s *UnionSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *UnionSpec) Build(*op.Context) (op.Operator, error) { return union{s.Out}, nil }

type union struct{ out *types.Schema }

// OnBatch implements op.Operator.
func (o union) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	return false, out.Emit(&row.Batch{Schema: o.out, Rows: b.Rows, Cols: b.Cols, Kinds: b.Kinds, Marks: b.Marks})
}

// OnBarrier implements op.Operator.
func (o union) OnBarrier(types.Epoch) error { return nil }
