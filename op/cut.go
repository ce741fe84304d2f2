package op

import (
	"fsql/row"
	"fsql/types"
)

// Simple is an operator that sees rows and watermarks apart: Cut drives it by
// cutting batches at their marks. Hot operators implement Operator instead and
// take marks whole.
type Simple interface {
	// OnRows handles a batch without marks.
	OnRows(in int, b *row.Batch, out Emitter) (more bool, err error)
	// OnWatermark handles event time having reached w. While it reports more
	// it is called again with the same w. When it is done it says which event
	// time to announce downstream: usually w itself, types.MinTime for none.
	OnWatermark(w types.Time, out Emitter) (forward types.Time, more bool, err error)
	OnBarrier(e types.Epoch) error
}

// Cut makes an Operator of a Simple one; schema is that of its output.
func Cut(s Simple, schema *types.Schema) Operator {
	c := &cut{s: s, schema: schema, last: types.MinTime}
	if h, ok := s.(ClockHandler); ok {
		return &cutClock{cut: c, ClockHandler: h}
	}
	return c
}

type cut struct {
	s      Simple
	schema *types.Schema
	last   types.Time // announced downstream

	// The place within the batch that reported more.
	cur  *row.Batch
	mark int // next mark
	row  int // rows before it are done
	part *row.Batch
}

func (c *cut) OnBatch(in int, b *row.Batch, out Emitter) (bool, error) {
	if c.cur != b {
		c.cur, c.mark, c.row, c.part = b, 0, 0, nil
	}
	for {
		end := b.Rows
		if c.mark < len(b.Marks) {
			end = int(b.Marks[c.mark].Row)
		}
		if c.row < end {
			if c.part == nil {
				c.part = b
				if end-c.row < b.Rows || len(b.Marks) > 0 {
					c.part = b.Slice(c.row, end)
				}
			}
			more, err := c.s.OnRows(in, c.part, out)
			if more || err != nil {
				return more, err
			}
			c.row, c.part = end, nil
		}
		if c.mark == len(b.Marks) {
			c.cur = nil
			return false, nil
		}
		forward, more, err := c.s.OnWatermark(b.Marks[c.mark].Time, out)
		if more || err != nil {
			return more, err
		}
		c.mark++
		if forward > c.last {
			c.last = forward
			if err := out.Emit(row.Watermark(c.schema, forward)); err != nil {
				return false, err
			}
		}
	}
}

func (c *cut) OnBarrier(e types.Epoch) error { return c.s.OnBarrier(e) }

// Unwrap implements Wrapper.
func (c *cut) Unwrap() any { return c.s }

func (c *cut) Counters() []Counter {
	if m, ok := c.s.(Metered); ok {
		return m.Counters()
	}
	return nil
}

func (c *cut) StateBytes() int64 {
	if m, ok := c.s.(Sized); ok {
		return m.StateBytes()
	}
	return 0
}

type cutClock struct {
	*cut
	ClockHandler
}
