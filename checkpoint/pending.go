package checkpoint

import (
	"cmp"
	"slices"

	"fsql/connector"
	"fsql/state"
	"fsql/types"
)

// Part is what one subtask of a node hands over at a barrier.
type Part struct {
	Node    int // among the nodes of the manifest
	Subtask int
	// State is that of the subtask; of Prepared only this epoch's.
	State   Subtask
	Changes *state.Changes // nil: no keyed state
}

// Pending collects what the tasks hand over until it is durable. There is one
// epoch in flight, and epochs that were given up before it: their changes, and
// what sinks prepared in them, add up; of everything else the last counts.
type Pending struct {
	nodes  []Node
	deltas []state.Delta
}

// NewPending returns the collection of a job whose nodes are given with all
// their subtasks, which are empty.
func NewPending(nodes []Node) *Pending { return &Pending{nodes: nodes} }

// Carry adds what a sink's recovery left to be published with the next epoch.
func (p *Pending) Carry(node int, prepared []byte) {
	s := &p.nodes[node].Subtasks[0]
	s.Prepared = append(s.Prepared, prepared)
}

// Add takes what a task hands over.
func (p *Pending) Add(a Ack) {
	for _, part := range a.Parts {
		n := &p.nodes[part.Node]
		s := &n.Subtasks[part.Subtask]
		prepared := append(s.Prepared, part.State.Prepared...)
		*s = part.State
		s.Prepared = prepared
		if part.Changes != nil && part.Changes.Len() > 0 {
			p.deltas = append(p.deltas, part.Changes.Delta(state.Groups(n.UID, part.Subtask, len(n.Subtasks)), a.Epoch))
		}
	}
}

// Persist gives what has to be made durable once all tasks have passed an
// epoch.
func (p *Pending) Persist(e types.Epoch, last bool) ([]state.Delta, *Manifest) {
	slices.SortStableFunc(p.deltas, func(a, b state.Delta) int { return cmp.Compare(a.Epoch, b.Epoch) })
	return p.deltas, &Manifest{Epoch: e, Last: last, Nodes: p.nodes}
}

// Persisted drops the changes, which are durable.
func (p *Pending) Persisted() { p.deltas = nil }

// Prepared is what the sinks have to publish: by node, all subtasks together.
func (p *Pending) Prepared(node int) [][]byte { return p.nodes[node].Prepared() }

// Positions are those of a source's subtask in the last epoch it has passed.
func (p *Pending) Positions(node, subtask int) []connector.Split {
	return p.nodes[node].Subtasks[subtask].Positions
}

// Published drops what the sinks had prepared.
func (p *Pending) Published() {
	for _, n := range p.nodes {
		for i := range n.Subtasks {
			n.Subtasks[i].Prepared = nil
		}
	}
}
