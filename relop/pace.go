package relop

import (
	"slices"

	"fsql/row"
	"fsql/types"
)

// pace cuts the batches of an operator that gives a result after every row, where
// results may be long: a list that grows to a million values is a million values for
// every row. The memory of a step, and how long it takes, is then that of some
// results and not of a batch of them.
type pace struct {
	varies bool // results differ in size
	most   int  // rows at once
	done   int  // rows of the batch that are done
}

const (
	paceBytes = 4 << 20 // of results at once, about
	paceFirst = 64      // rows before anything is known
)

func newPace(results []types.Type) pace {
	long := func(t types.Type) bool {
		l := t.Layout()
		return l == types.LayoutStr || l == types.LayoutList || l == types.LayoutRow
	}
	return pace{varies: slices.ContainsFunc(results, long), most: paceFirst}
}

// next is what to work on of a batch, and whether something is left of it.
func (p *pace) next(b *row.Batch) (part *row.Batch, more bool) {
	if !p.varies || p.done == 0 && b.Rows <= p.most {
		return b, false
	}
	from := p.done
	to := min(from+p.most, b.Rows)
	if p.done = to; to == b.Rows {
		p.done = 0
	}
	return b.Part(from, to), p.done > 0
}

// measure sees how large the results of n rows are.
func (p *pace) measure(results []*row.Vec, n int) {
	if !p.varies || n == 0 {
		return
	}
	bytes := int64(1)
	for _, v := range results {
		bytes += v.Bytes()
	}
	p.most = int(max(1, min(int64(p.most)*2, paceBytes*int64(n)/bytes, 1<<16)))
}
