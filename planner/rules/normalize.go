package rules

import (
	"fsql/expr"
	"fsql/planner/logical"
)

// normalize gives every reader of a normalized table its own step, which keeps
// the columns that this reader needs: a change of another column is none, as in
// Flink. Conditions of the reader go into it, those that read the key alone go
// below. It stands before the pruning of columns.
func (c Context) normalize(n logical.Node) (logical.Node, error) {
	ins := n.Inputs()
	now, changed := make([]logical.Node, len(ins)), false
	for i, in := range ins {
		now[i] = in
		if norm, ok := in.(*logical.Normalize); ok {
			own := *norm
			now[i], changed = &own, true
		}
	}
	if !changed {
		return n, nil
	}
	calc, ok := n.(*logical.Calc)
	if !ok || calc.Cond == nil {
		return n.With(now), nil
	}
	return c.filterNormalized(calc, now[0].(*logical.Normalize))
}

func (c Context) filterNormalized(calc *logical.Calc, norm *logical.Normalize) (logical.Node, error) {
	var below, within, above []expr.Node
	for _, p := range logical.Conjuncts(calc.Cond) {
		switch {
		case expr.ReadsWatermark(p):
			above = append(above, p)
		case logical.Reads(p, norm.Key):
			below = append(below, p)
		default:
			within = append(within, p)
		}
	}
	if norm.Cond != nil {
		within = append([]expr.Node{norm.Cond}, within...)
	}
	var conds [3]expr.Node
	for i, parts := range [][]expr.Node{below, within, above} {
		var err error
		if conds[i], err = logical.And(c.Funcs, parts); err != nil {
			return nil, err
		}
	}
	if conds[0] != nil {
		norm.Input = logical.NewFilter(norm.Input, conds[0])
	}
	norm.Cond = conds[1]
	return calc.Recast(norm, conds[2], calc.Exprs), nil
}

// shareNormalized makes one step of those that came out alike.
func shareNormalized(roots []logical.Node) ([]logical.Node, error) {
	type kind struct {
		in   logical.Node
		what string
	}
	first := map[kind]logical.Node{}
	return logical.Each("", func(n logical.Node) (logical.Node, error) {
		norm, ok := n.(*logical.Normalize)
		if !ok {
			return n, nil
		}
		k := kind{norm.Input, norm.String()}
		if same, ok := first[k]; ok {
			return same, nil
		}
		first[k] = n
		return n, nil
	}).Apply(roots)
}

// normalize keeps no column that its reader does not ask for: a change of it
// would be sent as an update.
func (p *pruning) normalize(n *logical.Normalize, mine []bool) pruned {
	keep, at := kept(mine)
	in := p.only(n.Input, keep)
	if in == n.Input {
		return pruned{n, at}
	}
	m := *n
	m.Input, m.Key = in, moved(n.Key, at)
	if n.Cond != nil {
		m.Cond = logical.Remap(n.Cond, at, in.Schema())
	}
	return pruned{&m, at}
}
