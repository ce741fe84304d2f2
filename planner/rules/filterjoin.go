package rules

import (
	"fsql/expr"
	"fsql/join"
	"fsql/planner/logical"
	"fsql/types"
)

// FilterJoin puts conditions above a join to where they drop rows first: into
// the condition of the join, or below it. It does the same with the parts of
// the join's own condition that read one side only. A condition that no padded
// row passes makes an inner join of an outer one (flink-sql 4.7).
func (c Context) FilterJoin(n logical.Node, conds []expr.Node) (logical.Node, error) {
	if u, ok := n.(*logical.Unnest); ok {
		return c.filterUnnest(u, conds)
	}
	j, ok := n.(*logical.Join)
	if !ok {
		cond, err := logical.And(c.Funcs, conds)
		if err != nil || cond == nil {
			return n, err
		}
		return logical.NewFilter(n, cond), nil
	}
	k := *j
	for _, p := range conds {
		if err := c.tighten(&k, p); err != nil {
			return nil, err
		}
	}
	var at places
	for _, p := range conds {
		at.add(&k, p, false)
	}
	for _, p := range logical.Conjuncts(k.Cond) {
		at.add(&k, p, true)
	}
	var err error
	if k.L, err = c.FilterJoin(k.L, at.l); err != nil {
		return nil, err
	}
	if k.R, err = c.FilterJoin(k.R, at.r); err != nil {
		return nil, err
	}
	if k.Cond, err = logical.And(c.Funcs, at.on); err != nil {
		return nil, err
	}
	above, err := logical.And(c.Funcs, at.above)
	if err != nil {
		return nil, err
	}
	made := logical.NewJoin(k)
	if above == nil {
		return made, nil
	}
	return logical.NewFilter(made, above), nil
}

// places are where parts of conditions go: to the inputs, over their own
// columns, into the condition of the join, or above it.
type places struct{ l, r, on, above []expr.Node }

// add places a part of the condition above the join, or (on) of its own.
func (p *places) add(j *logical.Join, part expr.Node, on bool) {
	left := len(j.L.Schema().Columns)
	l, r := logical.Sides(part, left)
	// Rows that may be dropped before the join: those of a side that is not
	// padded by the join's own condition, those of a padded side by one above.
	// An anti join pads its left side, so to speak.
	toL, toR := j.Kind != join.RightOuter && j.Kind != join.FullOuter, j.Kind != join.LeftOuter && j.Kind != join.FullOuter
	if on {
		toL, toR = !j.Kind.Pads(0) && j.Kind != join.Anti, !j.Kind.Pads(1)
	}
	// Below versions nothing may be dropped, and an equality in the condition of
	// a temporal join would be one of its keys.
	merges := j.Kind == join.Inner && j.Temporal == nil
	toR = toR && j.Temporal == nil
	switch {
	case logical.Volatile(part):
	case l && !r && toL:
		p.l = append(p.l, part)
		return
	case r && !l && toR:
		p.r = append(p.r, logical.Shift(part, -left))
		return
	case !on && merges:
		p.on = append(p.on, part)
		return
	}
	if on {
		p.on = append(p.on, part)
	} else {
		p.above = append(p.above, part)
	}
}

// tighten takes the padding away that a condition above the join drops again.
func (c Context) tighten(j *logical.Join, cond expr.Node) error {
	left := len(j.L.Schema().Columns)
	for side := range 2 {
		pads := j.Kind.Pads(1 - side) // rows with NULLs on this side
		if !pads {
			continue
		}
		drops, err := c.drops(cond, func(col int) bool { return (col >= left) == (side == 1) })
		if err != nil {
			return err
		}
		if drops {
			j.Kind = without(j.Kind, 1-side)
		}
	}
	return nil
}

// without is the kind that does not pad the rows of a side.
func without(k join.Kind, side int) join.Kind {
	switch {
	case k == join.FullOuter && side == 0:
		return join.RightOuter
	case k == join.FullOuter:
		return join.LeftOuter
	}
	return join.Inner
}

// drops tells that a condition cannot be TRUE when the columns of null are NULL.
func (c Context) drops(cond expr.Node, null func(col int) bool) (bool, error) {
	f, err := expr.Fold(logical.Rewrite(cond, func(n expr.Node) expr.Node {
		if col, ok := n.(*expr.Column); ok && null(col.Index) {
			return expr.NullLiteral(col.T.Plain())
		}
		return nil
	}), c.Zone)
	if err != nil {
		return false, nil // it fails for some rows, which is no matter here
	}
	l, ok := expr.IsConst(f)
	return ok && l.T.Kind == types.Boolean && (l.IsNull() || !l.Value.Bool[0]), nil
}
