package planner

import (
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

// over chooses the operator of OVER. A ranking function that got here is no
// Top-N, since no condition on it bounds its ranks: it is computed like an
// aggregate, and has its limits.
func (l *lowering) over(n *logical.Over, in *physical.Node) (op.Spec, error) {
	if rank := n.Calls[0].Rank; rank != "" {
		for i, k := range n.Keys {
			switch {
			case k.Desc:
				return nil, descending(n.Pos).WithHint("a Top-N may order by anything: put a condition on the rank around it, WHERE rn <= 10")
			case i > 0:
				return nil, severalOrders(n.Pos).WithHint("a Top-N may order by anything: put a condition on the rank around it, WHERE rn <= 10")
			}
		}
	}
	calls := make([]agg.Call, len(n.Calls))
	for i, c := range n.Calls {
		calls[i] = c.Call
	}
	key := n.Keys[0]
	attr := in.Schema.Columns[key.Col].Type.Attr
	if attr == types.NoAttr {
		return &relop.OverAnySpec{
			In: in.Schema, Partition: n.Partition, OrderBy: n.Keys, Rows: n.Frame.Rows, Calls: calls, UpdateBefore: l.old[n], Out: n.Schema(),
		}, nil
	}
	if over := in.Kinds &^ row.InsertOnly; over != 0 {
		return nil, diag.New(diag.ChangelogMode, n.Pos, "OVER ordered by a time attribute takes only inserts, but %s sends %s as well", l.origin(in.ID, over), words(over))
	}
	return &relop.OverSpec{
		In: in.Schema, Partition: n.Partition, Time: key.Col, Proctime: attr == types.Proctime, Rows: n.Frame.Rows, Preceding: n.Frame.Preceding,
		Calls: calls, Out: n.Schema(),
	}, nil
}
