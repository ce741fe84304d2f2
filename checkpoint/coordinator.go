package checkpoint

import (
	"fmt"

	"fsql/types"
)

// Config says when checkpoints are taken, under Flink's names. Times are in
// milliseconds of processing time.
type Config struct {
	Interval  types.Time // 0: only when asked, and at the end
	MinPause  types.Time // between the end of one and the start of the next
	Timeout   types.Time // after which one has failed; 0: never
	Tolerable int        // failures in a row that do not fail the job
}

// Event is something that happened in the job.
type Event interface{ event() }

// The events.
type (
	// Tick: it is Now. The coordinator waits for NextTick.
	Tick struct{ Now types.Time }
	// Request asks for a checkpoint. While one is in flight it is remembered:
	// at most one epoch is in flight, as with Flink's default.
	Request struct{}
	// Drained: a source has sent its last mark and will never produce another
	// row. It keeps passing barriers.
	Drained struct{ Source int }
	// Ack: a task has passed the barrier of the epoch and hands over what it
	// had then.
	Ack struct {
		Task  int
		Epoch types.Epoch
		Parts []Part
	}
	// Persisted: the epoch is durable. From here on a crash ends in it.
	Persisted struct{ Epoch types.Epoch }
	// Failed: the epoch could not be made durable, or nobody knows.
	Failed struct {
		Epoch types.Epoch
		Err   error
	}
	// Published: what the sinks prepared in the epoch is visible.
	Published struct{ Epoch types.Epoch }
)

func (Tick) event()      {}
func (Request) event()   {}
func (Drained) event()   {}
func (Ack) event()       {}
func (Persisted) event() {}
func (Failed) event()    {}
func (Published) event() {}

// Action is something the job has to do, one at a time and in order, so that a
// crash can fall between any two.
type Action interface{ action() }

// The actions.
type (
	// Inject sends the barrier of an epoch into every source. Last: no row will
	// follow it.
	Inject struct {
		Epoch types.Epoch
		Last  bool
	}
	// Persist makes the epoch durable: every task has passed its barrier.
	Persist struct{ Epoch types.Epoch }
	// Publish has the sinks publish it, once it is durable.
	Publish struct{ Epoch types.Epoch }
	// Finish: the job is done. All sources were drained before the barrier of
	// the last epoch was sent, and it is published.
	Finish struct{}
	// Fail: the job cannot go on.
	Fail struct{ Err error }
)

func (Inject) action()  {}
func (Persist) action() {}
func (Publish) action() {}
func (Finish) action()  {}
func (Fail) action()    {}

// phase is how far the epoch in flight is.
type phase uint8

const (
	resting    phase = iota // there is none
	flowing                 // its barrier travels
	persisting              // every task has passed it
	publishing              // it is durable
	ended
)

// Coordinator is a state machine: events in, actions out. A bounded job has no
// "end" that travels through it: it finishes with the first epoch whose barrier
// was sent after every source was drained.
type Coordinator struct {
	cfg     Config
	acked   []types.Epoch // per task: the last epoch it has passed
	drained []bool        // per source
	live    int           // sources not drained
	waiting int           // tasks that have not passed the epoch in flight
	epoch   types.Epoch   // the last one injected
	phase   phase
	wanted  bool // a request came while an epoch was in flight
	last    bool // the epoch in flight is the last
	failed  int  // epochs in a row

	now     types.Time
	begun   types.Time // when the epoch in flight was injected
	due     types.Time // when the next one is, MaxTime: not by time
	started bool       // the first Tick has come
}

// NewCoordinator returns the coordinator of a job with that many sources and
// tasks (sources are tasks too); last is the epoch that it resumes from, 0 if
// there is none.
func NewCoordinator(cfg Config, sources, tasks int, last types.Epoch) *Coordinator {
	return &Coordinator{
		cfg:     cfg,
		acked:   make([]types.Epoch, tasks),
		drained: make([]bool, sources),
		live:    sources,
		epoch:   last,
		due:     types.MaxTime,
	}
}

// NextTick is when the coordinator wants a Tick, types.MaxTime: never.
func (c *Coordinator) NextTick() types.Time {
	switch {
	case c.phase == ended:
		return types.MaxTime
	case !c.started && (c.cfg.Interval > 0 || c.cfg.Timeout > 0):
		return types.MinTime
	case c.phase == resting:
		return c.due
	case c.phase == flowing && c.cfg.Timeout > 0:
		return c.begun + c.cfg.Timeout
	}
	return types.MaxTime
}

// Step takes one event and returns what is to be done about it. Events that are
// repeated or come after the end change nothing.
func (c *Coordinator) Step(ev Event) []Action {
	if c.phase == ended {
		return nil
	}
	switch e := ev.(type) {
	case Tick:
		return c.tick(e.Now)
	case Request:
		c.wanted = true
	case Drained:
		if !c.drained[e.Source] {
			c.drained[e.Source] = true
			c.live--
		}
	case Ack:
		return c.ack(e)
	case Persisted:
		if c.phase == persisting && e.Epoch == c.epoch {
			c.phase = publishing
			return []Action{Publish{c.epoch}}
		}
		return nil
	case Failed:
		if c.phase == persisting && e.Epoch == c.epoch {
			return c.fail(e.Err)
		}
		return nil
	case Published:
		if c.phase == publishing && e.Epoch == c.epoch {
			return c.complete()
		}
		return nil
	}
	return c.next()
}

func (c *Coordinator) tick(now types.Time) []Action {
	c.now = max(c.now, now)
	if !c.started {
		c.started = true
		c.begun = c.now
		if c.cfg.Interval > 0 {
			c.due = c.now + c.cfg.Interval
		}
	}
	switch {
	case c.phase == flowing && c.cfg.Timeout > 0 && c.now >= c.begun+c.cfg.Timeout:
		return c.fail(fmt.Errorf("checkpoint %d took longer than %d ms", c.epoch, c.cfg.Timeout))
	case c.phase == resting && c.now >= c.due:
		c.wanted = true
	}
	return c.next()
}

func (c *Coordinator) ack(a Ack) []Action {
	if c.acked[a.Task] >= a.Epoch {
		return nil
	}
	c.acked[a.Task] = a.Epoch
	if c.phase != flowing || a.Epoch != c.epoch {
		return nil // of an epoch that was given up
	}
	if c.waiting--; c.waiting > 0 {
		return nil
	}
	c.phase = persisting
	return []Action{Persist{c.epoch}}
}

func (c *Coordinator) complete() []Action {
	c.failed = 0
	if c.last {
		c.phase = ended
		return []Action{Finish{}}
	}
	return c.rest()
}

// fail gives the epoch in flight up. Its barrier goes on travelling, and what
// the tasks hand over counts with the next epoch.
func (c *Coordinator) fail(err error) []Action {
	if c.failed++; c.failed > c.cfg.Tolerable {
		c.phase = ended
		return []Action{Fail{err}}
	}
	return c.rest()
}

// rest ends an epoch.
func (c *Coordinator) rest() []Action {
	c.phase = resting
	if c.due = types.MaxTime; c.cfg.Interval > 0 {
		c.due = max(c.begun+c.cfg.Interval, c.now+c.cfg.MinPause)
	}
	return c.next()
}

// next injects an epoch if there is a reason to and none is in flight.
func (c *Coordinator) next() []Action {
	if c.phase != resting || !c.wanted && c.live > 0 {
		return nil
	}
	c.epoch++
	c.phase, c.wanted, c.last = flowing, false, c.live == 0
	c.begun = c.now
	c.waiting = len(c.acked)
	return []Action{Inject{c.epoch, c.last}}
}
