package op

import "fsql/state"

// Stateful is the optional part of operators that keep something from one batch
// to the next: it takes them through checkpoints. An operator whose Spec says
// that it has state must have it to run in a job with checkpoints.
type Stateful interface {
	// Track is called before anything else if there will be checkpoints: from
	// here on the operator remembers what changes.
	Track()
	// Snapshot gives what has changed since the last one. It is called after
	// OnBarrier, never while OnBatch has more to do. The barrier waits for it:
	// tables are only sealed (state.Table.Seal) and copied while the operator
	// goes on, which is why it touches slots before it changes them.
	Snapshot(s *state.Snapshot)
	// Restore takes over the state of the subtask's key groups, right after
	// Track. The event time that the operator has seen comes again as its
	// first mark.
	Restore(r *state.Restored) error
}

// Fingerprinted specs tell what the layout of their operator's state depends
// on: types, functions, window lengths. A job whose fingerprints changed cannot
// use its old state. Names, expressions and the parallelism are no part of it.
type Fingerprinted interface{ Fingerprint() string }

// Wrapper is what stands around an operator; Unwrap gives it.
type Wrapper interface{ Unwrap() any }

// StatefulOf finds the part of an operator that takes part in checkpoints, nil
// if it has none.
func StatefulOf(o any) Stateful {
	for {
		switch x := o.(type) {
		case Stateful:
			return x
		case Wrapper:
			o = x.Unwrap()
		default:
			return nil
		}
	}
}
