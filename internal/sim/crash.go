package sim

import (
	"errors"
	"fmt"
	"strings"

	"fsql/checkpoint"
	"fsql/exec"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// errDied is the death of a job that was planned.
var errDied = errors.New("the job was killed")

// past is what outlives a job that is killed: what it has made durable.
type past struct {
	store   *store // nil: no checkpoints
	sinks   map[string]*Sink
	broken  string
	config  checkpoint.Config
	lives   int // deaths to come
	dieAt   int // step of the next one, 0: none planned
	crashes int
	resumed int
}

// Sink returns the sink of that name, which outlives the job.
func (w *World) Sink(name string) *Sink {
	if w.sinks == nil {
		w.sinks = map[string]*Sink{}
	}
	s := w.sinks[name]
	if s == nil {
		s = &Sink{world: w}
		w.sinks[name] = s
	}
	return s
}

// Crash runs a scenario as Run does, with checkpoints, and kills the job at
// steps drawn from the seed: between any two steps of tasks and actions of the
// coordinator, before and after a commit or a publication that then reports
// failure. What the job had made durable is kept, everything else lost, and
// the job goes on from there, with another parallelism.
func Crash(seed uint64, s Scenario) (*Outcome, error) {
	w := draw(seed)
	w.store = &store{Backend: state.NewMemory(), world: w}
	w.broken = s.Broken
	w.lives = 1 + w.Rand.IntN(5)
	w.Barriers = []float64{0.003, 0.02, 0.1}[w.Rand.IntN(3)]
	if w.Rand.IntN(3) == 0 {
		// By the clock, with failures that are tolerated.
		w.config = checkpoint.Config{Interval: 20, MinPause: 5, Timeout: types.Time(300 + w.Rand.IntN(1000)), Tolerable: 1 << 20}
		w.Barriers = 0
	}
	for {
		w.dieAt = 0
		if w.lives > 0 {
			w.dieAt = 1 + w.Rand.IntN(1<<(3+w.Rand.IntN(10)))
		}
		out, err := run(w, s)
		switch {
		case err == nil && !w.store.last:
			return out, crashed(seed, s.Name, errors.New("the job ended without a last checkpoint"))
		case err == nil:
			return out, nil
		case !errors.Is(err, errDied):
			return out, crashed(seed, s.Name, err)
		}
		w.reborn()
	}
}

// crashed tells how to see the failure again.
func crashed(seed uint64, name string, err error) error {
	return fmt.Errorf("%w\nreplay: go test ./internal/sim -run '%s$' -seed=%d", err, strings.ReplaceAll(name, " ", "_"), seed)
}

// reborn is the beginning of another life, in another world.
func (w *World) reborn() {
	w.lives--
	w.crashes++
	for _, s := range w.sinks {
		s.crash()
	}
	one := func(of ...int) int { return of[w.Rand.IntN(len(of))] }
	w.Parallel, w.Rows, w.QueueCap = one(1, 2, 2, 3, 4, 7), one(1, 2, 3, 7, 16, 64, 1024), one(1, 1, 2, 3, 8, 16)
	w.Now += types.Time(w.Rand.IntN(1000))
}

// checkpoints makes a job go on from the last checkpoint.
func (w *World) checkpoints(env *exec.Env) (types.Epoch, error) {
	if w.store == nil {
		return 0, nil
	}
	env.Checkpoints = &exec.Checkpoints{Config: w.config, Backend: w.store, ID: "job"}
	e, data, ok, err := w.store.Last()
	if err != nil || !ok {
		return 0, err
	}
	w.resumed++
	env.Checkpoints.Resume, err = checkpoint.Decode(data)
	return e, err
}

// fails draws whether something that may fail does.
func (w *World) fails() bool {
	return w.lives > 0 && w.Rand.IntN(40) == 0
}

// store is a Backend whose commits may fail, with or without having become
// durable.
type store struct {
	state.Backend
	world *World
	last  bool // the last commit was that of a job that was done
}

// brokenScope is a way in which the store can be broken on purpose.
const brokenScope = "a subtask gets the state of all"

func (s *store) Open(scope state.Scope) state.Store {
	if s.world.broken == brokenScope {
		scope.FirstGroup, scope.EndGroup = 0, row.KeyGroups
	}
	return s.Backend.Open(scope)
}

func (s *store) Commit(e types.Epoch, deltas []state.Delta, manifest []byte) error {
	if s.world.fails() {
		return errDied
	}
	m, err := checkpoint.Decode(manifest)
	if err != nil {
		return err
	}
	if err := s.Backend.Commit(e, deltas, manifest); err != nil {
		return err
	}
	s.last = m.Last
	if s.world.fails() {
		return errDied
	}
	return nil
}
