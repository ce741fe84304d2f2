package exec

import (
	"context"
	"testing"
	"time"

	"fsql/types"
)

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

// patient waits for a time that is centuries away.
type patient struct{ Stepper }

func (patient) NextClock() types.Time { return types.MaxTime - 1 }

// TestFarAlarm: it waits, instead of being told at once that the time has come.
func TestFarAlarm(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	th := &thread{stepper: patient{}, wake: make(chan struct{}, 1), clock: SystemClock}
	th.parked.Store(true)
	if th.wait(ctx); ctx.Err() == nil {
		t.Error("it does not wait")
	}
	th.timer.Stop()
}
