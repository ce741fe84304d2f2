package sim

import (
	"fmt"

	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// cutCheck checks that every barrier is a consistent cut: what the subtasks of a
// node had received from another node when they passed the barrier of an epoch
// is exactly what that node had sent when it passed the same barrier.
type cutCheck struct {
	plan *physical.Plan
	seen map[cut]rows
}

// kept is told what gates keep at barriers: their operators have not got it, but
// it belongs to the cut; and with which rows they began.
func (c *cutCheck) kept(n *physical.Node, e types.Epoch, held []int) {
	k := cut{e, n.ID}
	sum := c.seen[k]
	for i, rows := range held {
		sum.kept[i] += rows
	}
	c.seen[k] = sum
}

type cut struct {
	epoch types.Epoch
	node  int
}

// rows are sums over the subtasks of a node.
type rows struct {
	in   [4]int // rows per input
	kept [4]int // rows per input that the gates keep
	out  int
}

// watched wraps an operator with counters that are noted at barriers.
func (c *cutCheck) watched(o op.Operator, n *physical.Node) op.Operator {
	w := &watch{o: o, cuts: c, node: n.ID}
	if h, ok := o.(op.ClockHandler); ok {
		return &watchClock{watch: w, h: h}
	}
	return w
}

// check compares both ends of every edge between operators, at the barriers
// after an epoch.
func (c *cutCheck) check(from, last types.Epoch) error {
	for e := from + 1; e <= last; e++ {
		for _, n := range c.plan.Nodes {
			if n.Spec == nil {
				continue
			}
			if err := c.inputs(e, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// inputs compares what the inputs of a node had sent at a barrier with what it had
// got. The rows of inputs that may come in one batch are counted together.
func (c *cutCheck) inputs(e types.Epoch, n *physical.Node) error {
	at, began := c.seen[cut{e, n.ID}], c.seen[cut{0, n.ID}]
	_, blends := n.Spec.(op.Blending)
	sent, got := 0, 0
	for port, i := range n.Inputs {
		if c.plan.Nodes[i.From].Spec == nil {
			if blends {
				return nil
			}
			continue
		}
		rows := c.seen[cut{e, i.From}].out
		if i.Ship == physical.Broadcast {
			rows *= n.Parallel
		}
		sent += rows
		got += at.in[port] + at.kept[port] - began.kept[port]
		if sent != got && (!blends || port == len(n.Inputs)-1) {
			return fmt.Errorf("barrier %d is no consistent cut: node %d had sent %d rows, node %d had got %d", e, i.From, sent, n.ID, got)
		}
	}
	return nil
}

type watch struct {
	o    op.Operator
	cuts *cutCheck
	node int
	cur  *row.Batch
	n    rows
}

func (w *watch) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	if w.cur != b {
		w.cur = b
		w.n.in[in] += b.Rows
	}
	more, err := w.o.OnBatch(in, b, w.count(out))
	if !more {
		w.cur = nil
	}
	return more, err
}

func (w *watch) count(out op.Emitter) op.Emitter {
	return op.EmitFunc(func(b *row.Batch) error {
		w.n.out += b.Rows
		return out.Emit(b)
	})
}

func (w *watch) OnBarrier(e types.Epoch) error {
	k := cut{e, w.node}
	sum := w.cuts.seen[k]
	for i := range sum.in {
		sum.in[i] += w.n.in[i]
	}
	sum.out += w.n.out
	w.cuts.seen[k] = sum
	return w.o.OnBarrier(e)
}

// Unwrap implements op.Wrapper.
func (w *watch) Unwrap() any { return w.o }

func (w *watch) Counters() []op.Counter {
	if m, ok := w.o.(op.Metered); ok {
		return m.Counters()
	}
	return nil
}

func (w *watch) StateBytes() int64 {
	if s, ok := w.o.(op.Sized); ok {
		return s.StateBytes()
	}
	return 0
}

type watchClock struct {
	*watch
	h op.ClockHandler
}

func (w *watchClock) OnClock(now types.Time, out op.Emitter) error {
	return w.h.OnClock(now, w.count(out))
}

func (w *watchClock) NextClock() types.Time { return w.h.NextClock() }
