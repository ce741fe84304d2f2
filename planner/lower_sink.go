package planner

import (
	"fmt"
	"slices"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

// target makes the sink of a table for p writers.
func (l *lowering) target(s *logical.Sink, p int) (connector.Sink, *connector.Table, error) {
	if s.To != nil {
		return s.To, nil, nil
	}
	r, err := l.env.resolve(s.Name, s.Options)
	if err != nil {
		return nil, nil, err
	}
	if r.Connector.Sink == nil {
		return nil, nil, diag.New(diag.NotSupported, s.Pos, "table '%s' cannot be written to: the connector '%s' is a source only", s.Name, r.Connector.Name)
	}
	if s.Table.Distribution != nil {
		return nil, nil, diag.New(diag.NotSupported, s.Pos, "table '%s' is DISTRIBUTED into buckets, which the connector '%s' does not support", s.Name, r.Connector.Name).
			WithHint("leave DISTRIBUTED out of its declaration")
	}
	t := l.env.table(s.Name, r)
	t.Parallel, t.Partitions = p, s.Table.PartitionedBy
	t.Schema = &types.Schema{}
	for _, name := range s.Columns {
		c, _ := s.Table.Column(name)
		t.Schema.Columns = append(t.Schema.Columns, types.Column{Name: name, Type: c.Type.Plain()})
		t.Metadata, t.Wanted = append(t.Metadata, c.Metadata), append(t.Wanted, true)
	}
	t.PrimaryKey = keyOf(s.Table.PrimaryKey, t.Schema)
	to, err := r.Connector.Sink(t)
	return to, t, err
}

// accepts tells which changes a sink takes.
func (l *lowering) accepts(s *logical.Sink) (row.Kinds, error) {
	to, _, err := l.target(s, 1)
	if err != nil {
		return 0, err
	}
	return to.Accepts(), nil
}

// sink lowers a root.
func (l *lowering) sink(s *logical.Sink) error {
	in, err := l.node(s.Input)
	if err != nil {
		return err
	}
	accepts, err := l.accepts(s)
	if err != nil {
		return err
	}
	how, err := l.conflict(s, in)
	if err != nil {
		return err
	}
	enforced := false
	if how != asTheyCome {
		if in, err = l.materialize(s, how, in); err != nil {
			return err
		}
		enforced = true
	}
	kinds := l.plan.Nodes[in].Kinds
	if kinds.Has(row.UpdateBefore) && upserts(accepts) {
		if !droppable(s.Input) || !keyedAlike(s) {
			// Flink: a sink that would rather not have old rows gets them when
			// a filter may have dropped the new ones, or the new ones may be of
			// another primary key.
			accepts |= 1 << row.UpdateBefore
		} else if in, err = l.add(&relop.DropUpdateBeforeSpec{In: l.plan.Nodes[in].Schema}, in); err != nil {
			return err
		}
		kinds = l.plan.Nodes[in].Kinds
	}
	if kinds&^accepts != 0 {
		return l.refused(s.Name, accepts, in, s.Pos)
	}
	p, err := l.writers(s, in)
	if err != nil {
		return err
	}
	to, t, err := l.target(s, p)
	if err != nil {
		return err
	}
	if t != nil && !enforced {
		if in, err = l.enforce(s.Name, t.Schema, in, false); err != nil {
			return err
		}
	}
	from := l.plan.Nodes[in]
	n := &physical.Node{
		ID: len(l.plan.Nodes), Parallel: p, Kinds: kinds, Schema: from.Schema,
		Sink: &physical.Sink{Name: s.Name, Sink: to, DropNull: l.env.Settings.String(keyNotNull) == "DROP"},
	}
	edge := l.edge(in, p, sinkKeys(t, from, p))
	n.Inputs = []physical.Edge{edge}
	n.Chained = edge.Ship == physical.Forward
	if t != nil {
		n.Schema = t.Schema
	}
	n.Sink.NotNull = notNull(n.Schema)
	l.plan.Nodes = append(l.plan.Nodes, n)
	return nil
}

// enforce adds the step that holds rows to what the types of a table declare,
// where the session asks for it; with columns also to NOT NULL of whole columns,
// which the sink sees to else.
func (l *lowering) enforce(name string, schema *types.Schema, in int, columns bool) (int, error) {
	set := l.env.Settings
	s := &relop.EnforceSpec{
		In: schema, Table: name, Columns: columns, Drop: set.String(keyNotNull) == "DROP",
		Lengths: map[string]relop.Lengths{"TRIM_PAD": relop.TrimPad, "ERROR": relop.RefuseLength}[set.String(keyLengths)],
		Nested:  map[string]relop.Nested{"ROWS": relop.InRows, "ROWS_AND_COLLECTIONS": relop.InCollections}[set.String(keyNested)],
	}
	if !s.Needed() {
		return in, nil
	}
	return l.add(s, in)
}

// upserts tells a sink that finds the row an update replaces by its key.
func upserts(accepts row.Kinds) bool {
	return accepts.Has(row.UpdateAfter) && !accepts.Has(row.UpdateBefore)
}

// droppable tells that a new row follows every old one of n: no filter that
// may part them stands between n and where its updates come from.
func droppable(n logical.Node) bool {
	switch n := n.(type) {
	case *logical.Calc:
		return (n.Cond == nil || logical.ByKey(n.Cond, n.Input)) && droppable(n.Input)
	case *logical.Union, *logical.Window, *logical.Limit:
		for _, in := range n.Inputs() {
			if !droppable(in) {
				return false
			}
		}
	}
	return true
}

// writers is the number of subtasks of a sink: one for the client, else what
// its option says, else that of the input.
func (l *lowering) writers(s *logical.Sink, in int) (int, error) {
	from := l.plan.Nodes[in]
	if s.Table == nil {
		return 1, nil
	}
	r, err := l.env.resolve(s.Name, s.Options)
	if err != nil {
		return 0, err
	}
	if !r.Options.Has("sink.parallelism") {
		return from.Parallel, nil
	}
	p := int(r.Options.Int("sink.parallelism"))
	if p < 1 || p > row.KeyGroups {
		return 0, diag.New(diag.BadOption, s.Pos, "'sink.parallelism' of table '%s' must be from 1 to %d, it is %d", s.Name, row.KeyGroups, p)
	}
	if p != from.Parallel && from.Kinds != row.InsertOnly && len(s.Table.PrimaryKey) == 0 {
		return 0, diag.New(diag.BadOption, s.Pos, "'sink.parallelism' of table '%s' is %d, its input has the parallelism %d and sends %s: that needs a PRIMARY KEY, so that changes of one row stay in order",
			s.Name, p, from.Parallel, words(from.Kinds)).
			WithHint("declare PRIMARY KEY (..) NOT ENFORCED, or leave the option out")
	}
	return p, nil
}

// sinkKeys: writers of another number get the changes of one key together.
func sinkKeys(t *connector.Table, from *physical.Node, p int) (d op.Distribution) {
	if t != nil && p != from.Parallel && from.Kinds != row.InsertOnly {
		d.Keys = t.PrimaryKey
	}
	return d
}

func list(names []string) string { return fmt.Sprintf("[%s]", join(names)) }

// positions are where the sink's columns of these names are in its input.
func positions(names, columns []string) []int {
	var out []int
	for i, c := range columns {
		if slices.Contains(names, c) {
			out = append(out, i)
		}
	}
	return out
}

// covered tells that all of key is in of.
func covered(key, of []int) bool {
	for _, k := range key {
		if !has(of, k) {
			return false
		}
	}
	return true
}
