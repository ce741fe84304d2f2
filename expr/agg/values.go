package agg

import (
	"encoding/binary"
	"unsafe"

	"fsql/row"
	"fsql/state"
)

// Values are the different values of each of many groups, equal by Flink's
// grouping rule, NULL among them, each with a count: what DISTINCT, COLLECT and
// retractable functions remember. A value has a number (id) while it is there; a
// group's values are chained in the order they came.
type Values struct {
	table  *state.Table // keyed by (group slot, value)
	keys   row.Keys
	prefix []int64
	ids    []int32
	fresh  []int32
	vals   []valueOf // by id
	groups []chain   // by slot
}

type valueOf struct {
	count      int64
	next, prev int32
	group      int32
}

type chain struct{ head, tail int32 }

const none = -1

// NewValues returns an empty set. zero: tests, every hash is 0.
func NewValues(zero bool) *Values {
	return &Values{table: state.NewTable(), keys: row.Keys{Zero: zero}}
}

// Grow makes room for the slots [0, n).
func (v *Values) Grow(n int) {
	for len(v.groups) < n {
		v.groups = append(v.groups, chain{none, none})
	}
}

// FindOrAdd returns the ids of the values in columns cols at rows sel (nil: the
// first rows) of the groups slots. New values have count 0. The result lives
// until the next call.
func (v *Values) FindOrAdd(cols []*row.Vec, sel, slots []int32) []int32 {
	v.prefix = v.prefix[:0]
	for _, s := range slots {
		v.prefix = append(v.prefix, int64(s))
	}
	v.keys.EncodeWith(v.prefix, cols, len(slots), sel)
	return v.find(len(slots))
}

// find gives the n values of keys their ids.
func (v *Values) find(n int) []int32 {
	if cap(v.ids) < n {
		v.ids = make([]int32, n)
	}
	v.ids = v.ids[:n]
	v.fresh = v.table.FindOrAdd(&v.keys, v.ids, v.fresh[:0])
	for len(v.vals) < v.table.Cap() {
		v.vals = append(v.vals, valueOf{})
	}
	for _, id := range v.fresh {
		group := int32(row.Prefix(v.table.Key(id)))
		g := &v.groups[group]
		v.vals[id] = valueOf{next: none, prev: g.tail, group: group}
		if g.tail == none {
			g.head = id
		} else {
			v.vals[g.tail].next = id
		}
		g.tail = id
	}
	return v.ids
}

// Count is the count of a value, for the caller to change.
func (v *Values) Count(id int32) *int64 { return &v.vals[id].count }

// First is the id of a group's first value, -1 if it has none; Next the one
// after id.
func (v *Values) First(slot int32) int32 { return v.groups[slot].head }

// Next is the id of the value that came after id, -1 at the end.
func (v *Values) Next(id int32) int32 { return v.vals[id].next }

// Remove forgets values.
func (v *Values) Remove(ids []int32) {
	for _, id := range ids {
		x := v.vals[id]
		g := &v.groups[x.group]
		if x.prev == none {
			g.head = x.next
		} else {
			v.vals[x.prev].next = x.next
		}
		if x.next == none {
			g.tail = x.prev
		} else {
			v.vals[x.next].prev = x.prev
		}
	}
	v.table.Remove(ids)
}

// Sweep forgets those of ids whose count is 0; an id may come several times.
func (v *Values) Sweep(ids []int32) {
	gone := ids[:0]
	for _, id := range ids {
		if n := v.Count(id); *n == 0 {
			*n = -1 // so that it is taken once
			gone = append(gone, id)
		}
	}
	if len(gone) > 0 {
		v.Remove(gone)
	}
}

// Reset forgets all values of the groups.
func (v *Values) Reset(slots []int32) {
	v.ids = v.ids[:0]
	for _, s := range slots {
		for id := v.First(s); id != none; id = v.Next(id) {
			v.ids = append(v.ids, id)
		}
		v.groups[s] = chain{none, none}
	}
	v.table.Remove(v.ids)
}

// Decode appends the values of ids to out, a column per column of the values.
func (v *Values) Decode(ids []int32, out []*row.Vec) {
	row.DecodeKeys(v.table.Keys(nil, ids), 8, out)
}

// Key is the encoded value of id, without its group.
func (v *Values) Key(id int32) []byte { return v.table.Key(id)[8:] }

// Bytes estimates the memory held.
func (v *Values) Bytes() int64 {
	return v.table.Bytes() + int64(cap(v.vals))*int64(unsafe.Sizeof(valueOf{})) + int64(cap(v.groups))*8
}

// Save appends the values of a group: their number, then count and encoded
// value of each.
func (v *Values) Save(dst []byte, slot int32) []byte {
	n := 0
	for id := v.First(slot); id != none; id = v.Next(id) {
		n++
	}
	dst = binary.AppendUvarint(dst, uint64(n))
	for id := v.First(slot); id != none; id = v.Next(id) {
		key := v.Key(id)
		dst = binary.AppendVarint(dst, v.vals[id].count)
		dst = append(binary.AppendUvarint(dst, uint64(len(key))), key...)
	}
	return dst
}

// Load puts saved values back into an empty group and returns the bytes after
// them.
func (v *Values) Load(slot int32, saved []byte) (rest []byte, err error) {
	d := Decoder{Data: saved}
	n := d.Uvarint()
	counts, keys := make([]int64, 0, min(n, 1<<16)), make([][]byte, 0, min(n, 1<<16))
	for i := uint64(0); i < n && d.Err == nil; i++ {
		counts, keys = append(counts, d.Varint()), append(keys, d.Bytes())
	}
	if d.Err != nil {
		return nil, d.Err
	}
	v.prefix = v.prefix[:0]
	for range keys {
		v.prefix = append(v.prefix, int64(slot))
	}
	v.keys.SetRaw(v.prefix, keys)
	ids := v.find(len(keys))
	for i, id := range ids {
		v.vals[id].count = counts[i]
	}
	return d.Data, nil
}
