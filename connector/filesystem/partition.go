package filesystem

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// constants are the values of the metadata and partition columns of a file.
func (s *source) constants(path string) ([]*row.Vec, error) {
	t := s.table
	out := make([]*row.Vec, len(s.layout.constant))
	for k, c := range s.layout.constant {
		column := t.Schema.Columns[c]
		if t.Metadata != nil && t.Metadata[c] != "" {
			v, err := fileMetadata(t.Metadata[c], path)
			if err != nil {
				return nil, err
			}
			v.Type = column.Type
			out[k] = v
			continue
		}
		values, ok := partitionValues(s.path, path, t.Partitions)
		if !ok {
			return nil, diag.New(diag.BadRow, diag.Span{}, "file %s lies in no folder of the partition columns of table '%s'", path, t.Name)
		}
		text := values[index(t.Partitions, column.Name)]
		v, ok := s.partitionValue(text, column.Type)
		if !ok {
			return nil, diag.New(diag.BadRow, diag.Span{}, "folder %s: '%s' is no %s for partition column '%s'",
				filepath.Dir(path), text, column.Type.Short(), column.Name)
		}
		out[k] = v
	}
	return out, nil
}

func fileMetadata(key, path string) (*row.Vec, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &diag.Error{Code: diag.InputOutput, Msg: "file " + path + " cannot be examined", Cause: err}
	}
	switch key {
	case "file.name":
		return &row.Vec{Len: 1, Str: []string{filepath.Base(path)}}, nil
	case "file.size":
		return &row.Vec{Len: 1, I64: []int64{info.Size()}}, nil
	case "file.modification-time":
		return &row.Vec{Len: 1, I64: []int64{info.ModTime().UnixMilli() * 1000}}, nil
	}
	return &row.Vec{Len: 1, Str: []string{filepath.ToSlash(path)}}, nil
}

// partitionValue reads the text of a partition folder.
func (s *source) partitionValue(text string, t types.Type) (*row.Vec, bool) {
	if text == s.table.Options.String("partition.default-name") {
		return row.AllNull(t, 1), true
	}
	v := row.NewVec(t, 1)
	b := []byte(text)
	ok := true
	switch t.Kind {
	case types.Char, types.VarChar:
		v.Str[0] = text
	case types.Boolean:
		v.Bool[0] = strings.EqualFold(text, "true")
		ok = v.Bool[0] || strings.EqualFold(text, "false")
	case types.TinyInt, types.SmallInt, types.Int:
		var n int64
		n, ok = format.ParseInt(b, map[types.Kind]int{types.TinyInt: 8, types.SmallInt: 16, types.Int: 32}[t.Kind])
		v.I32[0] = int32(n)
	case types.BigInt:
		v.I64[0], ok = format.ParseInt(b, 64)
	case types.Float:
		f, err := value.ParseFloat(text)
		v.F32[0], ok = f, err == nil
	case types.Double:
		f, err := value.ParseDouble(text)
		v.F64[0], ok = f, err == nil
	case types.Decimal:
		d, err := value.ParseDec(text, int(t.Precision), int(t.Scale))
		v.Dec[0], ok = d, err == nil
	case types.Date:
		v.I32[0], ok = format.ISODate(b)
	case types.TimeOfDay:
		v.I32[0], ok = format.ISOTime(b)
	case types.Timestamp, types.TimestampLTZ:
		// Flink writes the form with T.
		var ms int64
		var nano int32
		if ms, nano, ok = format.ISO.Parse(b); !ok {
			ms, nano, ok = format.SQL.Parse(b)
		}
		if t.Layout() == types.LayoutNano {
			v.I64[0], v.Nano[0] = ms, format.CutNanos(nano, t.Precision)
		} else {
			v.I64[0] = format.CutMicros(ms, nano, t.Precision)
		}
	default:
		ok = false
	}
	return v, ok
}

// partitionText is the text of a value in a folder's name. Flink has the days
// since 1970 for a DATE, which it cannot read back.
func partitionText(v *row.Vec, r int) string {
	switch t := v.Type; t.Kind {
	case types.Boolean:
		return strconv.FormatBool(v.Bool[r])
	case types.TimeOfDay:
		return string(format.AppendClock(nil, v.I32[r]))
	case types.Timestamp, types.TimestampLTZ:
		if t.Layout() == types.LayoutNano {
			return string(format.ISO.AppendMoment(nil, v.I64[r], v.Nano[r]))
		}
		ms, nano := format.Moment(v.I64[r])
		return string(format.ISO.AppendMoment(nil, ms, nano))
	}
	return string(value.AppendText(nil, v, r, value.UTC()))
}

// partitionValues reads k=v folders between a table's path and a file; false:
// the file lies elsewhere.
func partitionValues(root, file string, columns []string) ([]string, bool) {
	rel, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		return nil, false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	// Folders below the last partition level belong to it.
	if len(parts) < len(columns) {
		return nil, false
	}
	out := make([]string, len(columns))
	for i, p := range parts[:len(columns)] {
		k, v, found := strings.Cut(p, "=")
		if !found || unescape(k) != columns[i] {
			return nil, false
		}
		out[i] = unescape(v)
	}
	return out, true
}

// escaped tells the characters that Flink (after Hive) writes as %XX in the
// names of partition folders.
func escaped(c byte) bool {
	return c < 0x20 || c == 0x7f || strings.IndexByte(`"#%'*/:=?\{[]^`, c) >= 0
}

func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if escaped(s[i]) {
			b.WriteString("%" + strings.ToUpper(strconv.FormatInt(int64(s[i])+0x100, 16)[1:]))
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
