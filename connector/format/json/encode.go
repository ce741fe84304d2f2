package json

import (
	"encoding/base64"
	"math"
	"strconv"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Encoder writes rows as JSON objects in the spelling of Flink.
type Encoder struct {
	plain     bool   // decimals
	skipNulls bool   // in objects
	nullKey   string // FAIL, DROP, LITERAL
	literal   string
	sql, ltz  format.Style
	names     []string // `"name":` of the columns
	cells     []cell
}

// cell writes the values of one type.
type cell struct {
	typ   types.Type
	name  string // of the column, for messages
	names []string
	kids  []cell
}

// NewEncoder returns an encoder of objects for the formats built upon json.
func NewEncoder(s *types.Schema, o *option.Values) (*Encoder, error) {
	e := &Encoder{
		plain:     o.Bool("encode.decimal-as-plain-number"),
		skipNulls: o.Bool("encode.ignore-null-fields"),
		nullKey:   o.String("map-null-key.mode"),
		literal:   o.String("map-null-key.literal"),
		sql:       format.SQL,
		ltz:       format.SQLZone,
	}
	if o.String("timestamp-format.standard") == "ISO-8601" {
		e.sql, e.ltz = format.ISO, format.ISOZone
	}
	for _, c := range s.Columns {
		w, err := newCell(c.Type, c.Name)
		if err != nil {
			return nil, columnError(c.Name, err)
		}
		e.cells = append(e.cells, w)
		e.names = append(e.names, member(c.Name))
	}
	return e, nil
}

// newEncoder returns the encoder of json: one object per line.
func newEncoder(s *types.Schema, o *option.Values) (format.Encoder, error) {
	e, err := NewEncoder(s, o)
	return lines{e}, err
}

type lines struct{ *Encoder }

func (l lines) Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error) {
	var err error
	for i := from; i < to; i++ {
		if dst, err = l.Object(dst, b, i); err != nil {
			return dst, err
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

func member(name string) string { return string(append(appendString(nil, name), ':')) }

func newCell(t types.Type, name string) (cell, error) {
	w := cell{typ: t, name: name}
	var kids []types.Type
	switch t.Kind {
	case types.Array:
		kids = []types.Type{t.Elem()}
	case types.Map, types.Multiset:
		if !t.Elem().IsString() {
			return w, badKey(t)
		}
		val := types.Of(types.Int).NotNull()
		if t.Kind == types.Map {
			val = t.Value()
		}
		kids = []types.Type{t.Elem(), val}
	case types.Row:
		for _, f := range t.Fields {
			kids = append(kids, f.Type)
			w.names = append(w.names, member(f.Name))
		}
	case types.Variant, types.Bitmap, types.Descriptor, types.Invalid:
		return w, noType(t)
	}
	for _, k := range kids {
		kid, err := newCell(k, name)
		if err != nil {
			return w, err
		}
		w.kids = append(w.kids, kid)
	}
	return w, nil
}

// Object appends row i as an object.
func (e *Encoder) Object(dst []byte, b *row.Batch, i int) ([]byte, error) {
	return e.object(dst, e.names, e.cells, b.Cols, i)
}

func (e *Encoder) object(dst []byte, names []string, cells []cell, cols []*row.Vec, i int) ([]byte, error) {
	dst = append(dst, '{')
	start := len(dst)
	for c := range cells {
		null := cols[c].IsNull(i)
		if null && e.skipNulls {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(dst, names[c]...)
		if null {
			dst = append(dst, "null"...)
			continue
		}
		var err error
		if dst, err = e.value(dst, &cells[c], cols[c], i); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// value appends a value that is not NULL.
func (e *Encoder) value(dst []byte, w *cell, v *row.Vec, i int) ([]byte, error) {
	switch w.typ.Kind {
	case types.Null:
		return append(dst, "null"...), nil
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool[i]), nil
	case types.TinyInt, types.SmallInt, types.Int, types.IntervalMonths:
		return strconv.AppendInt(dst, int64(v.I32[i]), 10), nil
	case types.BigInt, types.IntervalMillis:
		return strconv.AppendInt(dst, v.I64[i], 10), nil
	case types.Float:
		return quoteOdd(value.AppendFloat(dst, v.F32[i]), len(dst), float64(v.F32[i])), nil
	case types.Double:
		return quoteOdd(value.AppendDouble(dst, v.F64[i]), len(dst), v.F64[i]), nil
	case types.Decimal:
		if e.plain {
			return value.AppendDec(dst, v.Dec[i], int(w.typ.Scale)), nil
		}
		return format.AppendShort(dst, v.Dec[i], int(w.typ.Scale)), nil
	case types.Binary, types.VarBinary:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, []byte(v.Str[i]))
		return append(dst, '"'), nil
	case types.Date:
		dst = format.AppendISODate(append(dst, '"'), v.I32[i])
		return append(dst, '"'), nil
	case types.TimeOfDay:
		dst = format.AppendClock(append(dst, '"'), v.I32[i])
		return append(dst, '"'), nil
	case types.Timestamp, types.TimestampLTZ:
		style := e.sql
		if w.typ.Kind == types.TimestampLTZ {
			style = e.ltz
		}
		dst = append(dst, '"')
		if w.typ.Precision > 6 {
			dst = style.AppendMoment(dst, v.I64[i], v.Nano[i])
		} else {
			ms, nano := format.Moment(v.I64[i])
			dst = style.AppendMoment(dst, ms, nano)
		}
		return append(dst, '"'), nil
	case types.Array:
		return e.array(dst, w, v, i)
	case types.Map, types.Multiset:
		return e.mapping(dst, w, v, i)
	case types.Row:
		return e.object(dst, w.names, w.kids, v.Kids, i)
	}
	return appendString(dst, v.Str[i]), nil
}

// quoteOdd puts numbers that JSON lacks into quotes, as Jackson does.
func quoteOdd(dst []byte, from int, f float64) []byte {
	if !math.IsNaN(f) && !math.IsInf(f, 0) {
		return dst
	}
	text := string(dst[from:])
	return append(append(append(dst[:from], '"'), text...), '"')
}

func (e *Encoder) array(dst []byte, w *cell, v *row.Vec, i int) ([]byte, error) {
	dst = append(dst, '[')
	kid := v.Kids[0]
	for j := int(v.Off[i]); j < int(v.Off[i]+v.Size[i]); j++ {
		if j > int(v.Off[i]) {
			dst = append(dst, ',')
		}
		if kid.IsNull(j) {
			dst = append(dst, "null"...)
			continue
		}
		var err error
		if dst, err = e.value(dst, &w.kids[0], kid, j); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func (e *Encoder) mapping(dst []byte, w *cell, v *row.Vec, i int) ([]byte, error) {
	dst = append(dst, '{')
	start := len(dst)
	keys, vals := v.Kids[0], v.Kids[1]
	for j := int(v.Off[i]); j < int(v.Off[i]+v.Size[i]); j++ {
		name := e.literal
		switch null := keys.IsNull(j); {
		case !null:
			name = keys.Str[j]
		case e.nullKey == "DROP":
			continue
		case e.nullKey == "FAIL":
			return dst, diag.New(diag.BadValue, diag.Span{}, "column '%s': a %s with a NULL key cannot be written as json", w.name, w.typ.Short()).
				WithHint("set 'map-null-key.mode' to 'DROP' or 'LITERAL' for the format")
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, name), ':')
		if vals.IsNull(j) {
			dst = append(dst, "null"...)
			continue
		}
		var err error
		if dst, err = e.value(dst, &w.kids[1], vals, j); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}
