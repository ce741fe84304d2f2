package filesystem

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fsql/diag"
	"fsql/expr"
	"fsql/row"
	"fsql/types"
	"fsql/value"
)

// constants are the values of the metadata and partition columns of a file.
func (s *source) constants(path string, f *os.File) ([]*row.Vec, error) {
	t := s.table
	out := make([]*row.Vec, len(s.layout.constant))
	for k, c := range s.layout.constant {
		column := t.Schema.Columns[c]
		if t.Metadata != nil && t.Metadata[c] != "" {
			v, err := fileMetadata(t.Metadata[c], path, f)
			if err != nil {
				return nil, err
			}
			v.Type = column.Type
			out[k] = v
			continue
		}
		text := s.values[path][index(t.Partitions, column.Name)]
		v, err := s.partitionValue(text, column.Type)
		if err != nil {
			return nil, diag.New(diag.BadRow, diag.Span{}, "folder %s: '%s' is no %s for partition column '%s'",
				filepath.Dir(path), text, column.Type.Short(), column.Name)
		}
		out[k] = v
	}
	return out, nil
}

func fileMetadata(key, path string, f *os.File) (*row.Vec, error) {
	info, err := f.Stat()
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

// partitionValue reads the text of a partition folder as a CAST does.
func (s *source) partitionValue(text string, t types.Type) (*row.Vec, error) {
	if text == s.table.Options.String("partition.default-name") {
		return row.AllNull(t, 1), nil
	}
	lit, err := expr.NewLiteral(types.String(), text)
	if err != nil {
		return nil, err
	}
	cast, err := expr.NewCast(lit, t, false)
	if err != nil {
		return nil, err
	}
	zone, err := value.LoadZone(s.table.Zone)
	if err != nil {
		zone = value.UTC()
	}
	folded, err := expr.Fold(cast, zone)
	if err != nil {
		return nil, err
	}
	if constant, ok := expr.IsConst(folded); ok {
		return constant.Value, nil
	}
	return nil, diag.New(diag.BadValue, diag.Span{}, "'%s' is no %s", text, t.Short())
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
