package state

// Timers are waiting times, taken in order of At, then Seq, then Who. They mostly come in
// that order, and those stand in a line; the others are in a binary heap.
type Timers struct {
	line []Timer
	head int // line before it is taken
	heap []Timer
}

// Timer is when what is to be woken: a session, a group, a row. Seq is for those
// whose order at one time is that of their arrival.
type Timer struct {
	At, Seq int64
	Who     int32
}

// Before tells that t comes first.
func (t Timer) Before(u Timer) bool {
	if t.At != u.At {
		return t.At < u.At
	}
	return t.Seq < u.Seq || t.Seq == u.Seq && t.Who < u.Who
}

func (h *Timers) inLine() bool {
	return h.head < len(h.line) && (len(h.heap) == 0 || h.line[h.head].Before(h.heap[0]))
}

// First is the timer that Pop takes.
func (h *Timers) First() (t Timer, ok bool) {
	switch {
	case h.inLine():
		return h.line[h.head], true
	case len(h.heap) > 0:
		return h.heap[0], true
	}
	return Timer{}, false
}

// Len is how many there are.
func (h *Timers) Len() int { return len(h.line) - h.head + len(h.heap) }

// Push adds a timer.
func (h *Timers) Push(t Timer) {
	if n := len(h.line); n == h.head {
		h.line, h.head = append(h.line[:0], t), 0
		return
	} else if !t.Before(h.line[n-1]) {
		if n == cap(h.line) && h.head > n/2 {
			h.line, h.head = h.line[:copy(h.line, h.line[h.head:])], 0
		}
		h.line = append(h.line, t)
		return
	}
	h.heap = append(h.heap, t)
	q := h.heap
	i := len(q) - 1
	for i > 0 && t.Before(q[(i-1)/2]) {
		q[i] = q[(i-1)/2]
		i = (i - 1) / 2
	}
	q[i] = t
}

// Pop takes the first timer; there must be one.
func (h *Timers) Pop() {
	if h.inLine() {
		if h.head++; h.head == len(h.line) && cap(h.line) > keepTimers {
			h.line, h.head = nil, 0
		}
		return
	}
	n := len(h.heap) - 1
	t, q := h.heap[n], h.heap[:n]
	h.heap = q
	for i := 0; n > 0; {
		kid := 2*i + 1
		if kid+1 < n && q[kid+1].Before(q[kid]) {
			kid++
		}
		if kid >= n || !q[kid].Before(t) {
			q[i] = t
			break
		}
		q[i] = q[kid]
		i = kid
	}
	if n == 0 && cap(h.heap) > keepTimers {
		h.heap = nil
	}
}

// keepTimers is how many places stay when none is taken.
const keepTimers = 1 << 12

// Bytes is the memory that they take.
func (h *Timers) Bytes() int64 { return int64(cap(h.line)+cap(h.heap)) * 24 }
