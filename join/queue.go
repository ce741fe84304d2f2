package join

// waiting is a stored row that leaves when time has reached at.
type waiting struct {
	at   int64
	seq  int64 // in order of arrival, over both sides
	slot int32 // of its key
}

func (w waiting) before(v waiting) bool { return w.at < v.at || w.at == v.at && w.seq < v.seq }

// queue gives the rows of a side in the order in which they leave. Rows mostly
// come in that order, and those stand in a line; the others are in a binary
// heap.
type queue struct {
	line []waiting
	head int // line before it is taken
	heap []waiting
}

func (q *queue) empty() bool { return q.head == len(q.line) && len(q.heap) == 0 }

func (q *queue) inLine() bool {
	return q.head < len(q.line) && (len(q.heap) == 0 || q.line[q.head].before(q.heap[0]))
}

// first is what pop takes; the queue must not be empty.
func (q *queue) first() waiting {
	if q.inLine() {
		return q.line[q.head]
	}
	return q.heap[0]
}

func (q *queue) push(w waiting) {
	if n := len(q.line); n == q.head {
		q.line, q.head = append(q.line[:0], w), 0
		return
	} else if !w.before(q.line[n-1]) {
		if n == cap(q.line) && q.head > n/2 {
			q.line, q.head = q.line[:copy(q.line, q.line[q.head:])], 0
		}
		q.line = append(q.line, w)
		return
	}
	q.heap = append(q.heap, w)
	h := q.heap
	i := len(h) - 1
	for i > 0 && w.before(h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = w
}

func (q *queue) pop() {
	if q.inLine() {
		if q.head++; q.head == len(q.line) && cap(q.line) > keepLine {
			q.line, q.head = nil, 0
		}
		return
	}
	n := len(q.heap) - 1
	w, h := q.heap[n], q.heap[:n]
	q.heap = h
	for i := 0; n > 0; {
		kid := 2*i + 1
		if kid+1 < n && h[kid+1].before(h[kid]) {
			kid++
		}
		if kid >= n || !h[kid].before(w) {
			h[i] = w
			break
		}
		h[i] = h[kid]
		i = kid
	}
	if n == 0 && cap(q.heap) > keepLine {
		q.heap = nil
	}
}

// keepLine is how much memory an empty queue keeps.
const keepLine = 1 << 12

func (q *queue) bytes() int64 { return int64(cap(q.line)+cap(q.heap)) * 24 }
