package relop

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// DropUpdateBeforeSpec leaves out the old rows of updates (-U), for consumers
// that find what an update replaces by its key.
type DropUpdateBeforeSpec struct {
	In *types.Schema
}

// Describe implements op.Spec.
func (s *DropUpdateBeforeSpec) Describe() op.Description {
	return op.Description{Name: "DropUpdateBefore"}
}

// Output implements op.Spec.
func (s *DropUpdateBeforeSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *DropUpdateBeforeSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec.
func (s *DropUpdateBeforeSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	return in[0] &^ (1 << row.UpdateBefore), nil
}

// MayPause implements op.Spec.
func (s *DropUpdateBeforeSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *DropUpdateBeforeSpec) Build(*op.Context) (op.Operator, error) {
	return &dropBefore{}, nil
}

type dropBefore struct{ sel []int32 }

// OnBatch implements op.Operator.
func (o *dropBefore) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if b.Kinds == nil {
		return false, out.Emit(b)
	}
	o.sel = o.sel[:0]
	for r, k := range b.Kinds {
		if k != row.UpdateBefore {
			o.sel = append(o.sel, int32(r))
		}
	}
	if len(o.sel) < b.Rows {
		b = b.Gather(o.sel)
	}
	return false, send(b, out)
}

// OnBarrier implements op.Operator.
func (o *dropBefore) OnBarrier(types.Epoch) error { return nil }
