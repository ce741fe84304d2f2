package match

import (
	"strings"

	"fsql/row"
	"fsql/types"
)

// rows are the rows that wait or that a run holds, column by column; a row has
// an id, which is used again when the row is dropped. Only columns that are read
// are kept.
type rows struct {
	cols  []*row.Vec // nil: not read; nested values as the text of their encoding
	nest  []bool
	keys  []row.Keys // encoders of nested columns
	at    []int64    // time
	order []string   // encoded values of further keys of the order; nil: there are none
	seq   []int64    // arrival
	slot  []int32    // partition
	last  int64
	free  []int32
	live  int
	width int64     // bytes of a row without its texts
	text  int64     // bytes of all texts
	save  *rowsSave // for checkpoints, else nil
}

func newRows(s *types.Schema, used []bool, ordered bool) *rows {
	r := &rows{cols: make([]*row.Vec, len(s.Columns)), nest: make([]bool, len(s.Columns)), keys: make([]row.Keys, len(s.Columns))}
	for c, col := range s.Columns {
		if !used[c] {
			continue
		}
		t := col.Type
		if r.nest[c] = nested(t); r.nest[c] {
			t = types.String()
		}
		r.cols[c] = row.NewVec(t, 0)
		r.width += row.NewVec(t, 64).Bytes() / 64
	}
	r.width += 24 // time, arrival, partition, place in the list of free ids
	if ordered {
		r.order = []string{}
		r.width += 16
	}
	return r
}

func nested(t types.Type) bool {
	return t.Layout() == types.LayoutList || t.Layout() == types.LayoutRow
}

// add keeps the rows sel of a batch, row sel[i] of partition slots[i], and appends
// their ids to ids.
func (r *rows) add(b *row.Batch, sel, slots []int32, times []int64, order *row.Order, ids []int32) []int32 {
	ids = r.place(len(sel), ids)
	for i, id := range ids[len(ids)-len(sel):] {
		r.last++
		r.at[id], r.seq[id], r.slot[id] = times[sel[i]], r.last, slots[i]
		if r.order != nil {
			r.order[id] = string(order.At(int(sel[i])))
		}
	}
	r.fill(b, sel, ids[len(ids)-len(sel):])
	if r.save != nil {
		r.save.added(r, ids[len(ids)-len(sel):])
	}
	return ids
}

// place appends the ids of n places.
func (r *rows) place(n int, ids []int32) []int32 {
	r.live += n
	for range n {
		if n := len(r.free); n > 0 {
			ids = append(ids, r.free[n-1])
			r.free = r.free[:n-1]
			continue
		}
		ids = append(ids, int32(len(r.at)))
		r.at, r.seq, r.slot = append(r.at, 0), append(r.seq, 0), append(r.slot, 0)
		if r.order != nil {
			r.order = append(r.order, "")
		}
	}
	return ids
}

func (r *rows) fill(b *row.Batch, sel, ids []int32) {
	for c, v := range r.cols {
		if v == nil {
			continue
		}
		v.Extend(len(r.at) - v.Len)
		r.set(c, v, b.Cols[c], sel, ids)
	}
}

// set sets the values of one column.
func (r *rows) set(c int, to, from *row.Vec, sel, ids []int32) {
	switch from.Type.Layout() {
	case types.LayoutBool:
		scatter(to.Bool, from.Bool, sel, ids)
	case types.LayoutI32:
		scatter(to.I32, from.I32, sel, ids)
	case types.LayoutI64:
		scatter(to.I64, from.I64, sel, ids)
	case types.LayoutF32:
		scatter(to.F32, from.F32, sel, ids)
	case types.LayoutF64:
		scatter(to.F64, from.F64, sel, ids)
	case types.LayoutDec:
		scatter(to.Dec, from.Dec, sel, ids)
	case types.LayoutNano:
		scatter(to.I64, from.I64, sel, ids)
		scatter(to.Nano, from.Nano, sel, ids)
	case types.LayoutStr:
		// A copy: the text of a whole batch must not live as long as one row.
		for i, id := range ids {
			to.Str[id] = strings.Clone(from.Str[sel[i]])
			r.text += int64(len(to.Str[id]))
		}
	default:
		k := &r.keys[c]
		k.Encode([]*row.Vec{from}, from.Len, sel)
		for i, id := range ids {
			to.Str[id] = string(k.At(i))
			r.text += int64(len(to.Str[id]))
		}
		return // NULL is part of the encoding
	}
	if from.Valid == nil && to.Valid == nil {
		return
	}
	for i, id := range ids {
		if from.IsNull(int(sel[i])) {
			to.SetNull(int(id))
		} else if to.Valid != nil {
			to.Valid.Set(int(id))
		}
	}
}

func scatter[T any](to, from []T, sel, ids []int32) {
	for i, id := range ids {
		to[id] = from[sel[i]]
	}
}

// get appends the values of column c of the rows ids to dst, NULL for none.
func (r *rows) get(c int, ids []int32, dst *row.Vec) {
	v := r.cols[c]
	if !r.nest[c] {
		for from := 0; from < len(ids); {
			to := from
			for to < len(ids) && ids[to] >= 0 {
				to++
			}
			if to > from {
				dst.AppendGather(v, ids[from:to])
			}
			from = to
			for from < len(ids) && ids[from] < 0 {
				dst.AppendNull(1)
				from++
			}
		}
		return
	}
	for _, id := range ids {
		if id < 0 {
			dst.AppendNull(1)
			continue
		}
		row.DecodeKey([]byte(v.Str[id]), []*row.Vec{dst})
	}
}

// drop lets rows go.
func (r *rows) drop(ids []int32) {
	if r.save != nil {
		r.save.dropped(r, ids)
	}
	for _, id := range ids {
		r.seq[id] = 0
		r.free = append(r.free, id)
		for _, v := range r.cols {
			if v != nil && v.Str != nil {
				r.text -= int64(len(v.Str[id]))
				v.Str[id] = ""
			}
		}
		if r.order != nil {
			r.order[id] = ""
		}
	}
	if r.live -= len(ids); r.live == 0 && len(r.at) > keepRows {
		for c, v := range r.cols {
			if v != nil {
				r.cols[c] = row.NewVec(v.Type, 0)
			}
		}
		r.at, r.seq, r.slot, r.free = nil, nil, nil, nil
		if r.order != nil {
			r.order = []string{}
		}
	}
}

// keepRows is room that stays when no row is left.
const keepRows = 1 << 12

// compare puts waiting rows in order.
func (r *rows) compare(a, b int32) int {
	switch {
	case r.at[a] != r.at[b]:
		return less(r.at[a] < r.at[b])
	case r.order != nil && r.order[a] != r.order[b]:
		return less(r.order[a] < r.order[b])
	case r.seq[a] != r.seq[b]:
		return less(r.seq[a] < r.seq[b])
	}
	return 0
}

func less(is bool) int {
	if is {
		return -1
	}
	return 1
}

func (r *rows) bytes() int64 { return int64(cap(r.at))*r.width + r.text }
