package value

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// JSONWritable refuses the types that Flink cannot put into JSON.
func JSONWritable(name string, t types.Type) error {
	switch t.Kind {
	case types.Array, types.Row:
		for _, f := range t.Fields {
			if err := JSONWritable(name, f.Type); err != nil {
				return err
			}
		}
	case types.Map, types.Multiset:
		if !t.Elem().IsString() {
			return diag.New(diag.TypeMismatch, diag.Span{}, "%s cannot convert a %s to JSON: its keys must be texts", name, t.Short())
		}
		if t.Kind == types.Map {
			return JSONWritable(name, t.Value())
		}
	case types.Date, types.TimeOfDay, types.IntervalMonths, types.IntervalMillis, types.Bitmap:
		return diag.New(diag.TypeMismatch, diag.Span{}, "%s cannot convert a value of type %s to JSON", name, t.Short()).
			WithHint("convert it to text: CAST(x AS STRING)")
	}
	return nil
}

// AppendJSON writes value i of a column of a type that JSONWritable takes.
func AppendJSON(dst []byte, v *row.Vec, i int) (_ []byte, err error) {
	if v.IsNull(i) {
		return append(dst, "null"...), nil
	}
	switch t := v.Type; t.Kind {
	case types.Char, types.VarChar:
		return AppendJSONString(dst, v.Str[i]), nil
	case types.Boolean:
		if v.Bool[i] {
			return append(dst, "true"...), nil
		}
		return append(dst, "false"...), nil
	case types.Double:
		return appendJSONFloat(dst, v.F64[i]), nil
	case types.Float:
		return appendJSONFloat(dst, float64(v.F32[i])), nil
	case types.Decimal:
		var buf [64]byte
		dst, _ = AppendBigDecimal(dst, string(AppendDec(buf[:0], v.Dec[i], int(t.Scale))))
		return dst, nil
	case types.Binary, types.VarBinary:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, []byte(v.Str[i]))
		return append(dst, '"'), nil
	case types.Timestamp, types.TimestampLTZ:
		return appendJSONTime(dst, v, i), nil
	case types.Array:
		dst = append(dst, '[')
		for j := 0; j < int(v.Size[i]); j++ {
			if j > 0 {
				dst = append(dst, ',')
			}
			if dst, err = AppendJSON(dst, v.Kids[0], int(v.Off[i])+j); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case types.Map, types.Multiset:
		return appendJSONMap(dst, v, i)
	case types.Row:
		return appendJSONRow(dst, v, i)
	}
	return AppendText(dst, v, i, UTC()), nil
}

// appendJSONFloat writes the text of a DOUBLE as a BigDecimal: 1.0E+8. A FLOAT
// has the digits of the DOUBLE it is; what is no number is a text.
func appendJSONFloat(dst []byte, f float64) []byte {
	var buf [32]byte
	text := string(AppendDouble(buf[:0], f))
	if f-f == 0 {
		dst, _ = AppendBigDecimal(dst, text)
		return dst
	}
	return AppendJSONString(dst, text)
}

// appendJSONTime writes an ISO time with the digits of the fraction that are
// needed: 2024-01-01T10:20:00.5; an instant in UTC with Z.
func appendJSONTime(dst []byte, v *row.Vec, i int) []byte {
	dst = append(dst, '"')
	from := len(dst)
	if v.Type.Precision > 6 {
		dst = AppendTimestampNano(dst, v.I64[i], v.Nano[i], 9)
	} else {
		dst = AppendTimestamp(dst, v.I64[i], 6)
	}
	dst = bytes.TrimRight(dst, "0")
	dst = bytes.TrimSuffix(dst, []byte("."))
	if at := bytes.IndexByte(dst[from:], ' '); at >= 0 {
		dst[from+at] = 'T'
	}
	if v.Type.Kind == types.TimestampLTZ {
		dst = append(dst, 'Z')
	}
	return append(dst, '"')
}

func appendJSONMap(dst []byte, v *row.Vec, i int) (_ []byte, err error) {
	keys := v.Kids[0]
	order := make([]int, v.Size[i])
	for j := range order {
		order[j] = int(v.Off[i]) + j
		if keys.IsNull(order[j]) {
			return dst, diag.New(diag.BadValue, diag.Span{}, "a map with a NULL key cannot be converted to JSON")
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return CompareJava(keys.Str[a], keys.Str[b]) })
	dst = append(dst, '{')
	first := true
	for n, j := range order {
		if n+1 < len(order) && keys.Str[j] == keys.Str[order[n+1]] {
			continue // of a repeated key the last value stays
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(AppendJSONString(dst, keys.Str[j]), ':')
		if dst, err = AppendJSON(dst, v.Kids[1], j); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func appendJSONRow(dst []byte, v *row.Vec, i int) (_ []byte, err error) {
	fields := v.Type.Fields
	var buf [16]int
	order := buf[:0]
	for f := range fields {
		order = append(order, f)
	}
	slices.SortStableFunc(order, func(a, b int) int { return CompareJava(fields[a].Name, fields[b].Name) })
	dst = append(dst, '{')
	for n, f := range order {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendJSONString(dst, fields[f].Name), ':')
		if dst, err = AppendJSON(dst, v.Kids[f], i); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// CompareJava is the order of Java's strings: by UTF-16 units, where what is
// beyond the first plane comes before U+E000.
func CompareJava(a, b string) int {
	for i := 0; i < min(len(a), len(b)); i++ {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0) {
			return int(y) - int(x)
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}

// AppendJSONString writes a text with quotes and Jackson's escapes.
func AppendJSONString(dst []byte, s string) []byte {
	const special, letters, digits = "\"\\\b\f\n\r\t", `"\bfnrt`, "0123456789ABCDEF"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		if k := strings.IndexByte(special, c); k >= 0 {
			dst = append(dst, '\\', letters[k])
		} else {
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
