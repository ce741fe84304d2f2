package csv

import (
	"bytes"
	"unsafe"

	"fsql/format"
	"fsql/types"
	"fsql/value"
)

// value appends one field to c; false: it is not of type t.
func (d *decoder) value(c *format.Column, t types.Type, b []byte) bool {
	if d.hasNull && string(b) == d.null {
		c.Null()
		return true
	}
	v := c.Vec
	switch t.Kind {
	case types.Char, types.VarChar:
		v.Str = append(v.Str, d.arena.String(b))
	case types.TinyInt, types.SmallInt, types.Int:
		n, ok := format.ParseInt(format.Trim(b), width(t.Kind))
		if !ok {
			return false
		}
		v.I32 = append(v.I32, int32(n))
	case types.BigInt:
		n, ok := format.ParseInt(format.Trim(b), 64)
		if !ok {
			return false
		}
		v.I64 = append(v.I64, n)
	case types.Double:
		f, err := value.ParseDouble(view(b))
		if err != nil {
			return false
		}
		v.F64 = append(v.F64, f)
	case types.Float:
		f, err := value.ParseFloat(view(b))
		if err != nil {
			return false
		}
		v.F32 = append(v.F32, f)
	case types.Decimal:
		x, err := value.ParseDec(view(b), int(t.Precision), int(t.Scale))
		if err == value.ErrRange {
			c.Null()
			return true
		}
		if err != nil {
			return false
		}
		v.Dec = append(v.Dec, x)
	case types.Boolean:
		v.Bool = append(v.Bool, isTrue(format.Trim(b)))
	case types.Timestamp, types.TimestampLTZ:
		return d.moment(c, t, b)
	default:
		return d.rare(c, t, b)
	}
	return true
}

// view lets the parsers of value read bytes without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func width(k types.Kind) int {
	switch k {
	case types.TinyInt:
		return 8
	case types.SmallInt:
		return 16
	}
	return 32
}

// isTrue is Java's parseBoolean: everything but "true", in any case, is false.
func isTrue(b []byte) bool { return len(b) == 4 && bytes.EqualFold(b, []byte("true")) }

func (d *decoder) moment(c *format.Column, t types.Type, b []byte) bool {
	if t.Kind == types.TimestampLTZ {
		if len(b) == 0 || b[len(b)-1] != 'Z' {
			return false
		}
		b = b[:len(b)-1]
	}
	millis, nano, ok := d.moments.Parse(b)
	if !ok {
		return false
	}
	v := c.Vec
	if t.Layout() == types.LayoutNano {
		v.I64, v.Nano = append(v.I64, millis), append(v.Nano, format.CutNanos(nano, t.Precision))
		return true
	}
	v.I64 = append(v.I64, format.CutMicros(millis, nano, t.Precision))
	return true
}

// rare appends a value of a type that is not common in csv files.
func (d *decoder) rare(c *format.Column, t types.Type, b []byte) bool {
	v := c.Vec
	switch t.Kind {
	case types.Date:
		days, ok := format.SQLDate(b)
		if !ok {
			return false
		}
		v.I32 = append(v.I32, days)
		return true
	case types.TimeOfDay:
		ms, ok := format.ISOTime(b)
		if !ok {
			return false
		}
		v.I32 = append(v.I32, format.CutMillis(ms, t.Precision))
		return true
	case types.Binary, types.VarBinary:
		ok := true
		s := d.arena.Append(len(b), func(dst []byte) []byte {
			out, good := format.AppendBase64(dst, b)
			ok = good
			return out
		})
		if !ok {
			return false
		}
		v.Str = append(v.Str, s)
		return true
	case types.Array:
		off := c.Kids[0].Len()
		for more := true; more; {
			var e []byte
			e, b, more = bytes.Cut(b, []byte(d.element))
			if !d.value(c.Kids[0], t.Elem(), e) {
				c.Kids[0].Truncate(off)
				return false
			}
		}
		c.List(off)
		return true
	case types.Row:
		return d.fieldsOfRow(c, t, b)
	}
	return false
}

func (d *decoder) fieldsOfRow(c *format.Column, t types.Type, b []byte) bool {
	at := c.Len()
	for i, f := range t.Fields {
		e, rest, more := bytes.Cut(b, []byte(d.element))
		if more != (i+1 < len(t.Fields)) || !d.value(c.Kids[i], f.Type, e) {
			for _, k := range c.Kids[:i] {
				k.Truncate(at)
			}
			return false
		}
		b = rest
	}
	c.Row()
	return true
}
