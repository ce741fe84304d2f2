package planner

import (
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/row"
)

// match makes the operator of MATCH_RECOGNIZE.
func (l *lowering) match(n *logical.Match, in *physical.Node) (op.Spec, error) {
	if over := in.Kinds &^ row.InsertOnly; over != 0 {
		return nil, diag.New(diag.ChangelogMode, n.Pos, "MATCH_RECOGNIZE takes only inserts (append-only input), but %s sends %s as well", l.origin(in.ID, over), words(over))
	}
	s := n.By
	s.In, s.Out, s.OrderBy = in.Schema, n.Schema(), nil
	for _, k := range n.Keys {
		s.OrderBy = append(s.OrderBy, row.OrderBy(k))
	}
	return &s, nil
}
