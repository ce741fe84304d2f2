package window

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsql/expr/agg"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// TestCountAgainstTwin compares windows by count with the rows of each key in a
// list, of which the last ones are taken.
func TestCountAgainstTwin(t *testing.T) {
	out := &types.Schema{Columns: []types.Column{
		{Name: "k", Type: types.String()}, {Name: "ids", Type: types.String()},
		{Name: "window_start", Type: types.Of(types.BigInt)}, {Name: "window_end", Type: types.Of(types.BigInt)},
	}}
	for seed := uint64(1); seed <= 60; seed++ {
		r := rand.New(rand.NewPCG(seed, 13))
		spec := &CountSpec{
			In: twinIn, Size: 1 + r.Int64N(7), Slide: 1 + r.Int64N(9), Keys: []int{0},
			Calls: []agg.Call{idsCall(1, -1)}, Props: []Prop{WindowStart, WindowEnd}, Out: out,
		}
		if r.IntN(3) == 0 {
			spec.Slide = spec.Size
		}
		events := randomEvents(r, 0, 1000, false)
		var want []string
		rows := map[string][]int64{}
		for _, e := range events {
			if e.mark {
				want = append(want, e.String())
				continue
			}
			rows[e.key] = append(rows[e.key], e.id)
			if n := int64(len(rows[e.key])); n%spec.Slide == 0 {
				from := max(0, n-spec.Size)
				want = append(want, fmt.Sprintf("%s | %s | %d | %d", e.key, idsText(rows[e.key][from:], nil), from, n))
			}
		}
		for _, n := range []int{1, 2, 7, 1024} {
			limit := []int{1024, 1, 2, 5}[r.IntN(4)]
			o, err := spec.Build(testContext(limit, r.IntN(2) == 0))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			take := op.EmitFunc(func(b *row.Batch) error {
				if b.Rows > limit {
					t.Fatalf("%d rows in a batch of at most %d", b.Rows, limit)
				}
				marks := b.Marks
				for i := 0; i <= b.Rows; i++ {
					for len(marks) > 0 && int(marks[0].Row) == i {
						got = append(got, event{mark: true, at: int64(marks[0].Time)}.String())
						marks = marks[1:]
					}
					if i < b.Rows {
						key := b.Cols[0].Str[i]
						if b.Cols[0].IsNull(i) {
							key = ""
						}
						got = append(got, fmt.Sprintf("%s | %s | %d | %d", key, b.Cols[1].Str[i], b.Cols[2].I64[i], b.Cols[3].I64[i]))
					}
				}
				return nil
			})
			for _, b := range batches(events, n) {
				for more := true; more; {
					if more, err = o.OnBatch(0, b, take); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got, want := lastMarks(got), lastMarks(want); !slices.Equal(got, want) {
				t.Fatalf("seed %d: size %d, slide %d, batches of %d rows\ngot  %v\nwant %v", seed, spec.Size, spec.Slide, n, got, want)
			}
			c := o.(*counted)
			if most := int32(c.table.Len()*c.ring + n*2 + 4); c.slots > most {
				t.Fatalf("seed %d: %d slots in use, at most %d are needed", seed, c.slots, most)
			}
		}
	}
}

func TestCountRefuses(t *testing.T) {
	s := &CountSpec{In: twinIn, Out: twinIn, Size: 0, Slide: 1}
	if _, err := s.Build(testContext(1, false)); err == nil {
		t.Error("a size of 0 is taken")
	}
	if _, err := s.Emits([]row.Kinds{row.AllKinds}); err == nil {
		t.Error("a change stream is taken")
	}
}
