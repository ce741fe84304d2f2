package exec

import (
	"fsql/connector"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// order says which gates of a plan merge their inputs (merging), and which
// sources help them with marks.
type order struct {
	merges []bool // per node: its gates merge
	ticks  []bool // per source: it has no event time, but its rows are counted
}

// ordered looks at a plan. A gate can merge if all it gets comes from sources
// that replay. It does so if event time reaches it by all its inputs, since then
// lateness depends on the order; else, if it is the only subtask of a node with
// several inputs, so that a job with one subtask per node is the same in
// everything it gives. For sinks no order matters.
func ordered(p *physical.Plan) order {
	n := len(p.Nodes)
	o := order{merges: make([]bool, n), ticks: make([]bool, n)}
	replays, timed := make([]bool, n), make([]bool, n)
	above := make([][]int, n) // sources that a node reads from
	for i, node := range p.Nodes {
		if s := node.Source; s != nil {
			replays[i], timed[i], above[i] = connector.Replays(s.Source), s.Watermark != nil, []int{i}
			continue
		}
		replays[i], timed[i] = true, true
		channels := 0
		for _, e := range node.Inputs {
			from := p.Nodes[e.From]
			replays[i], timed[i] = replays[i] && replays[e.From], timed[i] && timed[e.From]
			above[i] = append(above[i], above[e.From]...)
			if e.Ship == physical.Forward {
				channels++
			} else {
				channels += from.Parallel
			}
		}
		alone := node.Parallel == 1 && len(node.Inputs) > 1
		o.merges[i] = node.Spec != nil && channels > 1 && replays[i] && (timed[i] || alone)
		if o.merges[i] {
			for _, s := range above[i] {
				o.ticks[s] = p.Nodes[s].Source.Watermark == nil
			}
		}
	}
	return o
}

// blended is the schema of the rows that a gate may put into one batch, nil if
// it must not: several subtasks of one input, or an operator to which all inputs
// are the same.
func blended(p *physical.Plan, n *physical.Node) *types.Schema {
	if len(n.Inputs) == 1 {
		return p.Nodes[n.Inputs[0].From].Schema
	}
	if s, ok := n.Spec.(op.Blending); ok && s.Blends() {
		return n.Schema
	}
	return nil
}

// ticks stand in for event time where a source has none: marks below every time
// there is, one after as many rows as stride says, so that gates can take several
// such inputs by turns that do not depend on batches or speed. A gate of
// inputs with and without event time takes those without to their ends first.
type ticks struct {
	stride int
	rows   types.Time // read
}

const (
	firstTick = types.MinTime + 1
	lastTick  = types.MinTime + 1<<60
)

// marks are those of a batch of n rows.
func (t *ticks) marks(n int) (out []row.Mark) {
	step := types.Time(t.stride)
	from := t.rows
	t.rows += types.Time(n)
	for at := from - from%step + step; at <= t.rows; at += step {
		out = append(out, row.Mark{Row: int32(at - from), Time: firstTick + at})
	}
	return out
}

// last is the last one that was given, types.MinTime if none was.
func (t *ticks) last() types.Time {
	if at := t.rows - t.rows%types.Time(t.stride); at > 0 {
		return firstTick + at
	}
	return types.MinTime
}

// clockOf is event time as it is shown: ticks are none.
func clockOf(t types.Time) types.Time {
	if t < lastTick {
		return types.MinTime
	}
	return t
}
