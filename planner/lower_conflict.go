package planner

import (
	"slices"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

// onConflict says what becomes of rows of a query that meet in one row of a sink.
type onConflict uint8

const (
	asTheyCome onConflict = iota // the sink gets the changes of the query
	deduplicate
	keepFirst
	refuseSecond
)

var onConflicts = map[string]onConflict{"": deduplicate, "DEDUPLICATE": deduplicate, "NOTHING": keepFirst, "ERROR": refuseSecond}

// conflict decides how the changes of a query reach the rows of a sink. Changes
// whose key is not the sink's primary key reach one row of the sink from several
// rows of the query, and ON CONFLICT must say what then (flink-sql 6.6).
func (l *lowering) conflict(s *logical.Sink, in int) (onConflict, error) {
	if s.Table == nil {
		return asTheyCome, nil
	}
	to, _, err := l.target(s, 1)
	if err != nil {
		return asTheyCome, err
	}
	kinds := l.plan.Nodes[in].Kinds
	if err := l.checkConflict(s, kinds, to); err != nil {
		return asTheyCome, err
	}
	key := s.Table.PrimaryKey
	if len(key) == 0 || to.Accepts() == row.InsertOnly || needsOld(to) {
		return asTheyCome, nil
	}
	switch l.env.Settings.String(keyMaterialize) {
	case "NONE":
		return asTheyCome, nil
	case "FORCE":
		return onConflicts[s.Conflict], nil
	}
	have := logical.UpsertKey(s.Input)
	if kinds == row.InsertOnly || have != nil && covered(have, positions(key, s.Columns)) {
		return asTheyCome, nil
	}
	if s.Conflict == "" && l.env.Settings.Bool(keyOnConflict) {
		var names []string
		for _, c := range have {
			names = append(names, s.Input.Schema().Columns[c].Name)
		}
		return asTheyCome, diag.New(diag.BadConstraint, s.Pos, "the changes of the query are keyed by %s (upsert key), the primary key of '%s' is %s: several rows may meet in one, and ON CONFLICT must say what then",
			list(names), s.Name, list(key)).
			WithHint("write ON CONFLICT DO DEDUPLICATE behind the query to keep the last one, DO NOTHING to keep the first one, DO ERROR to fail")
	}
	return onConflicts[s.Conflict], nil
}

// checkConflict refuses ON CONFLICT where it has no meaning.
func (l *lowering) checkConflict(s *logical.Sink, kinds row.Kinds, to connector.Sink) error {
	switch {
	case s.Conflict == "":
		return nil
	case needsOld(to):
		return diag.New(diag.NotSupported, s.Pos, "ON CONFLICT is for upsert sinks with a PRIMARY KEY, '%s' is none: it takes the old rows of updates (retract)", s.Name).
			WithHint("leave it out: every change is written")
	case to.Accepts() == row.InsertOnly:
		return diag.New(diag.NotSupported, s.Pos, "ON CONFLICT is for upsert sinks with a PRIMARY KEY, '%s' is none: it only takes inserts (append-only)", s.Name)
	case kinds == row.InsertOnly:
		return diag.New(diag.NotSupported, s.Pos, "ON CONFLICT is for upsert sinks with a PRIMARY KEY that get updates, '%s' is none: the query only sends inserts (append-only)", s.Name).
			WithHint("leave it out: inserts are written as they come")
	case s.Conflict == "DEDUPLICATE":
		return nil
	}
	var without []string
	for _, n := range reached(s) {
		if t, ok := n.(*logical.Scan); ok && t.Watermark == nil {
			if name := t.Table.Path.String(); !slices.Contains(without, name) {
				without = append(without, name)
			}
		}
	}
	if len(without) == 0 {
		return nil
	}
	return diag.New(diag.NotSupported, s.Pos, "ON CONFLICT DO %s waits for watermarks, but %s %s none", s.Conflict, join(without), haveOrHas(without)).
		WithHint("declare WATERMARK FOR .. in CREATE TABLE, or write ON CONFLICT DO DEDUPLICATE, which needs none")
}

// needsOld tells a sink that gets the old rows of updates whatever its primary
// key is.
func needsOld(to connector.Sink) bool {
	_, adaptive := to.(connector.Adaptive)
	return to.Accepts().Has(row.UpdateBefore) && !adaptive
}

func haveOrHas(names []string) string {
	if len(names) == 1 {
		return "has"
	}
	return "have"
}

// reached are n and all nodes below it, each once.
func reached(n logical.Node) []logical.Node {
	var out []logical.Node
	seen := map[logical.Node]bool{}
	var walk func(n logical.Node)
	walk = func(n logical.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		out = append(out, n)
		for _, in := range n.Inputs() {
			walk(in)
		}
	}
	walk(n)
	return out
}

// keyedAlike tells that the changes of a query have the primary key of their
// sink, or that this has none: what an update replaces is then found without the
// old row.
func keyedAlike(s *logical.Sink) bool {
	if s.Table == nil || len(s.Table.PrimaryKey) == 0 {
		return true
	}
	have, key := logical.UpsertKey(s.Input), positions(s.Table.PrimaryKey, s.Columns)
	return have != nil && covered(have, key) && covered(key, have)
}

// materialize puts the changes into order per primary key. What a column must not
// hold is seen to before.
func (l *lowering) materialize(s *logical.Sink, how onConflict, in int) (int, error) {
	_, t, err := l.target(s, 1)
	if err != nil {
		return 0, err
	}
	if in, err = l.enforce(s.Name, t.Schema, in, len(notNull(t.Schema)) > 0); err != nil {
		return 0, err
	}
	ttl, unique := types.Time(l.env.Settings.Duration(keyStateTTL)), logical.UpsertKey(s.Input)
	if how == deduplicate {
		return l.add(&relop.MaterializeSpec{In: t.Schema, Key: t.PrimaryKey, Unique: unique, TTL: ttl}, in)
	}
	return l.add(&relop.CompactSpec{In: t.Schema, Key: t.PrimaryKey, Table: s.Name, Unique: unique, Refuse: how == refuseSecond, TTL: ttl}, in)
}
