package planner

import (
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/op"
	"fsql/planner/logical"
	"fsql/row"
	"fsql/types"
)

// join chooses the operator of a join.
func (l *lowering) join(n *logical.Join, ins []int) (op.Spec, error) {
	if n.Temporal != nil {
		return l.temporalJoin(n, ins), nil
	}
	if n.Timed {
		for _, in := range ins {
			if over := l.plan.Nodes[in].Kinds &^ row.InsertOnly; over != 0 {
				what := "an interval join"
				if n.Windows != nil {
					what = "a window join"
				}
				return nil, diag.New(diag.ChangelogMode, n.Pos, "%s takes only inserts, but %s sends %s as well", what, l.origin(in, over), words(over))
			}
		}
	}
	left, right, safe := l.joinSides(n, ins)
	switch {
	case n.Interval != nil:
		left.Time, right.Time = n.Interval.L, n.Interval.R
		return &joinop.IntervalSpec{
			Kind: n.Kind, L: left, R: right, NullSafe: safe, Lo: n.Interval.Lo, Hi: n.Interval.Hi,
			Cleanup: types.Time(l.env.Settings.Duration(keyIntervalCleanup)), Proctime: n.Interval.Proctime,
			Cond: n.Cond, Cols: n.Cols, Out: n.Schema(),
		}, nil
	case n.Windows != nil:
		left.Time, right.Time = n.Windows.L, n.Windows.R
		spec := &joinop.WindowSpec{
			Kind: n.Kind, L: left, R: right, NullSafe: safe, Cond: n.Cond, Cols: n.Cols, Out: n.Schema(), Windows: n.Windows.By.Shape(),
		}
		spec.Hold = l.uses.hold(n, n.Windows.By, func(i int) bool {
			return n.Cols[i] == n.Windows.L || n.Cols[i] == len(left.In.Columns)+n.Windows.R
		})
		return spec, nil
	}
	if l.env.Settings.String(keyDeltaJoin) == "FORCE" {
		return nil, diag.New(diag.NotSupported, n.Pos, "this cannot be a delta join, which '%s' = 'FORCE' asks for: it needs sources with an index to look rows up in", keyDeltaJoin).
			WithHint("SET '%s' = 'AUTO'", keyDeltaJoin)
	}
	ttl := types.Time(l.env.Settings.Duration(keyStateTTL))
	left.TTL, right.TTL = ttl, ttl
	for i, side := range []*joinop.Side{&left, &right} {
		if hinted := n.TTL[i]; hinted != nil {
			side.TTL = types.Time(*hinted)
		}
	}
	left.Unique, right.Unique = logical.UpsertKey(n.L), logical.UpsertKey(n.R)
	return &joinop.RegularSpec{Kind: n.Kind, L: left, R: right, NullSafe: safe, Cond: n.Cond, Cols: n.Cols, Out: n.Schema()}, nil
}

func (l *lowering) temporalJoin(n *logical.Join, ins []int) op.Spec {
	left, right, safe := l.joinSides(n, ins)
	left.Time, right.Time = n.Temporal.L, n.Temporal.R
	return &joinop.TemporalSpec{
		Kind: n.Kind, L: left, R: right, NullSafe: safe, TTL: types.Time(l.env.Settings.Duration(keyStateTTL)),
		Cond: n.Cond, Cols: n.Cols, Out: n.Schema(),
	}
}

func (l *lowering) joinSides(n *logical.Join, ins []int) (left, right joinop.Side, safe []bool) {
	left.In, right.In = l.plan.Nodes[ins[0]].Schema, l.plan.Nodes[ins[1]].Schema
	for _, k := range n.Keys {
		left.Keys, right.Keys, safe = append(left.Keys, k.L), append(right.Keys, k.R), append(safe, k.NullSafe)
	}
	return left, right, safe
}
