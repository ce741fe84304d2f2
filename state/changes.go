package state

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"

	"fsql/types"
)

// Changes collects what one operator subtask changed in an epoch: keys with
// their new values, or without one where they are gone. They are taken in any
// order; of a key that changed several times the last counts. Collecting only
// copies bytes, since it happens at a barrier; sorting is left to Delta, which
// whoever stores the changes asks for.
type Changes struct {
	chunks  [][]byte
	entries []change
}

// change is one entry; key and value lie one after the other in a chunk.
type change struct {
	order  uint64 // the key's first bytes, big-endian: they decide most comparisons
	chunk  uint32
	at     uint32
	keyLen uint32
	valLen int32 // gone: the key is deleted
}

const (
	gone = -1
	// Chunks double from the first size to the last; in each, some room is kept
	// for the value of the last key.
	firstChanges = 4 << 10
	lastChanges  = 256 << 10
	valueRoom    = 512
)

// Len is the number of changes.
func (c *Changes) Len() int { return len(c.entries) }

// Bytes is the memory they take.
func (c *Changes) Bytes() int64 {
	n := int64(cap(c.entries)) * 24
	for _, k := range c.chunks {
		n += int64(cap(k))
	}
	return n
}

// Put notes a value. The key is made of the key group, the space (the table of
// the operator) and the bytes that tell the keys of a space apart; value
// appends the value.
func (c *Changes) Put(group int, space byte, key []byte, value func(dst []byte) []byte) {
	at := c.begin(group, space, key)
	k := &c.chunks[len(c.chunks)-1]
	*k = value(*k)
	c.entries[len(c.entries)-1].valLen = int32(len(*k) - at)
}

// Delete notes that a key is gone.
func (c *Changes) Delete(group int, space byte, key []byte) {
	c.begin(group, space, key)
	c.entries[len(c.entries)-1].valLen = gone
}

// begin writes a key and returns where its value begins.
func (c *Changes) begin(group int, space byte, key []byte) int {
	last := len(c.chunks) - 1
	if last < 0 || len(c.chunks[last])+len(key)+valueRoom > cap(c.chunks[last]) {
		size := firstChanges
		if last >= 0 {
			size = min(2*cap(c.chunks[last]), lastChanges)
		}
		c.chunks = append(c.chunks, make([]byte, 0, max(size, len(key)+valueRoom)))
		last++
	}
	k := c.chunks[last]
	at := len(k)
	k = append(GroupKey(k, group), space)
	k = append(k, key...)
	c.chunks[last] = k
	e := change{chunk: uint32(last), at: uint32(at), keyLen: uint32(len(key) + 3)}
	if len(key) >= 5 {
		e.order = binary.BigEndian.Uint64(k[at:])
	} else {
		var head [8]byte
		copy(head[:], k[at:])
		e.order = binary.BigEndian.Uint64(head[:])
	}
	c.entries = append(c.entries, e)
	return len(k)
}

func (c *Changes) key(e *change) []byte {
	return c.chunks[e.chunk][e.at : e.at+e.keyLen : e.at+e.keyLen]
}

// Join adds other changes, which come after those that are there. other must
// not be used any more.
func (c *Changes) Join(other *Changes) {
	first := uint32(len(c.chunks))
	c.chunks = append(c.chunks, other.chunks...)
	c.entries = slices.Grow(c.entries, len(other.entries))
	for _, e := range other.entries {
		e.chunk += first
		c.entries = append(c.entries, e)
	}
}

// Delta makes the changes of a scope's epoch ready to be stored. The changes
// must not be added to any more.
func (c *Changes) Delta(s Scope, e types.Epoch) Delta {
	return Delta{Scope: s, Epoch: e, Len: len(c.entries), Writes: c.sorted()}
}

// sorted gives the changes in key order, each key once.
func (c *Changes) sorted() iter.Seq[Write] {
	return func(yield func(Write) bool) {
		c.sort()
		for i := range c.entries {
			e := &c.entries[i]
			if i+1 < len(c.entries) && c.entries[i+1].order == e.order && bytes.Equal(c.key(e), c.key(&c.entries[i+1])) {
				continue // changed again
			}
			w := Write{Key: c.key(e), Delete: e.valLen == gone}
			if !w.Delete {
				from := e.at + e.keyLen
				w.Val = c.chunks[e.chunk][from : from+uint32(e.valLen)]
			}
			if !yield(w) {
				return
			}
		}
	}
}

// compare orders by key; equal keys stay in the order in which they came.
func (c *Changes) compare(a, b change) int {
	switch {
	case a.order < b.order:
		return -1
	case a.order > b.order:
		return 1
	}
	if n := bytes.Compare(c.key(&a), c.key(&b)); n != 0 {
		return n
	}
	if a.chunk != b.chunk {
		return int(a.chunk) - int(b.chunk)
	}
	return int(a.at) - int(b.at)
}

// Snapshot is what an operator subtask hands over at a barrier. Its tables are
// copied with Copy, while they go on changing.
type Snapshot struct {
	// Changes are those of its keyed state since the last snapshot.
	Changes
	// Local is the state of the subtask as a whole. It is small: it is stored
	// with every checkpoint.
	Local []byte

	open []*Table // not copied to their ends
}

// Copy copies some more of the tables, most entries, and tells whether there
// are more.
func (s *Snapshot) Copy(most int) (more bool) {
	for len(s.open) > 0 {
		if most = s.open[0].copySome(most); most == 0 {
			return true
		}
		s.open = s.open[1:]
	}
	return false
}

// Restored is what an operator subtask finds of the checkpoint that its job
// resumes from.
type Restored struct {
	// Locals are those of the subtasks that wrote the checkpoint: only that of
	// this subtask if there are as many as then, else all of them.
	Locals [][]byte
	store  Store
}

// NewRestored is a subtask's view of a checkpoint.
func NewRestored(s Store, locals [][]byte) *Restored { return &Restored{Locals: locals, store: s} }

// Each visits the entries of the subtask's key groups in key order. Key and
// value live only during fn.
func (r *Restored) Each(fn func(space byte, key, val []byte) error) error {
	return r.store.Scan(nil, nil, func(key, val []byte) (bool, error) {
		if len(key) < 3 {
			return false, errShort
		}
		err := fn(key[2], key[3:], val)
		return err == nil, err
	})
}
