package exec

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"fsql/types"
)

// SystemClock is processing time in production.
func SystemClock() types.Time { return types.Time(time.Now().UnixMilli()) }

// Run drives a job to its end: one goroutine per stepper, which steps while
// there is work and parks otherwise. It returns when every goroutine has ended
// and everything is closed: nil when the job finished, the first error of a
// stepper, or the context's when that was cancelled.
func Run(ctx context.Context, j *Job) error {
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	threads := map[Stepper]*thread{}
	for _, s := range j.steppers {
		threads[s] = &thread{stepper: s, wake: make(chan struct{}, 1), clock: j.env.Clock}
	}
	for _, l := range j.links {
		l.wake(threads[l.to].rouse, threads[l.from].rouse)
	}
	var all sync.WaitGroup
	for _, s := range j.steppers {
		all.Go(func() {
			if err := threads[s].loop(run, j); err != nil {
				stop(err)
			}
		})
	}
	all.Wait()
	closed := j.Close()
	if err := context.Cause(run); !errors.Is(err, errFinished) {
		return err
	}
	return closed
}

// errFinished stops the other goroutines when the job is done.
var errFinished = errors.New("finished")

// thread is the goroutine of one stepper.
type thread struct {
	stepper Stepper
	clock   func() types.Time
	parked  atomic.Bool
	wake    chan struct{} // one token, sent by whoever took parked back
	timer   *time.Timer
}

// rouse wakes the thread if it is parked. A nil thread is a caller outside the
// job.
func (t *thread) rouse() {
	if t != nil && t.parked.Load() && t.parked.CompareAndSwap(true, false) {
		t.wake <- struct{}{}
	}
}

func (t *thread) loop(ctx context.Context, j *Job) error {
	defer func() {
		if t.timer != nil {
			t.timer.Stop()
		}
	}()
	for ctx.Err() == nil {
		worked, err := t.stepper.Step(ctx)
		if err == nil && !worked {
			// Whatever happens from here on is seen: either by this step or,
			// by whoever makes it happen, as a parked thread.
			t.parked.Store(true)
			if worked, err = t.stepper.Step(ctx); worked || err != nil {
				t.unpark()
			} else {
				t.wait(ctx)
			}
		}
		if err != nil {
			return err
		}
		if j.Finished() {
			return errFinished
		}
	}
	return nil
}

// wait parks until somebody rouses the thread, the source has news, its time
// has come, or the job is stopped.
func (t *thread) wait(ctx context.Context) {
	var news <-chan struct{}
	if s, ok := t.stepper.(*SourceTask); ok && s.reader != nil && !s.drained && !s.full() {
		news = s.reader.Wake()
	}
	var due <-chan time.Time
	if next := t.stepper.NextClock(); next != types.MaxTime {
		due = t.alarm(time.Duration(min(next-t.clock(), longestWait)) * time.Millisecond)
	}
	select {
	case <-t.wake:
		return
	case <-news:
	case <-due:
	case <-ctx.Done():
	}
	t.unpark()
}

// longestWait bounds an alarm, in milliseconds: what is due in centuries would
// overflow a time.Duration. A thread that is woken too early parks again.
const longestWait types.Time = 3_600_000

func (t *thread) alarm(d time.Duration) <-chan time.Time {
	if t.timer == nil {
		t.timer = time.NewTimer(d)
	} else {
		t.timer.Reset(d)
	}
	return t.timer.C
}

// unpark takes parked back, or the token of whoever was faster.
func (t *thread) unpark() {
	if !t.parked.CompareAndSwap(true, false) {
		<-t.wake
	}
}
