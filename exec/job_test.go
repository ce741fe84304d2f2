package exec_test

import (
	"context"
	"testing"

	"fsql/exec"
	"fsql/internal/sim"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// job is a table, an operator made of functions, and a sink.
type job struct {
	source *sim.Source
	sink   *sim.Sink
	plan   *physical.Plan
	*apply
}

// newJob reads parts and hashes them to p subtasks.
func newJob(parts []*row.Batch, p int, batch func(op.Emitter, *row.Batch) error) *job {
	s := parts[0].Schema
	j := &job{source: &sim.Source{Schema: s, Parts: parts}, sink: &sim.Sink{}, apply: &apply{schema: s, batch: batch}}
	j.plan = &physical.Plan{Nodes: []*physical.Node{
		j.source.Scan("in", -1, -1, 0),
		{ID: 1, Spec: j.apply, Schema: s, Inputs: []physical.Edge{{From: 0, Ship: physical.Hash, Keys: []int{0}}}},
		j.sink.Node("out", s),
	}}
	sink := j.plan.Nodes[2]
	sink.ID, sink.Chained, sink.Inputs = 2, true, []physical.Edge{{From: 1}}
	for _, n := range j.plan.Nodes {
		n.Parallel = p
	}
	return j
}

// chain puts nodes into one task.
func chain(nodes ...*physical.Node) *physical.Plan {
	for i, n := range nodes {
		n.ID, n.Parallel, n.Chained = i, 1, i > 0
		if i > 0 {
			n.Inputs = []physical.Edge{{From: i - 1}}
		}
	}
	return &physical.Plan{Nodes: nodes}
}

func (j *job) build(t *testing.T, e exec.Env) *exec.Job {
	t.Helper()
	b, err := exec.Build(context.Background(), j.plan, e)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// apply calls functions: batch for batches (nil: passes them on), clock, if
// set, when the time has come that it asked for last.
type apply struct {
	schema *types.Schema
	batch  func(out op.Emitter, b *row.Batch) error
	clock  func(now types.Time) (next types.Time)
}

func (a *apply) Describe() op.Description             { return op.Description{Name: "Apply"} }
func (a *apply) Output() *types.Schema                { return a.schema }
func (a *apply) Require(int) op.Distribution          { return op.Distribution{} }
func (a *apply) Emits([]row.Kinds) (row.Kinds, error) { return row.AllKinds, nil }
func (a *apply) MayPause() bool                       { return false }
func (a *apply) Build(*op.Context) (op.Operator, error) {
	if a.clock != nil {
		return &applyClock{applying: applying{a}}, nil
	}
	return applying{a}, nil
}

type applying struct{ *apply }

func (a applying) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if a.batch == nil {
		return false, out.Emit(b)
	}
	return false, a.batch(out, b)
}

func (a applying) OnBarrier(types.Epoch) error { return nil }

type applyClock struct {
	applying
	next types.Time
}

func (a *applyClock) OnClock(now types.Time, _ op.Emitter) error {
	a.next = a.clock(now)
	return nil
}

func (a *applyClock) NextClock() types.Time { return a.next }

// longs makes parts of one BIGINT column, all values different.
func longs(parts, rows int) []*row.Batch {
	s := &types.Schema{Columns: []types.Column{{Name: "c0", Type: types.Of(types.BigInt)}}}
	var out []*row.Batch
	for p := range parts {
		v := row.NewVec(s.Columns[0].Type, rows)
		for i := range v.I64 {
			v.I64[i] = int64(p*rows + i)
		}
		out = append(out, row.New(s, rows, []*row.Vec{v}, nil))
	}
	return out
}
