package relop

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// ReplicateSpec gives every row as often as its column Count says, a BIGINT
// above 0, without that column: how INTERSECT ALL and EXCEPT ALL turn the number
// of equal rows into rows again. An update of a number comes out as all old rows
// and then all new ones, as in Flink.
type ReplicateSpec struct {
	In    *types.Schema
	Count int
	Out   *types.Schema // In without the column
}

// Describe implements op.Spec.
func (s *ReplicateSpec) Describe() op.Description {
	return op.Description{Name: "Replicate", Args: [][2]string{{"times", "[" + s.In.Columns[s.Count].Name + "]"}}}
}

// Output implements op.Spec.
func (s *ReplicateSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *ReplicateSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec.
func (s *ReplicateSpec) Emits(in []row.Kinds) (row.Kinds, error) { return in[0], nil }

// MayPause implements op.Spec: a number may be large.
func (s *ReplicateSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *ReplicateSpec) Build(c *op.Context) (op.Operator, error) {
	return &replicate{spec: s, most: max(1, c.BatchRows)}, nil
}

type replicate struct {
	spec *ReplicateSpec
	most int
	sel  []int32

	// The place in the batch at work: rows that are done, copies of the next
	// one that are, marks that are sent.
	row   int
	given int64
	marks int
}

// OnBatch implements op.Operator.
func (o *replicate) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	counts := b.Cols[o.spec.Count].I64
	o.sel = o.sel[:0]
	for o.row < b.Rows && len(o.sel) < o.most {
		left := counts[o.row] - o.given
		n := min(left, int64(o.most-len(o.sel)))
		for range n {
			o.sel = append(o.sel, int32(o.row))
		}
		if o.given += n; n == left {
			o.row, o.given = o.row+1, 0
		}
	}
	first := o.marks
	for o.marks < len(b.Marks) && int(b.Marks[o.marks].Row) <= o.row {
		o.marks++
	}
	more := o.row < b.Rows
	r := &row.Batch{Schema: o.spec.Out, Rows: len(o.sel), Marks: row.GatherMarks(b.Marks[first:o.marks], o.sel)}
	for c, v := range b.Cols {
		if c != o.spec.Count {
			r.Cols = append(r.Cols, v.Gather(o.sel))
		}
	}
	if b.Kinds != nil {
		r.Kinds = make([]row.Kind, len(o.sel))
		for i, from := range o.sel {
			r.Kinds[i] = b.Kinds[from]
		}
	}
	if !more {
		o.row, o.marks = 0, 0
	}
	return more, send(r, out)
}

// OnBarrier implements op.Operator.
func (o *replicate) OnBarrier(types.Epoch) error { return nil }
