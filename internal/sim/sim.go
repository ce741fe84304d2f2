package sim

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"fsql/exec"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// World is what a seed has drawn. Plans take their parallelism and the pauses
// of their sources from it.
type World struct {
	Rand     *rand.Rand
	Parallel int // subtasks of parallel nodes
	Rows     int // most rows per batch
	QueueCap int
	Copy     int // entries of state copied per step
	ZeroHash bool
	Pauses   float64 // how often a source has nothing to read
	Barriers float64 // how often a barrier is asked for, per step
	Now      types.Time

	past // of a job that is killed and resumes
}

// Pause is for Source.Pause.
func (w *World) Pause() bool { return w.Pauses > 0 && w.Rand.Float64() < w.Pauses }

// draw makes the world of a seed.
func draw(seed uint64) *World {
	r := rand.New(rand.NewPCG(seed, 0x5eed))
	one := func(of ...int) int { return of[r.IntN(len(of))] }
	return &World{
		Rand:     r,
		Parallel: one(1, 2, 2, 3, 4, 7),
		Rows:     one(1, 2, 3, 7, 16, 64, 1024),
		QueueCap: one(1, 1, 2, 3, 8, 16),
		Copy:     one(1, 1, 3, 1000),
		ZeroHash: r.IntN(8) == 0,
		Pauses:   []float64{0, 0, 0.1, 0.7}[r.IntN(4)],
		Barriers: []float64{0, 0.001, 0.02}[r.IntN(3)],
		Now:      types.Time(r.IntN(1000)),
	}
}

// Scenario is a job to be simulated.
type Scenario struct {
	// Name is the test that runs it, for messages (Crash only).
	Name string
	// Plan makes the job afresh, with new sources and sinks.
	Plan func(w *World) *physical.Plan
	// Fault and Wrap plant defects: in exec, and around operators.
	Fault func(w *World) exec.Fault
	Wrap  func(o op.Operator, n *physical.Node) op.Operator
	// MaxSteps is how many steps the job may take; 0: a million.
	MaxSteps int
	// Broken is how sinks or the store are broken (Crash only).
	Broken string
}

// Outcome of a run.
type Outcome struct {
	World   *World
	Steps   int
	Epochs  types.Epoch // barriers that went through, the last one included
	Metrics []exec.Metrics
	Peak    int64  // bytes in the account
	Trace   uint64 // hash of everything that was scheduled
	Crashes int    // how often the job was killed
	Resumed int    // how often it went on from a checkpoint
}

// Run runs a scenario under a seed.
func Run(seed uint64, s Scenario) (*Outcome, error) {
	out, err := run(draw(seed), s)
	if err != nil {
		return out, failed(seed, err)
	}
	return out, nil
}

// failed tells how to see the failure again.
func failed(seed uint64, err error) error {
	return fmt.Errorf("%w\nreplay: go test ./internal/sim -run TestSim -seed=%d", err, seed)
}

// Quiet runs a scenario without any disturbance: one subtask, large batches.
func Quiet(s Scenario) (*Outcome, error) {
	w := draw(0)
	w.Parallel, w.Rows, w.QueueCap = 1, 4096, 8
	w.ZeroHash, w.Pauses, w.Barriers = false, 0, 0
	return run(w, s)
}

