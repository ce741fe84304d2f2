package state

import "encoding/binary"

// equal compares two keys of the same length. Those that fit into a record are
// compared by two or four words that may overlap: half the time of a call to
// compare memory.
func equal(a, b []byte) bool {
	n := len(a)
	if n < 8 || n > 32 {
		return string(a) == string(b)
	}
	b = b[:n]
	if word(a) != word(b) || word(a[n-8:]) != word(b[n-8:]) {
		return false
	}
	return n <= 16 || word(a[8:]) == word(b[8:]) && word(a[n-16:]) == word(b[n-16:])
}

func word(p []byte) uint64 { return binary.LittleEndian.Uint64(p) }
