package match

import "math"

// run is a run of rows on its way through the machine, or, in the final state, a
// match.
type run struct {
	state int32
	took  int32 // where its counts of rows per variable are
	start int64 // number of its first row; noStart for the run that has none yet
}

const noStart = math.MaxInt64

// queue has the run that began first at its head. Which of equal ones that is
// decides which match comes out, and with it Flink's answer: this is Java's
// PriorityQueue, whose order of equal elements follows from how it moves them.
type queue []run

// offer adds a run.
func (q *queue) offer(r run) {
	*q = append(*q, r)
	h := *q
	k := len(h) - 1
	for k > 0 {
		p := (k - 1) >> 1
		if r.start >= h[p].start {
			break
		}
		h[k] = h[p]
		k = p
	}
	h[k] = r
}

// poll takes the head.
func (q *queue) poll() run {
	h := *q
	head := h[0]
	n := len(h) - 1
	last := h[n]
	*q = h[:n]
	if n > 0 {
		q.down(0, last)
	}
	return head
}

func (q *queue) down(k int, r run) {
	h := *q
	n := len(h)
	for half := n >> 1; k < half; {
		c := 2*k + 1
		if c+1 < n && h[c].start > h[c+1].start {
			c++
		}
		if r.start <= h[c].start {
			break
		}
		h[k] = h[c]
		k = c
	}
	h[k] = r
}

// remove drops the runs for which f holds.
func (q *queue) remove(f func(r *run) bool) {
	h := *q
	kept := h[:0]
	for i := range h {
		if !f(&h[i]) {
			kept = append(kept, h[i])
		}
	}
	*q = kept
	if len(kept) == len(h) {
		return
	}
	for i := len(kept)>>1 - 1; i >= 0; i-- {
		q.down(i, kept[i])
	}
}
