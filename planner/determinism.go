package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/row"
)

// What takes a row away must give the values that it came with: an expression
// that is another one each time breaks that, if a step finds the row by it. With
// 'table.optimizer.non-deterministic-update.strategy' = 'TRY_RESOLVE' such a plan
// is refused (flink-sql 6.8). As in Flink, a condition counts only where a row is
// found by more than its upsert key.

// determinism walks down from a sink.
func (l *lowering) determinism(s *logical.Sink) error {
	need := make([]bool, len(s.Schema().Columns))
	for i := range need {
		need[i] = true
	}
	if s.Table != nil && len(s.Table.PrimaryKey) > 0 && keyedAlike(s) {
		need = among(need, positions(s.Table.PrimaryKey, s.Columns))
	}
	return l.repeatable(s.Input, need)
}

// among are the columns cols, of as many as like has.
func among(like []bool, cols []int) []bool {
	out := make([]bool, len(like))
	for _, c := range cols {
		out[c] = true
	}
	return out
}

// repeatable checks that the needed columns of a node that sends updates come out
// the same when a row is taken away.
func (l *lowering) repeatable(n logical.Node, need []bool) error {
	updates := l.updates(n)
	for i, in := range n.Inputs() {
		var below []bool
		switch n := n.(type) {
		case *logical.Calc:
			below = make([]bool, len(in.Schema().Columns))
			if updates && n.Cond != nil && !neededByKey(n, need) {
				if err := l.repeats(n.Cond, ""); err != nil {
					return err
				}
			}
			for c, e := range n.Exprs {
				if !updates || !need[c] {
					continue
				}
				if err := l.repeats(e, n.Schema().Columns[c].Name); err != nil {
					return err
				}
				logical.MarkUsed(e, below)
			}
		case *logical.Union:
			below = need
		case *logical.Normalize:
			below = among(need, n.Key)
		case *logical.Join:
			below = joinNeeds(n, i)
		default:
			below = make([]bool, len(in.Schema().Columns))
			for c := range below {
				below[c] = true
			}
		}
		if !l.updates(in) {
			below = make([]bool, len(in.Schema().Columns))
		}
		if err := l.repeatable(in, below); err != nil {
			return err
		}
	}
	if s, ok := n.(*logical.Scan); ok && updates {
		for c, e := range s.Exprs {
			if !need[c] {
				continue
			}
			if err := l.repeats(e, s.Schema().Columns[c].Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// neededByKey tells that a row is found by columns of its upsert key.
func neededByKey(n logical.Node, need []bool) bool {
	key := logical.UpsertKey(n)
	for c, is := range need {
		if is && !has(key, c) {
			return false
		}
	}
	return true
}

// updates tells a node that takes rows away. One that became a part of its reader
// is as what it reads.
func (l *lowering) updates(n logical.Node) bool {
	if id, ok := l.done[n]; ok {
		return l.plan.Nodes[id].Kinds != row.InsertOnly
	}
	for _, in := range n.Inputs() {
		if l.updates(in) {
			return true
		}
	}
	return false
}

// joinNeeds are the columns by which a join finds a row of a side: its key, if
// that holds a unique key of the side, else all.
func joinNeeds(j *logical.Join, side int) []bool {
	in := j.Inputs()[side]
	need := make([]bool, len(in.Schema().Columns))
	var on []int
	for _, k := range j.Keys {
		on = append(on, [2]int{k.L, k.R}[side])
	}
	if key := logical.UpsertKey(in); key != nil && covered(key, on) {
		return among(need, on)
	}
	for c := range need {
		need[c] = true
	}
	return need
}

// repeats refuses an expression of a column, or a condition, that is another one
// each time.
func (l *lowering) repeats(e expr.Node, column string) error {
	name := ""
	logical.Any(e, func(m expr.Node) bool {
		if c, ok := m.(*expr.Call); ok && (c.Fn.Volatile || c.Fn.Dynamic) {
			name = c.Fn.Name
		}
		return name != ""
	})
	if name == "" {
		return nil
	}
	what := "column '" + column + "' is made by " + name + ", which is not deterministic: when an update or a delete takes the row back, the value is another one and the row is not found"
	if column == "" {
		what = "a condition asks " + name + ", which is not deterministic: an update or a delete may pass where the row that it takes back did not"
	}
	return diag.New(diag.NotSupported, l.at, "%s", what).
		WithHint("do it above the update; SET '%s' = 'IGNORE' runs the query all the same", keyDeterminism)
}
