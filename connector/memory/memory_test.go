package memory_test

import (
	"context"
	"slices"
	"testing"

	"fsql/connector"
	"fsql/connector/memory"
	"fsql/row"
	"fsql/types"
)

func numbers(s *types.Schema, kinds []row.Kind, values ...int32) *row.Batch {
	v := row.NewVec(s.Columns[0].Type, len(values))
	copy(v.I32, values)
	return row.New(s, len(values), []*row.Vec{v}, kinds)
}

// TestResume polls, goes on from the positions told with a new reader, and gets
// every row once.
func TestResume(t *testing.T) {
	s := &types.Schema{Columns: []types.Column{{Name: "a", Type: types.Of(types.Int)}}}
	src := memory.New(row.AllKinds, numbers(s, nil, 1, 2, 3), numbers(s, []row.Kind{row.UpdateBefore, row.UpdateAfter}, 4, 5), numbers(s, nil), numbers(s, nil, 6))
	if !src.Bounded() || src.Kinds() != row.AllKinds {
		t.Error("bounded or kinds")
	}
	for _, most := range []int{1, 2, 7} {
		splits, _ := src.Splits(context.Background())
		var got []int32
		var kinds []row.Kind
		for {
			r, err := src.Open(context.Background(), splits)
			if err != nil {
				t.Fatal(err)
			}
			out := row.NewBuilder(s)
			status, err := r.Poll(out, most)
			if err != nil {
				t.Fatal(err)
			}
			if b := out.Flush(); b != nil {
				got = append(got, b.Cols[0].I32...)
				for i := 0; i < b.Rows; i++ {
					kinds = append(kinds, b.Kind(i))
				}
			}
			if status == connector.Ended {
				break
			}
			splits = r.Positions()
		}
		if want := []int32{1, 2, 3, 4, 5, 6}; !slices.Equal(got, want) {
			t.Errorf("%d at a time: %v", most, got)
		}
		if want := []row.Kind{0, 0, 0, row.UpdateBefore, row.UpdateAfter, 0}; !slices.Equal(kinds, want) {
			t.Errorf("%d at a time: kinds %v", most, kinds)
		}
	}
}
