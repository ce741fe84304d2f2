package join

import (
	"testing"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// resuming runs an operator that is stopped now and then: it is built anew from
// what its checkpoints hold.
type resuming struct {
	t     *testing.T
	build func() op.Operator
	store state.Backend
	epoch types.Epoch
	o     op.Operator
	mark  types.Time
}

func newResuming(t *testing.T, build func() op.Operator) *resuming {
	r := &resuming{t: t, build: build, store: state.NewMemory(), o: build(), mark: types.MinTime}
	op.StatefulOf(r.o).Track()
	return r
}

var scope = state.Scope{UID: "join", EndGroup: 128}

// checkpoint stores what changed; crash forgets the operator.
func (r *resuming) checkpoint() {
	r.epoch++
	var s state.Snapshot
	op.StatefulOf(r.o).Snapshot(&s)
	if err := r.store.Commit(r.epoch, []state.Delta{s.Changes.Delta(scope, r.epoch)}, nil); err != nil {
		r.t.Fatal(err)
	}
}

func (r *resuming) crash() {
	old := r.o
	r.o = r.build()
	s := op.StatefulOf(r.o)
	s.Track()
	if err := s.Restore(state.NewRestored(r.store.Open(scope), nil)); err != nil {
		r.t.Fatal(err)
	}
	sameContent(r.t, old, r.o)
}

// feed gives the operator a batch; then it may be stopped. Event time comes
// again first, which must not bring rows.
func (r *resuming) feed(chance uint64, in int, b *row.Batch, out op.Emitter) {
	feed(r.t, r.o, in, b, out)
	if n := len(b.Marks); n > 0 {
		r.mark = b.Marks[n-1].Time
	}
	if chance%8 > 1 {
		return
	}
	r.checkpoint()
	if chance%8 == 1 {
		return
	}
	r.crash()
	if r.mark == types.MinTime {
		return
	}
	feed(r.t, r.o, in, row.Watermark(b.Schema, r.mark), op.EmitFunc(func(b *row.Batch) error {
		if b.Rows > 0 {
			r.t.Fatal("rows come out of event time that has been seen")
		}
		return nil
	}))
}
