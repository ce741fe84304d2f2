package relop_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// rec is a row of the streams that twins read: a partition, what it is ordered
// by, a time, and a number.
type rec struct {
	k  int64
	x  int64
	ts int64 // milliseconds
	id int64
}

func (r rec) String() string {
	return fmt.Sprintf("%d | %d | %s | %d", r.k, r.x, stampText(r.ts), r.id)
}

func stampText(ms int64) string {
	v := row.NewVec(types.TimestampOf(3), 1)
	v.I64[0] = ms * 1000
	s := &types.Schema{Columns: []types.Column{{Name: "ts", Type: types.TimestampOf(3)}}}
	return rowtext.Row(row.New(s, 1, []*row.Vec{v}, nil), 0)[len("+I | "):]
}

var recSchema = func() *types.Schema {
	ts := types.TimestampOf(3)
	ts.Attr = types.Rowtime
	return &types.Schema{Columns: []types.Column{
		{Name: "k", Type: types.Of(types.BigInt)}, {Name: "x", Type: types.Of(types.BigInt)},
		{Name: "ts", Type: ts}, {Name: "id", Type: types.Of(types.BigInt)},
	}}
}()

// recWith is recSchema with further columns of whole numbers.
func recWith(names ...string) *types.Schema {
	s := &types.Schema{Columns: slices.Clone(recSchema.Columns)}
	for _, n := range names {
		s.Columns = append(s.Columns, types.Column{Name: n, Type: types.Of(types.BigInt)})
	}
	return s
}

// happening is a row with its kind, a watermark, or a step of the clock.
type happening struct {
	rec
	kind  row.Kind
	mark  types.Time // if it is not 0
	clock types.Time // if it is not 0
}

// batchOf makes a batch of rows and the marks between them.
func batchOf(hs []happening) *row.Batch {
	b := row.NewBuilder(recSchema)
	for _, h := range hs {
		if h.mark != 0 {
			b.Mark(h.mark)
			continue
		}
		for i, v := range []int64{h.k, h.x, h.ts * 1000, h.id} {
			c := b.Cols[i]
			c.Extend(1)
			c.I64[c.Len-1] = v
		}
		b.Added(1, h.kind)
	}
	return b.Flush()
}

// player runs an operator over a stream and collects the rows it sends.
type player struct {
	t     *testing.T
	spec  op.Spec
	zero  bool
	rows  int
	now   types.Time
	o     op.Operator
	mark  types.Time
	lines []string
	in    row.Kinds

	store  state.Backend
	epoch  types.Epoch
	open   *state.Snapshot
	locals [][]byte
}

var playScope = state.Groups("twin", 0, 1)

func newPlayer(t *testing.T, spec op.Spec, rows int, zero bool, in row.Kinds) *player {
	p := &player{t: t, spec: spec, rows: rows, zero: zero, mark: types.MinTime, store: state.NewMemory(), in: in, now: 1}
	p.o = p.build()
	return p
}

func (p *player) build() op.Operator {
	ctx := testContext(p.rows, p.zero)
	ctx.Now = func() types.Time { return p.now }
	o, err := p.spec.Build(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	op.StatefulOf(o).Track()
	return op.Checked(o, p.spec, p.in)
}

func (p *player) take(b *row.Batch) error {
	if p.spec.MayPause() && b.Rows > max(p.rows, 1) {
		return fmt.Errorf("%d rows in a batch, at most %d", b.Rows, p.rows)
	}
	for i := range b.Rows {
		p.lines = append(p.lines, rowtext.Row(b, i))
	}
	return nil
}

func (p *player) feed(b *row.Batch) {
	if b != nil {
		feed(p.t, p.o, b, op.EmitFunc(p.take))
	}
}

// play feeds a stream in batches of up to size rows; with stops the operator is
// built anew from checkpoints now and then.
func (p *player) play(stream []happening, size int, stops *rand.Rand) []string {
	for len(stream) > 0 {
		n := 0
		for n < len(stream) && n < size && stream[n].clock == 0 {
			n++
		}
		if n > 0 {
			for _, h := range stream[:n] {
				if h.mark != 0 {
					p.mark = h.mark
				}
			}
			p.feed(batchOf(stream[:n]))
		} else {
			n = 1
			p.now = stream[0].clock
			if c, ok := p.o.(op.ClockHandler); ok && c.NextClock() <= p.now {
				if err := c.OnClock(p.now, op.EmitFunc(p.take)); err != nil {
					p.t.Fatal(err)
				}
			}
		}
		stream = stream[n:]
		if stops != nil {
			p.interrupt(stops)
		}
	}
	return p.lines
}

// interrupt takes a checkpoint, copies some of one, or stops and resumes.
func (p *player) interrupt(r *rand.Rand) {
	commit := func() {
		if p.open == nil {
			return
		}
		for p.open.Copy(2) {
		}
		p.epoch++
		if err := p.store.Commit(p.epoch, []state.Delta{p.open.Changes.Delta(playScope, p.epoch)}, nil); err != nil {
			p.t.Fatal(err)
		}
		p.locals, p.open = [][]byte{p.open.Local}, nil
	}
	snapshot := func() {
		commit()
		p.open = &state.Snapshot{}
		op.StatefulOf(p.o).Snapshot(p.open)
	}
	switch r.IntN(6) {
	case 0:
		snapshot()
	case 1:
		snapshot()
		commit()
		p.o = p.build()
		if err := op.StatefulOf(p.o).Restore(state.NewRestored(p.store.Open(playScope), p.locals)); err != nil {
			p.t.Fatal(err)
		}
		op.HasPast(p.o)
		if p.mark != types.MinTime {
			p.feed(row.Watermark(recSchema, p.mark))
		}
	default:
		if p.open != nil {
			p.open.Copy(1)
		}
	}
}

// twin compares an operator with what a model says that it sends, for several
// sizes of batches, with and without stops.
func twin(t *testing.T, name string, spec op.Spec, stream []happening, want []string, seed uint64, in row.Kinds) {
	t.Helper()
	for i, size := range []int{1024, 1, 2, 7} {
		for _, stops := range []bool{false, true} {
			out := []int{7, 1024, 1, 2}[(i+int(seed))%4]
			var r *rand.Rand
			if stops {
				r = rand.New(rand.NewPCG(seed, uint64(size)))
			}
			got := newPlayer(t, spec, out, (seed+uint64(i))%3 == 0, in).play(stream, size, r)
			if slices.Equal(got, want) {
				continue
			}
			for j := 0; j < max(len(got), len(want)); j++ {
				if at(got, j) != at(want, j) {
					t.Fatalf("%s, seed %d, batches of %d, stops %v: line %d is %q, want %q\nbefore: %q", name, seed, size, stops, j, at(got, j), at(want, j), got[max(0, j-6):j])
				}
			}
		}
	}
}
