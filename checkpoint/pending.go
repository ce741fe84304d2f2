package checkpoint

import (
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

// Pending collects what the tasks hand over until it is durable. Changes and
// what sinks prepared add up over epochs that were given up; of everything else
// the last counts.
type Pending struct {
	nodes   []Node // with the subtasks as of the last Add
	deltas  []delta
	carried map[int][][]byte // by node: what a recovery left to be published
}

type delta struct {
	node  int
	state state.Delta
}

// NewPending returns the collection of a job whose nodes are given with as many
// subtasks as they have, all empty.
func NewPending(nodes []Node) *Pending { return &Pending{nodes: nodes} }

// Carry adds what a sink's recovery left for the next epoch.
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
			scope := state.Groups(n.UID, part.Subtask, len(n.Subtasks))
			p.deltas = append(p.deltas, delta{part.Node, part.Changes.Delta(scope, a.Epoch)})
		}
	}
}

// Persist gives what has to be made durable for an epoch that all tasks have
// passed.
func (p *Pending) Persist(e types.Epoch, last bool) ([]state.Delta, *Manifest) {
	deltas := make([]state.Delta, 0, len(p.deltas))
	for _, d := range p.deltas {
		deltas = append(deltas, d.state)
	}
	sortByEpoch(deltas)
	return deltas, &Manifest{Epoch: e, Last: last, Nodes: p.nodes}
}

// Persisted drops the changes of the epochs up to e, which are durable.
func (p *Pending) Persisted(e types.Epoch) {}
