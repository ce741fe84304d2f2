package planner

import (
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/types"
	"fsql/window"
)

func (l *lowering) groupAgg(n *logical.Aggregate, in *physical.Node) (op.Spec, error) {
	ttl := n.TTL
	if ttl < 0 {
		ttl = l.env.Settings.Duration(keyStateTTL)
	}
	return &relop.GroupAggSpec{
		In: in.Schema, Keys: n.Keys, Calls: l.addsOnly(n, in.Kinds), Out: n.Schema(),
		UpdateBefore: l.old[n], InKinds: in.Kinds, TTL: types.Time(ttl),
	}, nil
}

func (l *lowering) assign(n *logical.Window, in *physical.Node) (op.Spec, error) {
	return &window.AssignSpec{In: in.Schema, Window: n.By.Window, PartitionKeys: n.By.Keys, Out: n.Schema()}, nil
}

func (l *lowering) windowAgg(n *logical.WindowAggregate, in *physical.Node) (op.Spec, error) {
	emit, err := l.emit(n)
	if err != nil {
		return nil, err
	}
	s := &window.AggSpec{
		In: in.Schema, Window: n.By.Window, Keys: n.Keys, Calls: n.Calls, Props: n.Props,
		Out: n.Schema(), InKinds: in.Kinds, Emit: emit,
	}
	if n.By.Kind == window.Session {
		s.PartitionKeys = n.Keys
	}
	if n.By.Legacy {
		s.Name = "GroupWindowAggregate"
	}
	return s, nil
}

// emit reads the options of early and late firing, which belong to legacy
// windows (flink-sql 4.4), and refuses them where Flink does.
func (l *lowering) emit(n *logical.WindowAggregate) (*window.Emit, error) {
	s, at := l.env.Settings, n.By.Pos
	early, late := s.Bool(keyEarlyFire), s.Bool(keyLateFire)
	if !early && !late {
		return nil, nil
	}
	key, what := keyEarlyFire, "early-fire"
	if !early {
		key, what = keyLateFire, "late-fire"
	}
	lateness := s.Duration(keyLateness)
	switch {
	case !n.By.Legacy:
		return nil, diag.New(diag.NotSupported, at, "the window function %s does not support %s ('%s'): only windows in GROUP BY do", n.By.Kind, what, key)
	case n.By.Kind == window.Session:
		return nil, diag.New(diag.NotSupported, at, "SESSION windows do not support %s ('%s')", what, key)
	case early && !s.Has(keyEarlyDelay):
		return nil, diag.New(diag.MissingOption, at, "early-fire is enabled, but its delay is not set").
			WithHint("SET '%s' = '1 s'", keyEarlyDelay)
	case late && !s.Has(keyLateDelay):
		return nil, diag.New(diag.MissingOption, at, "late-fire is enabled, but its delay is not set").
			WithHint("SET '%s' = '1 s'", keyLateDelay)
	case late && !s.Has(keyLateness) && s.Duration(keyStateTTL) <= 0:
		return nil, diag.New(diag.MissingOption, at, "late-fire is enabled, but how late rows may be is not set").
			WithHint("SET '%s' = '1 min'", keyLateness)
	}
	if late && !s.Has(keyLateness) {
		lateness = s.Duration(keyStateTTL)
	}
	e := &window.Emit{Early: window.Never, Late: window.Never, Lateness: types.Time(lateness)}
	if early {
		e.Early = types.Time(s.Duration(keyEarlyDelay))
	}
	if late {
		e.Late = types.Time(s.Duration(keyLateDelay))
		if e.Late > e.Lateness {
			return nil, diag.New(diag.BadOption, at, "late-fire: its delay is longer than windows are kept ('%s')", keyLateness)
		}
	}
	return e, nil
}
