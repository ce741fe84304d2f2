package exec

import (
	"fsql/row"
	"fsql/types"
)

// Element is what travels between tasks: a value, not an interface. Event time
// has no element of its own, it is inside the batches (row.Mark).
type Element struct {
	Kind  ElementKind
	Batch *row.Batch  // of Data
	Epoch types.Epoch // of Barrier
	Last  bool        // of Barrier: no row will follow
	bytes int64       // what the account was charged for the batch
}

// ElementKind tells elements apart.
type ElementKind uint8

// The kinds of elements.
const (
	// Data is a batch with rows, marks or both.
	Data ElementKind = iota
	// Idle: until Active the sender must not hold event time back.
	Idle
	// Active ends Idle. It comes before the rows that ended the silence.
	Active
	// Barrier parts the rows of one epoch from those of the next.
	Barrier
)
