package exec

import (
	"testing"

	"fsql/row"
	"fsql/types"
)

// TestLooseGate: at-least-once takes rows of an input that is ahead, and passes
// each barrier when the last input has it; exactly-once holds the input back.
func TestLooseGate(t *testing.T) {
	for _, loose := range []bool{false, true} {
		schema := &types.Schema{}
		a := &input{queue: NewQueue[Element](9), schema: schema}
		b := &input{queue: NewQueue[Element](9), schema: schema}
		g := newGate([]*input{a, b}, nil, nil)
		g.loose = loose
		data := func(rows int) Element { return Element{Kind: Data, Batch: &row.Batch{Schema: schema, Rows: rows}} }
		barrier := func(e types.Epoch) Element { return Element{Kind: Barrier, Epoch: e} }
		for _, e := range []Element{barrier(5), data(1), barrier(6), data(2)} {
			a.queue.Push(e)
		}
		var got []int // rows, or -epoch
		drain := func() {
			for {
				e, _, ok := g.Next()
				switch {
				case !ok:
					return
				case e.Kind == Barrier:
					got = append(got, -int(e.Epoch))
				default:
					got = append(got, e.Batch.Rows)
				}
			}
		}
		drain()
		b.queue.Push(data(3))
		drain()
		b.queue.Push(barrier(5))
		drain()
		b.queue.Push(barrier(6))
		drain()
		want := []int{3, -5, 1, -6, 2}
		if loose {
			want = []int{1, 2, 3, -5, -6}
		}
		if len(got) != len(want) {
			t.Fatalf("loose %v: %v, want %v", loose, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("loose %v: %v, want %v", loose, got, want)
				break
			}
		}
	}
}
