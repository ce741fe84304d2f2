package rules

import (
	"fsql/expr"
	"fsql/planner/logical"
)

// filterUnnest is FilterJoin over an unnest: what reads the row alone goes below
// it, and a condition that no padded row passes leaves none.
func (c Context) filterUnnest(n *logical.Unnest, conds []expr.Node) (logical.Node, error) {
	u := *n
	left := len(u.Input.Schema().Columns)
	for _, p := range conds {
		drops, err := c.drops(p, func(col int) bool { return col >= left })
		if err != nil {
			return nil, err
		}
		u.Outer = u.Outer && !drops
	}
	var below, on, above []expr.Node
	add := func(p expr.Node, own bool) {
		l, r := logical.Sides(p, left)
		switch volatile := logical.Volatile(p); {
		case l && !r && !volatile && !(own && u.Outer):
			below = append(below, p)
		case own, !u.Outer && !volatile:
			on = append(on, p)
		default:
			above = append(above, p)
		}
	}
	for _, p := range logical.Conjuncts(u.Cond) {
		add(p, true)
	}
	for _, p := range conds {
		add(p, false)
	}
	var err error
	if u.Input, err = c.FilterJoin(u.Input, below); err != nil {
		return nil, err
	}
	if u.Cond, err = logical.And(c.Funcs, on); err != nil {
		return nil, err
	}
	cond, err := logical.And(c.Funcs, above)
	if err != nil {
		return nil, err
	}
	made := logical.NewUnnest(u)
	if cond == nil {
		return made, nil
	}
	return logical.NewFilter(made, cond), nil
}

// splitUnnest makes a column below an unnest of a collection that is an
// expression.
func (c Context) splitUnnest(n logical.Node) (logical.Node, error) {
	u, ok := n.(*logical.Unnest)
	if !ok {
		return n, nil
	}
	x, err := expr.Fold(u.X, c.Zone)
	if err != nil {
		return nil, err
	}
	cond, err := c.constant(u.Cond)
	if err != nil {
		return nil, err
	}
	in, left := u.Input, len(u.Input.Schema().Columns)
	if logical.AsRef(x) < 0 {
		names := logical.UniqueNames(append(logical.Names(in.Schema()), "$collection"))
		in = logical.NewCalc(in, nil, append(logical.Refs(in.Schema()), x), names)
		x = logical.Ref(in.Schema(), left)
	}
	if in == u.Input && cond == u.Cond {
		return n, nil
	}
	v := *u
	v.Cond = cond
	return v.Narrow(in, x, same(left), same(len(u.Cols))), nil
}

// unnestDemand passes the demand on an unnest to its input.
func (p *pruning) unnestDemand(n *logical.Unnest, mine []bool) {
	in := p.of(n.Input)
	both := make([]bool, len(in)+len(n.Elements()))
	for i, c := range n.Cols {
		both[c] = both[c] || mine[i]
	}
	logical.MarkUsed(n.Cond, both)
	or(in, both[:len(in)])
	logical.MarkUsed(n.X, in)
}

func (p *pruning) unnest(n *logical.Unnest, mine []bool) pruned {
	in := p.rebuild(n.Input)
	keep, at := kept(mine)
	if in.node == n.Input && len(keep) == len(mine) {
		return pruned{n, at}
	}
	return pruned{n.Narrow(in.node, logical.Remap(n.X, in.at, in.node.Schema()), in.at, keep), at}
}
