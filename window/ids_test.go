package window

import (
	"slices"
	"strconv"
	"strings"

	"fsql/expr/agg"
	"fsql/row"
	"fsql/types"
)

// ids is an aggregate function for tests: it lists the BIGINT values of a group
// in the order in which they came, so that a result shows exactly which rows
// are in it. A value that is taken back is removed, or listed with a minus.
var ids = &agg.Func{
	Name: "IDS",
	New: func([]types.Type, types.Type, agg.Options) (agg.Accumulator, error) {
		return &idsAcc{}, nil
	},
}

type idsAcc struct {
	plus, minus [][]int64
}

func (a *idsAcc) Grow(n int) {
	for len(a.plus) < n {
		a.plus, a.minus = append(a.plus, nil), append(a.minus, nil)
	}
}

func (a *idsAcc) Reset(slots []int32) {
	for _, s := range slots {
		a.plus[s], a.minus[s] = nil, nil
	}
}

func (a *idsAcc) Add(args []*row.Vec, sel []int32, slots []int32, signs []int8) error {
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		a.fold(s, args[0].I64[r], signs != nil && signs[i] < 0)
	}
	return nil
}

func (a *idsAcc) fold(s int32, id int64, back bool) {
	from, to := a.minus, a.plus
	if back {
		from, to = a.plus, a.minus
	}
	if i := slices.Index(from[s], id); i >= 0 {
		from[s] = slices.Delete(slices.Clone(from[s]), i, i+1)
		return
	}
	to[s] = append(to[s], id)
}

func (a *idsAcc) Merge(dst, src []int32) error {
	for i, d := range dst {
		for _, id := range a.plus[src[i]] {
			a.fold(d, id, false)
		}
		for _, id := range a.minus[src[i]] {
			a.fold(d, id, true)
		}
	}
	return nil
}

func (a *idsAcc) Result(slots []int32, out *row.Vec) {
	for _, s := range slots {
		out.Str = append(out.Str, idsText(a.plus[s], a.minus[s]))
		out.Len++
	}
}

func idsText(plus, minus []int64) string {
	var parts []string
	for _, id := range plus {
		parts = append(parts, strconv.FormatInt(id, 10))
	}
	for _, id := range minus {
		parts = append(parts, strconv.FormatInt(-id, 10))
	}
	return strings.Join(parts, " ")
}

func (a *idsAcc) Bytes() int64                    { return int64(len(a.plus)) * 48 }
func (a *idsAcc) Save(dst []byte, _ int32) []byte { return dst }
func (a *idsAcc) Load(int32, []byte) error        { return nil }

// idsCall is IDS over a column.
func idsCall(col, filter int) agg.Call {
	return agg.Call{Fn: ids, Args: []int{col}, Filter: filter, Type: types.String(), Name: "IDS(" + strconv.Itoa(col) + ")"}
}
