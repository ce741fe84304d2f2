package format

import "unsafe"

// Arena copies texts out of a reused buffer into chunks that the garbage
// collector frees when no column points into them any more.
type Arena struct{ chunk []byte }

// The first chunk is small so that a small file costs little memory.
const (
	firstChunk = 4 << 10
	lastChunk  = 256 << 10
)

// String returns b as a string of its own.
func (a *Arena) String(b []byte) string {
	n := len(a.chunk)
	if cap(a.chunk)-n < len(b) {
		a.grow(len(b))
		n = 0
	}
	a.chunk = append(a.chunk, b...)
	return a.since(n)
}

// since returns what was appended to the chunk from position n on.
func (a *Arena) since(n int) string {
	return unsafe.String(unsafe.SliceData(a.chunk[n:]), len(a.chunk)-n)
}

func (a *Arena) grow(n int) {
	size := min(max(2*cap(a.chunk), firstChunk), lastChunk)
	a.chunk = make([]byte, 0, max(size, n))
}

// Append calls f with room for max more bytes; what f appended comes back as a
// string. It serves values that are made while they are copied.
func (a *Arena) Append(max int, f func(dst []byte) []byte) string {
	n := len(a.chunk)
	if cap(a.chunk)-n < max {
		a.grow(max)
		n = 0
	}
	a.chunk = f(a.chunk)
	return a.since(n)
}
