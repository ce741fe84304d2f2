package relop_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// TestGroupResumes: an aggregation that is stopped now and then, and built anew
// from its checkpoints with the groups of some keys here and of the others
// there, sends what one sends that is not: with and without keys, with a time to
// live that runs out before, between and after.
func TestGroupResumes(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{{Name: "k", Type: types.String()}, {Name: "x", Type: types.Of(types.BigInt)}}}
	for seed := uint64(1); seed <= 30; seed++ {
		r := rand.New(rand.NewPCG(seed, 5))
		words := []string{"key=k", "call=COUNT(DISTINCT,x)", "call=MIN(x)", "call=SUM(x)"}
		if seed%5 == 0 {
			words = words[1:]
		}
		spec := groupSpec(t, in, words...)
		if seed%2 == 0 {
			spec.TTL = 50
		}
		now := types.Time(1000)
		ctx := testContext(1+r.IntN(20), seed%3 == 0)
		ctx.Now = func() types.Time { return now }
		build := func() op.Operator {
			o, err := spec.Build(ctx)
			if err != nil {
				t.Fatal(err)
			}
			op.StatefulOf(o).Track()
			return o
		}
		steady, stopped := build(), build()
		backend, copies := state.NewMemory(), []*state.Snapshot(nil)
		epoch := types.Epoch(0)
		scope := state.Groups("agg", 0, 1)
		store := func() {
			for _, s := range copies {
				for s.Copy(3) {
				}
				epoch++
				if err := backend.Commit(epoch, []state.Delta{s.Changes.Delta(scope, epoch)}, nil); err != nil {
					t.Fatal(err)
				}
			}
			copies = nil
		}
		for range 120 {
			b := row.NewBuilder(in)
			for range 1 + r.IntN(10) {
				b.Cols[0].Extend(1)
				b.Cols[1].Extend(1)
				n := b.Cols[0].Len - 1
				b.Cols[0].Str[n], b.Cols[1].I64[n] = string(rune('a'+r.IntN(9))), r.Int64N(4)
				kind := row.Insert
				if r.IntN(3) == 0 {
					kind = row.Delete
				}
				b.Added(1, kind)
			}
			batch := b.Flush()
			if want, got := sent(t, steady, batch), sent(t, stopped, batch); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %q, want %q", seed, got, want)
			}
			now += types.Time(r.IntN(12))
			for _, o := range []op.Operator{steady, stopped} {
				if c, ok := o.(op.ClockHandler); ok && c.NextClock() <= now {
					if err := c.OnClock(now, discard); err != nil {
						t.Fatal(err)
					}
				}
			}
			switch r.IntN(8) {
			case 0, 1: // a barrier, copied later
				store()
				s := &state.Snapshot{}
				op.StatefulOf(stopped).Snapshot(s)
				copies = append(copies, s)
			case 2: // a barrier and a stop right after it
				store()
				s := &state.Snapshot{}
				op.StatefulOf(stopped).Snapshot(s)
				copies = append(copies, s)
				store()
				stopped = build()
				if err := op.StatefulOf(stopped).Restore(state.NewRestored(backend.Open(scope), nil)); err != nil {
					t.Fatal(err)
				}
			default:
				for _, s := range copies {
					s.Copy(1)
				}
			}
		}
	}
}

// sent is what an operator sends for a batch, as text.
func sent(t *testing.T, o op.Operator, b *row.Batch) (out []string) {
	t.Helper()
	feed(t, o, b, op.EmitFunc(func(b *row.Batch) error {
		for i := range b.Rows {
			out = append(out, rowtext.Row(b, i))
		}
		return nil
	}))
	return out
}
