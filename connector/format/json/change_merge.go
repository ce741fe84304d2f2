package json

import "fsql/row"

// merge gives the row before an update, of which the message holds the changed
// columns only: the others are taken from the row after it.
type merge struct {
	old, now     *object
	before, then []*node // of the columns that are read
	named        []bool  // columns that the message names in some old row
}

func (c *changes) newMerge() *merge {
	names := make([]string, len(c.cols))
	for i, n := range c.cols {
		names[i] = n.name
	}
	m := &merge{named: make([]bool, len(names))}
	m.old, _ = raws(names)
	m.now, _ = raws(names)
	m.before, m.then = m.old.fields, m.now.fields
	return m
}

// forget begins a message.
func (m *merge) forget() { clear(m.named) }

// note adds the columns that the old row at position at names.
func (m *merge) note(c *changes, b []byte, at int) bool {
	if b[at] != '{' {
		return c.corrupt("the old values have to be JSON objects")
	}
	if c.object(m.old, b, at+1, 2) < 0 {
		return false
	}
	for i, n := range m.before {
		m.named[i] = m.named[i] || n.at >= 0
	}
	return true
}

// row gives the row before the update of the row at position now. As in Flink a
// column that is missing here, but named in another old row of the message, is
// NULL.
func (m *merge) row(c *changes, b []byte, old, now int, kind row.Kind) bool {
	if !c.takes() {
		return true
	}
	if b[old] != '{' || b[now] != '{' {
		return c.corrupt("a row has to be a JSON object")
	}
	if c.object(m.old, b, old+1, 2) < 0 || c.object(m.now, b, now+1, 2) < 0 {
		return false
	}
	for i, n := range c.cols {
		at := m.before[i].at
		if at < 0 && !m.named[i] {
			at = m.then[i].at
		}
		if at < 0 {
			n.col.Null()
		} else if c.value(n, b, at, 3) < 0 {
			return false
		}
	}
	c.kinds = append(c.kinds, kind)
	return true
}
