package relop

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted. The number of ranks is a part of it
// where rows behind the last one were not kept.
func (s *RankSpec) Fingerprint() string {
	text := s.Strategy.String() + storedTypes(s.In, s.Partition, s.OrderBy)
	if s.Strategy != RankRetract {
		text += fmt.Sprintf(" to %d %d", s.End, s.EndCol)
	}
	if s.Strategy == RankUpdate {
		text += fmt.Sprint(" key", s.Key)
	}
	return text
}

// storedTypes is what stored rows depend on: types of columns, partition, order.
func storedTypes(in *types.Schema, partition []int, by []row.OrderBy) string {
	var b strings.Builder
	b.WriteString(" columns")
	for _, c := range in.Columns {
		b.WriteString(" " + c.Type.Plain().String())
	}
	fmt.Fprint(&b, " partition ", partition, " order ", by)
	return b.String()
}

// rankForm is the version of a saved row: partition, arrivals of its equals, and
// what is stored of it unless it is the key.
const rankForm = 1

// endSpace has the last ranks of partitions.
const endSpace = 1

// Track implements op.Stateful. A row is sent here by its partition: that tells
// its key group.
func (o *rank) Track() {
	o.rows.table.Track(state.Tracking{Zero: o.keys.Zero, Group: func(slot int32) int {
		return state.GroupOf(o.parts.Key(o.rows.slots[slot].part), o.keys.Zero)
	}})
	if o.spec.EndCol >= 0 {
		o.parts.Track(state.Tracking{Space: endSpace, Zero: o.keys.Zero})
	}
}

// Snapshot implements op.Stateful.
func (o *rank) Snapshot(s *state.Snapshot) {
	o.rows.table.Seal(s, func(dst []byte, slot int32) []byte {
		r := &o.rows.slots[slot]
		dst = state.AppendBytes(append(dst, rankForm), o.parts.Key(r.part))
		n := 0
		for e := r.head; e != 0; e = o.rows.entries[e-1].next {
			n++
		}
		dst = binary.AppendUvarint(dst, uint64(n))
		for e := r.head; e != 0; e = o.rows.entries[e-1].next {
			dst = binary.AppendVarint(dst, o.rows.entries[e-1].seq)
		}
		if o.rows.byKey {
			dst = state.AppendBytes(dst, o.rows.data(slot))
		}
		return dst
	})
	if o.spec.EndCol >= 0 {
		o.parts.Seal(s, func(dst []byte, part int32) []byte {
			return binary.AppendVarint(append(dst, rankForm), o.ends[part])
		})
	}
}

// Restore implements op.Stateful.
func (o *rank) Restore(r *state.Restored) error {
	var parts [][]byte // of the rows in slots
	var slots []int32
	err := r.Each(func(space byte, key, val []byte) error {
		d := state.Decoder{Data: val}
		d.Version(rankForm)
		if space == endSpace {
			p := o.part(key)
			o.ends[p] = d.Varint()
			return d.Err
		}
		slot := o.rows.table.Load(key)
		o.rows.grow([]int32{slot})
		parts, slots = append(parts, bytes.Clone(d.Bytes())), append(slots, slot)
		for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
			o.rows.add(slot, 0, d.Varint())
		}
		if o.rows.byKey {
			o.rows.vals[slot] = o.rows.arena.Put(d.Bytes())
		}
		return d.Err
	})
	if err != nil {
		return err
	}
	lists := map[int32][]int32{}
	var order []int32
	for i, slot := range slots {
		p := o.part(parts[i])
		o.rows.slots[slot].part = p
		if lists[p] == nil {
			order = append(order, p)
		}
		for e := o.rows.slots[slot].head; e != 0; e = o.rows.entries[e-1].next {
			lists[p] = append(lists[p], e-1)
			o.number = max(o.number, o.sign*o.rows.entries[e-1].seq)
		}
	}
	for _, p := range order {
		o.fill(p, lists[p])
	}
	return nil
}

// part is the slot of a partition.
func (o *rank) part(key []byte) int32 {
	o.partKeys.SetRaw(nil, [][]byte{key})
	o.parts.FindOrAdd(&o.partKeys, o.one[:], nil)
	o.room()
	return o.one[0]
}

// fill makes the list of a partition.
func (o *rank) fill(p int32, entries []int32) {
	slices.SortFunc(entries, func(a, b int32) int {
		return cmp.Or(bytes.Compare(o.rows.sortKey(a), o.rows.sortKey(b)), cmp.Compare(o.rows.entries[a].seq, o.rows.entries[b].seq))
	})
	l := &o.lists[p]
	l.n = len(entries)
	for run := range slices.Chunk(entries, maxRun/2) {
		l.runs = append(l.runs, slices.Clone(run))
	}
}
