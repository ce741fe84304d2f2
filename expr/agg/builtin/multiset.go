package builtin

import (
	"encoding/binary"

	"fsql/expr/agg"
	"fsql/row"
)

// multiset is MIN and MAX over an input that takes rows back: it keeps every
// value of a slot with its count, in order. The order and equality of values
// are Java's (NaN equals NaN and is above all, -0.0 below 0.0).
//
// A value taken back before it came has a count below 0 until it comes; only
// values with a count above 0 are there. (Flink shows such a value as the extreme
// once it comes, though its count is 0 then.)
//
// The values of a slot are a treap: a search tree by value, a heap by a random
// priority, so that it is balanced whatever the order of arrival. Nodes of all
// slots lie in one array; the priority is drawn from the node's number.
type multiset[T any] struct {
	layout layout[T]
	sign   int // 1: the greatest, -1: the smallest
	nodes  []node[T]
	free   int32 // chain of unused nodes through left, -1 at its end
	roots  []int32
}

type node[T any] struct {
	val         T
	count       int64
	left, right int32
	prio        uint32
	there       int32 // values with a count above 0 in this subtree
}

const nobody = -1

func (a *multiset[T]) Grow(n int) {
	if len(a.roots) == 0 {
		a.free = nobody
	}
	for len(a.roots) < n {
		a.roots = append(a.roots, nobody)
	}
}

func (a *multiset[T]) Reset(slots []int32) {
	for _, s := range slots {
		a.dropAll(a.roots[s])
		a.roots[s] = nobody
	}
}

func (a *multiset[T]) dropAll(n int32) {
	if n != nobody {
		a.dropAll(a.nodes[n].left)
		a.dropAll(a.nodes[n].right)
		a.drop(n)
	}
}

func (a *multiset[T]) drop(n int32) {
	a.nodes[n] = node[T]{left: a.free}
	a.free = n
}

func (a *multiset[T]) make(x T) int32 {
	n := a.free
	if n == nobody {
		n = int32(len(a.nodes))
		a.nodes = append(a.nodes, node[T]{})
	} else {
		a.free = a.nodes[n].left
	}
	if a.layout.keep != nil {
		x = a.layout.keep(x)
	}
	h := (uint32(n) + 1) * 0x9e3779b1
	h = (h ^ h>>15) * 0x85ebca77
	a.nodes[n] = node[T]{val: x, left: nobody, right: nobody, prio: h ^ h>>13}
	return n
}

func (a *multiset[T]) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	v := args[0]
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if v.IsNull(r) {
			continue
		}
		by := int64(1)
		if signs != nil {
			by = int64(signs[i])
		}
		a.roots[s] = a.change(a.roots[s], a.layout.get(v, r), by)
	}
	return nil
}

// change adds to the count of x in a subtree and returns its new root.
func (a *multiset[T]) change(n int32, x T, by int64) int32 {
	if n == nobody {
		n = a.make(x)
		a.nodes[n].count = by
		a.recount(n)
		return n
	}
	switch c := a.layout.order(x, a.nodes[n].val); {
	case c < 0:
		l := a.change(a.nodes[n].left, x, by)
		a.nodes[n].left = l
		if l != nobody && a.nodes[l].prio > a.nodes[n].prio {
			a.nodes[n].left = a.nodes[l].right
			a.nodes[l].right = n
			a.recount(n)
			n = l
		}
	case c > 0:
		r := a.change(a.nodes[n].right, x, by)
		a.nodes[n].right = r
		if r != nobody && a.nodes[r].prio > a.nodes[n].prio {
			a.nodes[n].right = a.nodes[r].left
			a.nodes[r].left = n
			a.recount(n)
			n = r
		}
	default:
		if a.nodes[n].count += by; a.nodes[n].count == 0 {
			rest := a.join(a.nodes[n].left, a.nodes[n].right)
			a.drop(n)
			return rest
		}
	}
	a.recount(n)
	return n
}

// join makes one tree of two, all of l below all of r.
func (a *multiset[T]) join(l, r int32) int32 {
	switch {
	case l == nobody:
		return r
	case r == nobody:
		return l
	case a.nodes[l].prio > a.nodes[r].prio:
		a.nodes[l].right = a.join(a.nodes[l].right, r)
		a.recount(l)
		return l
	}
	a.nodes[r].left = a.join(l, a.nodes[r].left)
	a.recount(r)
	return r
}

func (a *multiset[T]) recount(n int32) {
	x := &a.nodes[n]
	x.there = a.thereIn(x.left) + a.thereIn(x.right)
	if x.count > 0 {
		x.there++
	}
}

func (a *multiset[T]) thereIn(n int32) int32 {
	if n == nobody {
		return 0
	}
	return a.nodes[n].there
}

// end is the smallest or greatest value that is there, or nobody.
func (a *multiset[T]) end(n int32) int32 {
	for a.thereIn(n) > 0 {
		near, far := a.nodes[n].left, a.nodes[n].right
		if a.sign > 0 {
			near, far = far, near
		}
		switch {
		case a.thereIn(near) > 0:
			n = near
		case a.nodes[n].count > 0:
			return n
		default:
			n = far
		}
	}
	return nobody
}

func (a *multiset[T]) Merge(dst, src []int32) error {
	for i, s := range src {
		a.visit(a.roots[s], func(n int32) {
			a.roots[dst[i]] = a.change(a.roots[dst[i]], a.nodes[n].val, a.nodes[n].count)
		})
	}
	return nil
}

// visit goes through a subtree in order.
func (a *multiset[T]) visit(n int32, fn func(n int32)) {
	if n != nobody {
		a.visit(a.nodes[n].left, fn)
		fn(n)
		a.visit(a.nodes[n].right, fn)
	}
}

func (a *multiset[T]) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		if n := a.end(a.roots[s]); n != nobody {
			a.layout.put(out, at+i, a.nodes[n].val)
		} else {
			out.SetNull(at + i)
		}
	}
}

func (a *multiset[T]) Bytes() int64 {
	return int64(cap(a.nodes))*(a.layout.size+24) + int64(cap(a.roots))*4
}

func (a *multiset[T]) Save(dst []byte, slot int32) []byte {
	n := 0
	a.visit(a.roots[slot], func(int32) { n++ })
	dst = binary.AppendUvarint(append(dst, 1), uint64(n))
	a.visit(a.roots[slot], func(n int32) {
		dst = a.layout.save(binary.AppendVarint(dst, a.nodes[n].count), a.nodes[n].val)
	})
	return dst
}

func (a *multiset[T]) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		count := d.Varint()
		x := a.layout.load(&d)
		if d.Err == nil {
			a.roots[slot] = a.change(a.roots[slot], x, count)
		}
	}
	return d.Err
}
