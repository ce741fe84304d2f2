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
//
// At a barrier the changed slots are frozen, which costs next to nothing, and
// copied afterwards, some at a time, or each at the last moment before it
// changes again: so a barrier does not hold up a table of a million changes.
type tracker struct {
	Tracking
	dirty  []uint64 // bit per slot: changed since the last barrier
	frozen []uint64 // changed before it and not copied yet
	stored []uint64 // the key is in the last checkpoint, or will be
	gone   Changes  // keys that are stored and were removed

	into *Snapshot // takes the frozen slots; nil: there are none
	save func(dst []byte, slot int32) []byte
	next int // no word of frozen before it has a bit
	slot int32
}

// Track makes the table remember changes for Seal. Without it, it costs nothing.
func (t *Table) Track(k Tracking) { t.track = &tracker{Tracking: k} }

// Touch notes that what is kept under slots is about to change. It comes before
// the change, and before Remove; slots may come repeatedly.
func (t *Table) Touch(slots []int32) {
	k := t.track
	if k == nil {
		return
	}
	if k.into != nil {
		for _, s := range slots {
			if k.frozen[s>>6]&(1<<(s&63)) != 0 {
				k.copy(t, s)
			}
		}
	}
	for _, s := range slots {
		k.dirty[s>>6] |= 1 << (s & 63)
	}
}

// added makes room for a slot.
func (k *tracker) added(slot int32) {
	for int(slot>>6) >= len(k.dirty) {
		more := make([]uint64, max(64, len(k.dirty)/2))
		k.dirty, k.frozen, k.stored = append(k.dirty, more...), append(k.frozen, more...), append(k.stored, more...)
	}
}

// removed notes that a slot's key is gone.
func (k *tracker) removed(t *Table, slot int32) {
	word, bit := slot>>6, uint64(1)<<(slot&63)
	if k.frozen[word]&bit != 0 {
		k.copy(t, slot)
	}
	if k.stored[word]&bit != 0 {
		key := t.Key(slot)
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
	return int64(cap(k.dirty)+cap(k.frozen)+cap(k.stored))*8 + k.gone.Bytes()
}

// Seal gives s the changes since the last Seal: removed keys, and the keys of
// touched slots with what save appends for them. Of these most come later, with
// s.Copy.
func (t *Table) Seal(s *Snapshot, save func(dst []byte, slot int32) []byte) {
	k := t.track
	for k.into != nil { // the one before has not been copied to its end
		k.into.Copy(t.live + 1)
	}
	if s.Len() == 0 {
		s.Changes = k.gone
	} else {
		s.Join(&k.gone)
	}
	k.gone = Changes{}
	k.dirty, k.frozen = k.frozen, k.dirty
	for i, word := range k.frozen {
		k.stored[i] |= word
	}
	k.into, k.save, k.next = s, save, 0
	s.open = append(s.open, t)
}

// copy gives a frozen slot to the snapshot.
func (k *tracker) copy(t *Table, slot int32) {
	k.frozen[slot>>6] &^= 1 << (slot & 63)
	key := t.Key(slot)
	k.slot = slot
	k.into.Put(k.group(slot, key), k.Space, key, k.value)
}

// value appends the value of the slot at hand.
func (k *tracker) value(dst []byte) []byte { return k.save(dst, k.slot) }

// copySome copies up to most frozen slots and returns how many of most are left.
func (t *Table) copySome(most int) (left int) {
	k := t.track
	for ; k.next < len(k.frozen); k.next++ {
		for word := k.frozen[k.next]; word != 0; word &= word - 1 {
			if most == 0 {
				return 0
			}
			most--
			k.copy(t, int32(k.next<<6+bits.TrailingZeros64(word)))
		}
	}
	k.into, k.save = nil, nil
	return most
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
