package csv

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// encoder writes rows in the spelling of Flink.
type encoder struct {
	dialect
	// safe is the first character that a text may hold without quotes: Jackson
	// looks only whether one comes up to the delimiter or the quote in code order.
	safe rune
	odd  byte // needs quotes as well: the escape character, or a backslash
	text []byte
}

func newEncoder(s *types.Schema, o *option.Values) (format.Encoder, error) {
	if err := checkTypes(s); err != nil {
		return nil, err
	}
	dia, err := newDialect(o)
	if err != nil {
		return nil, err
	}
	delim, _ := utf8.DecodeRuneInString(dia.delim)
	e := &encoder{dialect: dia, safe: max(delim, rune(dia.quote), '\n') + 1, odd: '\\'}
	if dia.escape != 0 {
		e.odd = dia.escape
	}
	return e, nil
}

// Encode writes a line for each row.
func (e *encoder) Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error) {
	for i := from; i < to; i++ {
		for c, v := range b.Cols {
			if c > 0 {
				dst = append(dst, e.delim...)
			}
			dst = e.field(dst, v, i)
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

// field writes numbers and booleans as they are, everything else as a text that
// may need quotes. NULL is the literal, never in quotes.
func (e *encoder) field(dst []byte, v *row.Vec, i int) []byte {
	t := v.Type
	switch {
	case v.IsNull(i):
		return append(dst, e.null...)
	case t.IsNumeric() || t.Kind == types.Boolean:
		return scalar(dst, v, i)
	case t.IsString():
		return e.quoted(dst, v.Str[i])
	}
	e.text = e.element(e.text[:0], v, i)
	return e.quoted(dst, string(e.text))
}

// element writes a value without quotes; elements and fields of rows are
// parted by their own delimiter.
func (e *encoder) element(dst []byte, v *row.Vec, i int) []byte {
	switch {
	case v.IsNull(i):
		return append(dst, e.null...)
	case v.Type.Kind == types.Array:
		for j := int(v.Off[i]); j < int(v.Off[i]+v.Size[i]); j++ {
			if j > int(v.Off[i]) {
				dst = append(dst, e.elem...)
			}
			dst = e.element(dst, v.Kids[0], j)
		}
		return dst
	case v.Type.Kind == types.Row:
		for k, kid := range v.Kids {
			if k > 0 {
				dst = append(dst, e.elem...)
			}
			dst = e.element(dst, kid, i)
		}
		return dst
	}
	return scalar(dst, v, i)
}

func scalar(dst []byte, v *row.Vec, i int) []byte {
	switch v.Type.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool[i])
	case types.TinyInt, types.SmallInt, types.Int, types.IntervalMonths:
		return strconv.AppendInt(dst, int64(v.I32[i]), 10)
	case types.BigInt, types.IntervalMillis:
		return strconv.AppendInt(dst, v.I64[i], 10)
	case types.Float:
		return value.AppendFloat(dst, v.F32[i])
	case types.Double:
		return value.AppendDouble(dst, v.F64[i])
	case types.Decimal:
		return format.AppendShort(dst, v.Dec[i], int(v.Type.Scale))
	case types.Binary, types.VarBinary:
		return base64.StdEncoding.AppendEncode(dst, []byte(v.Str[i]))
	case types.Date:
		return format.AppendISODate(dst, v.I32[i])
	case types.TimeOfDay:
		return format.AppendClock(dst, v.I32[i])
	case types.Timestamp, types.TimestampLTZ:
		style := format.SQL
		if v.Type.Kind == types.TimestampLTZ {
			style = format.SQLZone
		}
		if v.Type.Precision > 6 {
			return style.AppendMoment(dst, v.I64[i], v.Nano[i])
		}
		ms, nano := format.Moment(v.I64[i])
		return style.AppendMoment(dst, ms, nano)
	}
	return append(dst, v.Str[i]...)
}

// quoted writes a text, in quotes where Flink writes them.
func (e *encoder) quoted(dst []byte, s string) []byte {
	if e.quote == 0 || !e.needsQuotes(s) {
		return append(dst, s...)
	}
	dst = append(dst, e.quote)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == e.quote || c == e.escape && c != 0 {
			dst = append(dst, c)
		}
		dst = append(dst, s[i])
	}
	return append(dst, e.quote)
}

// longest is the length, in UTF-16 units, up to which Jackson looks into a
// text; longer ones always get quotes.
const longest = 24

func (e *encoder) needsQuotes(s string) bool {
	if len(s) > longest && units(s) > longest {
		return true
	}
	for _, r := range s {
		if r < e.safe {
			return true
		}
	}
	return strings.IndexByte(s, e.odd) >= 0
}

func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
