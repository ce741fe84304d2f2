package exec

import (
	"context"

	"fsql/checkpoint"
	"fsql/connector"
	"fsql/internal/diag"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// sink is one subtask of a sink node. A chain leaves batches with it; the task
// writes them at the end of its step, when it may do I/O.
type sink struct {
	*meter
	plan    *physical.Sink
	schema  *types.Schema // names of the columns for messages
	writer  connector.Writer
	pending []*row.Batch
	sel     []int32

	// marked: the writer wants batches that hold nothing but marks as well.
	marked bool

	// In checkpoints; prepares is nil if the sink has no part in them.
	prepares  connector.Preparer
	part, sub int
}

// barrier ends an epoch for the writer.
func (s *sink) barrier(ctx context.Context, b Element, parts []checkpoint.Part) ([]checkpoint.Part, error) {
	if s.prepares == nil {
		return parts, s.writer.Flush(ctx)
	}
	prepared, err := s.prepares.Prepare(ctx, b.Epoch, b.Last)
	if err != nil {
		return parts, err
	}
	return append(parts, checkpoint.Part{Node: s.part, Subtask: s.sub, State: checkpoint.Subtask{Prepared: [][]byte{prepared}}}), nil
}

// take checks the NOT NULL columns and keeps the rows that are to be written.
func (s *sink) take(b *row.Batch) error {
	s.took(b)
	b, err := s.checked(b)
	if err != nil {
		return err
	}
	if b.Rows > 0 || s.marked && len(b.Marks) > 0 {
		s.pending = append(s.pending, b)
	}
	return nil
}

// checked is b without the rows that break a NOT NULL constraint. By default
// such a row fails the job; with DROP Flink discards that single change.
func (s *sink) checked(b *row.Batch) (*row.Batch, error) {
	bad := false
	for _, c := range s.plan.NotNull {
		v := b.Cols[c]
		if v.Valid.Nulls(b.Rows) == 0 {
			continue
		}
		bad = true
		if !s.plan.DropNull {
			return nil, diag.New(diag.NullViolation, diag.Span{},
				"column '%s' of table '%s' is NOT NULL, but a NULL is being written to it",
				s.schema.Columns[c].Name, s.plan.Name).
				WithHint("SET 'table.exec.sink.not-null-enforcer' = 'DROP' drops such rows instead")
		}
	}
	if !bad {
		return b, nil
	}
	s.sel = s.sel[:0]
	for r := 0; r < b.Rows; r++ {
		if !s.hasNull(b, r) {
			s.sel = append(s.sel, int32(r))
		}
	}
	return b.Gather(s.sel), nil
}

func (s *sink) hasNull(b *row.Batch, r int) bool {
	for _, c := range s.plan.NotNull {
		if b.Cols[c].IsNull(r) {
			return true
		}
	}
	return false
}

// write hands the kept batches to the writer.
func (s *sink) write(ctx context.Context) error {
	for i, b := range s.pending {
		if err := s.writer.Write(ctx, b); err != nil {
			return err
		}
		s.out.Add(int64(b.Rows))
		s.pending[i] = nil
	}
	s.pending = s.pending[:0]
	return nil
}
