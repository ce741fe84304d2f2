package state

import (
	"math/bits"

	"fsql/row"
)

// Tracking says how a table's keys are stored in checkpoints.
type Tracking struct {
	Space byte // tells the tables of one operator apart
	// Skip is the number of bytes before the key by which rows were sent to
	// this subtask, such as the end of a window: the rest decides the key group.
	Skip int
	Zero bool // tests: every key hashes to 0
	// Group tells the key group of a slot whose key does not tell it, such as
	// that of a row which was sent here by a part of itself; nil: the key does.
	Group func(slot int32) int
}

// tracker remembers which slots changed since the last checkpoint, and which
// keys are in it.
type tracker struct {
	Tracking
	dirty  []uint64 // bit per slot
	stored []uint64
	gone   Changes // keys that are stored and were removed
}

// Track makes the table remember changes for Seal. Without it, it costs nothing.
func (t *Table) Track(k Tracking) { t.track = &tracker{Tracking: k} }

// Touch notes that what is kept under slots changes. They may come repeatedly.
func (t *Table) Touch(slots []int32) {
	if t.track == nil {
		return
	}
	dirty := t.track.dirty
	for _, s := range slots {
		dirty[s>>6] |= 1 << (s & 63)
	}
}

// added makes room for a slot.
func (k *tracker) added(slot int32) {
	for int(slot>>6) >= len(k.dirty) {
		n := max(64, len(k.dirty)/2)
		k.dirty, k.stored = append(k.dirty, make([]uint64, n)...), append(k.stored, make([]uint64, n)...)
	}
}

// removed notes that a slot's key is gone.
func (k *tracker) removed(slot int32, key []byte) {
	word, bit := slot>>6, uint64(1)<<(slot&63)
	if k.stored[word]&bit != 0 {
		k.gone.Delete(k.group(slot, key), k.Space, key)
	}
	k.dirty[word] &^= bit
	k.stored[word] &^= bit
}

func (k *tracker) group(slot int32, key []byte) int {
	switch {
	case k.Group != nil:
		return k.Group(slot)
	case k.Zero:
		return 0
	}
	return row.Group(row.Hash(key[k.Skip:]))
}

func (k *tracker) bytes() int64 {
	return int64(cap(k.dirty)+cap(k.stored))*8 + k.gone.Bytes()
}

// Seal adds the changes since the last Seal to c: removed keys, and the keys of
// touched slots with what save appends for them.
func (t *Table) Seal(c *Changes, save func(dst []byte, slot int32) []byte) {
	k := t.track
	c.Join(&k.gone)
	k.gone = Changes{}
	slot := int32(0)
	value := func(dst []byte) []byte { return save(dst, slot) }
	for i, word := range k.dirty {
		if word == 0 {
			continue
		}
		k.dirty[i], k.stored[i] = 0, k.stored[i]|word
		for ; word != 0; word &= word - 1 {
			slot = int32(i<<6 + bits.TrailingZeros64(word))
			key := t.Key(slot)
			c.Put(k.group(slot, key), k.Space, key, value)
		}
	}
}

// Load adds a key from a checkpoint to a table that is tracked and returns its
// slot.
func (t *Table) Load(key []byte) int32 {
	hash := uint64(0)
	if !t.track.Zero {
		hash = row.Hash(key)
	}
	slot := t.add(hash, key)
	t.track.stored[slot>>6] |= 1 << (slot & 63)
	return slot
}
