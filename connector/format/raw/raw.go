// Package raw is the format of a single column whose bytes are the value: a
// line of text, or a number in binary form. In files one line is one value.
package raw

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Format returns the raw format.
func Format() *format.Format {
	return &format.Format{
		Name:  "raw",
		Lines: true,
		Kinds: row.InsertOnly,
		Options: &option.Set{Defs: []option.Def{
			{Key: "charset", Type: option.String, Default: "UTF-8", Doc: "Encoding of text: UTF-8, ISO-8859-1 or US-ASCII."},
			{Key: "endianness", Type: option.Enum, Choices: []string{"big-endian", "little-endian"}, Default: "big-endian", Doc: "Order of the bytes of numbers."},
		}},
		Decoder: newDecoder,
		Encoder: newEncoder,
	}
}

// codec is what both directions need.
type codec struct {
	typ    types.Type
	order  binary.ByteOrder
	latin  bool // one byte per character
	column *format.Column
}

func newCodec(s *types.Schema, o *option.Values) (*codec, error) {
	if len(s.Columns) != 1 {
		return nil, diag.New(diag.NotSupported, diag.Span{}, "the format raw has exactly one physical column, not %d", len(s.Columns)).
			WithHint("declare one column of type STRING or BYTES")
	}
	c := &codec{typ: s.Columns[0].Type, order: binary.BigEndian}
	if o.String("endianness") == "little-endian" {
		c.order = binary.LittleEndian
	}
	switch strings.ToUpper(o.String("charset")) {
	case "UTF-8", "UTF8":
	case "ISO-8859-1", "US-ASCII", "LATIN1":
		c.latin = true
	default:
		return nil, diag.New(diag.BadOption, diag.Span{}, "'raw.charset' is '%s', which fsql does not know", o.String("charset")).
			WithHint("UTF-8, ISO-8859-1 and US-ASCII work")
	}
	if t := c.typ; !t.IsString() && !t.IsBinary() && c.size() == 0 {
		return nil, diag.New(diag.NotSupported, diag.Span{}, "the format raw does not support the type %s of column '%s'", t.Short(), s.Columns[0].Name).
			WithHint("text, bytes, BOOLEAN, integers, FLOAT and DOUBLE have a raw form")
	}
	return c, nil
}

// size is the number of bytes of a value of fixed size, else 0.
func (c *codec) size() int {
	switch c.typ.Kind {
	case types.Boolean, types.TinyInt:
		return 1
	case types.SmallInt:
		return 2
	case types.Int, types.Float:
		return 4
	case types.BigInt, types.Double:
		return 8
	}
	return 0
}

type decoder struct {
	*codec
	name  string
	line  int64
	read  bool // the column is wanted
	arena format.Arena

	out   *row.Builder // of messages
	given int          // rows of them
}

func newDecoder(s *types.Schema, wanted []bool, o *option.Values) (format.Decoder, error) {
	c, err := newCodec(s, o)
	if err != nil {
		return nil, err
	}
	d := &decoder{codec: c, name: s.Columns[0].Name, read: wanted == nil || wanted[0]}
	d.column = format.NewColumn(c.typ)
	return d, nil
}

func (d *decoder) Skipped() int64 { return 0 }

// Decode takes lines, with or without a carriage return before the line feed.
func (d *decoder) Decode(data []byte, last bool, out *row.Builder, max int) (int, error) {
	if d.read {
		d.column.Attach(out.Cols[0])
	}
	at, rows := 0, 0
	var err error
	for rows < max && at < len(data) {
		end := bytes.IndexByte(data[at:], '\n')
		next := at + end + 1
		if end < 0 {
			if !last {
				break
			}
			end, next = len(data)-at, len(data)
		}
		d.line++
		if d.read {
			if err = d.append(bytes.TrimSuffix(data[at:at+end], []byte{'\r'})); err != nil {
				break
			}
		}
		rows++
		at = next
	}
	if d.read {
		d.column.Finish()
	}
	out.Added(rows, row.Insert)
	return at, err
}

func (d *decoder) append(b []byte) error {
	v := d.column.Vec
	switch {
	case d.typ.IsBinary():
		v.Str = append(v.Str, d.arena.String(b))
		return nil
	case d.typ.IsString():
		v.Str = append(v.Str, d.text(b))
		return nil
	}
	if len(b) != d.size() {
		return &format.Bad{Line: d.line, Column: d.name, Value: fmt.Sprintf("%x", b),
			Reason: fmt.Sprintf("not of the size of %s: %d bytes instead of %d", d.typ.Short(), len(b), d.size())}
	}
	switch d.typ.Kind {
	case types.Boolean:
		v.Bool = append(v.Bool, b[0] != 0)
	case types.TinyInt:
		v.I32 = append(v.I32, int32(int8(b[0])))
	case types.SmallInt:
		v.I32 = append(v.I32, int32(int16(d.order.Uint16(b))))
	case types.Int:
		v.I32 = append(v.I32, int32(d.order.Uint32(b)))
	case types.BigInt:
		v.I64 = append(v.I64, int64(d.order.Uint64(b)))
	case types.Float:
		v.F32 = append(v.F32, math.Float32frombits(d.order.Uint32(b)))
	case types.Double:
		v.F64 = append(v.F64, math.Float64frombits(d.order.Uint64(b)))
	}
	return nil
}

func (d *decoder) text(b []byte) string {
	if d.latin {
		return d.arena.Append(2*len(b), func(dst []byte) []byte {
			for _, c := range b {
				dst = append(dst, string(rune(c))...)
			}
			return dst
		})
	}
	return d.arena.Append(3*len(b), func(dst []byte) []byte { return value.AppendUTF8(dst, string(b)) })
}

type encoder struct{ *codec }

func newEncoder(s *types.Schema, o *option.Values) (format.Encoder, error) {
	c, err := newCodec(s, o)
	return &encoder{c}, err
}

// Encode writes one line per row; NULL is an empty one.
func (e *encoder) Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error) {
	v := b.Cols[0]
	for r := from; r < to; r++ {
		if !v.IsNull(r) {
			dst = e.append(dst, v, r)
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

func (e *encoder) append(dst []byte, v *row.Vec, r int) []byte {
	switch e.typ.Kind {
	case types.Boolean:
		if v.Bool[r] {
			return append(dst, 1)
		}
		return append(dst, 0)
	case types.TinyInt:
		return append(dst, byte(v.I32[r]))
	case types.SmallInt:
		return e.appendUint(dst, uint64(v.I32[r]), 2)
	case types.Int:
		return e.appendUint(dst, uint64(v.I32[r]), 4)
	case types.BigInt:
		return e.appendUint(dst, uint64(v.I64[r]), 8)
	case types.Float:
		return e.appendUint(dst, uint64(math.Float32bits(v.F32[r])), 4)
	case types.Double:
		return e.appendUint(dst, math.Float64bits(v.F64[r]), 8)
	}
	if e.latin && e.typ.IsString() {
		for _, c := range v.Str[r] {
			if c > 0xff {
				c = '?'
			}
			dst = append(dst, byte(c))
		}
		return dst
	}
	return append(dst, v.Str[r]...)
}

// appendUint writes the low n bytes of x in the format's order.
func (e *encoder) appendUint(dst []byte, x uint64, n int) []byte {
	for i := range n {
		shift := 8 * i
		if e.order == binary.BigEndian {
			shift = 8 * (n - 1 - i)
		}
		dst = append(dst, byte(x>>shift))
	}
	return dst
}
