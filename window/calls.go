package window

import (
	"fsql/agg"
	"fsql/row"
	"fsql/types"
)

// calls are the aggregate calls of an operator over its slots.
type calls struct {
	list []*call
	// net counts the rows of each slot less those taken back; nil if the
	// input takes none back.
	net  []int64
	size int // slots that there is room for

	signs  []int8
	fsel   []int32 // rows that pass a FILTER, with their slots and signs
	fslots []int32
	fsigns []int8
}

type call struct {
	acc    agg.Accumulator
	args   []int
	filter int
	cols   []*row.Vec // scratch: the argument columns of a batch
}

// newCalls builds the accumulators. retract: the input takes rows back; merge:
// slots are merged.
func newCalls(in *types.Schema, specs []agg.Call, retract, merge bool) (*calls, error) {
	c := &calls{}
	if retract {
		c.net = []int64{}
	}
	for _, s := range specs {
		args := make([]types.Type, len(s.Args))
		for i, a := range s.Args {
			args[i] = in.Columns[a].Type
		}
		opts := s.Opts
		opts.Retract, opts.Mergeable = retract, merge
		acc, err := s.Fn.New(args, s.Type, opts)
		if err != nil {
			return nil, err
		}
		c.list = append(c.list, &call{acc: acc, args: s.Args, filter: s.Filter, cols: make([]*row.Vec, len(s.Args))})
	}
	return c, nil
}

// grow makes room for slots below n.
func (c *calls) grow(n int) {
	if n <= c.size {
		return
	}
	c.size = max(n, c.size+c.size/2, 64)
	for _, k := range c.list {
		k.acc.Grow(c.size)
	}
	if c.net != nil {
		c.net = append(c.net, make([]int64, c.size-len(c.net))...)
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
	for _, k := range c.list {
		for i, a := range k.args {
			k.cols[i] = b.Cols[a]
		}
		s, to, sg := sel, slots, signs
		if k.filter >= 0 {
			if s, to, sg = c.filter(b.Cols[k.filter], sel, slots, signs); len(to) == 0 {
				continue
			}
		}
		if err := k.acc.Add(k.cols, s, to, sg); err != nil {
			return err
		}
	}
	return nil
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

// filter leaves the rows for which the condition is TRUE.
func (c *calls) filter(cond *row.Vec, sel, slots []int32, signs []int8) ([]int32, []int32, []int8) {
	c.fsel, c.fslots, c.fsigns = c.fsel[:0], c.fslots[:0], c.fsigns[:0]
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if !cond.Bool[r] || cond.IsNull(r) {
			continue
		}
		c.fsel, c.fslots = append(c.fsel, int32(r)), append(c.fslots, s)
		if signs != nil {
			c.fsigns = append(c.fsigns, signs[i])
		}
	}
	if signs == nil {
		return c.fsel, c.fslots, nil
	}
	return c.fsel, c.fslots, c.fsigns
}

// merge folds slot src[i] into dst[i].
func (c *calls) merge(dst, src []int32) error {
	for _, k := range c.list {
		if err := k.acc.Merge(dst, src); err != nil {
			return err
		}
	}
	if c.net != nil {
		for i, s := range src {
			c.net[dst[i]] += c.net[s]
		}
	}
	return nil
}

// empty tells that a slot has no rows: as many were taken back as came. Flink
// tests for zero alone; a slot with more taken back than came is not empty.
func (c *calls) empty(slot int32) bool { return c.net != nil && c.net[slot] == 0 }

func (c *calls) reset(slots []int32) {
	for _, k := range c.list {
		k.acc.Reset(slots)
	}
	if c.net != nil {
		for _, s := range slots {
			c.net[s] = 0
		}
	}
}

// results appends the results of slots to out, a column per call.
func (c *calls) results(slots []int32, out []*row.Vec) {
	for i, k := range c.list {
		k.acc.Result(slots, out[i])
	}
}

func (c *calls) bytes() int64 {
	n := int64(cap(c.net)) * 8
	for _, k := range c.list {
		n += k.acc.Bytes()
	}
	return n
}
