package window

import (
	"fsql/expr/agg"
	"fsql/row"
	"fsql/types"
)

// calls are the aggregate calls of an operator over its slots, and the number of
// rows that each slot has.
type calls struct {
	*agg.Set
	// net counts the rows of each slot less those taken back; nil if the
	// input takes none back.
	net   []int64
	signs []int8
}

// newCalls builds the accumulators. retract: the input takes rows back; merge:
// slots are merged; zero: tests, every hash is 0.
func newCalls(in *types.Schema, specs []agg.Call, retract, merge, zero bool) (*calls, error) {
	set, err := agg.NewSet(in, specs, agg.Options{Retract: retract, Mergeable: merge, ZeroHash: zero})
	if err != nil {
		return nil, err
	}
	c := &calls{Set: set}
	if retract {
		c.net = []int64{}
	}
	return c, nil
}

// grow makes room for slots below n.
func (c *calls) grow(n int) {
	c.Grow(n)
	if c.net != nil && n > len(c.net) {
		c.net = append(c.net, make([]int64, max(n, len(c.net)*3/2, 64)-len(c.net))...)
	}
}

// add folds the rows sel of b (nil: all) into slots.
func (c *calls) add(b *row.Batch, sel, slots []int32) error {
	var signs []int8
	if b.Kinds != nil {
		signs = c.signsOf(b.Kinds, sel, len(slots))
	}
	if c.net != nil {
		for i, s := range slots {
			if signs == nil {
				c.net[s]++
			} else {
				c.net[s] += int64(signs[i])
			}
		}
	}
	return c.Add(b, sel, slots, signs)
}

func (c *calls) signsOf(kinds []row.Kind, sel []int32, n int) []int8 {
	c.signs = c.signs[:0]
	for i := 0; i < n; i++ {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		sign := int8(1)
		if !kinds[r].Adds() {
			sign = -1
		}
		c.signs = append(c.signs, sign)
	}
	return c.signs
}

// merge folds slot src[i] into dst[i].
func (c *calls) merge(dst, src []int32) error {
	if c.net != nil {
		for i, s := range src {
			c.net[dst[i]] += c.net[s]
		}
	}
	return c.Merge(dst, src)
}

// empty tells that a slot has no rows: as many were taken back as came. Flink
// tests for zero alone; a slot with more taken back than came is not empty.
func (c *calls) empty(slot int32) bool { return c.net != nil && c.net[slot] == 0 }

func (c *calls) reset(slots []int32) {
	c.Reset(slots)
	if c.net != nil {
		for _, s := range slots {
			c.net[s] = 0
		}
	}
}

func (c *calls) bytes() int64 { return c.Bytes() + int64(cap(c.net))*8 }
