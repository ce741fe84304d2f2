package sim

import (
	"errors"
	"flag"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fsql/checkpoint"
	"fsql/exec"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/state"
)

var crashSeeds = flag.Uint64("crash-seeds", defaultCrashSeeds, "how many seeds to run with crashes")

// crash runs a scenario with crashes under a seed.
func (c checked) crash(seed uint64, broken string) (*Outcome, error) {
	var check func(*Outcome) error
	name := "TestCrash/" + c.name
	out, err := Crash(seed, Scenario{
		Name: name,
		Plan: func(w *World) *physical.Plan {
			p, f := c.plan(w)
			check = f
			return p
		},
		Wrap: c.wrap, Fault: c.fault, Broken: broken,
	})
	if err != nil {
		return out, err
	}
	if err := check(out); err != nil {
		return out, crashed(seed, name, err)
	}
	return out, nil
}

// TestCrash kills every resumable scenario under many seeds.
func TestCrash(t *testing.T) {
	for _, s := range resumable(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			first, last := uint64(1), *crashSeeds
			if *oneSeed != 0 {
				first, last = *oneSeed, *oneSeed
			}
			steps, crashes, resumed := 0, 0, 0
			for seed := first; seed <= last; seed++ {
				out, err := s.crash(seed, "")
				if err != nil {
					t.Fatal(err)
				}
				steps += out.Steps
				crashes += out.Crashes
				resumed += out.Resumed
			}
			t.Logf("%d seeds, %d crashes, %d times resumed", last-first+1, crashes, resumed)
			if last-first > 100 && resumed*4 < crashes {
				t.Errorf("of %d crashes only %d were after a checkpoint", crashes, resumed)
			}
		})
	}
}

// TestDriverResumes: on goroutines, with checkpoints every few milliseconds of
// a clock that the test owns, a job that fails again and again goes on and
// gives the answer.
func TestDriverResumes(t *testing.T) {
	for _, s := range byHand() {
		if s.simOnly {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { driveAndFail(t, s) })
		})
	}
}

func driveAndFail(t *testing.T, s checked) {
	backend := state.NewMemory()
	w := draw(1)
	w.Pauses = 0
	w.sinks = map[string]*Sink{"out": {}, "all": {}, "counted": {}}
	for life := 1; ; life++ {
		w.Parallel = life
		plan, check := s.plan(w)
		from, manifest, ok, err := backend.Last()
		env := exec.Env{Rows: 4, QueueCap: 2, Checkpoints: &exec.Checkpoints{Config: checkpoint.Config{Interval: 3}, Backend: backend}}
		var batches atomic.Int64
		var running atomic.Pointer[exec.Job]
		env.Wrap = func(o op.Operator, _ *physical.Node, _ []row.Kinds, _ *op.Context) op.Operator {
			return &dying{Operator: o, dies: func() bool {
				return life < 4 && int(batches.Add(1)) > 10*life && running.Load().Epoch() > from
			}}
		}
		if ok {
			env.Checkpoints.Resume, err = checkpoint.Decode(manifest)
		}
		var job *exec.Job
		if err == nil {
			job, err = exec.Build(t.Context(), plan, env)
		}
		if err == nil {
			running.Store(job)
			err = exec.Run(t.Context(), job)
		}
		if errors.Is(err, errDied) {
			for _, sink := range w.sinks {
				sink.crash()
			}
			continue
		}
		if err == nil {
			err = check(&Outcome{World: w, Metrics: job.Metrics(), Crashes: life})
		}
		if err != nil || !ok {
			t.Errorf("life %d, resumed: %v: %v", life, ok, err)
		}
		return
	}
}

// dying takes its time over a batch, and fails when dies says so.
type dying struct {
	op.Operator
	dies func() bool
}

func (d *dying) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	time.Sleep(time.Millisecond)
	if d.dies() {
		return false, errDied
	}
	return d.Operator.OnBatch(in, b, out)
}

func (d *dying) Unwrap() any { return d.Operator }
