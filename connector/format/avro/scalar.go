package avro

import (
	"unicode/utf8"

	"fsql/connector/format"
	"fsql/internal/value"
	"fsql/types"
)

// scalar reads a value that holds no others; nil: the types do not go together.
// The numbers are widened as Avro does: an int is read as long, float or double.
func (r *resolver) scalar(w *schema, t types.Type, col *format.Column) step {
	number := w.kind == intKind || w.kind == longKind
	blob := w.kind == bytesKind || w.kind == stringKind
	switch t.Kind {
	case types.Boolean:
		if w.kind == booleanKind {
			return func(c *cursor) { col.Vec.Bool = append(col.Vec.Bool, c.bool()) }
		}
	case types.TinyInt, types.SmallInt, types.Int, types.Date, types.TimeOfDay:
		if w.kind == intKind {
			return narrow(t, col)
		}
	case types.BigInt:
		if number {
			return func(c *cursor) { col.Vec.I64 = append(col.Vec.I64, c.long()) }
		}
	case types.Timestamp, types.TimestampLTZ:
		if number {
			return r.moment(w, col)
		}
	case types.Float:
		if number {
			return func(c *cursor) { col.Vec.F32 = append(col.Vec.F32, float32(c.long())) }
		}
		if w.kind == floatKind {
			return func(c *cursor) { col.Vec.F32 = append(col.Vec.F32, c.float()) }
		}
	case types.Double:
		switch {
		case number:
			return func(c *cursor) { col.Vec.F64 = append(col.Vec.F64, float64(c.long())) }
		case w.kind == floatKind:
			return func(c *cursor) { col.Vec.F64 = append(col.Vec.F64, float64(c.float())) }
		case w.kind == doubleKind:
			return func(c *cursor) { col.Vec.F64 = append(col.Vec.F64, c.double()) }
		}
	case types.Char, types.VarChar:
		if blob {
			return r.text(col)
		}
	case types.Binary, types.VarBinary:
		if blob {
			return func(c *cursor) { col.Vec.Str = append(col.Vec.Str, r.arena.String(c.bytes())) }
		}
	case types.Decimal:
		if blob {
			return decimal(w, t, col)
		}
	}
	return nil
}

// narrow reads an int; what a small type cannot hold loses its high bits, as in
// Flink.
func narrow(t types.Type, col *format.Column) step {
	switch t.Kind {
	case types.TinyInt:
		return func(c *cursor) { col.Vec.I32 = append(col.Vec.I32, int32(int8(c.int()))) }
	case types.SmallInt:
		return func(c *cursor) { col.Vec.I32 = append(col.Vec.I32, int32(int16(c.int()))) }
	}
	return func(c *cursor) { col.Vec.I32 = append(col.Vec.I32, c.int()) }
}

// text reads a string. Bytes that are no UTF-8 become the replacement character.
func (r *resolver) text(col *format.Column) step {
	return func(c *cursor) {
		b := c.bytes()
		if utf8.Valid(b) {
			col.Vec.Str = append(col.Vec.Str, r.arena.String(b))
			return
		}
		col.Vec.Str = append(col.Vec.Str, r.arena.Append(3*len(b), func(dst []byte) []byte { return value.AppendUTF8(dst, string(b)) }))
	}
}

// moment reads a timestamp, which columns hold in microseconds.
func (r *resolver) moment(w *schema, col *format.Column) step {
	if w.micros {
		// Columns of files have three digits.
		return func(c *cursor) {
			us := c.long()
			col.Vec.I64 = append(col.Vec.I64, us-(us%1000+1000)%1000)
		}
	}
	return func(c *cursor) {
		ms := c.long()
		if ms > maxMillis || ms < -maxMillis {
			c.fail("a timestamp that is too far from 1970")
		}
		col.Vec.I64 = append(col.Vec.I64, ms*1000)
	}
}

// maxMillis is the largest time in milliseconds that microseconds can tell.
const maxMillis = (1<<63 - 1) / 1000

// decimal reads an unscaled number. One that the column cannot hold is NULL.
func decimal(w *schema, t types.Type, col *format.Column) step {
	from, to := int(t.Scale), int(t.Scale)
	if w.decimal {
		from = w.scale
	}
	return func(c *cursor) {
		d, ok := unscaled(c.bytes())
		if ok && from != to {
			d, ok = value.DecRescale(d, from, to)
		}
		if !ok || !value.DecFits(d, int(t.Precision)) {
			col.Null()
			return
		}
		col.Vec.Dec = append(col.Vec.Dec, d)
	}
}

// unscaled is a number in two's complement, the highest byte first.
func unscaled(b []byte) (d types.Dec, ok bool) {
	if len(b) == 0 {
		return d, true
	}
	sign := byte(int8(b[0]) >> 7)
	for len(b) > 16 {
		if b[0] != sign {
			return d, false
		}
		b = b[1:]
	}
	if len(b) > 0 && byte(int8(b[0])>>7) != sign {
		return d, false
	}
	d = types.DecOf(int64(int8(sign)))
	for _, x := range b {
		d.Hi, d.Lo = d.Hi<<8|int64(d.Lo>>56), d.Lo<<8|uint64(x)
	}
	return d, true
}
