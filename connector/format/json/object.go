package json

// object reads the members of an object whose brace is behind p, and appends a
// value to the column of every field.
func (d *decoder) object(o *object, b []byte, p, depth int) int {
	if depth > maxDepth {
		return d.fail(p, "at most 1000 levels of nesting")
	}
	o.count++
	found := 0
	prev := int32(startKey)
	if b[p] != '"' {
		if p = space(b, p); b[p] == '}' {
			return d.absent(o, p+1)
		}
	}
	for {
		i := o.keys[prev].next
		k := &o.keys[i]
		if k.is(b, p) {
			p += len(k.text)
		} else {
			if i, p = d.key(o, b, p, prev); p < 0 {
				return p
			}
			k = &o.keys[i]
		}
		prev = i
		if b[p] == ':' && b[p+1] > ' ' {
			p++
		} else if p = d.colon(b, p); p < 0 {
			return p
		}
		if n := k.node; n == nil {
			p = d.skip(b, p, depth+1)
		} else {
			if n.seen == o.count {
				n.drop() // of a repeated name the last value counts
			} else {
				n.seen = o.count
				found++
			}
			p = d.value(n, b, p, depth+1)
		}
		if p < 0 {
			return p
		}
		c := b[p]
		if c <= ' ' {
			p = space(b, p)
			c = b[p]
		}
		switch c {
		case ',':
			if p++; b[p] != '"' {
				p = space(b, p)
			}
		case '}':
			if found < len(o.fields) {
				return d.absent(o, p+1)
			}
			return p + 1
		default:
			return d.fail(p, "a comma or '}'")
		}
	}
}

// drop takes the last value back.
func (n *node) drop() {
	if n.kind != kindRaw {
		n.col.Truncate(n.col.Len() - 1)
	}
}

// key reads a name that is not the one expected after the key prev, and
// remembers that it followed.
func (d *decoder) key(o *object, b []byte, p int, prev int32) (i int32, next int) {
	if i = o.keys[prev].other; i != startKey {
		if k := &o.keys[i]; k.is(b, p) {
			return i, p + len(k.text)
		}
	}
	if b[p] != '"' {
		return 0, d.fail(p, "a field name in double quotes")
	}
	name, next := d.text(b, p)
	if next < 0 {
		return 0, next
	}
	if len(name) != next-p-2 {
		return d.escapedKey(o, name), next
	}
	i, ok := o.byText[string(b[p:next])]
	if !ok {
		if len(o.keys) >= maxKeys {
			return otherKey, next
		}
		i = o.add(string(b[p:next]), nil)
	}
	if prev != otherKey {
		k := &o.keys[prev]
		k.next, k.other = i, k.next
	}
	return i, next
}

// escapedKey finds the key of a name that was written with escapes; it is not
// expected again.
func (d *decoder) escapedKey(o *object, name []byte) int32 {
	if i, ok := o.byText[`"`+string(name)+`"`]; ok {
		return i
	}
	return otherKey
}

// absent appends NULL to the fields that the last object did not hold, or
// fails if they have to be there.
func (d *decoder) absent(o *object, p int) int {
	for _, n := range o.fields {
		switch {
		case n.seen == o.count:
			continue
		case n.kind == kindRaw:
			n.at = -1
			continue
		}
		if d.failMissing {
			d.missing = n.name
			return malformed
		}
		n.col.Null()
	}
	return p
}
