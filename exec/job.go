package exec

import (
	"errors"
	"sync/atomic"

	"fsql/checkpoint"
	"fsql/types"
)

// Job is one running plan. It owns everything it has opened; on any error it is
// dropped whole.
type Job struct {
	env      Env
	account  Account
	steppers []Stepper
	sources  []*SourceTask
	meters   []*meter
	closers  []func() error
	links    []link
	control  *control
	done     atomic.Bool
}

// link is a queue between two steppers, for whoever has to wake them.
type link struct {
	from, to Stepper
	// wake sets what the queue calls when there is news for its reader or room
	// for its writer.
	wake func(reader, writer func())
}

// connect notes a queue.
func connect[T any](j *Job, q *Queue[T], from, to Stepper) {
	j.links = append(j.links, link{from: from, to: to, wake: func(reader, writer func()) {
		q.reader, q.writer = reader, writer
	}})
}

// Steppers are the parts of the job that are to be stepped, in any order, until
// Finished.
func (j *Job) Steppers() []Stepper { return j.steppers }

// Finished tells that all input has been read and every sink has flushed.
func (j *Job) Finished() bool { return j.done.Load() }

// Account is the memory of the job.
func (j *Job) Account() *Account { return &j.account }

// Barrier asks for a barrier through the whole job. The caller is one goroutine.
func (j *Job) Barrier() { j.control.requests.Push(checkpoint.Request{}) }

// Epoch is the last epoch that every task has passed.
func (j *Job) Epoch() types.Epoch { return types.Epoch(j.control.complete.Load()) }

// Checkpoints is what the job has counted about them.
func (j *Job) Checkpoints() CheckpointMetrics { return j.control.meter.snapshot() }

// Metrics is a snapshot of all subtasks, in the order of the plan.
func (j *Job) Metrics() []Metrics {
	out := make([]Metrics, len(j.meters))
	for i, m := range j.meters {
		out[i] = m.snapshot()
	}
	return out
}

// Close closes readers, operators and writers, once nobody steps any more. What
// the job has counted can still be asked for; its state is let go, since a
// session remembers its jobs for as long as it lives.
func (j *Job) Close() error {
	var errs []error
	for _, c := range j.closers {
		if err := c(); err != nil {
			errs = append(errs, err)
		}
	}
	j.closers, j.steppers, j.sources, j.links = nil, nil, nil, nil
	return errors.Join(errs...)
}
