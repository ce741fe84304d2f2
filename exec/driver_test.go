package exec_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"fsql/exec"
	"fsql/internal/diag"
	"fsql/internal/sim"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestRun: the same plan gives the same answer at every parallelism, and the
// metrics show that the rows went through several subtasks.
func TestRun(t *testing.T) {
	var answers []string
	for _, p := range []int{1, 2, 7} {
		j := newJob(longs(3, 1000), p, nil)
		job := j.build(t, exec.Env{Rows: 64, QueueCap: 4})
		if err := exec.Run(context.Background(), job); err != nil {
			t.Fatal(err)
		}
		if err := j.sink.Forgotten(); err != nil {
			t.Error(err)
		}
		answers = append(answers, j.sink.Rows())
		busy := 0
		for _, m := range job.Metrics() {
			if m.Node == 1 && m.RecordsIn > 0 {
				busy++
				if m.InputWatermark != types.MaxTime || m.RecordsOut != m.RecordsIn {
					t.Errorf("%+v", m)
				}
			}
		}
		if busy != p {
			t.Errorf("%d subtasks of %d had rows", busy, p)
		}
		if job.Account().Current() != 0 || job.Account().Peak() == 0 {
			t.Errorf("account: %d now, %d at most", job.Account().Current(), job.Account().Peak())
		}
		if j.source.Closed != min(3, p) {
			t.Errorf("%d readers closed", j.source.Closed)
		}
		if len(job.Steppers()) > 0 {
			t.Error("a job that has ended holds on to its tasks")
		}
	}
	if answers[0] != answers[1] || answers[0] != answers[2] || strings.Count(answers[0], "\n") != 2999 {
		t.Error("answers differ")
	}
}

// TestCancel: a job over an input that never ends stops at once, leaves no
// goroutine (TestMain) and closes everything.
func TestCancel(t *testing.T) {
	j := newJob(longs(2, 10), 3, nil)
	j.source.Endless = true
	ctx, cancel := context.WithCancel(context.Background())
	j.batch = func(o op.Emitter, b *row.Batch) error {
		defer cancel()
		return o.Emit(b)
	}
	start := time.Now()
	err := exec.Run(ctx, j.build(t, exec.Env{}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 200*time.Millisecond {
		t.Errorf("took %v", took)
	}
	if j.source.Closed != 2 {
		t.Errorf("%d readers closed", j.source.Closed)
	}
}

// TestFailures: the first error ends the job and reaches the caller in a form
// for users.
func TestFailures(t *testing.T) {
	users := diag.New(diag.DivisionByZero, diag.Span{}, "division by zero")
	cases := []struct {
		name  string
		batch func(op.Emitter, *row.Batch) error
		want  string
	}{
		{"user's error", func(op.Emitter, *row.Batch) error { return fmt.Errorf("in a kernel: %w", users) }, "division-by-zero"},
		{"other error", func(op.Emitter, *row.Batch) error { return errors.New("disk full") }, "error[job-failed]: Apply[1] 1/1 failed: disk full"},
		{"panic", func(_ op.Emitter, b *row.Batch) error { _ = b.Cols[99]; return nil }, "error[internal]: Apply[1] 1/1 panicked"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			j := newJob(longs(2, 10), 1, tc.batch)
			err := exec.Run(context.Background(), j.build(t, exec.Env{}))
			var d *diag.Error
			if !errors.As(err, &d) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v", err)
			}
			if j.source.Closed != 1 {
				t.Errorf("%d readers closed", j.source.Closed)
			}
		})
	}
}

// TestNotNull: NULL for a NOT NULL column fails the job, or with DROP loses the
// one row, as in Flink.
func TestNotNull(t *testing.T) {
	data := longs(1, 5)
	data[0].Cols[0].SetNull(3)
	j := newJob(data, 1, nil)
	sink := j.plan.Nodes[2].Sink
	sink.NotNull = []int{0}
	err := exec.Run(context.Background(), j.build(t, exec.Env{}))
	if err == nil || !strings.Contains(err.Error(), "error[null-violation]: column 'c0' of table 'out' is NOT NULL") {
		t.Errorf("got %v", err)
	}
	j = newJob(data, 1, nil)
	sink = j.plan.Nodes[2].Sink
	sink.NotNull, sink.DropNull = []int{0}, true
	if err := exec.Run(context.Background(), j.build(t, exec.Env{})); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(j.sink.Rows(), "\n") + 1; got != 4 {
		t.Errorf("%d rows", got)
	}
}

// TestNullRowtime: a row without event time fails the job, though nobody
// selects it (conformance time/null_rowtime_filtered_still_fails).
func TestNullRowtime(t *testing.T) {
	s := &types.Schema{Columns: []types.Column{{Name: "ts", Type: types.TimestampOf(3)}}}
	v := row.NewVec(s.Columns[0].Type, 3)
	v.SetNull(2)
	j := &job{source: &sim.Source{Schema: s, Parts: []*row.Batch{row.New(s, 3, []*row.Vec{v}, nil)}}, sink: &sim.Sink{}}
	j.plan = chain(j.source.Scan("evt", 0, 0, 200), j.sink.Node("out", s))
	err := exec.Run(context.Background(), j.build(t, exec.Env{}))
	if err == nil || !strings.Contains(err.Error(), "error[null-rowtime]: the event time column 'ts' of table 'evt' is NULL") {
		t.Errorf("got %v", err)
	}
}

