package exec

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"fsql/checkpoint"
	"fsql/connector"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// Build makes a job of a plan: it opens readers and writers, builds operators
// and connects them. When it fails, what it had opened is closed.
func Build(ctx context.Context, p *physical.Plan, e Env) (*Job, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	b := &assembly{plan: p, order: ordered(p), job: &Job{env: e.withDefaults()}}
	if e.Checkpoints != nil {
		var err error
		if b.memory, err = remember(p, b.order, e.Checkpoints); err != nil {
			return nil, err
		}
	}
	if err := b.assemble(ctx); err != nil {
		b.job.Close()
		return nil, err
	}
	return b.job, nil
}

// assembly is a job being built.
type assembly struct {
	plan   *physical.Plan
	order  order
	flies  []bool // per node: rows were on their way to it when the job died
	job    *Job
	memory *memory // nil: no checkpoints
	// Per node: who reads it; per node and subtask: the chain it runs in, where
	// its input goes (nodes that are chained), the queues of its gate (others).
	readers [][]reading
	chains  [][]*chain
	entries [][]consumer
	inputs  [][][]*input
	heads   [][]Stepper
}

// reading is an edge seen from its producer.
type reading struct {
	node *physical.Node
	port int
	edge physical.Edge
}

func (b *assembly) assemble(ctx context.Context) error {
	n := len(b.plan.Nodes)
	b.readers, b.flies = make([][]reading, n), make([]bool, n)
	b.chains, b.entries = make([][]*chain, n), make([][]consumer, n)
	b.inputs, b.heads = make([][][]*input, n), make([][]Stepper, n)
	for _, node := range b.plan.Nodes {
		b.flies[node.ID] = b.memory.flies(node)
		for port, e := range node.Inputs {
			b.readers[e.From] = append(b.readers[e.From], reading{node, port, e})
		}
		b.place(node)
	}
	b.control()
	b.join()
	// From the sinks up, so that whatever a node emits to is there.
	for _, node := range slices.Backward(b.plan.Nodes) {
		for sub := range node.Parallel {
			if err := b.build(ctx, node, sub); err != nil {
				return err
			}
		}
		if node.Source != nil {
			if err := b.open(ctx, node); err != nil {
				return err
			}
		}
	}
	if err := b.finish(); err != nil {
		return err
	}
	return b.job.control.recover(ctx)
}

// chained tells that a node runs in the task of its input. One that has to begin
// with rows that were on their way to it has a gate.
func (b *assembly) chained(node *physical.Node) bool { return node.Chained && !b.flies[node.ID] }

// place decides in which tasks a node runs and makes the tasks it heads.
func (b *assembly) place(node *physical.Node) {
	j, id := b.job, node.ID
	b.entries[id] = make([]consumer, node.Parallel)
	b.inputs[id] = make([][]*input, node.Parallel)
	if b.chained(node) {
		from := node.Inputs[0].From
		b.chains[id], b.heads[id] = b.chains[from], b.heads[from]
		return
	}
	for range node.Parallel {
		var c *chain
		var s Stepper
		if node.Source != nil {
			t := &SourceTask{index: len(j.sources), plan: node.Source, schema: node.Schema}
			j.sources = append(j.sources, t)
			c, s = &t.chain, t
		} else {
			t := &Task{}
			c, s = &t.chain, t
		}
		c.id, c.env, c.account = len(j.steppers), &j.env, &j.account
		j.steppers = append(j.steppers, s)
		b.chains[id] = append(b.chains[id], c)
		b.heads[id] = append(b.heads[id], s)
	}
}

// control makes the control loop and its queues.
func (b *assembly) control() {
	j := b.job
	c := newControl(j, b.memory)
	c.inboxes = append(c.inboxes, c.requests)
	connect(j, c.requests, nil, c)
	for _, s := range j.steppers {
		q := NewQueue[checkpoint.Event](1)
		connect(j, q, s, c)
		c.inboxes = append(c.inboxes, q)
		switch t := s.(type) {
		case *Task:
			t.chain.control = q
		case *SourceTask:
			t.chain.control = q
			t.inject = NewQueue[Element](1)
			connect(j, t.inject, c, s)
		}
	}
	j.control = c
	j.steppers = append(j.steppers, c)
}

// build makes one subtask of a node and what it emits to.
func (b *assembly) build(ctx context.Context, node *physical.Node, sub int) error {
	c, m := b.chains[node.ID][sub], b.meter(node, sub)
	if !node.Chained {
		m.task = &c.watch
	}
	switch {
	case node.Source != nil:
		b.heads[node.ID][sub].(*SourceTask).out = output{meter: m, chain: c, next: b.next(node, sub)}
	case node.Sink != nil:
		w, err := node.Sink.Sink.OpenWriter(ctx, sub)
		if err != nil {
			return err
		}
		b.job.closers = append(b.job.closers, w.Close)
		s := &sink{meter: m, plan: node.Sink, schema: node.Schema, writer: w, part: b.memory.part(node), sub: sub}
		if s.part >= 0 {
			s.prepares, _ = w.(connector.Preparer)
		}
		if c, ok := w.(collecting); ok {
			s.marked = c.c.Marks
		}
		c.sinks = append(c.sinks, s)
		b.entries[node.ID][sub] = s
	default:
		s, err := b.stage(node, sub, c, m)
		if err != nil {
			return err
		}
		c.stages = append(c.stages, s)
		b.entries[node.ID][sub] = s
	}
	return nil
}

