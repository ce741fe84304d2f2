package checkpoint

import "fsql/types"

// Event is something that happened in the job.
type Event interface{ event() }

// The events.
type (
	// Request asks for a checkpoint. While one is in flight it is remembered:
	// at most one epoch is in flight, as with Flink's default.
	Request struct{}
	// Drained: a source has sent its last mark and will never produce another
	// row. It keeps passing barriers.
	Drained struct{ Source int }
	// Ack: a task has passed the barrier of the epoch.
	Ack struct {
		Task  int
		Epoch types.Epoch
	}
)

func (Request) event() {}
func (Drained) event() {}
func (Ack) event()     {}

// Action is something the job has to do, one at a time and in order.
type Action interface{ action() }

// The actions.
type (
	// Inject sends the barrier of an epoch into every source.
	Inject struct{ Epoch types.Epoch }
	// Complete: every task has passed the barrier of the epoch.
	Complete struct{ Epoch types.Epoch }
	// Finish: the job is done. All sources were drained before the barrier of
	// the last epoch was sent, and every task has passed it.
	Finish struct{}
)

func (Inject) action()   {}
func (Complete) action() {}
func (Finish) action()   {}

// Coordinator is a state machine: events in, actions out. A bounded job has no
// "end" that travels through it: it finishes with the first epoch whose barrier
// was sent after every source was drained.
type Coordinator struct {
	acked    []types.Epoch // per task: the last epoch it has passed
	drained  []bool        // per source
	live     int           // sources not drained
	waiting  int           // tasks that have not passed the epoch in flight
	epoch    types.Epoch   // the last one injected
	inFlight bool
	wanted   bool // a request came while an epoch was in flight
	final    bool // the epoch in flight is the last
	finished bool
}

// NewCoordinator returns the coordinator of a job with that many sources and
// tasks (sources are tasks too); last is the last epoch of an earlier run, 0 if
// there is none.
func NewCoordinator(sources, tasks int, last types.Epoch) *Coordinator {
	return &Coordinator{
		acked:   make([]types.Epoch, tasks),
		drained: make([]bool, sources),
		live:    sources,
		epoch:   last,
	}
}

// Step takes one event and returns what is to be done about it. Events that are
// repeated or come after the end change nothing.
func (c *Coordinator) Step(ev Event) []Action {
	if c.finished {
		return nil
	}
	switch e := ev.(type) {
	case Request:
		c.wanted = true
	case Drained:
		if !c.drained[e.Source] {
			c.drained[e.Source] = true
			c.live--
		}
	case Ack:
		return c.ack(e)
	}
	return c.next(nil)
}

func (c *Coordinator) ack(a Ack) []Action {
	if !c.inFlight || a.Epoch != c.epoch || c.acked[a.Task] == a.Epoch {
		return nil
	}
	c.acked[a.Task] = a.Epoch
	if c.waiting--; c.waiting > 0 {
		return nil
	}
	c.inFlight = false
	out := []Action{Complete{c.epoch}}
	if c.final {
		c.finished = true
		return append(out, Finish{})
	}
	return c.next(out)
}

// next injects an epoch if there is a reason to and none is in flight.
func (c *Coordinator) next(out []Action) []Action {
	if c.inFlight || !c.wanted && c.live > 0 {
		return out
	}
	c.epoch++
	c.inFlight, c.wanted, c.final = true, false, c.live == 0
	c.waiting = len(c.acked)
	return append(out, Inject{c.epoch})
}
