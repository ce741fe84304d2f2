package logical

import (
	"fsql/expr"
	"fsql/types"
)

// IsEventTime tells a column that a temporal join takes as event time: a rowtime
// attribute, or one that a step has made a plain column of while Flink still
// counts it as one. Such are columns behind a regular join, keys of GROUP BY and
// their MAX and MIN, and of expressions those that move or round a time
// (flink-sql 3.4, 4.9). Rows may then come behind event time, which the join
// takes.
func IsEventTime(n Node, c int) bool {
	t := n.Schema().Columns[c].Type
	if t.Attr == types.Rowtime {
		return true
	}
	if t.Attr != types.NoAttr || !t.IsTimestamp() {
		return false
	}
	switch n := n.(type) {
	case *Calc:
		return isEventTime(n.Exprs[c], n.Input)
	case *Aggregate:
		if c < len(n.Keys) {
			return IsEventTime(n.Input, n.Keys[c])
		}
		call := n.Calls[c-len(n.Keys)]
		return (call.Fn.Name == "MAX" || call.Fn.Name == "MIN") && IsEventTime(n.Input, call.Args[0])
	case *Join:
		if c = n.Cols[c]; c < len(n.L.Schema().Columns) {
			return IsEventTime(n.L, c)
		}
		return IsEventTime(n.R, c-len(n.L.Schema().Columns))
	case *Unnest:
		c = n.Cols[c]
		return c < len(n.Input.Schema().Columns) && IsEventTime(n.Input, c)
	case *Rank, *Over, *Limit, *Sort, *Normalize:
		in := n.Inputs()[0]
		return c < len(in.Schema().Columns) && IsEventTime(in, c)
	}
	return false
}

func isEventTime(e expr.Node, in Node) bool {
	switch e := e.(type) {
	case *expr.Column:
		return IsEventTime(in, e.Index)
	case *expr.Call:
		switch e.Fn.Name {
		case "+", "-", "FLOOR TO", "CEIL TO":
		default:
			return false
		}
		found := false
		for _, a := range e.Args {
			if a.Type().IsTimestamp() {
				if !isEventTime(a, in) {
					return false
				}
				found = true
			}
		}
		return found
	}
	return false
}

// EventTimes are the columns of a node that are event time.
func EventTimes(n Node) []int {
	var out []int
	for c := range n.Schema().Columns {
		if IsEventTime(n, c) {
			out = append(out, c)
		}
	}
	return out
}
