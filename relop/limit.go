package relop

import (
	"encoding/binary"
	"strconv"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// LimitSpec is LIMIT without ORDER BY: the rows that arrive first, Limit of them
// after Offset others, on one subtask. Rows are only ever added; the job does not
// end by itself when it has them all (flink-sql 4.14).
type LimitSpec struct {
	In            *types.Schema
	Limit, Offset int64
}

// Describe implements op.Spec.
func (s *LimitSpec) Describe() op.Description {
	return op.Description{
		Name:  "Limit",
		Args:  [][2]string{{"offset", number(s.Offset)}, {"fetch", number(s.Limit)}},
		State: "the number of rows so far",
	}
}

func number(n int64) string { return "[" + strconv.FormatInt(n, 10) + "]" }

// Output implements op.Spec.
func (s *LimitSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *LimitSpec) Require(int) op.Distribution { return op.Distribution{Single: true} }

// Emits implements op.Spec.
func (s *LimitSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "LIMIT over updates and deletes would have to keep every row")
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *LimitSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *LimitSpec) Build(*op.Context) (op.Operator, error) {
	return &limit{skip: s.Offset, left: s.Limit, none: noRows(s.In)}, nil
}

type limit struct {
	skip int64 // rows still to pass over
	left int64 // rows still to give
	none []*row.Vec
}

// OnBatch implements op.Operator.
func (o *limit) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	from := int(min(o.skip, int64(b.Rows)))
	n := int(min(o.left, int64(b.Rows-from)))
	o.skip -= int64(from)
	o.left -= int64(n)
	if n < b.Rows {
		part := &row.Batch{Schema: b.Schema, Cols: o.none}
		if n > 0 {
			part = b.Slice(from, from+n)
		}
		part.Marks = marksWithin(b.Marks, from, from+n)
		b = part
	}
	return false, send(b, out)
}

// marksWithin moves marks to their places among the rows [from, to).
func marksWithin(marks []row.Mark, from, to int) []row.Mark {
	var out []row.Mark
	for _, m := range marks {
		m.Row = int32(min(max(int(m.Row), from), to) - from)
		if n := len(out); n > 0 && out[n-1].Row == m.Row {
			out[n-1] = m
			continue
		}
		out = append(out, m)
	}
	return out
}

// OnBarrier implements op.Operator.
func (o *limit) OnBarrier(types.Epoch) error { return nil }

const limitForm = 1

// Track implements op.Stateful.
func (o *limit) Track() {}

// Snapshot implements op.Stateful.
func (o *limit) Snapshot(s *state.Snapshot) {
	s.Local = binary.AppendVarint(binary.AppendVarint([]byte{limitForm}, o.skip), o.left)
}

// Restore implements op.Stateful.
func (o *limit) Restore(r *state.Restored) error {
	d := state.Decoder{Data: r.Locals[0]} // there is one subtask
	d.Version(limitForm)
	o.skip, o.left = d.Varint(), d.Varint()
	return d.Err
}
