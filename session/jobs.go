package session

import (
	"context"
	"fmt"
	"sync/atomic"

	"fsql/planner"
	"fsql/types"
)

// Job is a running or finished INSERT.
type Job struct {
	ID      string // 32 hexadecimal digits, as Flink's
	Name    string
	Bounded bool
	Started types.Time

	cancel    context.CancelFunc
	cancelled atomic.Bool
	done      chan struct{}
	err       error
	ended     atomic.Int64
	live      *live
}

// Wait returns when the job has ended, with its error.
func (j *Job) Wait() error {
	<-j.done
	return j.err
}

// Cancel asks the job to stop; Wait tells when it has.
func (j *Job) Cancel() {
	j.cancelled.Store(true)
	j.cancel()
}

// Done tells whether the job has ended.
func (j *Job) Done() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// start runs the plan of an INSERT in the background.
func (s *Session) start(ctx context.Context, p *planner.Plan, r *recovery) *Job {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	j := &Job{
		ID: fmt.Sprintf("%032x", len(s.jobs)+1), Name: p.Name, Bounded: p.Bounded,
		Started: s.cfg.Clock(), cancel: cancel, done: make(chan struct{}),
		live: &live{plan: p, zone: s.Zone().String()},
	}
	s.jobs = append(s.jobs, j)
	s.mu.Unlock()
	go func() {
		defer close(j.done)
		defer cancel()
		j.err = s.runInsert(ctx, j.live, r)
		j.ended.Store(int64(s.cfg.Clock()))
	}()
	return j
}

// Jobs returns the session's jobs in the order they were started.
func (s *Session) Jobs() []*Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Job{}, s.jobs...)
}

// Wait waits for every job and returns the first error.
func (s *Session) Wait() error {
	var first error
	for _, j := range s.Jobs() {
		if err := j.Wait(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Close cancels what still runs and waits for it.
func (s *Session) Close() error {
	for _, j := range s.Jobs() {
		j.Cancel()
	}
	_ = s.Wait()
	return nil
}

func (s *Session) showJobs() *Result {
	var rows [][]*string
	for _, j := range s.Jobs() {
		status := "RUNNING"
		if j.Done() {
			status = "FINISHED"
			if j.err != nil {
				status = "FAILED"
			}
		}
		rows = append(rows, []*string{str(j.ID), str(j.Name), str(status)})
	}
	return listing([]string{"job id", "job name", "status"}, rows)
}
