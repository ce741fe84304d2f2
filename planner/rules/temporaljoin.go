package rules

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
)

// temporal checks a join with FOR SYSTEM_TIME AS OF whose condition has been
// taken apart, and finds the time of the versions (flink-sql 4.9, 4.10). All
// equalities are keys, also those beyond the primary key: versions are then told
// apart by these columns too, as in Flink.
func (s *splitter) temporal(j *logical.Join) error {
	t := *j.Temporal
	j.Temporal = &t
	if len(s.keys) == 0 {
		return diag.New(diag.NotSupported, j.Pos, "a join with FOR SYSTEM_TIME AS OF needs an equality in ON that compares the primary key of '%s', the versioned table, with columns of the left side", t.Table).
			WithHint("what stands in WHERE does not count: write ON with the columns of the key")
	}
	if err := s.covered(j); err != nil {
		return err
	}
	if t.Proctime {
		return diag.New(diag.NotSupported, j.Pos, "a temporal join by processing time (FOR SYSTEM_TIME AS OF a PROCTIME() column) needs a table in which keys can be looked up, and the connector of '%s' offers no lookup", t.Table).
			WithHint("join by event time: declare a WATERMARK on both tables and write AS OF the event-time column of the left one")
	}
	times := logical.EventTimes(j.R)
	if len(times) != 1 {
		what := "has none"
		if len(times) > 1 {
			what = "has several: " + columnList(j.R, times)
		}
		return diag.New(diag.NotSupported, j.Pos, "a temporal join needs an event-time attribute in '%s', the versioned table, which says since when a version holds, but it %s", t.Table, what).
			WithHint("declare a WATERMARK on the time column, and select that column, and no other one, in a view")
	}
	t.R = times[0]
	l, r := j.L.Schema().Columns[t.L], j.R.Schema().Columns[t.R]
	if l.Type.Kind != r.Type.Kind {
		return diag.New(diag.TypeMismatch, j.Pos, "a temporal join needs the same type of time on both sides, but '%s' is %s and '%s' of the versioned table is %s", l.Name, l.Type.Plain().Short(), r.Name, r.Type.Plain().Short()).
			WithHint("declare both as TIMESTAMP(3) or both as TIMESTAMP_LTZ(3)")
	}
	if cond := filterOver(j.R); cond != nil {
		return diag.New(diag.NotSupported, j.Pos, "the filter %s between the versions of '%s' and the temporal join would take versions away, so that older ones would seem to hold on", cond, t.Table).
			WithHint("put the condition into ON; in a view with ROW_NUMBER() it may also stand below that")
	}
	return nil
}

// covered checks that the keys hold a primary key of the versioned side.
func (s *splitter) covered(j *logical.Join) error {
	key := logical.UpsertKey(j.R)
	e := diag.New(diag.NotSupported, j.Pos, "a temporal join needs the primary key of '%s', the versioned table, in its condition, but none is known", j.Temporal.Table).
		WithHint("declare PRIMARY KEY (..) NOT ENFORCED on the table, or make a view of it that keeps the last row per key: ROW_NUMBER() OVER (PARTITION BY key ORDER BY time DESC) .. = 1")
	if key == nil {
		return e
	}
	for _, p := range key {
		found := false
		for _, k := range s.keys {
			found = found || logical.Carries(s.r[k.R], p)
		}
		if !found {
			e.Msg = "a temporal join needs the whole primary key (" + columnList(j.R, key) + ") of '" + j.Temporal.Table + "', the versioned table, in the equalities of its condition, but '" +
				j.R.Schema().Columns[p].Name + "' is not compared with a column of the left side"
			return e.WithHint("add it to ON; conditions on other columns may stand beside it")
		}
	}
	return nil
}

func columnList(n logical.Node, cols []int) string {
	names := ""
	for i, c := range cols {
		if i > 0 {
			names += ", "
		}
		names += n.Schema().Columns[c].Name
	}
	return names
}

// filterOver is a condition between a node and what its versions come from.
func filterOver(n logical.Node) expr.Node {
	for {
		var cond expr.Node
		switch c := n.(type) {
		case *logical.Calc:
			cond, n = c.Cond, c.Input
		case *logical.Normalize:
			cond, n = c.Cond, c.Input
		default:
			return nil
		}
		if cond != nil {
			return cond
		}
	}
}

// everyVersion takes the normalization off a table whose changes are versions:
// they are told apart by their times. Normalized, a deletion would have the time
// of the row that is deleted, not its own.
func everyVersion(n logical.Node) logical.Node {
	switch n := n.(type) {
	case *logical.Normalize:
		return n.Input
	case *logical.Calc:
		if in := everyVersion(n.Input); in != n.Input {
			return n.With([]logical.Node{in})
		}
	}
	return n
}
