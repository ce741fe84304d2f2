package exec

import (
	"context"

	"fsql/row"
	"fsql/types"
)

// Task is a chain of operators behind a gate. Its head is an operator or, with
// nothing before it, a sink.
type Task struct {
	chain
	name string
	head *stage // nil: the head is the one sink

	batch *row.Batch // that the head has reported more about
	port  int
	held  share // its bytes
}

// Name is that of the head.
func (t *Task) Name() string { return t.name }

// Step handles one element, or goes on with one the head has not finished.
func (t *Task) Step(ctx context.Context) (bool, error) { return t.guarded(ctx, t.step) }

// NextClock is the earliest one of the operators; a task that is held up by a
// full queue waits for room first.
func (t *Task) NextClock() types.Time {
	if t.full() {
		return types.MaxTime
	}
	return t.nextClock()
}

func (t *Task) step(ctx context.Context) (bool, error) {
	if t.batch != nil {
		return true, t.more()
	}
	if worked, err := t.tick(); worked || err != nil {
		return true, err
	}
	e, port, ok := t.gate.Next()
	if !ok {
		t.gate.starved(t.wanted())
		return false, nil
	}
	t.gate.fed()
	switch e.Kind {
	case Data:
		t.held.bytes += e.bytes // charged when it was queued
		return true, t.data(port, e.Batch)
	case Barrier:
		return true, t.barrier(ctx, e, t.gate.inFlight())
	default:
		t.send(e)
		return true, nil
	}
}

func (t *Task) data(port int, b *row.Batch) error {
	if b.Rows == 0 && len(b.Marks) == 0 {
		t.held.set(0)
		return nil
	}
	if t.head == nil {
		err := t.sinks[0].take(b)
		t.held.set(0)
		return err
	}
	if b = t.head.admit(b); b == nil {
		t.held.set(0)
		return nil
	}
	t.head.out.took(b)
	t.batch, t.port = b, port
	return t.more()
}

// more gives the head its batch, again if need be.
func (t *Task) more() error {
	more, err := t.head.batch(t.port, t.batch)
	if err != nil || more {
		return err
	}
	t.batch = nil
	t.held.set(0)
	return nil
}
