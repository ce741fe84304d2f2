package json

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Every scanning function takes a buffer that ends with a line end, which ends
// every loop: no JSON text that fits a line holds one. They return the position
// behind what they read, or a negative number when it is malformed, with the
// place and what was expected in d.

// flags of a string.
type flags uint8

const (
	escaped flags = 1 << iota // it holds a backslash
	wide                      // it may hold bytes above 127
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// match marks the bytes of x that equal c; the lowest mark is exact.
func match(x uint64, c byte) uint64 {
	y := x ^ uint64(c)*ones
	return (y - ones) &^ y & highs
}

// stringEnd finds the quote that ends the string whose first character is at
// p; -1 when the line ends before. Control characters are allowed: Flink
// configures its reader so.
func stringEnd(b []byte, p int) (end int, f flags) {
	var seen uint64
	for {
		for p+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[p:])
			seen |= x
			if m := match(x, '"') | match(x, '\\') | match(x, '\n'); m != 0 {
				p += bits.TrailingZeros64(m) >> 3
				break
			}
			p += 8
		}
		for {
			c := b[p]
			if c == '"' || c == '\\' || c == '\n' {
				break
			}
			seen |= uint64(c)
			p++
		}
		switch {
		case b[p] == '"':
			if seen&highs != 0 {
				f |= wide
			}
			return p, f
		case b[p] == '\n' || b[p+1] == '\n':
			return -1, f
		}
		f |= escaped
		p += 2
	}
}

// text reads the string that begins with the quote at p and returns its
// characters, unescaped into scratch where needed.
func (d *decoder) text(b []byte, p int) (text []byte, next int) {
	end, f := stringEnd(b, p+1)
	if end < 0 {
		return nil, d.fail(lineEnd(b, p), "a closing quote")
	}
	raw := b[p+1 : end]
	if f == 0 {
		return raw, end + 1
	}
	if f&wide != 0 && !utf8.Valid(raw) {
		return nil, d.fail(p+1+firstInvalid(raw), "UTF-8")
	}
	if f&escaped == 0 {
		return raw, end + 1
	}
	at := 0
	d.scratch, at = unescape(d.scratch[:0], raw)
	if at >= 0 {
		return nil, d.fail(p+1+at, "a valid escape")
	}
	return d.scratch, end + 1
}

func firstInvalid(b []byte) int {
	at := 0
	for at < len(b) {
		r, size := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return at
}

func lineEnd(b []byte, p int) int {
	for b[p] != '\n' {
		p++
	}
	return p
}

// space skips blanks. A line end is none: it ends the record.
func space(b []byte, p int) int {
	for b[p] == ' ' || b[p] == '\t' || b[p] == '\r' {
		p++
	}
	return p
}

// number reads a JSON number; fraction tells that it has a point or an exponent.
func (d *decoder) number(b []byte, p int) (next int, fraction bool) {
	if b[p] == '-' {
		p++
	}
	switch {
	case b[p] == '0':
		p++
		if b[p]-'0' <= 9 {
			return d.fail(p, "no digit after a leading zero"), false
		}
	case b[p]-'0' <= 9:
		p = digits(b, p)
	default:
		return d.fail(p, "a digit"), false
	}
	if b[p] == '.' {
		fraction = true
		p++
		if b[p]-'0' > 9 {
			return d.fail(p, "a digit after the point"), false
		}
		p = digits(b, p)
	}
	if b[p]|0x20 == 'e' {
		fraction = true
		p++
		if b[p] == '+' || b[p] == '-' {
			p++
		}
		if b[p]-'0' > 9 {
			return d.fail(p, "a digit of the exponent"), false
		}
		p = digits(b, p)
	}
	return p, fraction
}

func digits(b []byte, p int) int {
	for b[p]-'0' <= 9 {
		p++
	}
	return p
}

// word reads true, false or null.
func (d *decoder) word(b []byte, p int) int {
	for _, w := range [...]string{"true", "false", "null"} {
		if len(b)-p > len(w) && string(b[p:p+len(w)]) == w {
			return p + len(w)
		}
	}
	return d.fail(p, "a JSON value")
}

// maxDepth of nesting is that of Flink's reader.
const maxDepth = 1000

// skip reads any value and checks its syntax.
func (d *decoder) skip(b []byte, p, depth int) int {
	switch c := b[p]; {
	case c == '"':
		end, f := stringEnd(b, p+1)
		if end < 0 {
			return d.fail(lineEnd(b, p), "a closing quote")
		}
		if f != 0 {
			_, end = d.text(b, p)
			return end
		}
		return end + 1
	case c-'0' <= 9 || c == '-':
		next, _ := d.number(b, p)
		return next
	case c == '{':
		if depth > maxDepth {
			return d.fail(p, "at most 1000 levels of nesting")
		}
		for first := true; ; first = false {
			var key int
			if key, p = d.member(b, p+1, first); key < 0 {
				return p
			}
			if p = d.skip(b, p, depth+1); p < 0 {
				return p
			}
			if p = space(b, p); b[p] != ',' {
				return d.closing(b, p, '}')
			}
		}
	case c == '[':
		if depth > maxDepth {
			return d.fail(p, "at most 1000 levels of nesting")
		}
		p = space(b, p+1)
		if b[p] == ']' {
			return p + 1
		}
		for {
			if p = d.skip(b, p, depth+1); p < 0 {
				return p
			}
			if p = space(b, p); b[p] != ',' {
				return d.closing(b, p, ']')
			}
			p = space(b, p+1)
		}
	}
	return d.word(b, p)
}

// member reads the name of a member up to the value behind it. p is behind the
// brace or the comma. key is the position of the name's quote; -1 when the
// object ended or is malformed, and next tells which.
func (d *decoder) member(b []byte, p int, first bool) (key, next int) {
	p = space(b, p)
	if b[p] != '"' {
		if first && b[p] == '}' {
			return -1, p + 1
		}
		return -1, d.fail(p, "a field name in double quotes")
	}
	key = p
	if _, p = d.text(b, p); p < 0 {
		return -1, p
	}
	if p = d.colon(b, p); p < 0 {
		return -1, p
	}
	return key, p
}

// colon reads the colon behind a name and the blanks around it.
func (d *decoder) colon(b []byte, p int) int {
	p = space(b, p)
	if b[p] != ':' {
		return d.fail(p, "a colon")
	}
	return space(b, p+1)
}

// closing reads the bracket that ends an object or array.
func (d *decoder) closing(b []byte, p int, c byte) int {
	if b[p] != c {
		return d.fail(p, "a comma or '"+string(rune(c))+"'")
	}
	return p + 1
}
