package rules

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/planner/logical"
)

// removeAggregate makes a projection of an aggregation whose groups have one row
// each, as the input is declared to be unique by the keys: a PRIMARY KEY is
// trusted, as in Flink (its FlinkAggregateRemoveRule). Sums, minima and maxima of
// one row are its values.
func removeAggregate(n logical.Node) (logical.Node, error) {
	a, ok := n.(*logical.Aggregate)
	if !ok || len(a.Keys) == 0 || a.Bounds != nil {
		return n, nil
	}
	key := uniqueKey(a.Input)
	if key == nil || !within(key, a.Keys) {
		return n, nil
	}
	in, out := a.Input.Schema(), a.Schema()
	var exprs []expr.Node
	for i, k := range a.Keys {
		exprs = append(exprs, expr.NewColumn(k, in.Columns[k].Name, out.Columns[i].Type))
	}
	for _, c := range a.Calls {
		e, err := ofOneRow(a, c)
		if e == nil || err != nil {
			return n, err
		}
		exprs = append(exprs, e)
	}
	return logical.NewCalc(a.Input, nil, exprs, logical.Names(out)), nil
}

// ofOneRow is the result of a call over one row; nil: it is not its argument.
func ofOneRow(a *logical.Aggregate, c agg.Call) (expr.Node, error) {
	switch c.Fn.Name {
	case "SUM", "MIN", "MAX":
	default:
		return nil, nil
	}
	if c.Filter >= 0 || len(c.Args) != 1 {
		return nil, nil
	}
	arg := logical.Ref(a.Input.Schema(), c.Args[0])
	if arg.Type().Same(c.Type) {
		return expr.NewColumn(c.Args[0], a.Input.Schema().Columns[c.Args[0]].Name, c.Type), nil
	}
	return expr.NewCast(arg, c.Type, false)
}

// uniqueKey are columns that no two rows of a node share; nil: none is known.
func uniqueKey(n logical.Node) []int {
	switch n := n.(type) {
	case *logical.Scan, *logical.Normalize:
		return logical.UpsertKey(n)
	case *logical.Aggregate:
		if len(n.Keys) > 0 {
			return logical.UpsertKey(n)
		}
	case *logical.Calc:
		var out []int
		for _, k := range uniqueKey(n.Input) {
			at := -1
			for i, e := range n.Exprs {
				if logical.AsRef(e) == k {
					at = i
					break
				}
			}
			if at < 0 {
				return nil
			}
			out = append(out, at)
		}
		return out
	}
	return nil
}

func within(cols, of []int) bool {
	for _, c := range cols {
		found := false
		for _, o := range of {
			found = found || o == c
		}
		if !found {
			return false
		}
	}
	return true
}
