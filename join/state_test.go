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
	local []byte          // of the last checkpoint
	open  *state.Snapshot // a checkpoint that is not stored yet
	was   string          // the content that it must have
}

func newResuming(t *testing.T, build func() op.Operator) *resuming {
	r := &resuming{t: t, build: build, store: state.NewMemory(), o: build(), mark: types.MinTime}
	op.StatefulOf(r.o).Track()
	return r
}

var scope = state.Scope{UID: "join", EndGroup: 128}

// snapshot begins a checkpoint; commit stores it, perhaps when the operator has
// gone on.
func (r *resuming) snapshot() {
	r.open = &state.Snapshot{}
	op.StatefulOf(r.o).Snapshot(r.open)
	r.was = contentOf(r.o)
}

func (r *resuming) commit() {
	for r.open.Copy(3) {
	}
	r.epoch++
	if err := r.store.Commit(r.epoch, []state.Delta{r.open.Changes.Delta(scope, r.epoch)}, nil); err != nil {
		r.t.Fatal(err)
	}
	r.local, r.open = r.open.Local, nil
	if now := contentOf(r.restored()); now != r.was {
		r.t.Fatalf("restored\n%s\nwas\n%s", now, r.was)
	}
}

// restored is a new operator with the state of the last checkpoint.
func (r *resuming) restored() op.Operator {
	o := r.build()
	s := op.StatefulOf(o)
	s.Track()
	if err := s.Restore(state.NewRestored(r.store.Open(scope), [][]byte{r.local})); err != nil {
		r.t.Fatal(err)
	}
	return o
}

// feed gives the operator a batch; then it may be stopped. Event time comes
// again first, which must not bring rows.
func (r *resuming) feed(chance uint64, in int, b *row.Batch, out op.Emitter) {
	feed(r.t, r.o, in, b, out)
	if n := len(b.Marks); n > 0 {
		r.mark = b.Marks[n-1].Time
	}
	switch {
	case r.open != nil:
		r.commit()
	case chance%8 == 0:
		r.snapshot()
	case chance%8 == 1:
		r.snapshot()
		r.commit()
		r.o = r.restored()
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
}

// A key that the output begins to read is stored from then on: old rows lack it.
func TestFingerprintTellsWhatIsStored(t *testing.T) {
	interval, win := twinSpec(t, Inner, -5, 5, 0, true, false, false), windowSpec(t, Inner, true, false, false)
	regular := regularSpec(t, &regularModel{kind: Inner, keyed: true, unique: [2]bool{true, true}})
	prints := func() [3]string { return [3]string{interval.Fingerprint(), win.Fingerprint(), regular.Fingerprint()} }
	all := prints()
	interval.Cols, win.Cols, regular.Cols = interval.Cols[1:], win.Cols[1:], regular.Cols[1:]
	for i, less := range prints() {
		if less == all[i] {
			t.Errorf("the same fingerprint with one column less: %s", less)
		}
	}
}
