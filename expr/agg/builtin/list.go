package builtin

import (
	"encoding/binary"

	"fsql/expr/agg"
	"fsql/row"
	"fsql/types"
)

// list keeps every value of each slot in the order of arrival: LISTAGG,
// ARRAY_AGG, and FIRST_VALUE and LAST_VALUE over an input that takes rows back.
// A row taken back removes the oldest equal value; one that is not there is
// passed over.
type list struct {
	typ    types.Type
	nulls  bool // NULLs are values too
	result func(a *list, slots []int32, out *row.Vec)

	values *agg.Values
	same   []span // by value id: the nodes that hold it, chained by same
	slots  []span // by slot: all nodes, chained by next and prev
	nodes  []listNode
	free   int32        // chain of unused nodes through next
	texts  []joinedText // by slot; LISTAGG only
	held   int64        // bytes of texts

	sel, to []int32 // rows that are values, with slots and signs
	signs   []int8
	gone    []int32
	ids     []int32
}

type listNode struct{ value, next, prev, same int32 }

type span struct{ head, tail int32 }

func newList(t types.Type, skipNulls bool, opts agg.Options, result func(a *list, slots []int32, out *row.Vec)) agg.Accumulator {
	return &list{typ: t, nulls: !skipNulls, values: agg.NewValues(opts.ZeroHash), result: result, free: nobody}
}

func (a *list) Grow(n int) {
	a.values.Grow(n)
	for len(a.slots) < n {
		a.slots = append(a.slots, span{nobody, nobody})
	}
}

func (a *list) Reset(slots []int32) {
	a.values.Reset(slots)
	for _, s := range slots {
		for n := a.slots[s].head; n != nobody; {
			next := a.nodes[n].next
			a.nodes[n].next, a.free = a.free, n
			n = next
		}
		a.slots[s] = span{nobody, nobody}
		a.forget(s)
	}
}

func (a *list) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	v := args[0]
	if !a.nulls && v.Valid != nil {
		sel, slots, signs = a.present(v, sel, slots, signs)
	}
	if len(slots) == 0 {
		return nil
	}
	a.gone = a.gone[:0]
	ids := a.values.FindOrAdd(args[:1], sel, slots)
	for i, id := range ids {
		n := a.values.Count(id)
		switch {
		case signs == nil || signs[i] > 0:
			*n++
			a.push(slots[i], id, *n == 1)
		case *n > 0:
			*n--
			a.pop(slots[i], id)
		}
		if *n == 0 {
			a.gone = append(a.gone, id)
		}
	}
	a.values.Sweep(a.gone)
	return nil
}

// present leaves the rows that are not NULL.
func (a *list) present(v *row.Vec, sel, slots []int32, signs []int8) ([]int32, []int32, []int8) {
	a.sel, a.to, a.signs = a.sel[:0], a.to[:0], a.signs[:0]
	for i, s := range slots {
		r := int32(i)
		if sel != nil {
			r = sel[i]
		}
		if v.IsNull(int(r)) {
			continue
		}
		a.sel, a.to = append(a.sel, r), append(a.to, s)
		if signs != nil {
			a.signs = append(a.signs, signs[i])
		}
	}
	if signs == nil {
		return a.sel, a.to, nil
	}
	return a.sel, a.to, a.signs
}

// push puts a node at the end of a slot's list; first: of its value.
func (a *list) push(slot, id int32, first bool) {
	n := a.free
	if n == nobody {
		n = int32(len(a.nodes))
		a.nodes = append(a.nodes, listNode{})
	} else {
		a.free = a.nodes[n].next
	}
	s := &a.slots[slot]
	a.nodes[n] = listNode{value: id, next: nobody, prev: s.tail, same: nobody}
	if s.tail == nobody {
		s.head = n
	} else {
		a.nodes[s.tail].next = n
	}
	s.tail = n
	a.same = extended(a.same, int(id)+1)
	if first {
		a.same[id] = span{n, n}
		return
	}
	a.nodes[a.same[id].tail].same = n
	a.same[id].tail = n
}

// pop takes the oldest node of a value out.
func (a *list) pop(slot, id int32) {
	n := a.same[id].head
	x := a.nodes[n]
	a.forget(slot)
	a.same[id].head = x.same
	s := &a.slots[slot]
	if x.prev == nobody {
		s.head = x.next
	} else {
		a.nodes[x.prev].next = x.next
	}
	if x.next == nobody {
		s.tail = x.prev
	} else {
		a.nodes[x.next].prev = x.prev
	}
	a.nodes[n].next, a.free = a.free, n
}

// Merge puts the values of src after those of dst.
func (a *list) Merge(dst, src []int32) error {
	var to []int32
	a.ids = a.ids[:0]
	for i, s := range src {
		a.ids = a.appendIDs(a.ids, s)
		for len(to) < len(a.ids) {
			to = append(to, dst[i])
		}
	}
	if len(to) == 0 {
		return nil
	}
	col := row.NewVec(a.typ, 0)
	a.values.Decode(a.ids, []*row.Vec{col})
	return a.Add([]*row.Vec{col}, nil, to, nil)
}

// appendIDs appends the value ids of a slot's list.
func (a *list) appendIDs(ids []int32, slot int32) []int32 {
	for n := a.slots[slot].head; n != nobody; n = a.nodes[n].next {
		ids = append(ids, a.nodes[n].value)
	}
	return ids
}

func (a *list) Result(slots []int32, out *row.Vec) { a.result(a, slots, out) }

// ended gives the first or last value of each list.
func ended(last bool) func(a *list, slots []int32, out *row.Vec) {
	return func(a *list, slots []int32, out *row.Vec) {
		cols := []*row.Vec{out}
		for _, s := range slots {
			n := a.slots[s].head
			if last {
				n = a.slots[s].tail
			}
			if n == nobody {
				out.AppendNull(1)
				continue
			}
			row.DecodeKey(a.values.Key(a.nodes[n].value), cols)
		}
	}
}

func (a *list) Bytes() int64 {
	return a.values.Bytes() + int64(cap(a.nodes))*16 + int64(cap(a.slots)+cap(a.same))*8 + int64(cap(a.texts))*32 + a.held
}

// Save writes the list as it stands, repeating equal values.
func (a *list) Save(dst []byte, slot int32) []byte {
	a.ids = a.appendIDs(a.ids[:0], slot)
	dst = binary.AppendUvarint(append(dst, 1), uint64(len(a.ids)))
	for _, id := range a.ids {
		key := a.values.Key(id)
		dst = append(binary.AppendUvarint(dst, uint64(len(key))), key...)
	}
	return dst
}

func (a *list) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	col := row.NewVec(a.typ, 0)
	var to []int32
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		if key := d.Bytes(); d.Err == nil {
			row.DecodeKey(key, []*row.Vec{col})
			to = append(to, slot)
		}
	}
	if d.Err != nil {
		return d.Err
	}
	return a.Add([]*row.Vec{col}, nil, to, nil)
}
