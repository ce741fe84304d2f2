package state

import (
	"encoding/binary"
	"errors"
	"math"
)

// Decoder reads what was saved for a checkpoint; after the first error it
// reads zeros.
type Decoder struct {
	Data []byte
	Err  error
}

var errShort = errors.New("saved state is cut short")

// Uvarint reads an unsigned number.
func (d *Decoder) Uvarint() uint64 {
	v, n := binary.Uvarint(d.Data)
	if !d.advance(n) {
		return 0
	}
	return v
}

// Varint reads a signed number.
func (d *Decoder) Varint() int64 {
	v, n := binary.Varint(d.Data)
	if !d.advance(n) {
		return 0
	}
	return v
}

// Uint64 reads eight bytes.
func (d *Decoder) Uint64() uint64 {
	if len(d.Data) < 8 {
		d.advance(0)
		return 0
	}
	v := binary.LittleEndian.Uint64(d.Data)
	d.advance(8)
	return v
}

// Byte reads one byte.
func (d *Decoder) Byte() byte {
	if len(d.Data) == 0 {
		d.advance(0)
		return 0
	}
	b := d.Data[0]
	d.Data = d.Data[1:]
	return b
}

// Uint32 reads four bytes.
func (d *Decoder) Uint32() uint32 {
	if len(d.Data) < 4 {
		d.advance(0)
		return 0
	}
	v := binary.LittleEndian.Uint32(d.Data)
	d.advance(4)
	return v
}

// Float64 reads a DOUBLE.
func (d *Decoder) Float64() float64 { return math.Float64frombits(d.Uint64()) }

// Bytes reads a length and bytes, which share memory with the saved form.
func (d *Decoder) Bytes() []byte {
	n := d.Uvarint()
	if uint64(len(d.Data)) < n {
		d.advance(0)
		return nil
	}
	b := d.Data[:n]
	d.Data = d.Data[n:]
	return b
}

// Version reads the version that a saved form begins with.
func (d *Decoder) Version(known byte) {
	if len(d.Data) == 0 || d.Data[0] != known {
		d.Err, d.Data = errors.New("saved state has a version that is not known"), nil
		return
	}
	d.Data = d.Data[1:]
}

func (d *Decoder) advance(n int) bool {
	if n <= 0 {
		if d.Err == nil {
			d.Err = errShort
		}
		d.Data = nil
		return false
	}
	d.Data = d.Data[n:]
	return true
}

// AppendSized appends a length and what write appends, to be read by Bytes.
func AppendSized(dst []byte, write func(dst []byte) []byte) []byte {
	at := len(dst)
	dst = write(append(dst, 0))
	n := len(dst) - at - 1
	if n < 0x80 {
		dst[at] = byte(n)
		return dst
	}
	var head [binary.MaxVarintLen64]byte
	k := binary.PutUvarint(head[:], uint64(n))
	dst = append(dst, head[1:k]...) // makes room
	copy(dst[at+k:], dst[at+1:at+1+n])
	copy(dst[at:], head[:k])
	return dst
}

// AppendBytes appends a length and bytes.
func AppendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}
