package exec

import (
	"fmt"
	"runtime"
	"testing"

	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// BenchmarkHop is one batch through one queue, including the account of its
// bytes: pushed and popped by one goroutine, then by two.
func BenchmarkHop(b *testing.B) {
	batch := longs(4096, 1)
	b.Run("one", func(b *testing.B) {
		q := NewQueue[Element](8)
		for b.Loop() {
			q.Push(Element{Batch: batch})
			q.Pop()
		}
	})
	b.Run("two", func(b *testing.B) {
		q := NewQueue[Element](8)
		go func() {
			for range b.N {
				for q.Full() {
					runtime.Gosched()
				}
				q.Push(Element{Batch: batch})
			}
		}()
		for range b.N {
			for q.Empty() {
				runtime.Gosched()
			}
			q.Pop()
		}
	})
}

// BenchmarkScatter is 4096 rows of four BIGINT columns, and the same with a
// string, hashed by one column to several queues.
func BenchmarkScatter(b *testing.B) {
	for _, text := range []bool{false, true} {
		batch := longs(4096, 4)
		name := "longs"
		if text {
			name = "longs+string"
			v := row.NewVec(types.String(), 4096)
			for i := range v.Str {
				v.Str[i] = fmt.Sprintf("a string of about forty-eight bytes, number %4d", i)
			}
			batch.Schema = &types.Schema{Columns: append(batch.Schema.Columns, types.Column{Name: "s", Type: types.String()})}
			batch.Cols = append(batch.Cols, v)
		}
		for _, n := range []int{2, 4, 16} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				r := routerTo(n, physical.Hash)
				b.ReportAllocs()
				for b.Loop() {
					if err := r.take(batch); err != nil {
						b.Fatal(err)
					}
					for _, q := range r.out {
						q.Pop()
					}
				}
				b.ReportMetric(float64(b.N)*4096/1e6/b.Elapsed().Seconds(), "Mrows/s")
			})
		}
	}
}

// longs is a batch of BIGINT columns.
func longs(rows, cols int) *row.Batch {
	s := &types.Schema{}
	var vs []*row.Vec
	for c := range cols {
		s.Columns = append(s.Columns, types.Column{Name: fmt.Sprint("c", c), Type: types.Of(types.BigInt)})
		v := row.NewVec(s.Columns[c].Type, rows)
		for i := range v.I64 {
			v.I64[i] = int64(i*7919 + c)
		}
		vs = append(vs, v)
	}
	return row.New(s, rows, vs, nil)
}