func (b *assembly) meter(node *physical.Node, sub int) *meter {
	name := ""
	switch {
	case node.Source != nil:
		name = "Source: " + node.Source.Name
	case node.Sink != nil:
		name = "Sink: " + node.Sink.Name
	default:
		name = node.Spec.Describe().Name
	}
	m := newMeter(node.ID, sub, node.Parallel, fmt.Sprintf("%s[%d] %d/%d", name, node.ID, sub+1, node.Parallel))
	b.job.meters = append(b.job.meters, m)
	return m
}

func (b *assembly) stage(node *physical.Node, sub int, c *chain, m *meter) (*stage, error) {
	e := &b.job.env
	oc := &op.Context{
		Name: m.name, Log: e.Log, BatchRows: e.Rows, Now: c.time, Zone: e.Zone,
		ZeroHash: e.ZeroHash, Seed: e.seed(node.ID, sub), Subtask: sub, Parallel: node.Parallel, Resumed: e.resumes(), Stopped: c.stopped,
	}
	o, err := node.Spec.Build(oc)
	if err != nil {
		return nil, err
	}
	if cl, ok := o.(io.Closer); ok {
		b.job.closers = append(b.job.closers, cl.Close)
	}
	if e.Wrap != nil {
		var in []row.Kinds
		for _, i := range node.Inputs {
			in = append(in, b.plan.Nodes[i.From].Kinds)
		}
		o = e.Wrap(o, node, in, oc)
	}
	s := &stage{chain: c, op: o, floor: types.MinTime, seen: types.MinTime, out: output{meter: m, chain: c, next: b.next(node, sub)}, state: share{account: &b.job.account}}
	s.clock, _ = o.(op.ClockHandler)
	if s.metered, _ = o.(op.Metered); s.metered != nil {
		counters := s.metered.Counters() // from the beginning, not from the first sample
		m.counters.Store(&counters)
	}
	s.sized, _ = o.(op.Sized)
	if b.memory != nil {
		return s, b.memory.restore(s, node, sub)
	}
	return s, nil
}

// next is where a node subtask emits to: chained nodes by a call, others
// through a router.
func (b *assembly) next(node *physical.Node, sub int) []consumer {
	var out []consumer
	for _, r := range b.readers[node.ID] {
		if b.chained(r.node) {
			out = append(out, b.entries[r.node.ID][sub])
			continue
		}
		out = append(out, b.router(node, sub, r))
	}
	return out
}

// router makes the exchange from a node subtask to the subtasks of a reader.
func (b *assembly) router(node *physical.Node, sub int, r reading) *router {
	c := b.chains[node.ID][sub]
	rt := &router{ship: r.edge.Ship, account: &b.job.account, fault: b.job.env.Fault}
	first, last := 0, r.node.Parallel-1
	if r.edge.Ship == physical.Forward {
		first, last = sub, sub
	}
	for t := first; t <= last; t++ {
		q := NewQueue[Element](b.job.env.QueueCap)
		connect(b.job, q, b.heads[node.ID][sub], b.heads[r.node.ID][t])
		rt.out = append(rt.out, q)
		b.inputs[r.node.ID][t] = append(b.inputs[r.node.ID][t], &input{queue: q, port: r.port, from: sub, schema: node.Schema})
	}
	if r.edge.Ship == physical.Hash && len(rt.out) > 1 {
		rt.scatter = newScatter(r.edge.Keys, len(rt.out), b.job.env.ZeroHash)
	}
	rt.turn = sub % len(rt.out) // the producers do not all begin with the first
	c.routers = append(c.routers, rt)
	return rt
}

// finish puts the parts of every task into their order and gives it its gate.
func (b *assembly) finish() error {
	j := b.job
	slices.Reverse(j.meters)
	slices.SortStableFunc(j.meters, func(x, y *meter) int {
		return cmp.Or(cmp.Compare(x.node, y.node), cmp.Compare(x.subtask, y.subtask))
	})
	for _, node := range b.plan.Nodes {
		if b.chained(node) {
			continue
		}
		for sub, head := range b.heads[node.ID] {
			c := b.chains[node.ID][sub]
			slices.Reverse(c.stages)
			t, ok := head.(*Task)
			if !ok {
				continue
			}
			var err error
			if t.gate, err = b.gate(node, sub); err != nil {
				return err
			}
			t.held.account = &j.account
			if node.Spec != nil {
				t.head = c.stages[0]
				t.name = t.head.out.name
			} else {
				t.name = c.sinks[0].name
			}
		}
	}
	return nil
}

// gate makes the gate of a subtask.
func (b *assembly) gate(node *physical.Node, sub int) (*Gate, error) {
	in := b.inputs[node.ID][sub]
	flown, err := b.flown(node, sub)
	if err != nil {
		return nil, err
	}
	in = append(flown, in...)
	slices.SortStableFunc(in, func(x, y *input) int {
		// What was on its way comes before the rest of the same input.
		return cmp.Or(cmp.Compare(x.port, y.port), cmp.Compare(later(x), later(y)), cmp.Compare(x.from, y.from))
	})
	e := &b.job.env
	g := newGate(in, e.Choose, e.Fault)
	g.loose = b.memory != nil && b.memory.AtLeastOnce
	g.flying = flying{part: -1, sub: sub}
	if b.memory != nil {
		if i, ok := b.memory.gates[node.ID]; ok {
			g.flying.part = i
		}
	}
	if e.InFlight != nil {
		g.told = func(at types.Epoch, rows []int) { e.InFlight(node, at, rows) }
		g.told(0, g.waiting())
	}
	if b.order.merges[node.ID] && !strikes(e.Fault, ByArrival) {
		g.ordered, g.rows = true, e.Rows
		if s := blended(b.plan, node); s != nil {
			g.blend = &blend{schema: s}
		} else {
			g.step = turnStep
		}
	}
	return g, nil
}

func later(in *input) int {
	if in.past {
		return 0
	}
	return 1
}
