package relop_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/internal/golden"
	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

func TestGroupAggregate(t *testing.T) {
	golden.RunOperator(t, "testdata/group.txt", func(c *golden.Case) op.Spec {
		s := groupSpec(t, c.Inputs[0], c.Args[1:]...)
		s.UpdateBefore = !c.Has("no-before")
		if ttl := c.Arg("ttl"); ttl != "" {
			ms, err := strconv.Atoi(ttl)
			if err != nil {
				t.Fatal(err)
			}
			s.TTL = types.Time(ms)
		}
		return s
	})
}

// groupSpec makes a spec of words: key=COLUMN, call=NAME(COLUMN),
// call=NAME(DISTINCT,COLUMN)filter=COLUMN.
func groupSpec(t testing.TB, in *types.Schema, words ...string) *relop.GroupAggSpec {
	t.Helper()
	s := &relop.GroupAggSpec{In: in, Out: &types.Schema{}, UpdateBefore: true, InKinds: row.AllKinds}
	for _, w := range words {
		if name, ok := strings.CutPrefix(w, "key="); ok {
			k := in.Index(name)
			s.Keys, s.Out.Columns = append(s.Keys, k), append(s.Out.Columns, in.Columns[k])
		}
	}
	for _, w := range words {
		if text, ok := strings.CutPrefix(w, "call="); ok {
			c := parseCall(t, in, text)
			s.Calls = append(s.Calls, c)
			s.Out.Columns = append(s.Out.Columns, types.Column{Name: "EXPR$" + strconv.Itoa(len(s.Calls)-1), Type: c.Type})
		}
	}
	return s
}

func parseCall(t testing.TB, in *types.Schema, text string) agg.Call {
	t.Helper()
	c := agg.Call{Filter: -1, Name: text}
	text, filter, ok := strings.Cut(text, "filter=")
	if ok {
		c.Filter = in.Index(filter)
	}
	name, rest, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	if rest, c.Opts.Distinct = strings.CutPrefix(rest, "DISTINCT,"); rest == "*" {
		c.Opts.Star = true
	} else {
		c.Args = []int{in.Index(rest)}
	}
	c.Fn = agg.NewRegistry(builtin.All()...).Lookup(name)
	args := make([]types.Type, len(c.Args))
	for i, a := range c.Args {
		args[i] = in.Columns[a].Type
	}
	var err error
	if c.Type, err = c.Fn.Returns(args, c.Opts); err != nil {
		t.Fatal(err)
	}
	return c
}

// Groups that ended, were asked for in vain, or expired leave no memory behind.
func TestGroupForgets(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{{Name: "k", Type: types.Of(types.BigInt)}}}
	for _, ttl := range []types.Time{0, 1000} {
		spec := groupSpec(t, in, "key=k", "call=COUNT(*)")
		spec.TTL = ttl
		now := types.Time(0)
		ctx := testContext(4096, false)
		ctx.Now = func() types.Time { return now }
		o, err := spec.Build(ctx)
		if err != nil {
			t.Fatal(err)
		}
		first := int64(0)
		for i := int64(0); i < 200; i++ {
			b := row.NewBuilder(in)
			keys := b.Cols[0]
			for k := i * 1000; k < i*1000+1000; k++ {
				keys.I64 = append(keys.I64, k, k, -1-k)
			}
			for range 1000 {
				b.Added(1, row.Insert)
				if ttl == 0 {
					b.Added(1, row.Delete)
				} else {
					b.Added(1, row.UpdateAfter)
				}
				b.Added(1, row.Delete)
			}
			keys.Len = b.Len()
			feed(t, o, b.Flush(), discard)
			now += 500
			if c, ok := o.(op.ClockHandler); ok && c.NextClock() <= now {
				if err := c.OnClock(now, discard); err != nil {
					t.Fatal(err)
				}
			}
			if i == 10 {
				first = o.(op.Sized).StateBytes()
			}
		}
		if last := o.(op.Sized).StateBytes(); last > first*3/2 {
			t.Errorf("ttl %d: state grew from %d to %d bytes", ttl, first, last)
		}
	}
}

// A time to live that ends after all time is no end at all.
func TestGroupTTLWithoutEnd(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{{Name: "k", Type: types.Of(types.BigInt)}}}
	spec := groupSpec(t, in, "key=k", "call=COUNT(*)")
	spec.TTL = types.MaxTime - 1
	now := types.Time(1_700_000_000_000)
	ctx := testContext(4096, false)
	ctx.Now = func() types.Time { return now }
	o, err := spec.Build(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for range 3 {
		b := row.NewBuilder(in)
		b.Cols[0].I64, b.Cols[0].Len = []int64{7}, 1
		b.Added(1, row.Insert)
		feed(t, o, b.Flush(), op.EmitFunc(func(out *row.Batch) error {
			got = append(got, out.Cols[1].I64[out.Rows-1])
			return nil
		}))
		now += 1000
	}
	if next := o.(op.ClockHandler).NextClock(); !slices.Equal(got, []int64{1, 2, 3}) || next != types.MaxTime {
		t.Errorf("counts %v, to be looked at %d", got, next)
	}
}
