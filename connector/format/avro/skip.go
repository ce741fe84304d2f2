package avro

// skip passes over a value that nobody reads.
func skip(w *schema) step { return skipper{}.step(w) }

// skipper holds the records that are being made, for schemas that contain
// themselves.
type skipper map[*schema]*step

func (s skipper) step(w *schema) step {
	switch w.kind {
	case booleanKind:
		return func(c *cursor) { c.take(1) }
	case intKind, longKind, enumKind:
		return func(c *cursor) { c.long() }
	case floatKind:
		return func(c *cursor) { c.take(4) }
	case doubleKind:
		return func(c *cursor) { c.take(8) }
	case bytesKind, stringKind:
		return func(c *cursor) { c.bytes() }
	case fixedKind:
		return func(c *cursor) { c.take(int64(w.size)) }
	case unionKind:
		steps := make([]step, len(w.branches))
		for i, b := range w.branches {
			steps[i] = s.step(b)
		}
		return branch(steps)
	case arrayKind, mapKind:
		return s.entries(w)
	case recordKind:
		return s.record(w)
	}
	return func(*cursor) {}
}

func (s skipper) record(w *schema) step {
	if made := s[w]; made != nil {
		return func(c *cursor) { (*made)(c) }
	}
	made := new(step)
	s[w] = made
	steps := make([]step, len(w.fields))
	for i, f := range w.fields {
		steps[i] = s.step(f.typ)
	}
	*made = func(c *cursor) {
		for _, f := range steps {
			f(c)
		}
	}
	return *made
}

func (s skipper) entries(w *schema) step {
	item := s.step(w.items)
	return func(c *cursor) {
		for !c.failed() {
			n, size := c.count()
			if n == 0 {
				return
			}
			if size >= 0 {
				c.take(size)
				continue
			}
			for ; n > 0 && !c.failed(); n-- {
				if w.kind == mapKind {
					c.bytes()
				}
				item(c)
			}
		}
	}
}
