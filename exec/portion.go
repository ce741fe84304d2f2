package exec

import (
	"fsql/row"
	"fsql/types"
)

// Batches are bounded in rows, which says nothing of rows with long texts or
// lists. A batch that is heavy goes on in portions: whoever takes it can be stopped
// between them, and what is made of it is written and let go. Where a batch is
// cut changes no answer.
const (
	heavyEmit = 16 << 20 // bytes from which on a batch is cut
	portion   = 4 << 20  // bytes of a portion, about
	looks     = 16       // rows that are looked at to estimate the bytes of a batch
)

// portions is the number of rows that go on at once.
func portions(b *row.Batch) int {
	if b.Rows < 2 {
		return b.Rows
	}
	var n int64
	for _, c := range b.Cols {
		n += weight(c)
	}
	seen := int64(min(looks, b.Rows))
	if n/seen*int64(b.Rows) < heavyEmit {
		return b.Rows
	}
	return int(max(1, min(int64(b.Rows), portion*seen/n)))
}

// weight is the bytes of the rows of a column that are looked at, as far as they
// differ from row to row.
func weight(v *row.Vec) (n int64) {
	step := max(v.Len/looks, 1)
	switch v.Type.Layout() {
	case types.LayoutStr:
		for i := 0; i < len(v.Str) && i < step*looks; i += step {
			n += int64(len(v.Str[i]))
		}
	case types.LayoutList:
		for i := 0; i < len(v.Size) && i < step*looks; i += step {
			n += int64(v.Size[i]) * 8
		}
	case types.LayoutRow:
		for _, k := range v.Kids {
			n += weight(k)
		}
	}
	return n
}

// pause is called between the portions of one step: sinks write what they have,
// and a job that is to be stopped stops.
func (c *chain) pause() error {
	if err := c.stopped(); err != nil {
		return err
	}
	running := c.running
	if err := c.write(c.ctx); err != nil {
		return err
	}
	c.running = running
	return nil
}

// stopped tells that the job is to be stopped.
func (c *chain) stopped() error {
	if c.ctx == nil {
		return nil
	}
	return c.ctx.Err()
}
