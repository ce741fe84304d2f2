package connector

import "fsql/types"

// Clocked is an optional part of a Reader that knows event time by itself. It
// is asked after every Poll; what it says holds for the rows polled so far.
type Clocked interface {
	// Watermark is the event time that has been reached, types.MinTime: not
	// said. It only rises.
	Watermark() types.Time
	// Replaces tells that the watermark expression of the table counts for
	// nothing: there is no event time but Watermark.
	Replaces() bool
	// Idle tells that event time must not wait for this reader until its next
	// row.
	Idle() bool
}
