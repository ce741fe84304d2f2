package builtin_test

import (
	"strings"
	"testing"

	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

// TestSet runs several calls over shared slots: a FILTER that is FALSE or NULL
// keeps a row away from its call only, DISTINCT wraps its call only. Adding at
// once, step by step and after Save and Load give the same.
func TestSet(t *testing.T) {
	schema, err := rowtext.ParseSchema("x INT, keep BOOLEAN")
	if err != nil {
		t.Fatal(err)
	}
	b, err := rowtext.Parse(schema, "+I | 5 | TRUE\n+I | 5 | FALSE\n+I | 7 | NULL\n+I | 5 | TRUE\n+I | NULL | TRUE")
	if err != nil {
		t.Fatal(err)
	}
	calls := []agg.Call{
		setCall(t, "SUM", -1, agg.Options{}),
		setCall(t, "SUM", 1, agg.Options{}),
		setCall(t, "COUNT", 1, agg.Options{Star: true}),
		setCall(t, "ARRAY_AGG", 1, agg.Options{Distinct: true}),
	}
	want := []string{
		"5 5 1 [5]",
		"10 5 1 [5]",
		"17 5 1 [5]",
		"22 10 2 [5]",
		"22 10 3 [5, NULL]",
	}
	newSet := func() *agg.Set {
		s, err := agg.NewSet(schema, calls, agg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Grow(2)
		return s
	}

	s := newSet()
	if err := s.Add(b, nil, []int32{1, 1, 1, 1, 1}, nil); err != nil {
		t.Fatal(err)
	}
	check := func(how string, s *agg.Set, slot int32) {
		out := setColumns(calls)
		s.Results([]int32{slot}, out)
		if got := setText(out, 0); got != want[4] {
			t.Errorf("%s: %s, want %s", how, got, want[4])
		}
	}
	check("Add", s, 1)
	saved := s.Save(nil, 1)
	if err := s.Merge([]int32{0}, []int32{1}); err != nil {
		t.Fatal(err)
	}
	check("Merge", s, 0)
	loaded := newSet()
	if err := loaded.Load(0, saved); err != nil {
		t.Fatal(err)
	}
	check("Load", loaded, 0)
	if err := newSet().Load(0, saved[:3]); err == nil {
		t.Error("Load of a part is no error")
	}

	s.Reset([]int32{1})
	out := setColumns(calls)
	if err := s.AddEach(b, []int32{0, 1, 2, 3, 4}, []int32{1, 1, 1, 1, 1}, nil, out); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got := setText(out, i); got != want[i] {
			t.Errorf("AddEach, row %d: %s, want %s", i, got, want[i])
		}
	}
}

func setCall(t *testing.T, fn string, filter int, opts agg.Options) agg.Call {
	c := agg.Call{Fn: agg.NewRegistry(builtin.All()...).Lookup(fn), Args: []int{0}, Filter: filter, Opts: opts}
	args := []types.Type{types.Of(types.Int)}
	if opts.Star {
		c.Args, args = nil, nil
	}
	var err error
	if c.Type, err = c.Fn.Returns(args, opts); err != nil {
		t.Fatal(err)
	}
	return c
}

func setColumns(calls []agg.Call) []*row.Vec {
	out := make([]*row.Vec, len(calls))
	for i, c := range calls {
		out[i] = row.NewVec(c.Type, 0)
	}
	return out
}

func setText(cols []*row.Vec, i int) string {
	parts := make([]string, len(cols))
	for c, v := range cols {
		parts[c] = rowtext.Value(v, i)
	}
	return strings.Join(parts, " ")
}
