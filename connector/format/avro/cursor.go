package avro

import (
	"encoding/binary"
	"math"
)

// cursor reads the binary form of values. Its first failure stays; from then on
// it reads zeros.
type cursor struct {
	data  []byte
	at    int
	short bool   // the data ended too early
	bad   string // what was wrong otherwise
}

func (c *cursor) failed() bool { return c.short || c.bad != "" }

func (c *cursor) fail(reason string) {
	if !c.failed() {
		c.bad = reason
	}
	c.at = len(c.data)
}

func (c *cursor) end() {
	if !c.failed() {
		c.short = true
	}
	c.at = len(c.data)
}

// long reads an int or a long.
func (c *cursor) long() int64 {
	if c.at < len(c.data) {
		if b := c.data[c.at]; b < 0x80 { // the common case
			c.at++
			return int64(b>>1) ^ -int64(b&1)
		}
	}
	v, n := binary.Varint(c.data[c.at:])
	if n == 0 {
		c.end()
		return 0
	}
	if n < 0 {
		c.fail("a number of more than 64 bits")
		return 0
	}
	c.at += n
	return v
}

func (c *cursor) int() int32 {
	v := c.long()
	if int64(int32(v)) != v {
		c.fail("a number of more than 32 bits where the schema has an int")
	}
	return int32(v)
}

// take reads n bytes, which belong to the data.
func (c *cursor) take(n int64) []byte {
	if n < 0 {
		c.fail("a negative length")
		return nil
	}
	if n > int64(len(c.data)-c.at) {
		c.end()
		return nil
	}
	b := c.data[c.at : c.at+int(n)]
	c.at += int(n)
	return b
}

// bytes reads a string or bytes.
func (c *cursor) bytes() []byte { return c.take(c.long()) }

func (c *cursor) bool() bool {
	b := c.take(1)
	return len(b) == 1 && b[0] == 1
}

func (c *cursor) float() float32 {
	if b := c.take(4); b != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (c *cursor) double() float64 {
	if b := c.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// most is the largest number of entries without a byte of their own, NULLs, that
// one block of an array may have.
const most = 1 << 20

// count reads the number of entries of the next block of an array or map, 0 at
// its end, and the bytes they take, -1 if that is not told.
func (c *cursor) count() (n int, size int64) {
	v := c.long()
	size = -1
	if v < 0 {
		v, size = -v, c.long()
	}
	if v < 0 || v > int64(max(most, len(c.data)-c.at)) {
		c.fail("an array or map of too many entries")
		return 0, -1
	}
	return int(v), size
}
