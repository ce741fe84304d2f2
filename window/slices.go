package window

import "slices"

// pane is an open slice: the slots of the groups that have rows in it, in the
// order of their first rows.
type pane struct {
	end   int64
	slots []int32
}

// panes are the open slices of an operator, in order of time.
type panes struct {
	open []*pane
	free []*pane
}

// at returns the slice that ends at end, opening it if need be.
func (p *panes) at(end int64) *pane {
	i := len(p.open)
	if i > 0 && p.open[i-1].end >= end {
		var found bool
		i, found = slices.BinarySearchFunc(p.open, end, func(o *pane, end int64) int {
			switch {
			case o.end < end:
				return -1
			case o.end > end:
				return 1
			}
			return 0
		})
		if found {
			return p.open[i]
		}
	}
	o := &pane{}
	if n := len(p.free); n > 0 {
		o, p.free = p.free[n-1], p.free[:n-1]
	}
	o.end = end
	p.open = slices.Insert(p.open, i, o)
	return o
}

// drop forgets the earliest slice.
func (p *panes) drop() {
	o := p.open[0]
	p.open[0] = nil
	p.open = p.open[1:]
	if len(p.free) < keepPanes {
		o.slots = o.slots[:0]
		p.free = append(p.free, o)
	}
}

// keepPanes is how many dropped slices are kept for reuse with their memory.
const keepPanes = 4

func (p *panes) bytes() int64 {
	n := int64(cap(p.open)) * 8
	for _, o := range p.open {
		n += int64(cap(o.slots)) * 4
	}
	return n
}
