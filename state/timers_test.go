package state

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Timers come out in order, whatever order they went in.
func TestTimers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var h Timers
	var want []Timer
	for i := 0; i < 20_000; i++ {
		if r.IntN(5) > 1 || len(want) == 0 {
			x := Timer{int64(i/8 + r.IntN(3)*r.IntN(40)), r.Int64N(3), r.Int32N(4)}
			h.Push(x)
			at, _ := slices.BinarySearchFunc(want, x, func(a, b Timer) int {
				if a.Before(b) {
					return -1
				}
				return 1
			})
			want = slices.Insert(want, at, x)
		} else {
			got, ok := h.First()
			if !ok || got != want[0] {
				t.Fatalf("step %d: %v, want %v", i, got, want[0])
			}
			h.Pop()
			want = want[1:]
		}
	}
	if n := h.Len(); n != len(want) {
		t.Fatalf("%d Timers left, want %d", n, len(want))
	}
}
