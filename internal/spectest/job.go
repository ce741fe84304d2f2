package spectest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fsql/checkpoint"
	"fsql/connector"
	"fsql/exec"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/state"
	"fsql/types"
)

// job is a query or INSERT that runs. It is stepped on the one goroutine of its
// run, so that nothing depends on time.
type job struct {
	name    string
	stmt    ast.Statement
	plan    *planner.Plan
	sink    *exec.Collect // of a query
	exec    *exec.Job     // nil: stopped
	backend state.Backend // nil: it takes no checkpoints
	outputs []*output
	late    *output // rows that windows have dropped
	done    bool

	counted []exec.Metrics   // of the last life
	before  map[string]int64 // counters of earlier lives, up to their last checkpoints
	kept    map[string]int64 // counters at the last checkpoint
}

// start plans a statement and begins to run it. of a query o gets the rows.
func (r *run) start(ctx context.Context, name string, stmt ast.Statement, o *output) (*job, error) {
	j := &job{name: name, stmt: stmt}
	if o != nil {
		j.sink = &exec.Collect{Into: func(_ context.Context, b *row.Batch) error { o.add(b); return nil }}
		j.outputs = append(j.outputs, o)
		o.job = j
	}
	plan, err := r.sess.Prepare(ctx, stmt, collector(j.sink))
	if err != nil || plan == nil {
		return nil, err
	}
	j.plan = plan
	if o != nil {
		o.schema, o.kinds, o.key = plan.Schema, plan.Kinds, plan.Key
	} else {
		j.outputs = r.sinksOf(j)
	}
	j.late = &output{name: name, spell: r.spell, job: j}
	j.outputs = append(j.outputs, j.late)
	if r.recovers {
		j.backend = state.NewMemory()
	}
	if err := r.build(ctx, j); err != nil {
		return nil, err
	}
	r.jobs = append(r.jobs, j)
	return j, nil
}

// sinksOf makes the outputs of the test tables that a job writes to.
func (r *run) sinksOf(j *job) []*output {
	var all []*output
	for _, n := range j.plan.Physical.Nodes {
		if n.Sink == nil {
			continue
		}
		o := r.outputs[n.Sink.Name]
		if o == nil {
			o = &output{name: n.Sink.Name, spell: r.spell, kinds: n.Kinds}
			r.outputs[n.Sink.Name] = o
		}
		o.job, o.schema, o.kinds = j, n.Schema, o.kinds|n.Kinds
		r.world.OnWrite(n.Sink.Name, o.add)
		all = append(all, o)
	}
	return all
}

// build opens the job, where its last checkpoint says if there is one.
func (r *run) build(ctx context.Context, j *job) error {
	e := exec.Env{
		Clock: func() types.Time { return r.now }, Rows: r.variant.BatchRows,
		Zone: r.sess.Zone().String(), Seed: 1, Fault: r.opts.Fault,
	}
	if r.opts.Wrap != nil || r.wantsLate {
		e.Wrap = func(o op.Operator, n *physical.Node, in []row.Kinds, c *op.Context) op.Operator {
			if r.opts.Wrap != nil {
				o = r.opts.Wrap(o, n)
			}
			if r.wantsLate {
				o = r.watchLate(j, o)
			}
			return o
		}
	}
	if r.rand != nil {
		e.Choose = r.rand.IntN
	}
	if j.backend != nil {
		e.Checkpoints = &exec.Checkpoints{Backend: j.backend, ID: "test"}
		_, manifest, ok, err := j.backend.Last()
		if err != nil {
			return err
		}
		if ok {
			if e.Checkpoints.Resume, err = checkpoint.Decode(manifest); err != nil {
				return err
			}
		}
	}
	var err error
	j.exec, err = exec.Build(ctx, j.plan.Physical, e)
	return err
}

// patience is how long a test may be busy.
const patience = 10 * time.Second

// quiesce steps all jobs until none has anything to do at this time of the
// clock; after most steps, if that is not 0, it returns earlier.
func (r *run) quiesce(ctx context.Context, most int) error {
	deadline := time.Now().Add(patience)
	var busy []string
	for n := 0; ; {
		busy = busy[:0]
		for _, j := range r.jobs {
			if j.done || j.exec == nil {
				continue
			}
			steppers := j.exec.Steppers()
			for i := range steppers {
				if r.rand != nil {
					i = r.rand.IntN(len(steppers))
				}
				worked, err := steppers[i].Step(ctx)
				if err != nil {
					j.done = true
					return &failedJob{j, err}
				}
				if worked {
					busy = append(busy, j.name+": "+steppers[i].Name())
				}
				if n++; n == most {
					return nil
				}
			}
			if j.exec.Finished() {
				j.done = true
				if err := j.exec.Close(); err != nil {
					return &failedJob{j, err}
				}
			}
		}
		if len(busy) == 0 {
			if quiet, err := r.quiet(ctx); quiet || err != nil {
				return err
			}
		}
		if n > 1000 && time.Now().After(deadline) {
			return fmt.Errorf("still busy after %s: %s", patience, strings.Join(busy, "; "))
		}
	}
}

// quiet asks every stepper once where their order was drawn.
func (r *run) quiet(ctx context.Context) (bool, error) {
	if r.rand == nil {
		return true, nil
	}
	for _, j := range r.jobs {
		if j.done || j.exec == nil {
			continue
		}
		for _, s := range j.exec.Steppers() {
			worked, err := s.Step(ctx)
			if err != nil {
				j.done = true
				return false, &failedJob{j, err}
			}
			if worked {
				return false, nil
			}
		}
	}
	return true, nil
}

// failedJob is the failure of a job.
type failedJob struct {
	job *job
	err error
}

func (f *failedJob) Error() string { return f.job.name + " failed: " + diag.Of(f.err).Error() }
func (f *failedJob) Unwrap() error { return f.err }

// collector is a sink that may be none.
func collector(c *exec.Collect) connector.Sink {
	if c == nil {
		return nil
	}
	return c
}

// advance moves the clock; timers on the way fire at their times.
func (r *run) advance(ctx context.Context, to types.Time) error {
	for {
		next := types.MaxTime
		for _, j := range r.jobs {
			if j.done || j.exec == nil {
				continue
			}
			for _, s := range j.exec.Steppers() {
				if t := s.NextClock(); t > r.now {
					next = min(next, t)
				}
			}
		}
		if next > to {
			break
		}
		r.now = next
		if err := r.quiesce(ctx, 0); err != nil {
			return err
		}
	}
	r.now = to
	return r.quiesce(ctx, 0)
}

// close ends what still runs.
func (r *run) close() {
	for _, j := range r.jobs {
		if j.exec != nil && !j.done {
			_ = j.exec.Close()
		}
	}
}
