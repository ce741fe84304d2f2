package exec

import (
	"context"
	"sync/atomic"

	"fsql/checkpoint"
	"fsql/types"
)

// control is the loop that feeds the coordinator and carries out its actions,
// one at a time.
type control struct {
	job         *Job
	coordinator *checkpoint.Coordinator
	requests    *Queue[checkpoint.Event]
	inboxes     []*Queue[checkpoint.Event] // requests, then one per task
	turn        int
	actions     []checkpoint.Action
	complete    atomic.Uint64 // types.Epoch
}

// Name for messages.
func (c *control) Name() string { return "control" }

// NextClock: the control loop waits for events only.
func (c *control) NextClock() types.Time { return types.MaxTime }

// Step carries out one action or takes one event.
func (c *control) Step(context.Context) (bool, error) {
	if len(c.actions) > 0 {
		a := c.actions[0]
		c.actions = c.actions[1:]
		c.do(a)
		return true, nil
	}
	for range c.inboxes {
		q := c.inboxes[c.turn]
		c.turn = (c.turn + 1) % len(c.inboxes)
		if ev, ok := q.Pop(); ok {
			c.actions = c.coordinator.Step(ev)
			return true, nil
		}
	}
	return false, nil
}

func (c *control) do(a checkpoint.Action) {
	switch a := a.(type) {
	case checkpoint.Inject:
		for _, s := range c.job.sources {
			s.inject.Push(a.Epoch)
		}
	case checkpoint.Complete:
		c.complete.Store(uint64(a.Epoch))
	case checkpoint.Finish:
		c.job.done.Store(true)
	}
}
