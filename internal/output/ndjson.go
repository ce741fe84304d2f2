package output

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// jsonFormat spells every row as one JSON object per line, flushed as rows
// come: the bare row when nothing is ever taken back, else {"op":..,"row":..}.
// Values follow the encoding of Flink's SQL gateway, but TIMESTAMP_LTZ, which is
// true UTC with Z.
type jsonFormat struct {
	names [][]byte
	// array puts the objects into one array.
	array bool
	// debezium spells every change as Flink's format 'debezium-json' does: what
	// adds a row is a creation, what takes one away a deletion.
	debezium bool
}

func (f *jsonFormat) begin(s *sink) error {
	for _, c := range s.schema.Columns {
		f.names = append(f.names, appendJSONString(nil, c.Name))
	}
	if f.array {
		return s.w.WriteByte('[')
	}
	return nil
}

func (f *jsonFormat) row(s *sink, k row.Kind, b *row.Batch, r int) error {
	out := s.cell[:0]
	if f.array && s.rows > 1 {
		out = append(out, ",\n "...)
	}
	switch {
	case f.debezium && k.Adds():
		out = append(out, `{"before":null,"after":`...)
	case f.debezium:
		out = append(out, `{"before":`...)
	case s.op:
		out = append(out, `{"op":"`...)
		out = append(out, k.String()...)
		out = append(out, `","row":`...)
	}
	out = append(out, '{')
	for i, c := range b.Cols {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, f.names[i]...)
		out = append(out, ':')
		out = appendJSON(out, c, r)
	}
	out = append(out, '}')
	switch {
	case f.debezium && k.Adds():
		out = append(out, `,"op":"c"}`...)
	case f.debezium:
		out = append(out, `,"after":null,"op":"d"}`...)
	case s.op:
		out = append(out, '}')
	}
	if s.cell = out; !f.array {
		s.cell = append(out, '\n')
	}
	_, err := s.w.Write(s.cell)
	return err
}

func (f *jsonFormat) end(s *sink) error {
	if f.array {
		_, err := s.w.WriteString("]\n")
		return err
	}
	return nil
}

// appendJSON appends value i of v.
func appendJSON(out []byte, v *row.Vec, i int) []byte {
	if v.IsNull(i) {
		return append(out, "null"...)
	}
	t := v.Type
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(out, v.Bool[i])
	case types.TinyInt, types.SmallInt, types.Int, types.IntervalMonths:
		return strconv.AppendInt(out, int64(v.I32[i]), 10)
	case types.BigInt, types.IntervalMillis:
		return strconv.AppendInt(out, v.I64[i], 10)
	case types.Float, types.Double:
		f := 0.0
		if t.Kind == types.Float {
			f = float64(v.F32[i])
		} else {
			f = v.F64[i]
		}
		text := value.AppendText(nil, v, i, nil)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return appendJSONString(out, string(text))
		}
		return append(out, text...)
	case types.Decimal:
		return append(out, shortDecimal(string(value.AppendText(nil, v, i, nil)))...)
	case types.Binary, types.VarBinary:
		return appendJSONString(out, base64.StdEncoding.EncodeToString([]byte(v.Str[i])))
	case types.Timestamp, types.TimestampLTZ:
		text := string(value.AppendText(nil, v, i, value.UTC()))
		text = strings.Replace(text, " ", "T", 1)
		if dot := strings.IndexByte(text, '.'); dot >= 0 {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		if t.Kind == types.TimestampLTZ {
			text += "Z"
		}
		return appendJSONString(out, text)
	case types.Array:
		out = append(out, '[')
		for k := v.Off[i]; k < v.Off[i]+v.Size[i]; k++ {
			if k > v.Off[i] {
				out = append(out, ',')
			}
			out = appendJSON(out, v.Kids[0], int(k))
		}
		return append(out, ']')
	case types.Map, types.Multiset:
		out = append(out, '{')
		for k := v.Off[i]; k < v.Off[i]+v.Size[i]; k++ {
			if k > v.Off[i] {
				out = append(out, ',')
			}
			key := "null"
			if !v.Kids[0].IsNull(int(k)) {
				key = string(value.AppendText(nil, v.Kids[0], int(k), value.UTC()))
			}
			out = append(appendJSONString(out, key), ':')
			out = appendJSON(out, v.Kids[1], int(k))
		}
		return append(out, '}')
	case types.Row:
		out = append(out, '{')
		for k, f := range t.Fields {
			if k > 0 {
				out = append(out, ',')
			}
			out = append(appendJSONString(out, f.Name), ':')
			out = appendJSON(out, v.Kids[k], i)
		}
		return append(out, '}')
	}
	return appendJSONString(out, string(value.AppendText(nil, v, i, value.UTC())))
}

// shortDecimal spells a decimal without trailing zeros, as the gateway does:
// 12.50 is 12.5, 0.00 is 0, 100 is 1E+2.
func shortDecimal(s string) string {
	if strings.IndexByte(s, '.') >= 0 {
		return strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	digits := strings.TrimRight(s, "0")
	if n := len(s) - len(digits); n > 0 && digits != "" && digits != "-" {
		head, sign := digits, ""
		if strings.HasPrefix(head, "-") {
			head, sign = head[1:], "-"
		}
		exp := n + len(head) - 1
		if len(head) > 1 {
			head = head[:1] + "." + head[1:]
		}
		return sign + head + "E+" + strconv.Itoa(exp)
	}
	return s
}

// appendJSONString quotes s. Plain ASCII needs no library.
func appendJSONString(out []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x80 {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			if e.Encode(s) != nil {
				return append(out, `""`...)
			}
			return append(out, bytes.TrimSuffix(b.Bytes(), []byte{'\n'})...)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}