func run(w *World, s Scenario) (*Outcome, error) {
	plan := s.Plan(w)
	watch := &cutCheck{plan: plan, seen: map[cut]rows{}}
	env := exec.Env{
		Clock:    func() types.Time { return w.Now },
		Choose:   w.Rand.IntN,
		Rows:     w.Rows,
		QueueCap: w.QueueCap,
		Copy:     w.Copy,
		ZeroHash: w.ZeroHash,
		Stride:   16,
		InFlight: watch.kept,
		Wrap: func(o op.Operator, n *physical.Node, in []row.Kinds, c *op.Context) op.Operator {
			if s.Wrap != nil {
				o = s.Wrap(o, n)
			}
			o = op.Checked(o, n.Spec, in...)
			if c.Resumed {
				op.HasPast(o)
			}
			return watch.watched(o, n)
		},
	}
	if s.Fault != nil {
		env.Fault = s.Fault(w)
	}
	from, err := w.checkpoints(&env)
	if err != nil {
		return nil, err
	}
	job, err := exec.Build(context.Background(), plan, env)
	if err != nil {
		return nil, err
	}
	l := &loop{job: job, world: w, left: s.MaxSteps, dieAt: w.dieAt}
	if l.left == 0 {
		l.left = 1_000_000
	}
	if err = l.run(); !errors.Is(err, errDied) || w.Rand.IntN(2) == 0 { // a process that dies closes nothing
		err = errors.Join(err, job.Close())
	}
	out := &Outcome{
		World: w, Steps: l.steps, Epochs: job.Epoch(), Metrics: job.Metrics(),
		Peak: job.Account().Peak(), Trace: l.trace.Sum64(), Crashes: w.crashes, Resumed: w.resumed,
	}
	if err == nil {
		err = errors.Join(watch.check(from, out.Epochs), settled(job, plan))
	}
	return out, err
}

// settled checks what must hold when a job has ended.
func settled(job *exec.Job, plan *physical.Plan) error {
	held := job.Account().Current()
	for _, m := range job.Metrics() {
		held -= m.StateBytes
		if m.InputWatermark != types.MaxTime && plan.Nodes[m.Node].Source == nil {
			return fmt.Errorf("%s never saw the end of event time", m.Name)
		}
	}
	if held != 0 {
		return fmt.Errorf("the account holds %d bytes that nobody has", held)
	}
	for _, n := range plan.Nodes {
		if n.Sink == nil {
			continue
		}
		if s, ok := n.Sink.Sink.(*Sink); ok {
			if err := s.Forgotten(); err != nil {
				return err
			}
		}
	}
	return nil
}

const maxBarriers = 100

// loop is the scheduler.
type loop struct {
	job   *exec.Job
	world *World
	steps int
	left  int
	dieAt int // step at which the job is killed, 0: none
	idle  int // steps in a row that found no work
	// barriers that were asked for: they are work, and without end they would
	// hide that nothing else is.
	barriers int
	trace    interface {
		Write([]byte) (int, error)
		Sum64() uint64
	}
}

func (l *loop) run() error {
	l.trace = fnv.New64a()
	steppers := l.job.Steppers()
	for ; !l.job.Finished(); l.steps++ {
		if l.steps == l.dieAt && l.dieAt > 0 {
			return errDied
		}
		if l.steps == l.left {
			return fmt.Errorf("the job does not end: %d steps", l.steps)
		}
		w := l.world
		if w.Barriers > 0 && l.barriers < maxBarriers && w.Rand.Float64() < w.Barriers {
			l.barriers++
			l.job.Barrier()
			l.note(254, true)
		}
		i := w.Rand.IntN(len(steppers) + 1)
		if i == len(steppers) {
			w.Now += types.Time(w.Rand.IntN(20))
			l.note(255, true)
			continue
		}
		worked, err := steppers[i].Step(context.Background())
		if err != nil {
			return err
		}
		l.note(i, worked)
		if l.idle++; worked {
			l.idle = 0
		}
		if l.idle > 100*len(steppers) {
			if err := l.stuck(steppers); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loop) note(i int, worked bool) {
	b := [2]byte{byte(i)}
	if worked {
		b[1] = 1
	}
	l.trace.Write(b[:])
}

// stuck is called when nothing has worked for long: either all wait for the
// clock, or the job is in a deadlock.
func (l *loop) stuck(steppers []exec.Stepper) error {
	l.idle = 0
	next, before := types.MaxTime, l.world.Now
	for _, s := range steppers {
		worked, err := s.Step(context.Background())
		if worked || err != nil {
			return err
		}
		next = min(next, s.NextClock())
	}
	if l.world.Now > before { // a source holds the end back
		return nil
	}
	if next == types.MaxTime {
		return errors.New("the job is stuck: no stepper finds work and none waits for the clock")
	}
	l.world.Now = max(l.world.Now, next)
	return nil
}
