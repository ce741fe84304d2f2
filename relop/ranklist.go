package relop

import (
	"bytes"
	"slices"

	"fsql/row"
	"fsql/state"
)

// ranked lists the entries of a partition in the order of their ranks. They lie
// in runs of up to maxRun, so that a row in the middle of a million others moves
// a few of them only.
type ranked struct {
	runs [][]int32
	n    int
}

const maxRun = 256

// place is where an entry is in a list.
type place struct{ run, at int }

// insert puts an entry at a place.
func (l *ranked) insert(p place, e int32) {
	l.n++
	if len(l.runs) == 0 {
		l.runs = append(l.runs, []int32{e})
		return
	}
	run := slices.Insert(l.runs[p.run], p.at, e)
	l.runs[p.run] = run
	if len(run) > maxRun {
		half := len(run) / 2
		l.runs = slices.Insert(l.runs, p.run+1, slices.Clone(run[half:]))
		l.runs[p.run] = run[:half:half]
	}
}

// remove takes the entry at a place away.
func (l *ranked) remove(p place) {
	l.n--
	if run := l.runs[p.run]; len(run) > 1 {
		l.runs[p.run] = slices.Delete(run, p.at, p.at+1)
		return
	}
	l.runs = slices.Delete(l.runs, p.run, p.run+1)
}

// rank is that of a place, from 1; beyond most it is only known that it is.
func (l *ranked) rank(p place, most int64) int64 {
	r := int64(p.at + 1)
	for _, run := range l.runs[:min(p.run, len(l.runs))] {
		if r += int64(len(run)); r > most {
			break
		}
	}
	return r
}

// at is the place of a rank, which must be there.
func (l *ranked) at(rank int64) place {
	i := int(rank) - 1
	for n, run := range l.runs {
		if i < len(run) {
			return place{n, i}
		}
		i -= len(run)
	}
	return place{len(l.runs), 0}
}

// exact is the place of an entry that is there: behind a run's last entry stands
// the next run.
func (l *ranked) exact(p place) place {
	if p.at == len(l.runs[p.run]) {
		return place{p.run + 1, 0}
	}
	return p
}

func (l *ranked) entry(p place) int32 { return l.runs[p.run][p.at] }

// next is the place after p; it need not hold an entry.
func (l *ranked) next(p place) place {
	if p.at++; p.at == len(l.runs[p.run]) {
		return place{p.run + 1, 0}
	}
	return p
}

// rankRows are the rows of all partitions of a ranking. Equal rows share a slot
// and are entries of their own, in the order in which they came.
type rankRows struct {
	table *state.Table // by sort key and row (row.Ordered), or by unique key
	byKey bool
	vals  []state.Ref // by slot, if by key: sort key and row
	arena state.Arena
	slots []rankSlot

	entries []rankEntry
	free    []int32
}

// rankSlot is what is kept with a row.
type rankSlot struct {
	head, tail int32 // its entries: number + 1, 0: none
	part       int32 // slot of its partition
	used       bool
}

// rankEntry is a row in the list of its partition.
type rankEntry struct {
	seq  int64 // order of arrival
	slot int32
	next int32 // the next one of an equal row: number + 1
}

// grow makes room for slots that were added.
func (r *rankRows) grow(added []int32) {
	r.slots = grown(r.slots, r.table.Cap())
	if r.byKey {
		r.vals = grown(r.vals, r.table.Cap())
	}
	for _, s := range added {
		r.slots[s] = rankSlot{used: true}
	}
}

// data is the sort key and the row of a slot.
func (r *rankRows) data(slot int32) []byte {
	if r.byKey {
		return r.arena.Get(r.vals[slot])
	}
	return r.table.Key(slot)
}

// sortKey and row are the parts of an entry's data.
func (r *rankRows) sortKey(e int32) []byte {
	k, _ := row.Ordered(r.data(r.entries[e].slot))
	return k
}

func (r *rankRows) row(e int32) []byte {
	_, v := row.Ordered(r.data(r.entries[e].slot))
	return v
}

// add makes an entry of a slot, behind its equals.
func (r *rankRows) add(slot, part int32, seq int64) int32 {
	e := int32(len(r.entries))
	if n := len(r.free); n > 0 {
		e, r.free = r.free[n-1], r.free[:n-1]
		r.entries[e] = rankEntry{seq: seq, slot: slot}
	} else {
		r.entries = append(r.entries, rankEntry{seq: seq, slot: slot})
	}
	s := &r.slots[slot]
	s.part = part
	if s.tail != 0 {
		r.entries[s.tail-1].next = e + 1
	} else {
		s.head = e + 1
	}
	s.tail = e + 1
	return e
}

// drop takes an entry from its slot.
func (r *rankRows) drop(e int32) {
	s := &r.slots[r.entries[e].slot]
	next := r.entries[e].next
	if s.head == e+1 {
		if s.head = next; next == 0 {
			s.tail = 0
		}
	} else {
		p := s.head - 1
		for r.entries[p].next != e+1 {
			p = r.entries[p].next - 1
		}
		if r.entries[p].next = next; next == 0 {
			s.tail = p + 1
		}
	}
	r.free = append(r.free, e)
}

// seek is the place of the first entry that ranks at or after a sort key and an
// arrival.
func (r *rankRows) seek(l *ranked, key []byte, seq int64) place {
	if len(l.runs) == 0 {
		return place{}
	}
	before := func(e int32) bool {
		if c := bytes.Compare(r.sortKey(e), key); c != 0 {
			return c < 0
		}
		return r.entries[e].seq < seq
	}
	// The last run whose first entry comes before.
	lo, hi := 0, len(l.runs)-1
	for lo < hi {
		if mid := (lo + hi + 1) / 2; before(l.runs[mid][0]) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	run := l.runs[lo]
	from, to := 0, len(run)
	for from < to {
		if mid := (from + to) / 2; before(run[mid]) {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return place{lo, from}
}

func (r *rankRows) bytes() int64 {
	return r.table.Bytes() + r.arena.Bytes() + int64(cap(r.slots))*16 + int64(cap(r.entries))*16 + int64(cap(r.vals))*12 + int64(cap(r.free))*4
}
