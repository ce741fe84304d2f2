package csv

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A buffer that is scanned ends with a line end ('\n' or '\r'), which ends every
// loop outside of quotes.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// match marks the bytes of x that equal c; the lowest mark is exact.
func match(x, c uint64) uint64 {
	y := x ^ c
	return (y - ones) &^ y & highs
}

// fieldEnd finds the delimiter or line end that ends the unquoted field at p.
// wide tells that bytes above 127 may be in it.
func fieldEnd(b []byte, p int, delim byte) (end int, wide bool) {
	var seen uint64
	d := uint64(delim) * ones
	for p+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[p:])
		if m := match(x, d) | match(x, '\n'*ones) | match(x, '\r'*ones); m != 0 {
			n := bits.TrailingZeros64(m) &^ 7
			seen |= x & (1<<n - 1)
			return p + n>>3, seen&highs != 0
		}
		seen |= x
		p += 8
	}
	for {
		c := b[p]
		if c == delim || c == '\n' || c == '\r' {
			return p, seen&highs != 0
		}
		seen |= uint64(c)
		p++
	}
}

// lineFieldEnd is fieldEnd for a buffer without '\r'.
func lineFieldEnd(b []byte, p int, delim byte) (end int, wide bool) {
	var seen uint64
	d := uint64(delim) * ones
	for p+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[p:])
		if m := match(x, d) | match(x, '\n'*ones); m != 0 {
			n := bits.TrailingZeros64(m) &^ 7
			seen |= x & (1<<n - 1)
			return p + n>>3, seen&highs != 0
		}
		seen |= x
		p += 8
	}
	for {
		c := b[p]
		if c == delim || c == '\n' {
			return p, seen&highs != 0
		}
		seen |= uint64(c)
		p++
	}
}

// flags of a quoted field.
type flags uint8

const (
	doubled flags = 1 << iota // a quote inside is written as two
	wide                      // bytes above 127 may be in it
	broken                    // line ends may be in it
)

// quoteEnd finds the quote that ends the quoted field whose first character is
// at p, or len(b).
func quoteEnd(b []byte, p int, quote byte) (end int, f flags) {
	var seen, lines uint64
	q := uint64(quote) * ones
	for {
		for p+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[p:])
			seen |= x
			lines |= match(x, '\n'*ones)
			if m := match(x, q); m != 0 {
				p += bits.TrailingZeros64(m) >> 3
				break
			}
			p += 8
		}
		for p < len(b) && b[p] != quote {
			seen |= uint64(b[p])
			if b[p] == '\n' {
				lines = 1
			}
			p++
		}
		if p+1 >= len(b) || b[p+1] != quote {
			break
		}
		f |= doubled
		p += 2
	}
	if seen&highs != 0 {
		f |= wide
	}
	if lines != 0 {
		f |= broken
	}
	return min(p, len(b)), f
}

// ends tells whether c ends a line.
func ends(c byte) bool { return c == '\n' || c == '\r' }

// lineBehind is the position behind the line end at p.
func lineBehind(b []byte, p int) int {
	if b[p] == '\r' && p+1 < len(b) && b[p+1] == '\n' {
		return p + 2
	}
	return p + 1
}

// nextLine is the position behind the line that p is in, quotes not looked at.
func nextLine(b []byte, p int) int {
	if n := bytes.IndexAny(b[p:], "\r\n"); n >= 0 {
		return lineBehind(b, p+n)
	}
	return len(b)
}
