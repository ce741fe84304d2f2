package state

import (
	"encoding/binary"
	"iter"

	"fsql/row"
	"fsql/types"
)

// Store is the state of one operator subtask that must be ordered or is rare:
// an ordered map of byte strings. The first two bytes of a key are its key
// group, big-endian (GroupKey begins one). A Store is used by one goroutine; keys
// and values it is given are copied.
type Store interface {
	// Get appends the value to dst; ok is false when the key is absent.
	Get(dst, key []byte) (val []byte, ok bool, err error)
	Put(key, val []byte) error
	Delete(key []byte) error
	// Scan visits [from, to) in key order until fn wants no more; key and val
	// live only during fn, which must not write to the Store. to nil: no end.
	Scan(from, to []byte, fn func(key, val []byte) (more bool, err error)) error
	// Seal ends epoch e: the changes since the last Seal, still visible here,
	// become an immutable Delta for the backend.
	Seal(e types.Epoch) Delta
	// Committed tells that the backend has the deltas up to e: they are read
	// from there from now on.
	Committed(e types.Epoch)
}

// GroupKey appends the two bytes of a key group.
func GroupKey(dst []byte, group int) []byte { return binary.BigEndian.AppendUint16(dst, uint16(group)) }

// Scope names the state of one subtask: the key groups [FirstGroup, EndGroup)
// of one plan node.
type Scope struct {
	UID                  string // of the plan node, stable across restarts
	FirstGroup, EndGroup int
}

// Groups is the scope of subtask i of p.
func Groups(uid string, i, p int) Scope {
	first := func(i int) int { return (i*row.KeyGroups + p - 1) / p }
	return Scope{UID: uid, FirstGroup: first(i), EndGroup: first(i + 1)}
}

// Delta is what one epoch changed in a scope.
type Delta struct {
	Scope Scope
	Epoch types.Epoch
	Len   int // of Writes, or more
	// Writes are in key order, each key once.
	Writes iter.Seq[Write]
}

// Write is one change.
type Write struct {
	Key, Val []byte
	Delete   bool
}

// Backend holds the committed state of one job and nothing newer.
type Backend interface {
	// Open gives the state of a scope as last committed. A scope may cover
	// other key groups than those that wrote it: that is how a job rescales.
	Open(s Scope) Store
	// Drop forgets the state of a node that is not part of the job any more.
	Drop(uid string) error
	// Commit makes deltas and manifest durable, both or neither. Deltas of
	// several epochs come in their order.
	Commit(e types.Epoch, deltas []Delta, manifest []byte) error
	// Last returns the manifest of the newest committed epoch.
	Last() (e types.Epoch, manifest []byte, ok bool, err error)
	Close() error
}
