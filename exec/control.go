package exec

import (
	"context"
	"fmt"
	"sync/atomic"

	"fsql/checkpoint"
	"fsql/connector"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// control is the loop that feeds the coordinator and carries out its actions,
// one at a time. It is the only one that writes checkpoints: the tasks go on
// meanwhile.
type control struct {
	job         *Job
	coordinator *checkpoint.Coordinator
	requests    *Queue[checkpoint.Event]
	inboxes     []*Queue[checkpoint.Event] // requests, then one per task
	turn        int
	actions     []checkpoint.Action
	result      checkpoint.Event // of the last action, to be fed next; nil: none
	last        bool             // the epoch in flight is the last
	complete    atomic.Uint64    // types.Epoch
	meter       checkpointMeter
	open        bool       // an epoch is in flight
	began       types.Time // when it was sent

	memory  *memory // nil: no checkpoints
	pending *checkpoint.Pending
	held    share // changes that are not durable yet
	sinks   []joined
}

// joined is a sink that takes part in checkpoints.
type joined struct {
	part int // among the nodes of the manifest
	sink connector.Transactional
}

func newControl(j *Job, m *memory) *control {
	c := &control{job: j, memory: m, requests: NewQueue[checkpoint.Event](1), held: share{account: &j.account}}
	var cfg checkpoint.Config
	resumed := types.Epoch(0)
	if m != nil {
		cfg = m.Config
		c.pending = checkpoint.NewPending(m.nodes)
		if m.Resume != nil {
			resumed = m.Resume.Epoch
		}
	}
	c.coordinator = checkpoint.NewCoordinator(cfg, len(j.sources), len(j.steppers), resumed)
	c.complete.Store(uint64(resumed))
	return c
}

// join lets the sinks take part in checkpoints.
func (b *assembly) join() {
	if b.memory == nil {
		return
	}
	for _, n := range b.plan.Nodes {
		if part := b.memory.part(n); part >= 0 && n.Sink != nil {
			sink := n.Sink.Sink.(connector.Transactional)
			sink.Join(fmt.Sprintf("%s-%08x", b.memory.ID, uint32(row.Hash([]byte(n.UID)))))
			b.job.control.sinks = append(b.job.control.sinks, joined{part, sink})
		}
	}
}

// recover takes the sinks back to the checkpoint that the job resumes from. It
// is the last step of building a job: until then another checkpoint may be
// chosen.
func (c *control) recover(ctx context.Context) error {
	for _, s := range c.sinks {
		epoch, prepared := types.Epoch(0), [][]byte(nil)
		if r := c.memory.Resume; r != nil {
			epoch = r.Epoch
			if old := r.Node(c.memory.nodes[s.part].UID); old != nil && !strikes(c.job.env.Fault, NoRepublish) {
				prepared = old.Prepared()
			}
		}
		carried, err := s.sink.Recover(ctx, epoch, prepared, c.memory.Withdraw)
		if err != nil {
			return err
		}
		if carried != nil {
			c.pending.Carry(s.part, carried)
		}
	}
	return nil
}

// Name for messages.
func (c *control) Name() string { return "control" }

// NextClock is when the next checkpoint is due, or the one in flight has failed.
func (c *control) NextClock() types.Time { return c.coordinator.NextTick() }

// Step carries out one action or takes one event.
func (c *control) Step(ctx context.Context) (bool, error) {
	if len(c.actions) > 0 {
		a := c.actions[0]
		c.actions = c.actions[1:]
		return true, c.do(ctx, a)
	}
	if ev := c.result; ev != nil {
		c.result = nil
		c.feed(ev)
		return true, nil
	}
	if c.tick() {
		return true, nil
	}
	for range c.inboxes {
		q := c.inboxes[c.turn]
		c.turn = (c.turn + 1) % len(c.inboxes)
		if ev, ok := q.Pop(); ok {
			if a, ok := ev.(checkpoint.Ack); ok && c.pending != nil {
				c.take(a)
			}
			c.feed(ev)
			return true, nil
		}
	}
	return false, nil
}

// take keeps what a task hands over, and charges for it.
func (c *control) take(a checkpoint.Ack) {
	held := c.held.bytes
	for _, p := range a.Parts {
		if p.Changes != nil {
			held += p.Changes.Bytes()
		}
	}
	c.held.set(held)
	c.pending.Add(a)
}

// feed gives the coordinator an event, and before it the time if that matters.
func (c *control) feed(ev checkpoint.Event) {
	if c.memory != nil && c.memory.Interval > 0 {
		c.actions = c.coordinator.Step(checkpoint.Tick{Now: c.job.env.Clock()})
	}
	c.actions = append(c.actions, c.coordinator.Step(ev)...)
}

func (c *control) tick() bool {
	next := c.coordinator.NextTick()
	if next == types.MaxTime {
		return false
	}
	now := c.job.env.Clock()
	if now < next {
		return false
	}
	c.actions = c.coordinator.Step(checkpoint.Tick{Now: now})
	return true
}

func (c *control) do(ctx context.Context, a checkpoint.Action) error {
	switch a := a.(type) {
	case checkpoint.Inject:
		c.last = a.Last
		if c.memory != nil {
			if c.open { // the one before was given up
				c.meter.failed.Add(1)
			}
			c.open, c.began = true, c.job.env.Clock()
		}
		for _, s := range c.job.sources {
			s.inject.Push(Element{Kind: Barrier, Epoch: a.Epoch, Last: a.Last})
		}
	case checkpoint.Persist:
		if c.last && strikes(c.job.env.Fault, EarlyFinish) {
			c.job.done.Store(true)
			return nil
		}
		c.result = c.persist(a.Epoch)
	case checkpoint.Publish:
		for _, s := range c.sinks {
			if err := s.sink.Commit(ctx, a.Epoch, c.pending.Prepared(s.part)); err != nil {
				return err
			}
		}
		if c.pending != nil {
			c.pending.Published()
			c.acknowledge()
		}
		c.complete.Store(uint64(a.Epoch))
		c.result = checkpoint.Published(a)
	case checkpoint.Finish:
		c.job.done.Store(true)
	case checkpoint.Fail:
		f := diag.New(diag.JobFailed, diag.Span{}, "a checkpoint failed")
		f.Cause = a.Err
		return f
	}
	return nil
}

// acknowledge tells the readers that want to know which positions the last
// checkpoint holds.
func (c *control) acknowledge() {
	for _, s := range c.job.sources {
		if r, ok := s.reader.(connector.Acknowledged); ok && s.part >= 0 {
			r.Durable(c.pending.Positions(s.part, s.sub))
		}
	}
}

// persist writes a checkpoint.
func (c *control) persist(e types.Epoch) checkpoint.Event {
	if c.memory == nil {
		return checkpoint.Persisted{Epoch: e}
	}
	deltas, manifest := c.pending.Persist(e, c.last)
	encoded := manifest.Encode()
	if err := c.memory.Backend.Commit(e, deltas, encoded); err != nil {
		c.job.env.Log.Warn("a checkpoint failed", "epoch", e, "error", err)
		c.open = false
		c.meter.failed.Add(1)
		return checkpoint.Failed{Epoch: e, Err: err}
	}
	c.open = false
	c.meter.completed.Add(1)
	c.meter.duration.Store(int64(c.job.env.Clock() - c.began))
	c.meter.size.Store(c.held.bytes + int64(len(encoded)))
	c.pending.Persisted()
	c.held.set(0)
	c.job.env.Log.Debug("checkpoint", "epoch", e)
	return checkpoint.Persisted{Epoch: e}
}
