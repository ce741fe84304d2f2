package relop_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// model is Flink's GroupAggFunction as it is written: one row at a time, each
// group a list of its values.
type model struct {
	groups map[string][]int64
	old    bool // send -U
}

func (m *model) row(k row.Kind, key string, x int64) (out []string) {
	vals, there := m.groups[key]
	before := m.result(key)
	if !there && !k.Adds() {
		return nil
	}
	if k.Adds() {
		vals = append(vals, x)
	} else {
		i := slices.Index(vals, x)
		vals = slices.Delete(slices.Clone(vals), i, i+1)
	}
	if len(vals) == 0 {
		delete(m.groups, key)
		return []string{"-D | " + before}
	}
	m.groups[key] = vals
	now := m.result(key)
	switch {
	case !there:
		return []string{"+I | " + now}
	case before == now:
		return nil
	case m.old:
		out = append(out, "-U | "+before)
	}
	return append(out, "+U | "+now)
}

// result: key, COUNT(DISTINCT x), MIN(x), MAX(x) FILTER (x > 2).
func (m *model) result(key string) string {
	distinct, low, high := map[int64]bool{}, "NULL", "NULL"
	vals := slices.Sorted(slices.Values(m.groups[key]))
	for i, v := range vals {
		distinct[v] = true
		if i == 0 {
			low = fmt.Sprint(v)
		}
		if v > 2 {
			high = fmt.Sprint(v)
		}
	}
	if key != "NULL" {
		key = "'" + key + "'"
	}
	return fmt.Sprintf("%s | %d | %s | %s", key, len(distinct), low, high)
}

func TestGroupAgainstModel(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{
		{Name: "k", Type: types.String()}, {Name: "x", Type: types.Of(types.BigInt)}, {Name: "f", Type: types.Of(types.Boolean)},
	}}
	for seed := uint64(0); seed < 24; seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		m := &model{groups: map[string][]int64{}, old: seed%3 != 0}
		spec := groupSpec(t, in, "key=k", "call=COUNT(DISTINCT,x)", "call=MIN(x)", "call=MAX(x)filter=f")
		spec.UpdateBefore = m.old
		o := open(t, spec, 1+r.IntN(20), seed%2 == 0)
		build := row.NewBuilder(in)
		var want, got []string
		take := op.EmitFunc(func(b *row.Batch) error {
			for i := 0; i < b.Rows; i++ {
				got = append(got, rowtext.Row(b, i))
			}
			return nil
		})
		keys, rows := 1+r.IntN(12), 1+r.IntN(40)
		for i := 0; i < 1500; i++ {
			key, kind, x := string(rune('a'+r.IntN(keys))), row.Insert, r.Int64N(6)
			if key == "a" {
				key = "NULL"
			}
			// More is taken away than added at times, so that groups come and go.
			if vals := m.groups[key]; r.IntN(100) < 45+i%20 {
				kind = row.Delete
				if len(vals) > 0 {
					x = vals[r.IntN(len(vals))]
				}
			}
			want = append(want, m.row(kind, key, x)...)
			line, err := rowtext.Parse(in, fmt.Sprintf("%s | %s | %d | %t", kind, quoted(key), x, x > 2))
			if err != nil {
				t.Fatal(err)
			}
			for c, v := range line.Cols {
				build.Cols[c].AppendRange(v, 0, 1)
			}
			build.Added(1, kind)
			if build.Len() == rows {
				feed(t, o, build.Flush(), take)
			}
		}
		if last := build.Flush(); last != nil {
			feed(t, o, last, take)
		}
		if !slices.Equal(got, want) {
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Fatalf("seed %d: output row %d is %q, want %q", seed, i, at(got, i), want[i])
				}
			}
			t.Fatalf("seed %d: %d rows, want %d", seed, len(got), len(want))
		}
	}
}

func quoted(s string) string {
	if s == "NULL" {
		return s
	}
	return "'" + s + "'"
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "missing"
}
