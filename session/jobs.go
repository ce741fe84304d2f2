package session

import (
	"context"
	"fmt"
	"sync/atomic"

	"fsql/planner"
	"fsql/row"
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
		live: &live{plan: p, zone: s.Zone().String(), clock: s.cfg.Clock},
	}
	s.jobs = append(s.jobs, j)
	s.mu.Unlock()
	pipes := pipesOf(p)
	for _, p := range pipes {
		p.begin()
	}
	go func() {
		defer close(j.done)
		defer cancel()
		j.err = s.runInsert(ctx, j.live, r)
		for _, p := range pipes {
			p.end(j.err)
		}
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

// Close ends what still runs (jobs, readers, those who wait to feed a table) and
// waits for it: no goroutine is left. The session takes no more statements. It
// may be called again, and by any goroutine.
func (s *Session) Close() error {
	s.streams.close()
	s.mu.Lock()
	if s.fed != nil {
		s.fed.Close(errClosed())
	}
	s.mu.Unlock()
	for _, j := range s.Jobs() {
		j.Cancel()
	}
	_ = s.Wait()
	return nil
}

// showJobs lists jobs in the columns that Flink's SHOW JOBS has.
func (s *Session) showJobs() *Result {
	jobs := s.Jobs()
	rows := make([][]*string, len(jobs))
	started := row.NewVec(types.TimestampLTZOf(6), len(jobs))
	for i, j := range jobs {
		rows[i] = []*string{str(j.ID), str(j.Name), str(j.State())}
		started.I64[i] = int64(j.Started) * 1000 // microseconds
	}
	r := listing([]string{"job id", "job name", "status"}, rows)
	r.Schema.Columns = append(r.Schema.Columns, types.Column{Name: "start time", Type: started.Type})
	r.rows = row.New(r.Schema, len(jobs), append(r.rows.Cols, started), nil)
	return r
}

// State is where the job is, in the words of Flink.
func (j *Job) State() string {
	switch {
	case !j.Done():
		return "RUNNING"
	case j.Cancelled():
		return "CANCELED" // so Flink spells it
	case j.err != nil:
		return "FAILED"
	}
	return "FINISHED"
}
