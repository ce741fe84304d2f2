package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"fsql/internal/diag"
	"fsql/types"
)

// Stepper is one schedulable unit of a job. It is used by one goroutine at a
// time and owned by its job.
type Stepper interface {
	// Name for messages and traces.
	Name() string
	// Step does a bounded piece of work, if there is any. It never waits for
	// another stepper; the context is for I/O of sources and sinks.
	Step(ctx context.Context) (worked bool, err error)
	// NextClock is the processing time at which Step may find work even if
	// nothing else happens; types.MaxTime: none.
	NextClock() types.Time
}

// guarded runs one step of a task: what it is about to do, the writes of its
// sinks, samples; and it makes users' errors of failures and panics.
func (c *chain) guarded(ctx context.Context, step func(context.Context) (bool, error)) (worked bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.env.Log.Error("panic", "operator", c.running, "value", fmt.Sprint(p), "stack", string(debug.Stack()))
			worked = true
			err = diag.New(diag.Internal, diag.Span{}, "%s panicked: %v", c.running, p).
				WithHint("this is a defect of fsql: please report it with the stack trace that was logged")
		}
	}()
	full := c.full()
	c.nowSet, c.ctx = false, ctx
	if full && c.gate != nil {
		c.noRoom(c.gate)
	}
	if !full {
		if worked, err = step(ctx); err == nil && worked {
			err = c.write(ctx)
		}
		if err != nil {
			return true, c.failure(err)
		}
	}
	if c.ack != nil {
		c.copy()
		worked = true
	}
	if full {
		return worked, nil
	}
	c.steps++
	c.unseen = c.unseen || worked
	// A task that runs out of work tells what it has counted: it may be long
	// until the next batch.
	if c.unseen && (!worked || c.steps%sampleEvery == 0) {
		c.sample()
	}
	return worked, nil
}

// failure keeps errors that were made for users and names the operator in
// others.
func (c *chain) failure(err error) error {
	var d *diag.Error
	if errors.As(err, &d) || errors.Is(err, context.Canceled) {
		return err
	}
	f := diag.New(diag.JobFailed, diag.Span{}, "%s failed", c.running)
	f.Cause = err
	return f
}
