package session

import (
	"sync/atomic"

	"fsql/exec"
	"fsql/planner"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/types"
	"fsql/window"
)

// Progress is what a running job has counted so far. It may be asked for at any
// time, by any goroutine.
type Progress struct {
	Steps  []Step // in the order of the plan, inputs before their readers
	Memory int64  // bytes that the job holds
}

// Step is one step of the plan, its subtasks together.
type Step struct {
	Name   string // "WindowAggregate", "Source: orders"
	Inputs []int  // indexes of steps
	Source bool
	Sink   bool
	// Bounded sources end.
	Bounded bool
	// Timed sources assign event time.
	Timed bool
	// Filter tells a WHERE or HAVING.
	Filter bool
	// Window is the event-time window that the step waits for; nil: none.
	Window *window.Window

	In, Out int64      // rows
	Late    int64      // rows dropped as late
	Errors  int64      // rows that could not be read and were skipped
	State   int64      // bytes
	Time    types.Time // event time that has arrived, of the slowest subtask; types.MinTime: none yet
	OutTime types.Time // event time passed on, of the slowest subtask
}

// live is a job that runs or has run.
type live struct {
	plan *planner.Plan
	// zone is the session's when the job was planned: a SET that follows must
	// not change what runs.
	zone     string
	clock    func() types.Time
	job      atomic.Pointer[exec.Job]
	restarts atomic.Int64
}

// progress is nil until the job runs.
func (l *live) progress() *Progress {
	job := l.job.Load()
	if job == nil {
		return nil
	}
	p := &Progress{Memory: job.Account().Current()}
	for _, n := range l.plan.Physical.Nodes {
		p.Steps = append(p.Steps, step(n))
	}
	seen := make([]bool, len(p.Steps))
	for _, m := range job.Metrics() {
		p.Steps[m.Node].add(&m, !seen[m.Node])
		seen[m.Node] = true
	}
	return p
}

func step(n *physical.Node) Step {
	s := Step{Time: types.MinTime, OutTime: types.MinTime}
	for _, e := range n.Inputs {
		s.Inputs = append(s.Inputs, e.From)
	}
	switch {
	case n.Source != nil:
		s.Name, s.Source = n.Source.Name, true
		s.Bounded, s.Timed = n.Source.Source.Bounded(), n.Source.Watermark != nil
	case n.Sink != nil:
		s.Name, s.Sink = n.Sink.Name, true
	default:
		s.Name = n.Spec.Describe().Name
		switch spec := n.Spec.(type) {
		case *relop.CalcSpec:
			s.Filter = spec.Where != nil
		case *window.AggSpec:
			s.Window = eventTime(&spec.Window)
		case *window.AssignSpec:
			if spec.Window.Kind == window.Session {
				s.Window = eventTime(&spec.Window)
			}
		}
	}
	return s
}

func eventTime(w *window.Window) *window.Window {
	if w.Proctime {
		return nil
	}
	return w
}

// add adds a subtask.
func (s *Step) add(m *exec.Metrics, first bool) {
	s.In += m.RecordsIn
	s.Out += m.RecordsOut
	s.State += m.StateBytes
	s.Late += m.Late()
	for _, c := range m.Counters {
		if c.Name == "numRecordsInErrors" {
			s.Errors += c.Value
		}
	}
	if first {
		s.Time, s.OutTime = m.InputWatermark, m.OutputWatermark
		return
	}
	s.Time, s.OutTime = min(s.Time, m.InputWatermark), min(s.OutTime, m.OutputWatermark)
}

// Progress is what the query has counted so far, nil until it runs.
func (r *Result) Progress() *Progress {
	if r.live == nil {
		return nil
	}
	return r.live.progress()
}

// Progress is what the job has counted so far, nil until it runs.
func (j *Job) Progress() *Progress { return j.live.progress() }

// Ended is when the job ended, by the session's clock; 0: it runs.
func (j *Job) Ended() types.Time { return types.Time(j.ended.Load()) }

// Cancelled tells that the job was asked to stop.
func (j *Job) Cancelled() bool { return j.cancelled.Load() }
