// Package relop holds the operators that are neither windows nor joins: calc, expand,
// group aggregate, union, limit and the filter of old rows; rankings (Top-N,
// deduplication, also per window), orders by time, and OVER. Each file has one
// operator: its Spec, plain data that the planner makes, and what it builds; the
// larger ones have files for their parts, named after the operator.
package relop

import (
	"strings"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// send emits a batch unless nothing is in it.
func send(b *row.Batch, out op.Emitter) error {
	if b.Rows == 0 && len(b.Marks) == 0 {
		return nil
	}
	return out.Emit(b)
}

// noRows are columns without values, for batches that carry marks alone.
func noRows(s *types.Schema) []*row.Vec {
	cols := make([]*row.Vec, len(s.Columns))
	for i, c := range s.Columns {
		cols[i] = row.NewVec(c.Type, 0)
	}
	return cols
}

// withoutOld tells that a stream changes rows without sending the old ones.
func withoutOld(k row.Kinds) bool { return k.Has(row.UpdateAfter) && !k.Has(row.UpdateBefore) }

func list(items []string) string { return "[" + strings.Join(items, ", ") + "]" }
