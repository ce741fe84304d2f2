package exec

import "testing"

// TestPark: whoever rouses a parked thread leaves one token, which is taken
// even when the thread has found work by itself meanwhile.
func TestPark(t *testing.T) {
	th := &thread{wake: make(chan struct{}, 1)}
	th.rouse() // not parked: nothing
	th.parked.Store(true)
	th.unpark()
	th.parked.Store(true)
	th.rouse()
	th.rouse()
	th.unpark()
	if len(th.wake) != 0 || th.parked.Load() {
		t.Error("a token is left, or the thread still parked")
	}
	(*thread)(nil).rouse()
}