// TestPlans that cannot be run are refused, not run wrongly.
func TestPlans(t *testing.T) {
	cases := []struct {
		name string
		bend func(p *physical.Plan)
		want string
	}{
		{"watermark in two subtasks", func(p *physical.Plan) {
			p.Nodes[0].Source.Watermark, p.Nodes[0].Parallel = p.Nodes[0].Source.Project[0], 2
		}, "watermark"},
		{"forward between parallelisms", func(p *physical.Plan) { p.Nodes[2].Parallel = 3 }, "forward"},
		{"too many subtasks", func(p *physical.Plan) { p.Nodes[0].Parallel = 129 }, "1 to 128"},
	}
	for _, tc := range cases {
		j := newJob(longs(1, 1), 1, nil)
		tc.bend(j.plan)
		_, err := exec.Build(context.Background(), j.plan, exec.Env{})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v", tc.name, err)
		}
	}
}

// TestClock: the driver sleeps until the time an operator waits for, and stops
// without waiting for it at the end of the input.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := exec.SystemClock()
		var calls []types.Time
		ctx, cancel := context.WithCancel(context.Background())
		j := newJob(longs(1, 10), 1, nil)
		j.source.Endless = true
		j.clock = func(now types.Time) types.Time {
			calls = append(calls, now-start)
			if len(calls) == 3 {
				cancel()
			}
			return now + 1000
		}
		job := j.build(t, exec.Env{})
		if err := exec.Run(ctx, job); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if want := []types.Time{0, 1000, 2000}; !slices.Equal(calls, want) {
			t.Errorf("called at %v, want %v", calls, want)
		}
	})
}

// TestIdle: a silent source is announced as idle after its timeout, so that the
// other input's event time goes on.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &types.Schema{Columns: []types.Column{{Name: "ts", Type: types.TimestampOf(3)}}}
		v := row.NewVec(s.Columns[0].Type, 1)
		v.I64[0] = 5_000_000
		a := &sim.Source{Schema: s, Parts: []*row.Batch{row.New(s, 1, []*row.Vec{v}, nil)}, Endless: true}
		b := &sim.Source{Schema: s, Parts: []*row.Batch{row.New(s, 0, []*row.Vec{row.NewVec(v.Type, 0)}, nil)}, Endless: true}
		ctx, cancel := context.WithCancel(context.Background())
		start := exec.SystemClock()
		var at, mark types.Time
		spec := &apply{schema: s, batch: func(_ op.Emitter, b *row.Batch) error {
			if len(b.Marks) > 0 {
				at, mark = exec.SystemClock()-start, b.Marks[0].Time
				cancel()
			}
			return nil
		}}
		left, right := a.Scan("a", 0, 0, 0), b.Scan("b", 0, 0, 0)
		right.Source.IdleAfter = 3000
		right.ID, left.Parallel, right.Parallel = 1, 1, 1
		node := &physical.Node{ID: 2, Spec: spec, Schema: s, Parallel: 1, Inputs: []physical.Edge{{From: 0}, {From: 1}}}
		job, err := exec.Build(ctx, &physical.Plan{Nodes: []*physical.Node{left, right, node}}, exec.Env{})
		if err != nil {
			t.Fatal(err)
		}
		if err := exec.Run(ctx, job); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if at != 3000 || mark != 5000 {
			t.Errorf("mark %d after %d ms", mark, at)
		}
	})
}

// TestPending: what the rule of emission holds back is emitted when a source
// that never ends has waited for the interval, and not before.
func TestPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &types.Schema{Columns: []types.Column{{Name: "ts", Type: types.TimestampOf(3)}}}
		v := row.NewVec(s.Columns[0].Type, 2)
		v.I64[0], v.I64[1] = 5_000_000, 5_100_000
		j := &job{
			source: &sim.Source{Schema: s, Parts: []*row.Batch{row.New(s, 2, []*row.Vec{v}, nil)}, Endless: true},
			sink:   &sim.Sink{},
		}
		ctx, cancel := context.WithCancel(context.Background())
		start := exec.SystemClock()
		got := ""
		node := &physical.Node{Schema: s, Spec: &apply{schema: s, batch: func(_ op.Emitter, b *row.Batch) error {
			for _, m := range b.Marks {
				got += fmt.Sprintf("%d at %d ms; ", m.Time, exec.SystemClock()-start)
				if m.Time == 5100 {
					cancel()
				}
			}
			return nil
		}}}
		j.plan = chain(j.source.Scan("in", 0, 0, 200), node)
		if err := exec.Run(ctx, j.build(t, exec.Env{})); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if want := "5000 at 0 ms; 5100 at 200 ms; "; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestCollect hands batches over.
func TestCollect(t *testing.T) {
	j := newJob(longs(2, 100), 1, nil)
	rows := 0
	j.plan.Nodes[2].Sink.Sink = &exec.Collect{Into: func(_ context.Context, b *row.Batch) error {
		rows += b.Rows
		return nil
	}}
	if err := exec.Run(context.Background(), j.build(t, exec.Env{Rows: 7})); err != nil || rows != 200 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// BenchmarkJob is a whole job under the driver: rows are copied out of memory,
// hashed to subtasks, passed on and dropped.
func BenchmarkJob(b *testing.B) {
	for _, p := range []int{1, 2} {
		b.Run(fmt.Sprint(p), func(b *testing.B) {
			data := longs(1, 1<<20)
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				j := newJob(data, p, func(op.Emitter, *row.Batch) error { return nil })
				job, err := exec.Build(context.Background(), j.plan, exec.Env{})
				if err != nil {
					b.Fatal(err)
				}
				if err := exec.Run(context.Background(), job); err != nil {
					b.Fatal(err)
				}
				rows += data[0].Rows
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
		})
	}
}
