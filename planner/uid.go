package planner

import (
	"strconv"

	"fsql/planner/physical"
)

// nameStates gives the steps that keep state their UIDs: the name of the sink
// and the kinds of the stateful steps from there down to the step itself. No
// expression, no number and no parallelism is in it, so that an unrelated edit
// of the query leaves the state where it is.
func nameStates(p *physical.Plan) {
	paths := make([]string, len(p.Nodes))
	taken := map[string]int{}
	unique := func(uid string) string {
		taken[uid]++
		if n := taken[uid]; n > 1 {
			// Two equal steps under one path, as in a UNION ALL of equal
			// branches, can only be told apart by counting.
			return uid + "#" + strconv.Itoa(n)
		}
		return uid
	}
	for i := len(p.Nodes) - 1; i >= 0; i-- {
		n := p.Nodes[i]
		path := paths[i]
		switch {
		case n.Sink != nil:
			path = n.Sink.Name
			n.UID = unique(path)
		case n.Source != nil:
			n.UID = unique(path + "/Source(" + n.Source.Name + ")")
		default:
			d := n.Spec.Describe()
			if d.State != "" {
				path += "/" + d.Name
				n.UID = unique(path)
				path = n.UID
			} else if len(n.Inputs) > 1 {
				// It may hold rows of one input that wait for those of another;
				// what is above keeps its path.
				n.UID = unique(path + "/" + d.Name)
			}
		}
		for _, e := range n.Inputs {
			// Of several readers the first one in the plan names the step: it
			// is visited last.
			paths[e.From] = path
		}
	}
}
