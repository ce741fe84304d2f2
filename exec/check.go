package exec

import (
	"fsql/internal/diag"
	"fsql/planner/physical"
	"fsql/row"
)

// check refuses plans that cannot be run. Such a plan is a defect of the
// planner: what a user can ask for wrongly was refused before.
func check(p *physical.Plan) error {
	for i, n := range p.Nodes {
		bad := func(format string, args ...any) error {
			return diag.New(diag.Internal, diag.Span{}, "the plan cannot be run: node %d "+format, append([]any{i}, args...)...)
		}
		parts := 0
		for _, is := range []bool{n.Source != nil, n.Spec != nil, n.Sink != nil} {
			if is {
				parts++
			}
		}
		switch {
		case n.ID != i:
			return bad("has the number %d", n.ID)
		case parts != 1:
			return bad("is not one of source, operator and sink")
		case n.Parallel < 1 || n.Parallel > row.KeyGroups:
			return bad("has a parallelism of %d, not 1 to %d", n.Parallel, row.KeyGroups)
		case (n.Source != nil) != (len(n.Inputs) == 0):
			return bad("has %d inputs", len(n.Inputs))
		case n.Source != nil && n.Source.Watermark != nil && n.Parallel != 1:
			// Which rows are late is decided row by row along the input, read in
			// one order. A second subtask, even an idle one, would hold event time
			// back by as much as scheduling lets it.
			return bad("has a watermark and %d subtasks", n.Parallel)
		case n.Chained && (len(n.Inputs) != 1 || n.Inputs[0].Ship != physical.Forward):
			return bad("is chained but has not one forward input")
		}
		for _, e := range n.Inputs {
			if e.From < 0 || e.From >= i {
				return bad("reads node %d", e.From)
			}
			if e.Ship == physical.Forward && p.Nodes[e.From].Parallel != n.Parallel {
				return bad("has %d subtasks but its forward input %d", n.Parallel, p.Nodes[e.From].Parallel)
			}
		}
	}
	return nil
}
