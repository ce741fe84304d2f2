package builtin_test

import (
	"strings"
	"testing"

	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/row"
	"fsql/types"
)

// A second row fails, in one batch or in two, and where groups are merged.
func TestSingleValueSecondRow(t *testing.T) {
	make2 := func() agg.Accumulator {
		ts := []types.Type{types.Of(types.Int)}
		acc, err := agg.NewRegistry(builtin.All()...).Lookup("SINGLE_VALUE").New(ts, ts[0], agg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		acc.Grow(2)
		return acc
	}
	rows := row.AllNull(types.Of(types.Int), 2)
	for name, run := range map[string]func(agg.Accumulator) error{
		"one batch":  func(a agg.Accumulator) error { return a.Add([]*row.Vec{rows}, nil, []int32{1, 1}, nil) },
		"two slots":  func(a agg.Accumulator) error { return a.Add([]*row.Vec{rows}, nil, []int32{0, 1}, nil) },
		"taken back": func(a agg.Accumulator) error { return a.Add([]*row.Vec{rows}, nil, []int32{0, 0}, []int8{1, -1}) },
		"merged": func(a agg.Accumulator) error {
			if err := a.Add([]*row.Vec{rows}, nil, []int32{0, 1}, nil); err != nil {
				return err
			}
			return a.Merge([]int32{0}, []int32{1})
		},
	} {
		err := run(make2())
		fails := name == "one batch" || name == "merged"
		if fails != (err != nil && strings.Contains(err.Error(), "more than one row")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
