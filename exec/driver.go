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
		if t, ok := s.(interface{ stopwatch() *stopwatch }); ok {
			threads[s].watch = t.stopwatch()
		}
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
	watch   *stopwatch // nil: nobody wants to know
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
		t.watch.end()
	}()
	t.watch.begin()
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
	full, isTask := t.stepper.(interface{ full() bool })
	t.watch.park(isTask && full.full())
	defer t.watch.unpark()
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

// stopwatch measures how a task spends its time: it is parked for want of input
// or for want of room behind it, or else it works. Its task starts and stops it,
// anybody may read it.
type stopwatch struct {
	began, ended  atomic.Int64 // nanoseconds since 1970, 0: not yet
	parked        atomic.Int64 // since when, 0: it works
	full          atomic.Bool  // parked because what is behind it is full
	idle, blocked atomic.Int64 // nanoseconds
}

// stopwatch is that of the task.
func (c *chain) stopwatch() *stopwatch { return &c.watch }

func (w *stopwatch) begin() {
	if w != nil {
		w.began.Store(time.Now().UnixNano())
	}
}

func (w *stopwatch) end() {
	if w != nil {
		w.ended.Store(time.Now().UnixNano())
	}
}

// park starts a pause. Whether the task is full is known now only: it is woken
// when that has changed.
func (w *stopwatch) park(full bool) {
	if w != nil {
		w.full.Store(full)
		w.parked.Store(time.Now().UnixNano())
	}
}

func (w *stopwatch) unpark() {
	if w == nil {
		return
	}
	spent := time.Now().UnixNano() - w.parked.Swap(0)
	if w.full.Load() {
		w.blocked.Add(spent)
	} else {
		w.idle.Add(spent)
	}
}

// perSecond is the mean over the life of the task; nil before it has one.
func (w *stopwatch) perSecond() *TaskTime {
	began, end := w.began.Load(), w.ended.Load()
	if began == 0 {
		return nil
	}
	if end == 0 {
		end = time.Now().UnixNano()
	}
	idle, blocked := w.idle.Load(), w.blocked.Load()
	if p := w.parked.Load(); p != 0 {
		if w.full.Load() {
			blocked += max(0, end-p)
		} else {
			idle += max(0, end-p)
		}
	}
	life := max(1, end-began)
	t := &TaskTime{Idle: min(1000, idle*1000/life), Blocked: min(1000, blocked*1000/life)}
	t.Busy = max(0, 1000-t.Idle-t.Blocked)
	return t
}
