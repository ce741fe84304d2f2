package window

import (
	"math"

	"fsql/row"
	"fsql/state"
)

// sessionSet keeps the open sessions of all keys. A session is a number, dense
// and reused, which is also its slot in the accumulators.
//
// Two rows of a key are in one session if their distance is at most the gap
// (Flink: windows that touch merge), so a row reaches at most two open
// sessions, one on each side, which it joins.
type sessionSet struct {
	gap   int64
	table *state.Table // keys; head[k] is the first session of key k, -1: none
	head  []int32
	list  []session
	free  []int32
	due   state.Timers
	idle  []int32 // keys that lost their last session: see sweep
	key   [1]int32
}

type session struct {
	start, end int64 // end is the last row's time plus the gap
	timer      int64 // the end under which it waits in due, noTimer: closed
	next       int32 // session of the same key, -1: none
	key        int32
}

const noTimer = math.MinInt64

func newSessionSet(gap int64) *sessionSet { return &sessionSet{gap: gap, table: state.NewTable()} }

// find sets slots to the slots of the keys, adding them.
func (s *sessionSet) find(keys *row.Keys, slots, fresh []int32) []int32 {
	fresh = s.table.FindOrAdd(keys, slots, fresh)
	s.table.Touch(slots)
	s.room()
	for _, k := range fresh {
		s.head[k] = -1
		s.idle = append(s.idle, k) // its row may be late
	}
	return fresh
}

// room grows what is kept by key.
func (s *sessionSet) room() {
	for n := s.table.Cap(); len(s.head) < n; {
		s.head = append(s.head, -1)
	}
}

// touching finds the open sessions of a key that a row at t belongs to, the
// earliest first; -1 where there is none.
func (s *sessionSet) touching(key int32, t int64) (first, second int32) {
	first, second = -1, -1
	for i := s.head[key]; i >= 0; i = s.list[i].next {
		if x := &s.list[i]; t > x.end || t+s.gap < x.start {
			continue
		}
		if first < 0 {
			first = i
		} else if second = i; s.list[second].start < s.list[first].start {
			first, second = second, first
		}
	}
	return first, second
}

// open makes a session of one row.
func (s *sessionSet) open(key int32, t int64) int32 { return s.add(key, t, t+s.gap) }

// add makes a session.
func (s *sessionSet) add(key int32, start, end int64) int32 {
	var i int32
	if n := len(s.free); n > 0 {
		i, s.free = s.free[n-1], s.free[:n-1]
	} else {
		i = int32(len(s.list))
		s.list = append(s.list, session{})
	}
	s.list[i] = session{start: start, end: end, timer: end, next: s.head[key], key: key}
	s.head[key] = i
	s.due.Push(state.Timer{At: end, Who: i})
	return i
}

// extend makes room for a row at t.
func (s *sessionSet) extend(i int32, t int64) {
	x := &s.list[i]
	x.start, x.end = min(x.start, t), max(x.end, t+s.gap)
}

// join makes one session of two; b is closed.
func (s *sessionSet) join(a, b int32) {
	x, y := &s.list[a], &s.list[b]
	x.start, x.end = min(x.start, y.start), max(x.end, y.end)
	s.close(b)
}

// close takes a session out of its key's list and forgets it.
func (s *sessionSet) close(i int32) {
	x := &s.list[i]
	at := &s.head[x.key]
	for *at != i {
		at = &s.list[*at].next
	}
	*at = x.next
	if s.head[x.key] < 0 {
		s.idle = append(s.idle, x.key)
	}
	x.timer = noTimer
	s.free = append(s.free, i)
}

// first is the end of the session that closes first, or earlier.
func (s *sessionSet) first() (int64, bool) {
	t, ok := s.due.First()
	return t.At, ok
}

// pop returns the next session that ends at end or before, in order of ends
// (of equal ones, in order of numbers, which depends on the rows alone). The
// caller closes it. A session waits under one timer: one that grew since waits
// again.
func (s *sessionSet) pop(end int64) (int32, bool) {
	for {
		t, ok := s.due.First()
		if !ok || t.At > end {
			return 0, false
		}
		s.due.Pop()
		x := &s.list[t.Who]
		switch {
		case x.timer != t.At: // closed
		case x.end > t.At:
			x.timer = x.end
			s.due.Push(state.Timer{At: x.end, Who: t.Who})
		default:
			x.timer = noTimer
			s.key[0] = x.key
			s.table.Touch(s.key[:])
			return t.Who, true
		}
	}
}

// sweep removes the keys without sessions. Between sweeps they keep their
// slots, so that a batch looks its keys up once.
func (s *sessionSet) sweep() {
	const removed = -2
	gone := s.idle[:0]
	for _, k := range s.idle {
		if s.head[k] == -1 {
			s.head[k] = removed
			gone = append(gone, k)
		}
	}
	s.table.Remove(gone)
	s.idle = s.idle[:0]
}

func (s *sessionSet) bytes() int64 {
	return s.table.Bytes() + int64(cap(s.head))*4 + int64(cap(s.list))*40 + s.due.Bytes()
}
