package exec

import "sync/atomic"

// Queue hands values from one stepper to one other, in order, without a lock:
// one side only writes pushed, the other only popped, and an atomic store after
// the value publishes it. It is bounded by its writer, who asks Full before a
// step; a step may pass the bound by its own output, never by more.
type Queue[T any] struct {
	bound  uint64
	reader func() // tells the reader that there is news; nil when one loop drives all
	writer func() // tells the writer that there is room

	pushed atomic.Uint64
	tail   *chunk[T]
	put    int

	_ [64]byte // the two sides write on different cache lines

	popped atomic.Uint64
	head   *chunk[T]
	took   int

	wanted  atomic.Bool // the reader can do nothing until something comes
	stalled atomic.Bool // the reader takes nothing until something else has come
}

const chunkLen = 16

type chunk[T any] struct {
	vals [chunkLen]T
	next *chunk[T]
}

// NewQueue returns an empty queue that is full from bound values on.
func NewQueue[T any](bound int) *Queue[T] {
	c := &chunk[T]{}
	return &Queue[T]{bound: uint64(max(bound, 1)), tail: c, head: c}
}

// Push appends v. Only the writer calls it.
func (q *Queue[T]) Push(v T) {
	if q.put == chunkLen {
		c := &chunk[T]{}
		q.tail.next = c
		q.tail, q.put = c, 0
	}
	q.tail.vals[q.put] = v
	q.put++
	q.pushed.Store(q.pushed.Load() + 1)
	if q.reader != nil {
		q.reader()
	}
}

// Pop takes the oldest value. Only the reader calls it.
func (q *Queue[T]) Pop() (v T, ok bool) {
	if q.Empty() {
		return v, false
	}
	if q.took == chunkLen {
		q.head, q.took = q.head.next, 0
	}
	var zero T
	v, q.head.vals[q.took] = q.head.vals[q.took], zero
	q.took++
	q.popped.Store(q.popped.Load() + 1)
	if q.writer != nil {
		q.writer()
	}
	return v, true
}

// Empty tells the reader that there is nothing to take.
func (q *Queue[T]) Empty() bool { return q.popped.Load() == q.pushed.Load() }

// want says whether the reader can do nothing until something comes through this
// queue; the writer is told.
func (q *Queue[T]) want(yes bool) { q.say(&q.wanted, yes) }

// stall says whether the reader takes nothing from this queue before something
// else has happened; the writer is told.
func (q *Queue[T]) stall(yes bool) { q.say(&q.stalled, yes) }

func (q *Queue[T]) say(flag *atomic.Bool, yes bool) {
	if flag.Load() == yes {
		return
	}
	flag.Store(yes)
	if yes && q.writer != nil {
		q.writer()
	}
}

// Full tells the writer to wait.
func (q *Queue[T]) Full() bool { return q.Len() >= int(q.bound) }

// Len is the number of values in the queue.
func (q *Queue[T]) Len() int { return int(q.pushed.Load() - q.popped.Load()) }
