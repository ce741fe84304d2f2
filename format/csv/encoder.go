package csv

import (
	"encoding/base64"
	"strconv"

	"fsql/format"
	"fsql/option"
	"fsql/row"
	"fsql/types"
	"fsql/value"
)

// longestChecked is the length up to which Jackson looks whether a text needs
// quotes; longer ones always get them.
const longestChecked = 24

type encoder struct {
	dialect
	plainDecimals bool
	safe          byte // characters from here on need no quotes
	cell          []byte
}

func newEncoder(s *types.Schema, o *option.Values) (format.Encoder, error) {
	if err := supported(s); err != nil {
		return nil, err
	}
	d, err := newDialect(o)
	if err != nil {
		return nil, err
	}
	return &encoder{dialect: d, plainDecimals: !o.Bool("write-bigdecimal-in-scientific-notation"), safe: max(d.delim, d.quote, '\r') + 1}, nil
}

// Encode writes the rows [from, to) of b, one line each.
func (e *encoder) Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error) {
	for r := from; r < to; r++ {
		for i, c := range b.Cols {
			if i > 0 {
				dst = append(dst, e.delim)
			}
			dst = e.field(dst, c, r)
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

func (e *encoder) field(dst []byte, v *row.Vec, r int) []byte {
	if v.IsNull(r) {
		return append(dst, e.null...)
	}
	switch v.Type.Kind {
	case types.Char, types.VarChar:
		return e.quoted(dst, []byte(v.Str[r]))
	case types.Timestamp, types.TimestampLTZ, types.Array, types.Row, types.Binary, types.VarBinary, types.Date, types.TimeOfDay:
		e.cell = e.plain(e.cell[:0], v, r)
		return e.quoted(dst, e.cell)
	}
	return e.plain(dst, v, r)
}

// plain writes a value without quotes.
func (e *encoder) plain(dst []byte, v *row.Vec, r int) []byte {
	if v.IsNull(r) {
		return append(dst, e.null...)
	}
	switch v.Type.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool[r])
	case types.Char, types.VarChar:
		return append(dst, v.Str[r]...)
	case types.Decimal:
		if e.plainDecimals {
			return value.AppendDec(dst, v.Dec[r], int(v.Type.Scale))
		}
		return format.AppendShort(dst, v.Dec[r], int(v.Type.Scale))
	case types.Binary, types.VarBinary:
		return base64.StdEncoding.AppendEncode(dst, []byte(v.Str[r]))
	case types.TimeOfDay:
		return format.AppendClock(dst, v.I32[r])
	case types.Timestamp, types.TimestampLTZ:
		style := format.SQL
		if v.Type.Kind == types.TimestampLTZ {
			style = format.SQLZone
		}
		if v.Type.Layout() == types.LayoutNano {
			return style.AppendMoment(dst, v.I64[r], v.Nano[r])
		}
		millis, nano := format.Moment(v.I64[r])
		return style.AppendMoment(dst, millis, nano)
	case types.Array:
		for k := v.Off[r]; k < v.Off[r]+v.Size[r]; k++ {
			if k > v.Off[r] {
				dst = append(dst, e.element...)
			}
			dst = e.plain(dst, v.Kids[0], int(k))
		}
		return dst
	case types.Row:
		for k, kid := range v.Kids {
			if k > 0 {
				dst = append(dst, e.element...)
			}
			dst = e.plain(dst, kid, r)
		}
		return dst
	}
	return value.AppendText(dst, v, r, value.UTC())
}

// quoted writes a text, in quotes where Jackson would: when it is long or holds
// a character that might mean something.
func (e *encoder) quoted(dst, text []byte) []byte {
	if !e.needsQuotes(text) {
		return append(dst, text...)
	}
	dst = append(dst, e.quote)
	for _, c := range text {
		switch c {
		case e.quote:
			dst = append(dst, c)
		case e.escape:
			if e.escape != 0 {
				dst = append(dst, c)
			}
		}
		dst = append(dst, c)
	}
	return append(dst, e.quote)
}

func (e *encoder) needsQuotes(text []byte) bool {
	if e.quote == 0 {
		return false
	}
	if len(text) > longestChecked {
		return true
	}
	for _, c := range text {
		if c < e.safe || c == '\\' || e.escape != 0 && c == e.escape {
			return true
		}
	}
	return false
}
