package planner

import (
	"slices"

	"fsql/expr/agg"
	"fsql/planner/logical"
)

// alone finds the nodes that run in one subtask although they could run in
// several: those below a step whose answer depends on the order of the rows it
// gets. Rows of several subtasks come in the order in which these happen to run;
// of one, in the order of the input, whatever the parallelism (ADR 0008). The step
// itself may have several subtasks: each gets the rows of its keys in order.
func alone(roots []logical.Node) map[logical.Node]bool {
	lone, seen := map[logical.Node]bool{}, map[logical.Node]bool{}
	var below func(n logical.Node)
	below = func(n logical.Node) {
		for _, in := range n.Inputs() {
			if !lone[in] {
				lone[in] = true
				below(in)
			}
		}
	}
	var visit func(n logical.Node)
	visit = func(n logical.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if byOrder(n) {
			below(n)
		}
		for _, in := range n.Inputs() {
			visit(in)
		}
	}
	for _, r := range roots {
		visit(r)
	}
	return lone
}

// byOrder tells that what a step gives, taken as a table, depends on the order
// of its rows.
func byOrder(n logical.Node) bool {
	ordered := func(c agg.Call) bool { return c.Ordered() }
	switch n := n.(type) {
	case *logical.Aggregate:
		return slices.ContainsFunc(n.Calls, ordered)
	case *logical.WindowAggregate:
		return slices.ContainsFunc(n.Calls, ordered)
	case *logical.Join:
		return n.Temporal != nil // of versions with one time the last counts
	case *logical.Limit, *logical.Sort, *logical.Rank, *logical.Over, *logical.Match:
		return true // which rows come first, of those that are equal by the order
	}
	return false
}
