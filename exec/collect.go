package exec

import (
	"context"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/row"
)

// Collect is the sink of a query's result: it hands every batch to a function.
// It runs in one subtask, so that the function is called by one goroutine and
// sees the changes of a key in order.
type Collect struct {
	// Into takes a batch; it may wait for its reader as long as the context
	// lives.
	Into func(ctx context.Context, b *row.Batch) error
	// Marks has Into called with batches that hold only marks, too.
	Marks bool
}

// OpenWriter returns the one writer.
func (c *Collect) OpenWriter(_ context.Context, subtask int) (connector.Writer, error) {
	if subtask != 0 {
		return nil, diag.New(diag.Internal, diag.Span{}, "a result is collected by one subtask, not %d", subtask+1)
	}
	return collecting{c}, nil
}

// Accepts every kind of row.
func (c *Collect) Accepts() row.Kinds { return row.AllKinds }

type collecting struct{ c *Collect }

func (w collecting) Write(ctx context.Context, b *row.Batch) error { return w.c.Into(ctx, b) }
func (w collecting) Flush(context.Context) error                   { return nil }
func (w collecting) Close() error                                  { return nil }
