package state

// index is the open-addressing index of one key group: linear probing over
// entries of 32 hash bits and slot+1, 0 where empty. A removed entry is closed
// up by moving later ones back, so there are no tombstones.
type index struct {
	slots []uint64
	mask  uint32
	used  uint32
}

const firstIndex = 8 // entries of a group's first index

// near is the entry at the first place of a hash, or, if that has another
// hash, the next one: chosen without a branch, as either is likely.
func (g *index) near(hash uint32) uint64 {
	if len(g.slots) == 0 {
		return 0
	}
	e, next := g.slots[hash&g.mask], g.slots[(hash+1)&g.mask]
	if uint32(e>>32) != hash {
		e = next
	}
	return e
}

func (g *index) add(hash uint32, slot int32) {
	if g.used*2 >= uint32(len(g.slots)) {
		g.grow()
	}
	g.put(uint64(hash)<<32 | uint64(slot+1))
	g.used++
}

func (g *index) put(e uint64) {
	at := uint32(e>>32) & g.mask
	for g.slots[at] != 0 {
		at = (at + 1) & g.mask
	}
	g.slots[at] = e
}

func (g *index) grow() {
	old := g.slots
	g.slots = make([]uint64, max(firstIndex, 2*len(old)))
	g.mask = uint32(len(g.slots) - 1)
	for _, e := range old {
		if e != 0 {
			g.put(e)
		}
	}
}

func (g *index) remove(hash uint32, slot int32) {
	e := uint64(hash)<<32 | uint64(slot+1)
	at := hash & g.mask
	for g.slots[at] != e {
		at = (at + 1) & g.mask
	}
	g.used--
	for hole := at; ; {
		at = (at + 1) & g.mask
		e := g.slots[at]
		if e == 0 {
			g.slots[hole] = 0
			return
		}
		// e may fill the hole if its first place is not between the two.
		if home := uint32(e>>32) & g.mask; (at-home)&g.mask >= (at-hole)&g.mask {
			g.slots[hole] = e
			hole = at
		}
	}
}
