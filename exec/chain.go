package exec

import (
	"context"

	"fsql/checkpoint"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// chain is the part of a task that follows its head: operators called directly
// one after another, sinks at their ends, routers to other tasks. It may branch
// where several nodes read the same one.
type chain struct {
	id      int   // of the task, for acknowledgements
	gate    *Gate // nil: a source heads the chain
	env     *Env
	account *Account
	stages  []*stage // inputs before consumers
	routers []*router
	sinks   []*sink
	control *Queue[checkpoint.Event]

	// The checkpoint that is being copied: what is left to copy, and the word
	// to be given then; nil: none.
	copies []*state.Snapshot
	ack    *checkpoint.Ack

	over bool // the last barrier has passed: whatever a clock brings comes too late to be in it

	watch   stopwatch       // of the task
	ctx     context.Context // of the step at work
	running string          // whose code runs, for errors
	now     types.Time      // processing time of the event being handled
	nowSet  bool
	steps   int
	unseen  bool // something was done since the last sample
}

// consumer takes what a stage or a source emits.
type consumer interface{ take(b *row.Batch) error }

// stage is one subtask of an operator inside a chain.
type stage struct {
	chain   *chain
	op      op.Operator
	clock   op.ClockHandler
	metered op.Metered
	sized   op.Sized
	state   share
	out     output

	// What the stage does in checkpoints; without them stateful is nil.
	stateful op.Stateful
	part     int        // among the nodes of the manifest
	sub      int        // subtask
	seen     types.Time // last event time that reached it
	floor    types.Time // and had reached it before a restart, until it comes again
}

// output is where a stage or a source emits to.
type output struct {
	*meter
	chain *chain
	next  []consumer
}

// Emit hands a batch to every consumer. Batches are immutable, so they share it.
func (o *output) Emit(b *row.Batch) error {
	o.out.Add(int64(b.Rows))
	if n := len(b.Marks); n > 0 {
		o.outTime.Store(int64(b.Marks[n-1].Time))
	}
	most := portions(b)
	if most == b.Rows {
		return o.give(b)
	}
	for from := 0; from < b.Rows; from += most {
		if err := o.give(b.Part(from, min(from+most, b.Rows))); err != nil {
			return err
		}
		if err := o.chain.pause(); err != nil {
			return err
		}
	}
	return nil
}

func (o *output) give(b *row.Batch) error {
	for _, c := range o.next {
		if err := c.take(b); err != nil {
			return err
		}
	}
	return nil
}

// took counts a batch that comes in.
func (m *meter) took(b *row.Batch) {
	m.in.Add(int64(b.Rows))
	if n := len(b.Marks); n > 0 {
		m.inTime.Store(int64(b.Marks[n-1].Time))
	}
}

// take runs a batch through a stage that does not head its chain.
func (s *stage) take(b *row.Batch) error {
	if b = s.admit(b); b == nil {
		return nil
	}
	s.out.took(b)
	for {
		more, err := s.batch(0, b)
		if err != nil || !more {
			return err
		}
		if err := s.chain.pause(); err != nil {
			return err
		}
	}
}

// batch is one call of the operator.
func (s *stage) batch(port int, b *row.Batch) (more bool, err error) {
	caller := s.chain.running
	s.chain.running = s.out.name
	more, err = s.op.OnBatch(port, b, &s.out)
	if err == nil {
		s.chain.running = caller
	}
	return more, err
}

// barrier passes a barrier through the chain and acknowledges it, with what the
// chain has to remember besides parts. What came before it is written first.
func (c *chain) barrier(ctx context.Context, b Element, parts []checkpoint.Part) error {
	if err := c.write(ctx); err != nil {
		return err
	}
	for c.ack != nil { // the one before, which was given up
		c.copy()
	}
	for _, s := range c.stages {
		c.running = s.out.name
		if err := s.op.OnBarrier(b.Epoch); err != nil {
			return err
		}
		if s.stateful != nil {
			snap := &state.Snapshot{}
			s.stateful.Snapshot(snap)
			c.copies = append(c.copies, snap)
			parts = append(parts, checkpoint.Part{
				Node: s.part, Subtask: s.sub, Changes: &snap.Changes,
				State: checkpoint.Subtask{Seen: s.seen, Local: snap.Local},
			})
		}
	}
	for _, s := range c.sinks {
		c.running = s.meter.name
		var err error
		if parts, err = s.barrier(ctx, b, parts); err != nil {
			return err
		}
	}
	c.send(b)
	c.over = b.Last
	c.sample()
	c.ack = &checkpoint.Ack{Task: c.id, Epoch: b.Epoch, Parts: parts}
	if len(c.copies) == 0 {
		c.copy()
	}
	return nil
}

// copy copies some more of what the task has to remember for a checkpoint, and
// acknowledges it at the end.
func (c *chain) copy() {
	if len(c.copies) > 0 {
		if c.copies[0].Copy(c.env.Copy) {
			return
		}
		c.copies = c.copies[1:]
	}
	if len(c.copies) == 0 {
		c.control.Push(*c.ack)
		c.copies, c.ack = nil, nil
	}
}

// send ships an element without a batch.
func (c *chain) send(e Element) {
	for _, r := range c.routers {
		r.all(e)
	}
}

// write gives the sinks what the step has left for them.
func (c *chain) write(ctx context.Context) error {
	for _, s := range c.sinks {
		c.running = s.meter.name
		if err := s.write(ctx); err != nil {
			return err
		}
	}
	return nil
}

// time is processing time, the same during one event.
func (c *chain) time() types.Time {
	if !c.nowSet {
		c.now, c.nowSet = c.env.Clock(), true
	}
	return c.now
}

// tick calls the operators whose processing time has come.
func (c *chain) tick() (worked bool, err error) {
	if c.over {
		return false, nil
	}
	for _, s := range c.stages {
		if s.clock == nil {
			continue
		}
		next := s.clock.NextClock()
		if next == types.MaxTime || c.time() < next {
			continue
		}
		worked = true
		c.running = s.out.name
		if err := s.clock.OnClock(c.time(), &s.out); err != nil {
			return true, err
		}
	}
	return worked, nil
}

// nextClock is the earliest processing time that an operator waits for.
func (c *chain) nextClock() types.Time {
	t := types.MaxTime
	if c.over {
		return t
	}
	for _, s := range c.stages {
		if s.clock != nil {
			t = min(t, s.clock.NextClock())
		}
	}
	return t
}

// sampleEvery is how many steps pass between looks at counters and state sizes.
const sampleEvery = 32

func (c *chain) sample() {
	c.unseen = false
	for _, s := range c.stages {
		if s.metered != nil {
			counters := s.metered.Counters()
			s.out.counters.Store(&counters)
		}
		if s.sized != nil {
			n := s.sized.StateBytes()
			s.state.set(n)
			s.out.state.Store(n)
		}
	}
}
