package exec_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fsql/checkpoint"
	"fsql/exec"
	"fsql/internal/diag"
	"fsql/internal/sim"
	"fsql/op"
	"fsql/state"
	"fsql/types"
)

// remembered is an operator that has a state by its description; its
// fingerprint is print. Without part it takes no part in checkpoints.
type remembered struct {
	*apply
	print string
	part  bool
	fails error // of Restore
}

func (r *remembered) Describe() op.Description {
	return op.Description{Name: "Remembered", State: "something"}
}
func (r *remembered) Fingerprint() string { return r.print }
func (r *remembered) Build(c *op.Context) (op.Operator, error) {
	o, err := r.apply.Build(c)
	if err == nil && r.part {
		return partaking{o, r}, nil
	}
	return o, err
}

type partaking struct {
	op.Operator
	r *remembered
}

func (p partaking) Track()                          {}
func (p partaking) Snapshot(s *state.Snapshot)      { s.Local = []byte("local") }
func (p partaking) Restore(r *state.Restored) error { return p.r.fails }

// stateful makes the operator of a job a remembered one.
func stateful(uid, print string, part bool) (*job, *remembered) {
	j := newJob(longs(1, 20), 1, nil)
	r := &remembered{apply: j.apply, print: print, part: part}
	j.plan.Nodes[1].Spec = r
	for i, n := range j.plan.Nodes {
		n.UID = []string{"source", uid, "sink"}[i]
	}
	return j, r
}

// TestFit: a plan resumes from a checkpoint of the same operators, recognised by
// UID and fingerprint; any other is refused, naming what does not fit.
func TestFit(t *testing.T) {
	backend, sink := state.NewMemory(), &sim.Sink{}
	run := func(uid, print string, ignore bool) error {
		j, _ := stateful(uid, print, true)
		j.plan.Nodes[2].Sink.Sink = sink
		c := &exec.Checkpoints{Backend: backend, ID: "x", IgnoreUnclaimed: ignore}
		_, manifest, ok, err := backend.Last()
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			if c.Resume, err = checkpoint.Decode(manifest); err != nil {
				t.Fatal(err)
			}
		}
		job, err := exec.Build(context.Background(), j.plan, exec.Env{Checkpoints: c})
		if err == nil {
			err = exec.Run(context.Background(), job)
		}
		return err
	}
	for _, tc := range []struct {
		uid, print string
		ignore     bool
		want       string
	}{
		{"agg", "BIGINT", false, ""},
		{"agg", "BIGINT", false, ""},
		{"agg", "STRING", false, "agg is not what it was: now Remembered: STRING, then Remembered: BIGINT"},
		{"agg", "STRING", true, "agg is not what it was"},
		{"other", "BIGINT", false, "it has state of agg, which is not part of the job any more"},
		{"other", "BIGINT", true, ""},
		{"agg", "BIGINT", false, "it has state of other"},
		{"other", "BIGINT", false, ""},
	} {
		err := run(tc.uid, tc.print, tc.ignore)
		var d *diag.Error
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%+v: %v", tc, err)
		case tc.want != "" && (!errors.As(err, &d) || d.Code != diag.StateMismatch || !strings.Contains(d.Msg, tc.want)):
			t.Errorf("%+v: %v", tc, err)
		}
	}
}

// An operator that has state and does not take part in checkpoints must not run
// in a job with them; state that cannot be taken over is told from other errors.
func TestStateRefused(t *testing.T) {
	j, _ := stateful("agg", "", false)
	_, err := exec.Build(context.Background(), j.plan, exec.Env{Checkpoints: &exec.Checkpoints{Backend: state.NewMemory()}})
	var d *diag.Error
	if !errors.As(err, &d) || d.Code != diag.NotImplemented || !strings.Contains(d.Msg, "Remembered") {
		t.Errorf("%v", err)
	}
	j.build(t, exec.Env{}).Close()

	j, r := stateful("agg", "", true)
	r.fails = errors.New("bits have rotted")
	past := &checkpoint.Manifest{Epoch: 1, Nodes: []checkpoint.Node{
		{UID: "source", Fingerprint: "source", Subtasks: make([]checkpoint.Subtask, 1)},
		{UID: "agg", Fingerprint: "Remembered: ", Subtasks: make([]checkpoint.Subtask, 1)},
		{UID: "sink", Fingerprint: "sink", Subtasks: make([]checkpoint.Subtask, 1)},
	}}
	_, err = exec.Build(context.Background(), j.plan, exec.Env{Checkpoints: &exec.Checkpoints{Backend: state.NewMemory(), Resume: past}})
	var u *exec.Unreadable
	if !errors.As(err, &u) || !strings.Contains(err.Error(), "bits have rotted") {
		t.Errorf("%v", err)
	}
}

// TestCheckpointFails: a commit that fails ends the job, unless failures are
// tolerated.
func TestCheckpointFails(t *testing.T) {
	for _, tolerable := range []int{0, 3} {
		j, _ := stateful("agg", "", true)
		full := &failing{Backend: state.NewMemory(), left: 2}
		c := &exec.Checkpoints{Config: checkpoint.Config{Tolerable: tolerable}, Backend: full}
		err := exec.Run(context.Background(), j.build(t, exec.Env{Checkpoints: c}))
		var d *diag.Error
		switch {
		case tolerable == 0 && (!errors.As(err, &d) || d.Code != diag.JobFailed || !errors.Is(err, errFull)):
			t.Errorf("%v", err)
		case tolerable > 0 && (err != nil || j.sink.Changes() != 20):
			t.Errorf("%v, %d rows", err, j.sink.Changes())
		}
	}
}

var errFull = errors.New("disk full")

type failing struct {
	state.Backend
	left int
}

func (f *failing) Commit(e types.Epoch, d []state.Delta, m []byte) error {
	if f.left--; f.left >= 0 {
		return errFull
	}
	return f.Backend.Commit(e, d, m)
}
