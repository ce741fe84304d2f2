package window

// timers are waiting times, taken in order of at, then who. They mostly come in
// that order, and those stand in a line; the others are in a binary heap.
type timers struct {
	line []timer
	head int // line before it is taken
	heap []timer
}

// timer is when what is to be woken: a session, a group.
type timer struct {
	at  int64
	who int32
}

func (t timer) before(u timer) bool { return t.at < u.at || t.at == u.at && t.who < u.who }

// first is the timer that pop takes.
func (h *timers) first() (t timer, ok bool) {
	inLine := h.head < len(h.line)
	switch {
	case inLine && (len(h.heap) == 0 || h.line[h.head].before(h.heap[0])):
		return h.line[h.head], true
	case len(h.heap) > 0:
		return h.heap[0], true
	}
	return timer{}, false
}

func (h *timers) push(t timer) {
	if n := len(h.line); n == h.head {
		h.line, h.head = append(h.line[:0], t), 0
		return
	} else if !t.before(h.line[n-1]) {
		if n == cap(h.line) && h.head > n/2 {
			h.line, h.head = h.line[:copy(h.line, h.line[h.head:])], 0
		}
		h.line = append(h.line, t)
		return
	}
	h.heap = append(h.heap, t)
	q := h.heap
	i := len(q) - 1
	for i > 0 && t.before(q[(i-1)/2]) {
		q[i] = q[(i-1)/2]
		i = (i - 1) / 2
	}
	q[i] = t
}

// pop takes the first timer; there must be one.
func (h *timers) pop() {
	if h.head < len(h.line) && (len(h.heap) == 0 || h.line[h.head].before(h.heap[0])) {
		h.head++
		return
	}
	n := len(h.heap) - 1
	t, q := h.heap[n], h.heap[:n]
	h.heap = q
	for i := 0; n > 0; {
		kid := 2*i + 1
		if kid+1 < n && q[kid+1].before(q[kid]) {
			kid++
		}
		if kid >= n || !q[kid].before(t) {
			q[i] = t
			break
		}
		q[i] = q[kid]
		i = kid
	}
}

func (h *timers) bytes() int64 { return int64(cap(h.line)+cap(h.heap)) * 16 }
