package match

import (
	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

// condition is the condition of a variable, evaluated for a row in a run: over a
// batch of one row whose columns are what it reads.
type condition struct {
	prog  *expr.Program
	reads []int
	// own: it reads the row at hand only, so that all runs give it one answer.
	own bool
}

// newConditions compiles the conditions of the variables.
func newConditions(s *Spec) ([]*condition, error) {
	schema := readSchema(s.Reads)
	out := make([]*condition, len(s.Vars))
	for v := range s.Vars {
		n := s.Vars[v].Cond
		if n == nil {
			continue
		}
		p, err := expr.Compile([]expr.Node{n}, schema)
		if err != nil {
			return nil, err
		}
		c := &condition{prog: p, reads: readBy(n, nil), own: true}
		for _, i := range c.reads {
			r := &s.Reads[i]
			c.own = c.own && (r.Kind == Rowtime || r.Kind == Last && r.Offset == 0 && (r.Var == v || r.Var == All))
		}
		out[v] = c
	}
	return out, nil
}

func readSchema(reads []Read) *types.Schema {
	s := &types.Schema{}
	for _, r := range reads {
		s.Columns = append(s.Columns, types.Column{Name: r.Name, Type: r.Type})
	}
	return s
}

// readBy adds the numbers of the columns that n reads, each once.
func readBy(n expr.Node, to []int) []int {
	if c, ok := n.(*expr.Column); ok {
		for _, i := range to {
			if i == c.Index {
				return to
			}
		}
		return append(to, c.Index)
	}
	for _, k := range n.Children() {
		to = readBy(k, to)
	}
	return to
}

// holds evaluates the condition of variable v for the row at hand in the run at
// hand.
func (c *condition) holds(o *operator, p *part, v int) (bool, error) {
	took := o.counts.of(o.run.took)
	for _, i := range c.reads {
		r := &o.spec.Reads[i]
		dst := o.one.Cols[i]
		switch r.Kind {
		case Aggregate:
			if err := o.aggs.now(o, p, v, r.Index, dst); err != nil {
				return false, err
			}
			continue
		case Rowtime:
			setMillis(dst, 0, int64(o.at))
			continue
		case Proctime:
			setMillis(dst, 0, int64(o.ctx.Now()))
			continue
		}
		before, n := span(took, r.Var)
		if r.Var == v || r.Var == All {
			n++ // the row at hand
		}
		o.set(p, r, o.run.start+before, n, dst)
	}
	var err error
	o.sel, err = c.prog.Select(&o.eval, o.one, o.sel[:0])
	return len(o.sel) > 0, err
}

// set makes the one value of dst what a read takes of the n rows from number
// first on.
func (o *operator) set(p *part, r *Read, first, n int64, dst *row.Vec) {
	id := r.row(p, first, n)
	switch {
	case id < 0:
		dst.SetNull(0)
	case o.rows.nest[r.Index]:
		dst.Reset(r.Type, 0)
		o.one1[0] = id
		o.rows.get(r.Index, o.one1[:], dst)
	default:
		dst.Copy(0, o.rows.cols[r.Index], int(id))
	}
}

// row is the id of the row that a read takes of n rows, -1: none.
func (r *Read) row(p *part, first, n int64) int32 {
	k := int64(r.Offset)
	if k >= n {
		return -1
	}
	if r.Kind == Last {
		k = n - 1 - k
	}
	return p.row(first + k)
}
