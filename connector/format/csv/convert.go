package csv

import (
	"fmt"
	"strings"

	"fsql/connector/format"
	"fsql/internal/value"
	"fsql/types"
)

// kind is how a field is decoded.
type kind uint8

const (
	skipped kind = iota // nobody reads it
	boolean
	tiny
	small
	integer
	big
	float
	double
	decimal
	text
	blob
	date
	clock
	moment // TIMESTAMP and TIMESTAMP_LTZ up to 6 digits
	nano   // beyond
	array
	structure // ROW
)

func kindOf(t types.Type) kind {
	switch t.Kind {
	case types.Boolean:
		return boolean
	case types.TinyInt:
		return tiny
	case types.SmallInt:
		return small
	case types.Int:
		return integer
	case types.BigInt:
		return big
	case types.Float:
		return float
	case types.Double:
		return double
	case types.Decimal:
		return decimal
	case types.Binary, types.VarBinary:
		return blob
	case types.Date:
		return date
	case types.TimeOfDay:
		return clock
	case types.Timestamp, types.TimestampLTZ:
		if t.Precision > 6 {
			return nano
		}
		return moment
	case types.Array:
		return array
	case types.Row:
		return structure
	}
	return text
}

// column is a column of the table.
type column struct {
	name    string
	kind    kind
	typ     types.Type
	at      int // place in the table
	out     *format.Column
	moments format.Moments
}

// convert appends the text of a field. When it does not fit, it is NULL if
// errors are ignored, else the result is false and d.failure says why.
func (d *decoder) convert(c *column, s []byte) bool {
	switch c.kind {
	case array:
		return d.array(c, s)
	case structure:
		return d.structure(c, s)
	}
	if d.null(s) {
		c.out.Null()
		return true
	}
	if d.scalar(c, s) {
		return true
	}
	return d.refuse(c, s, expected(c, s))
}

func (d *decoder) refuse(c *column, s []byte, why string) bool {
	if d.ignore {
		d.skipped++
		c.out.Null()
		return true
	}
	d.failure = &format.Bad{Column: c.name, Value: format.Cut(s), Reason: why}
	return false
}

// scalar appends a value by the rules of Flink's csv.
func (d *decoder) scalar(c *column, s []byte) bool {
	v := c.out.Vec
	switch c.kind {
	case text:
		v.Str = append(v.Str, d.arena.String(s))
		return true
	case boolean:
		// Any text but true is FALSE.
		v.Bool = append(v.Bool, strings.EqualFold(string(format.Trim(s)), "true"))
		return true
	case tiny, small, integer:
		x, ok := format.ParseInt(format.Trim(s), [...]int{tiny: 8, small: 16, integer: 32}[c.kind])
		if ok {
			v.I32 = append(v.I32, int32(x))
		}
		return ok
	case big:
		x, ok := format.ParseInt(format.Trim(s), 64)
		if ok {
			v.I64 = append(v.I64, x)
		}
		return ok
	case float:
		x, err := value.ParseFloat(s)
		if err == nil {
			v.F32 = append(v.F32, x)
		}
		return err == nil
	case double:
		x, err := value.ParseDouble(s)
		if err == nil {
			v.F64 = append(v.F64, x)
		}
		return err == nil
	case decimal:
		return d.decimal(c, s)
	case blob:
		ok := false
		x := d.arena.Append(len(s), func(dst []byte) []byte {
			dst, ok = format.AppendBase64(dst, s)
			return dst
		})
		if ok {
			v.Str = append(v.Str, x)
		}
		return ok
	case date:
		x, ok := format.SQLDate(s)
		if ok {
			v.I32 = append(v.I32, x)
		}
		return ok
	case clock:
		x, ok := format.ISOTime(s)
		if ok {
			v.I32 = append(v.I32, format.CutMillis(x, c.typ.Precision))
		}
		return ok
	}
	ms, ns, ok := c.moments.Parse(format.Trim(s))
	switch {
	case !ok:
	case c.kind == moment:
		v.I64 = append(v.I64, format.CutMicros(ms, ns, c.typ.Precision))
	default:
		v.I64, v.Nano = append(v.I64, ms), append(v.Nano, format.CutNanos(ns, c.typ.Precision))
	}
	return ok
}

// decimal rounds half up; too many digits are NULL and no error, blanks are an
// error.
func (d *decoder) decimal(c *column, s []byte) bool {
	if len(s) != len(format.Trim(s)) {
		return false
	}
	x, err := value.ParseDec(s, int(c.typ.Precision), int(c.typ.Scale))
	switch err {
	case nil:
		c.out.Vec.Dec = append(c.out.Vec.Dec, x)
		return true
	case value.ErrRange:
		c.out.Null()
		return true
	}
	return false
}

// kid is a column of the elements, or of a field, of c.
func (c *column) kid(i int, t types.Type) column {
	k := column{name: c.name, kind: kindOf(t), typ: t, out: c.out.Kids[i]}
	k.moments.Style = format.SQL
	if t.Kind == types.TimestampLTZ {
		k.moments.Style = format.SQLZone
	}
	return k
}

// array appends the elements between delimiters. The text for NULL stands for
// elements, never for the array.
func (d *decoder) array(c *column, s []byte) bool {
	elem := c.kid(0, c.typ.Elem())
	off := elem.out.Len()
	for _, e := range d.list(s) {
		if !d.convert(&elem, []byte(e)) {
			return false
		}
	}
	c.out.List(off)
	return true
}

// structure appends a ROW: fields between delimiters, NULL when there is none.
func (d *decoder) structure(c *column, s []byte) bool {
	fields := d.list(s)
	if len(fields) == 0 {
		c.out.Null()
		return true
	}
	if len(fields) < len(c.typ.Fields) && !d.ignore {
		return d.refuse(c, s, fmt.Sprintf("not a %s: it has %s", c.typ.Short(), count(len(fields))))
	}
	for i, f := range c.typ.Fields {
		k := c.kid(i, f.Type)
		if i >= len(fields) {
			k.out.Null()
		} else if !d.convert(&k, []byte(fields[i])) {
			return false
		}
	}
	c.out.Row()
	return true
}
