package state

import (
	"bytes"
	"slices"
	"sort"

	"fsql/types"
)

// NewMemory returns a Backend that keeps everything in memory: the reference
// that the other is tested against, and what a job without checkpoints has.
func NewMemory() Backend { return &memory{} }

type memory struct {
	scopes   []*memoryScope
	epoch    types.Epoch
	manifest []byte
	ok       bool
}

// memoryScope is the state of one plan node, sorted by key.
type memoryScope struct {
	uid    string
	writes []Write
}

func (m *memory) node(uid string) *memoryScope {
	for _, s := range m.scopes {
		if s.uid == uid {
			return s
		}
	}
	s := &memoryScope{uid: uid}
	m.scopes = append(m.scopes, s)
	return s
}

func (m *memory) Open(s Scope) Store {
	return newOverlay(s, memoryRange{m.node(s.UID), GroupKey(nil, s.FirstGroup), GroupKey(nil, s.EndGroup)})
}

func (m *memory) Drop(uid string) error {
	m.node(uid).writes = nil
	return nil
}

func (m *memory) Commit(e types.Epoch, deltas []Delta, manifest []byte) error {
	for _, d := range deltas {
		n := m.node(d.Scope.UID)
		n.writes = apply(n.writes, slices.Collect(d.Writes))
	}
	m.epoch, m.manifest, m.ok = e, bytes.Clone(manifest), true
	return nil
}

// apply merges sorted changes into sorted state.
func apply(old, changes []Write) []Write {
	out := make([]Write, 0, len(old)+len(changes))
	for _, c := range changes {
		n := sort.Search(len(old), func(i int) bool { return bytes.Compare(old[i].Key, c.Key) >= 0 })
		out, old = append(out, old[:n]...), old[n:]
		if len(old) > 0 && bytes.Equal(old[0].Key, c.Key) {
			old = old[1:]
		}
		if !c.Delete {
			out = append(out, c)
		}
	}
	return append(out, old...)
}

func (m *memory) Last() (types.Epoch, []byte, bool, error) {
	return m.epoch, bytes.Clone(m.manifest), m.ok, nil
}

func (m *memory) Close() error { return nil }

// memoryRange is the part of a node's state that a scope sees.
type memoryRange struct {
	node     *memoryScope
	from, to []byte
}

func (r memoryRange) get(dst, key []byte) ([]byte, bool, error) {
	at, ok := slices.BinarySearchFunc(r.node.writes, key, compareKey)
	if !ok || bytes.Compare(key, r.from) < 0 || bytes.Compare(key, r.to) >= 0 {
		return dst, false, nil
	}
	return append(dst, r.node.writes[at].Val...), true, nil
}

func (r memoryRange) scan(from, to []byte, fn func(key, val []byte) (bool, error)) error {
	from, to = narrow(from, to, r.from, r.to)
	for _, w := range within(r.node.writes, from, to) {
		if more, err := fn(w.Key, w.Val); !more || err != nil {
			return err
		}
	}
	return nil
}

// narrow is what [from, to) (to nil: no end) and [first, end) share.
func narrow(from, to, first, end []byte) ([]byte, []byte) {
	if bytes.Compare(from, first) < 0 {
		from = first
	}
	if to == nil || bytes.Compare(to, end) > 0 {
		to = end
	}
	return from, to
}
