package join

import (
	"sort"
	"unsafe"

	"fsql/state"
)

// entry is a stored row in the list of its key.
type entry struct {
	at  int64 // its time
	row state.Ref
}

// list holds the entries of one key and side in order of time, equal times in
// order of arrival. It costs no object: entries lie in runs of a lists. One
// that outgrows the largest run becomes a longList.
type list struct {
	run   int32  // which run, or which longList
	head  uint16 // entries of the run that are gone
	n     uint16 // entries; of a longList just not 0
	class uint8  // the run has room for 1<<class
}

// lists is the memory of all lists: runs of 1, 2, 4 .. 256 entries, cut from
// blocks and used again.
type lists struct {
	class [longClass]runs
	long  []*longList
	free  []int32 // of long
}

type runs struct {
	blocks [][]entry
	free   []int32
	next   int32
}

const (
	longClass  = 9
	longRun    = 1 << (longClass - 1)
	blockShift = 9
	keepBlocks = 4
)

func (s *lists) take(class uint8) int32 {
	r := &s.class[class]
	if n := len(r.free); n > 0 {
		run := r.free[n-1]
		r.free = r.free[:n-1]
		return run
	}
	if int(r.next)>>(blockShift-class) == len(r.blocks) {
		r.blocks = append(r.blocks, make([]entry, 1<<blockShift))
	}
	r.next++
	return r.next - 1
}

func (s *lists) give(class uint8, run int32) {
	r := &s.class[class]
	if r.free = append(r.free, run); len(r.free) == int(r.next) && len(r.blocks) > keepBlocks {
		*r = runs{} // the memory of a peak goes back when nothing is left
	}
}

func (s *lists) entries(l *list) []entry {
	per := blockShift - l.class
	from := (l.run & (1<<per - 1)) << l.class
	return s.class[l.class].blocks[l.run>>per][from : from+1<<l.class]
}

// insert puts an entry behind all that are not later.
func (s *lists) insert(l *list, e entry) {
	switch {
	case l.class == longClass:
		s.long[l.run].insert(e)
		return
	case l.n == 0:
		*l = list{run: s.take(0), n: 1}
		s.entries(l)[0] = e
		return
	case int(l.head+l.n) == 1<<l.class:
		if s.makeRoom(l); l.class == longClass {
			s.long[l.run].insert(e)
			return
		}
	}
	run := s.entries(l)
	at := int(l.head + l.n)
	for ; at > int(l.head) && run[at-1].at > e.at; at-- {
		run[at] = run[at-1]
	}
	run[at] = e
	l.n++
}

// makeRoom moves the entries to the front of their run if a good part of it is
// free, else to a larger run.
func (s *lists) makeRoom(l *list) {
	run := s.entries(l)
	live := run[l.head:]
	if int(l.n)*4 <= len(run)*3 {
		copy(run, live)
		l.head = 0
		return
	}
	big := list{n: l.n, class: l.class + 1}
	if big.class == longClass {
		long := &longList{n: len(live), runs: [][]entry{append(make([]entry, 0, longRun), live...)}}
		if n := len(s.free); n > 0 {
			big.run, s.free = s.free[n-1], s.free[:n-1]
			s.long[big.run] = long
		} else {
			big.run = int32(len(s.long))
			s.long = append(s.long, long)
		}
	} else {
		big.run = s.take(big.class)
		copy(s.entries(&big), live)
	}
	s.give(l.class, l.run)
	*l = big
}

// first is the earliest entry; there must be one.
func (s *lists) first(l *list) entry {
	if l.class == longClass {
		g := s.long[l.run]
		return g.runs[0][g.head]
	}
	return s.entries(l)[l.head]
}

// pop takes the first entry away.
func (s *lists) pop(l *list) {
	if l.class == longClass {
		if s.long[l.run].pop() {
			s.long[l.run] = nil
			s.free = append(s.free, l.run)
			*l = list{}
		}
		return
	}
	l.head++
	if l.n--; l.n == 0 {
		s.give(l.class, l.run)
		*l = list{}
	}
}

// touch reads what the rows of a batch will look at: the cache misses of
// different keys overlap, which they do not while rows are paired one by one.
func (s *lists) touch(keyed []keyed, slots []int32, side int) (sum int64) {
	for _, slot := range slots {
		sum += s.peek(&keyed[slot].side[side])
	}
	return sum
}

// peek reads the first entry of a list that is not long.
func (s *lists) peek(l *list) int64 {
	if l.n == 0 || l.class == longClass {
		return 0
	}
	return s.entries(l)[l.head].at
}

// cursor is a place in a list. It holds while nothing is inserted into it and
// nothing popped.
type cursor struct{ run, at int32 }

// seek is the first entry at or after a time.
func (s *lists) seek(l *list, from int64) cursor {
	switch {
	case l.n == 0:
		return cursor{}
	case l.class == longClass:
		return s.long[l.run].seek(from)
	}
	return cursor{at: int32(l.head) + seekRun(s.entries(l)[l.head:l.head+l.n], from)}
}

func seekRun(run []entry, from int64) int32 {
	if len(run) <= 8 {
		for i := range run {
			if run[i].at >= from {
				return int32(i)
			}
		}
		return int32(len(run))
	}
	return int32(sort.Search(len(run), func(i int) bool { return run[i].at >= from }))
}

// upTo is the last entry at or before a time, nil if there is none. It holds
// while nothing is inserted and nothing popped.
func (s *lists) upTo(l *list, t int64) *entry {
	switch {
	case l.n == 0:
		return nil
	case l.class == longClass:
		return s.long[l.run].upTo(t)
	}
	return upToRun(s.entries(l)[l.head:l.head+l.n], t)
}

func upToRun(run []entry, t int64) *entry {
	at := len(run)
	if run[at-1].at > t { // mostly it is the newest
		at = int(seekRun(run, plus(t, 1)))
	}
	if at == 0 {
		return nil
	}
	return &run[at-1]
}

// collect appends the rows from c up to a time, at most max of them, and moves
// c behind them; done tells that these were all.
func (s *lists) collect(l *list, c *cursor, to int64, max int, dst []state.Ref) (_ []state.Ref, done bool) {
	if l.n == 0 {
		return dst, true
	}
	if l.class == longClass {
		return s.long[l.run].collect(c, to, max, dst)
	}
	run := s.entries(l)[:l.head+l.n]
	return collectRun(run, c, to, max, dst)
}

func collectRun(run []entry, c *cursor, to int64, max int, dst []state.Ref) ([]state.Ref, bool) {
	for ; int(c.at) < len(run) && run[c.at].at <= to; c.at++ {
		if max == 0 {
			return dst, false
		}
		max--
		dst = append(dst, run[c.at].row)
	}
	return dst, true
}

func (s *lists) bytes() int64 {
	const size = int64(unsafe.Sizeof(entry{}))
	n := int64(cap(s.long))*8 + int64(cap(s.free))*4
	for i := range s.class {
		n += int64(len(s.class[i].blocks))*size<<blockShift + int64(cap(s.class[i].free))*4
	}
	for _, g := range s.long {
		if g != nil {
			n += int64(len(g.runs)) * longRun * size
		}
	}
	return n
}
