package rules

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/planner/logical"
	"fsql/types"
)

// removeEmpty carries the knowledge that there are no rows upwards. A global
// aggregation over a provably empty input gives its one row at once, where an
// empty stream gives none (flink-sql 4.5).
func removeEmpty(n logical.Node) (logical.Node, error) {
	switch n := n.(type) {
	case *logical.Calc, *logical.Window, *logical.WindowAggregate, *logical.Limit, *logical.Sort, *logical.Over, *logical.Rank, *logical.Unnest, *logical.Replicate:
		if empty(n.Inputs()[0]) {
			return logical.NewValues(nil, n.Schema()), nil
		}
	case *logical.Aggregate:
		if !empty(n.Input) {
			break
		}
		if len(n.Keys) > 0 {
			return logical.NewValues(nil, n.Schema()), nil
		}
		return OfNothing(n)
	case *logical.Union:
		var left []logical.Node
		for _, in := range n.Ins {
			if !empty(in) {
				left = append(left, in)
			}
		}
		switch {
		case len(left) == len(n.Ins):
		case len(left) == 0:
			return logical.NewValues(nil, n.Schema()), nil
		case len(left) == 1:
			return left[0], nil
		default:
			return logical.NewUnion(left, n.Schema()), nil
		}
	}
	return n, nil
}

func empty(n logical.Node) bool {
	v, ok := n.(*logical.Values)
	return ok && len(v.Rows) == 0
}

// OfNothing is the row of a global aggregation over nothing.
func OfNothing(a *logical.Aggregate) (*logical.Values, error) {
	var out []*expr.Literal
	for _, c := range a.Calls {
		v, err := c.OfNothing(argTypes(a, c))
		if err != nil {
			return nil, err
		}
		out = append(out, &expr.Literal{T: c.Type, Value: v})
	}
	return logical.NewValues([][]*expr.Literal{out}, a.Schema()), nil
}

func argTypes(a *logical.Aggregate, c agg.Call) []types.Type {
	out := make([]types.Type, len(c.Args))
	for i, col := range c.Args {
		out[i] = a.Input.Schema().Columns[col].Type
	}
	return out
}
