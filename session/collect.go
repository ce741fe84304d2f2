package session

import (
	"context"

	"fsql/connector"
	"fsql/row"
)

// collect is the sink of a query: it hands every batch to the client. It takes
// all row kinds and has one writer.
type collect struct {
	each func(*row.Batch) error
}

func (c *collect) OpenWriter(context.Context, int) (connector.Writer, error) { return c, nil }

func (c *collect) Accepts() row.Kinds { return row.AllKinds }

func (c *collect) Write(_ context.Context, b *row.Batch) error {
	if b.Rows == 0 {
		return nil
	}
	return c.each(b)
}

func (c *collect) Flush(context.Context) error { return nil }

func (c *collect) Close() error { return nil }
