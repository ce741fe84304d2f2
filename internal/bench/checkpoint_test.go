package bench

import (
	"fmt"
	"os"
	"testing"
	"time"

	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// counter is the operator of SELECT k, COUNT(*), SUM(x) GROUP BY k over BIGINTs.
func counter(b *testing.B) op.Operator {
	b.Helper()
	long := types.Of(types.BigInt)
	in := &types.Schema{Columns: []types.Column{{Name: "k", Type: long}, {Name: "x", Type: long}}}
	reg := agg.NewRegistry(builtin.All()...)
	s := &relop.GroupAggSpec{
		In: in, Keys: []int{0}, InKinds: row.InsertOnly,
		Calls: []agg.Call{
			{Fn: reg.Lookup("COUNT"), Filter: -1, Opts: agg.Options{Star: true}, Type: long.NotNull()},
			{Fn: reg.Lookup("SUM"), Args: []int{1}, Filter: -1, Type: long},
		},
		Out: &types.Schema{Columns: []types.Column{{Name: "k", Type: long}, {Name: "n", Type: long.NotNull()}, {Name: "s", Type: long}}},
	}
	o, err := s.Build(&op.Context{BatchRows: 4096})
	if err != nil {
		b.Fatal(err)
	}
	op.StatefulOf(o).Track()
	return o
}

// touch gives the operator a row for each of n of the keys below all, spread
// over them.
func touch(b *testing.B, o op.Operator, n, all int) {
	b.Helper()
	long := types.Of(types.BigInt)
	s := &types.Schema{Columns: []types.Column{{Name: "k", Type: long}, {Name: "x", Type: long}}}
	for from := 0; from < n; from += 4096 {
		size := min(4096, n-from)
		k, x := row.NewVec(long, size), row.NewVec(long, size)
		for i := range size {
			k.I64[i], x.I64[i] = int64(from+i)*int64(all/n)*7919, int64(i)
		}
		batch := row.New(s, size, []*row.Vec{k, x}, nil)
		if _, err := o.OnBatch(0, batch, op.EmitFunc(func(*row.Batch) error { return nil })); err != nil {
			b.Fatal(err)
		}
	}
}

// copied copies a snapshot to its end.
func copied(s *state.Snapshot) *state.Snapshot {
	for s.Copy(4096) {
	}
	return s
}

// BenchmarkCopy is what a task spends on copying changed entries, between its
// rows.
func BenchmarkCopy(b *testing.B) {
	const keys = 1_000_000
	o := counter(b)
	spent, n := time.Duration(0), 0
	for b.Loop() {
		b.StopTimer()
		touch(b, o, keys, keys)
		s := &state.Snapshot{}
		op.StatefulOf(o).Snapshot(s)
		before := cpuTime()
		b.StartTimer()
		copied(s)
		spent += cpuTime() - before
		n++
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(n)/keys, "cpu-ns/entry")
}

// BenchmarkBarrier is how long a barrier holds an operator up: a million keys,
// of which some have changed.
//
//	go test ./internal/bench -bench 'Barrier|Commit|Recover' -benchtime 10x
func BenchmarkBarrier(b *testing.B) {
	const keys = 1_000_000
	for _, dirty := range []int{0, 1_000, 10_000, 100_000, keys} {
		b.Run(fmt.Sprintf("dirty=%d", dirty), func(b *testing.B) {
			o := counter(b)
			touch(b, o, keys, keys)
			s := &state.Snapshot{}
			op.StatefulOf(o).Snapshot(s)
			copied(s)
			for b.Loop() {
				b.StopTimer()
				if dirty > 0 {
					touch(b, o, dirty, keys)
				}
				s := &state.Snapshot{}
				b.StartTimer()
				op.StatefulOf(o).Snapshot(s)
				b.StopTimer()
				if copied(s); s.Len() != dirty {
					b.Fatalf("%d changes", s.Len())
				}
				b.StartTimer()
			}
		})
	}
}

// BenchmarkCommit is a checkpoint from the changes to the pointer, in the
// background, over a state of a million keys.
func BenchmarkCommit(b *testing.B) {
	const keys = 1_000_000
	for _, dirty := range []int{0, 1_000, 10_000, 100_000, keys} {
		b.Run(fmt.Sprintf("dirty=%d", dirty), func(b *testing.B) {
			o := counter(b)
			f := folder(b, b.TempDir())
			touch(b, o, keys, keys)
			e := types.Epoch(0)
			commit := func(s *state.Snapshot) {
				e++
				if err := f.Commit(e, []state.Delta{s.Changes.Delta(state.Groups("agg", 0, 1), e)}, nil); err != nil {
					b.Fatal(err)
				}
			}
			snapshot := func() *state.Snapshot {
				s := &state.Snapshot{}
				op.StatefulOf(o).Snapshot(s)
				return copied(s)
			}
			commit(snapshot())
			spent, n := time.Duration(0), 0
			for b.Loop() {
				b.StopTimer()
				if dirty > 0 {
					touch(b, o, dirty, keys)
				}
				s := snapshot()
				before := cpuTime()
				b.StartTimer()
				commit(s)
				spent += cpuTime() - before
				n++
			}
			b.StopTimer()
			b.ReportMetric(float64(spent.Microseconds())/float64(n)/1000, "cpu-ms/op")
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkRecover opens a checkpoint and restores the operator.
func BenchmarkRecover(b *testing.B) {
	for _, keys := range []int{1_000_000, 10_000_000} {
		b.Run(fmt.Sprintf("keys=%d", keys), func(b *testing.B) {
			dir := b.TempDir()
			f := folder(b, dir)
			o := counter(b)
			touch(b, o, keys, keys)
			s := &state.Snapshot{}
			op.StatefulOf(o).Snapshot(s)
			copied(s)
			if err := f.Commit(1, []state.Delta{s.Changes.Delta(state.Groups("agg", 0, 1), 1)}, nil); err != nil {
				b.Fatal(err)
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
			o, s = nil, nil
			spent := cpuTime()
			for b.Loop() {
				f := folder(b, dir)
				o := counter(b)
				if err := op.StatefulOf(o).Restore(state.NewRestored(f.Open(state.Groups("agg", 0, 1)), nil)); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(keys)*float64(b.N)/(cpuTime()-spent).Seconds()/1e6, "Mrows/cpu-s")
		})
	}
}

func folder(b *testing.B, dir string) *state.Folder {
	b.Helper()
	f, err := state.OpenFolder(dir, state.FolderOptions{Retained: 1, NewID: "x", PID: os.Getpid()})
	if err == nil {
		_, _, _, err = f.Last()
	}
	if err != nil {
		b.Fatal(err)
	}
	return f
}
