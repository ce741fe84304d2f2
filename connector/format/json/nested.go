package json

import "fsql/types"

// nested appends the object or array at p to the column of n.
func (d *decoder) nested(n *node, b []byte, p, depth int) int {
	switch {
	case depth > maxDepth:
		return d.fail(p, "at most 1000 levels of nesting")
	case n.kind == kindRow && b[p] == '{':
		if p = d.object(n.obj, b, p+1, depth); p > 0 {
			n.col.Row()
		}
		return p
	case n.kind == kindArray && b[p] == '[':
		return d.array(n, b, p+1, depth)
	case n.kind == kindMap && b[p] == '{':
		return d.mapping(n, b, p, depth)
	}
	next := d.skip(b, p, depth)
	if next < 0 {
		return next
	}
	if n.kind != kindString {
		return d.refuse(n, b[p:next], next)
	}
	// A STRING takes the JSON text of any value.
	d.tree = d.compact(d.tree[:0], b, p)
	n.col.Vec.Str = append(n.col.Vec.Str, d.arena.String(d.tree))
	return next
}

// array appends the ARRAY whose bracket is behind p.
func (d *decoder) array(n *node, b []byte, p, depth int) int {
	kid := n.kids[0]
	off := kid.col.Len()
	if p = space(b, p); b[p] == ']' {
		n.col.List(off)
		return p + 1
	}
	for {
		if p = d.value(kid, b, p, depth+1); p < 0 {
			return p
		}
		if p = space(b, p); b[p] != ',' {
			break
		}
		p = space(b, p+1)
	}
	n.col.List(off)
	return d.closing(b, p, ']')
}

// entry is a member of an object: where its name and its value begin.
type entry struct{ key, value int }

// entries finds the members of the object at p whose syntax has been checked.
// Of a repeated name the last value counts, at the place of the first. The
// result lies on a stack that the caller cuts back.
func (d *decoder) entries(b []byte, p int) []entry {
	from := len(d.stack)
	var index map[string]int // of the names, once there are many
	key, p := d.member(b, p+1, true)
	for key >= 0 {
		e := entry{key, p}
		p = space(b, d.skip(b, p, 0))
		name, _ := d.text(b, key)
		d.name = append(d.name[:0], name...)
		if i := d.find(b, d.stack[from:], index); i >= 0 {
			d.stack[from+i].value = e.value
		} else {
			d.stack = append(d.stack, e)
			if index = d.indexed(b, d.stack[from:], index); index != nil {
				index[string(d.name)] = len(d.stack) - from - 1
			}
		}
		if b[p] != ',' {
			break
		}
		key, p = d.member(b, p+1, false)
	}
	return d.stack[from:]
}

// find returns the entry that has the name d.name, or -1.
func (d *decoder) find(b []byte, entries []entry, index map[string]int) int {
	if index != nil {
		if i, ok := index[string(d.name)]; ok {
			return i
		}
		return -1
	}
	for i, e := range entries {
		if other, _ := d.text(b, e.key); string(other) == string(d.name) {
			return i
		}
	}
	return -1
}

// indexed returns an index of the entries when it pays.
func (d *decoder) indexed(b []byte, entries []entry, index map[string]int) map[string]int {
	const many = 16
	if index != nil || len(entries) < many {
		return index
	}
	index = make(map[string]int, 4*many)
	for i, e := range entries {
		name, _ := d.text(b, e.key)
		index[string(name)] = i
	}
	return index
}

// mapping appends the MAP or MULTISET that begins at p.
func (d *decoder) mapping(n *node, b []byte, p, depth int) int {
	next := d.skip(b, p, depth)
	if next < 0 {
		return next
	}
	from := len(d.stack)
	key, val := n.kids[0], n.kids[1]
	off := key.col.Len()
	count := len(d.entries(b, p))
	for i := from; i < from+count; i++ {
		e := d.stack[i]
		text, _ := d.text(b, e.key)
		key.col.Vec.Str = append(key.col.Vec.Str, d.arena.String(text))
		if n.typ.Kind == types.Multiset && b[e.value] == 'n' {
			val.col.Vec.I32 = append(val.col.Vec.I32, 0) // Flink's count of null
			continue
		}
		if d.value(val, b, e.value, depth+1) < 0 {
			d.stack = d.stack[:from]
			return malformed
		}
	}
	d.stack = d.stack[:from]
	n.col.List(off)
	return next
}
