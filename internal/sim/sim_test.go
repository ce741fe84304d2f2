package sim

import (
	"flag"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"fsql/exec"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
)

var (
	oneSeed = flag.Uint64("seed", 0, "run this seed only")
	seeds   = flag.Uint64("seeds", 60, "how many seeds to run")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestSim runs every scenario under many seeds.
func TestSim(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			first, last := uint64(1), *seeds
			if *oneSeed != 0 {
				first, last = *oneSeed, *oneSeed
			}
			steps, epochs := 0, 0
			for seed := first; seed <= last; seed++ {
				out, err := s.run(seed)
				if err != nil {
					t.Fatal(err)
				}
				steps += out.Steps
				epochs += int(out.Epochs)
			}
			t.Logf("%d seeds, %d steps, %d barriers", last-first+1, steps, epochs)
		})
	}
}

// TestReplay: the same seed schedules the same steps.
func TestReplay(t *testing.T) {
	for _, s := range scenarios() {
		a, err := s.run(3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.run(3)
		if err != nil {
			t.Fatal(err)
		}
		if a.Trace != b.Trace || a.Steps != b.Steps {
			t.Errorf("%s: seed 3 gave two different runs", s.name)
		}
	}
}

// TestStuck: a job that waits for nothing, and one that works without end, are
// told apart from one that takes long.
func TestStuck(t *testing.T) {
	plan := func(endless bool, h handler) Scenario {
		return Scenario{MaxSteps: 20_000, Plan: func(w *World) *physical.Plan {
			g := &graph{}
			scan := g.add((&Source{Schema: events, Parts: split(generate(1, 10, 1, 1, 0, 0), 1), Endless: endless}).Scan("in", -1, -1, 0), 1)
			g.chain(operator(&pass{base: base{name: "Calc", schema: events, kinds: row.InsertOnly}}), scan)
			g.add((&Sink{}).Node("out", events), 1, physical.Edge{From: 1, Ship: physical.Single})
			return &g.Plan
		}, Wrap: around("Calc", plain(h))}
	}
	pass := func(o op.Operator, b *row.Batch, out op.Emitter) (bool, error) { return o.OnBatch(0, b, out) }
	if _, err := Run(1, plan(true, pass)); err == nil || !strings.Contains(err.Error(), "stuck") {
		t.Errorf("got %v", err)
	}
	silent := func(op.Operator, *row.Batch, op.Emitter) (bool, error) { return false, nil }
	if _, err := Run(1, plan(false, silent)); err == nil || !strings.Contains(err.Error(), "end of event time") {
		t.Errorf("got %v", err)
	}
	s := plan(false, pass)
	s.MaxSteps = 10
	if _, err := Run(1, s); err == nil || !strings.Contains(err.Error(), "does not end") || !strings.Contains(err.Error(), "-seed=1") {
		t.Errorf("got %v", err)
	}
}

// TestQuiet runs give the answers too.
func TestQuiet(t *testing.T) {
	for _, s := range scenarios() {
		var check func(*Outcome) error
		out, err := Quiet(Scenario{Plan: func(w *World) *physical.Plan {
			p, f := s.plan(w)
			check = f
			return p
		}})
		if err == nil {
			err = check(out)
		}
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// TestDriver: goroutines give the answers that the simulator gives.
func TestDriver(t *testing.T) {
	for _, s := range scenarios() {
		if s.name == "idle" { // its source pauses, which takes a clock
			continue
		}
		for _, p := range []int{1, 2, 7} {
			w := draw(1)
			w.Parallel, w.Pauses = p, 0
			plan, check := s.plan(w)
			job, err := exec.Build(t.Context(), plan, exec.Env{Rows: 16, QueueCap: 2})
			if err == nil {
				err = exec.Run(t.Context(), job)
			}
			if err == nil {
				err = check(&Outcome{World: w, Metrics: job.Metrics()})
			}
			if err != nil {
				t.Errorf("%s with %d subtasks: %v", s.name, p, err)
			}
		}
	}
}
