package exec

import "testing"

// TestQueue: order over many chunks, the bound, and that a writer may pass it.
func TestQueue(t *testing.T) {
	q := NewQueue[int](3)
	next := 0
	for i := range 1000 {
		if full := q.Len() >= 3; q.Full() != full {
			t.Fatalf("full with %d", q.Len())
		}
		q.Push(i)
		for q.Len() > i%7 {
			if v, ok := q.Pop(); !ok || v != next {
				t.Fatalf("got %d, want %d", v, next)
			}
			next++
		}
	}
	for ; next < 1000; next++ {
		if v, ok := q.Pop(); !ok || v != next {
			t.Fatalf("got %d, want %d", v, next)
		}
	}
	if _, ok := q.Pop(); ok || !q.Empty() {
		t.Error("not empty")
	}
}

// TestQueueWakes its two ends.
func TestQueueWakes(t *testing.T) {
	q := NewQueue[int](1)
	news, room := 0, 0
	q.reader, q.writer = func() { news++ }, func() { room++ }
	q.Push(1)
	q.Push(2)
	q.Pop()
	if news != 2 || room != 1 {
		t.Errorf("woken %d and %d times", news, room)
	}
}

// TestAccount keeps the peak.
func TestAccount(t *testing.T) {
	var a Account
	s := share{account: &a}
	s.set(100)
	a.Add(50)
	s.set(10)
	if a.Current() != 60 || a.Peak() != 150 {
		t.Errorf("%d now, %d at most", a.Current(), a.Peak())
	}
}
