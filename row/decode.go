package row

import (
	"encoding/binary"
	"math"
	"strings"

	"fsql/types"
)

// DecodeKey appends the values of an encoded key (without prefix) to out, one
// column per key column, which the caller owns, and returns the bytes after it.
// The strings are copies. DecodeKeys is the form for many keys.
func DecodeKey(key []byte, out []*Vec) (rest []byte) {
	d := decoder{key: key[(len(out)+7)/8:]}
	for c, v := range out {
		d.column(v, key[c/8]&(1<<(c%8)) != 0)
	}
	return d.key
}

// DecodeKeys appends the values of keys to out, leaving out a prefix of skip
// bytes, column by column as far as the columns have fixed widths.
func DecodeKeys(keys [][]byte, skip int, out []*Vec) {
	at := skip + (len(out)+7)/8
	c := 0
	for ; c < len(out); c++ {
		w := fixedWidth(out[c].Type.Layout())
		if w == 0 {
			break
		}
		decodeFixed(keys, at, out[c])
		decodeNulls(keys, skip+c/8, 1<<(c%8), out[c])
		at += w
	}
	if c == len(out) {
		return
	}
	var all strings.Builder // one allocation for the strings of all keys
	total := 0
	for _, key := range keys {
		total += len(key) - at
	}
	all.Grow(total)
	for _, key := range keys {
		all.Write(key[at:])
	}
	d := decoder{text: all.String()}
	for _, key := range keys {
		d.key = key[at:]
		for i := c; i < len(out); i++ {
			d.column(out[i], key[skip+i/8]&(1<<(i%8)) != 0)
		}
	}
}

func decodeNulls(keys [][]byte, at int, bit byte, out *Vec) {
	first := out.Len - len(keys)
	for i, key := range keys {
		if key[at]&bit != 0 {
			out.SetNull(first + i)
		}
	}
}

func decodeFixed(keys [][]byte, at int, out *Vec) {
	first := out.Len
	out.grow(len(keys))
	le := binary.LittleEndian
	switch out.Type.Layout() {
	case types.LayoutBool:
		for i, key := range keys {
			out.Bool[first+i] = key[at] != 0
		}
	case types.LayoutI32:
		for i, key := range keys {
			out.I32[first+i] = int32(le.Uint32(key[at:]))
		}
	case types.LayoutI64:
		for i, key := range keys {
			out.I64[first+i] = int64(le.Uint64(key[at:]))
		}
	case types.LayoutF32:
		for i, key := range keys {
			out.F32[first+i] = math.Float32frombits(le.Uint32(key[at:]))
		}
	case types.LayoutF64:
		for i, key := range keys {
			out.F64[first+i] = math.Float64frombits(le.Uint64(key[at:]))
		}
	case types.LayoutDec:
		for i, key := range keys {
			out.Dec[first+i] = types.Dec{Lo: le.Uint64(key[at:]), Hi: int64(le.Uint64(key[at+8:]))}
		}
	case types.LayoutNano:
		for i, key := range keys {
			out.I64[first+i], out.Nano[first+i] = int64(le.Uint64(key[at:])), int32(le.Uint32(key[at+8:]))
		}
	}
}

// decoder reads values one after another. text, if set, begins with the same
// bytes as key: strings are cut from it.
type decoder struct {
	key  []byte
	text string
}

func (d *decoder) take(n int) []byte {
	p := d.key[:n]
	d.key = d.key[n:]
	if d.text != "" {
		d.text = d.text[n:]
	}
	return p
}

func (d *decoder) uvarint() int {
	v, n := binary.Uvarint(d.key)
	d.take(n)
	return int(v)
}

func (d *decoder) string() string {
	n := d.uvarint()
	if d.text == "" {
		return string(d.take(n))
	}
	s := d.text[:n]
	d.take(n)
	return s
}

// column appends a value of a key's own column: a NULL keeps its fixed width,
// a NULL string is a length of 0 and a nested NULL nothing at all.
func (d *decoder) column(out *Vec, null bool) {
	if !null {
		d.value(out)
		return
	}
	out.AppendNull(1)
	switch layout := out.Type.Layout(); layout {
	case types.LayoutStr:
		d.take(1)
	default:
		d.take(fixedWidth(layout))
	}
}

func (d *decoder) value(out *Vec) {
	i := out.Len
	le := binary.LittleEndian
	out.grow(1) // the kids of a ROW grow with their own values
	switch out.Type.Layout() {
	case types.LayoutBool:
		out.Bool[i] = d.take(1)[0] != 0
	case types.LayoutI32:
		out.I32[i] = int32(le.Uint32(d.take(4)))
	case types.LayoutI64:
		out.I64[i] = int64(le.Uint64(d.take(8)))
	case types.LayoutF32:
		out.F32[i] = math.Float32frombits(le.Uint32(d.take(4)))
	case types.LayoutF64:
		out.F64[i] = math.Float64frombits(le.Uint64(d.take(8)))
	case types.LayoutDec:
		out.Dec[i].Lo = le.Uint64(d.take(8))
		out.Dec[i].Hi = int64(le.Uint64(d.take(8)))
	case types.LayoutNano:
		out.I64[i], out.Nano[i] = int64(le.Uint64(d.take(8))), int32(le.Uint32(d.take(4)))
	case types.LayoutStr:
		out.Str[i] = d.string()
	case types.LayoutList:
		n := d.uvarint()
		out.Off[i], out.Size[i] = int32(out.Kids[0].Len), int32(n)
		for e := 0; e < n; e++ {
			for _, k := range out.Kids {
				d.nullable(k)
			}
		}
	case types.LayoutRow:
		for _, k := range out.Kids {
			d.nullable(k)
		}
	}
}

func (d *decoder) nullable(out *Vec) {
	if d.take(1)[0] != 0 {
		out.AppendNull(1)
		return
	}
	d.value(out)
}
