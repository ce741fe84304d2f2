package planner

import (
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

// normalized puts the step that makes a complete changelog above a table of
// which changes come without the rows that they replace, or, as the session
// says, several times (flink-sql 6.4).
func (b *binder) normalized(s *logical.Scan, t *catalog.Table) logical.Node {
	repeats := b.env.Settings.Bool(keyEventsDuplicate)
	kinds := b.env.sourceKinds(s)
	if kinds == row.InsertOnly || kinds.Has(row.UpdateBefore) && !repeats || len(t.PrimaryKey) == 0 {
		return s
	}
	return &logical.Normalize{Input: s, Key: keyOf(t.PrimaryKey, s.Schema()), Repeats: repeats}
}

// sourceKinds are the changes that a table may send. A connector that is not
// there is an error of its own, later.
func (e *Env) sourceKinds(s *logical.Scan) row.Kinds {
	r, err := e.resolve(s.Table.Path.String(), s.Options)
	switch {
	case err != nil:
		return row.InsertOnly
	case r.Connector.Kinds != nil:
		return r.Connector.Kinds(r.Options)
	case r.Format != nil:
		return r.Format.Kinds
	}
	return row.InsertOnly
}

// checkKinds refuses changes that would have to be normalized where there is no
// key to do it by.
func (l *lowering) checkKinds(s *logical.Scan, kinds row.Kinds) error {
	switch {
	case kinds == row.InsertOnly || len(s.Table.PrimaryKey) > 0:
		return nil
	case l.env.Settings.Bool(keyEventsDuplicate):
		return diag.New(diag.BadConstraint, s.Pos, "'%s' is on, which needs a PRIMARY KEY, but table '%s' has none", keyEventsDuplicate, s.Table.Path).
			WithHint("declare PRIMARY KEY (..) NOT ENFORCED, or SET '%s' = 'false'", keyEventsDuplicate)
	case !kinds.Has(row.UpdateBefore):
		return diag.New(diag.BadConstraint, s.Pos, "table '%s' sends updates without the rows that they replace, which needs a PRIMARY KEY, but it has none", s.Table.Path).
			WithHint("declare PRIMARY KEY (..) NOT ENFORCED")
	}
	return nil
}

// fromChangelog refuses a table that is one of changes already.
func (l *lowering) fromChangelog(n *logical.FromChangelog, in *physical.Node) (op.Spec, error) {
	if over := in.Kinds &^ row.InsertOnly; over != 0 {
		return nil, diag.New(diag.ChangelogMode, n.Pos, "FROM_CHANGELOG takes only inserts (append-only), but %s sends %s as well", l.origin(in.ID, over), words(over))
	}
	return &relop.FromChangelogSpec{In: in.Schema, Code: n.Code, Kinds: n.Kinds, Names: n.Names, Out: n.Schema()}, nil
}

// normalize lowers the step; a reader that needs no old rows takes changes that
// come once as they are.
func (l *lowering) normalize(n *logical.Normalize) (int, error) {
	in, err := l.node(n.Input)
	if err != nil {
		return 0, err
	}
	if !n.Repeats && n.Cond == nil && !l.old[n] {
		return in, nil
	}
	if l.plan.Nodes[in].Kinds.Has(row.UpdateBefore) {
		if in, err = l.add(&relop.DropUpdateBeforeSpec{In: l.plan.Nodes[in].Schema}, in); err != nil {
			return 0, err
		}
	}
	return l.add(&relop.NormalizeSpec{
		In: l.plan.Nodes[in].Schema, Key: n.Key, Where: n.Cond, UpdateBefore: l.old[n], TTL: types.Time(l.env.Settings.Duration(keyStateTTL)),
	}, in)
}
