package avro

import (
	"fmt"
	"strconv"
	"unicode"

	"fsql/internal/diag"
	"fsql/types"
)

// mapping says which Avro types the types of a table have.
type mapping struct {
	legacy bool // timestamp_mapping.legacy
	file   bool // of a file, whose timestamps are limited as by legacy
}

// deriver writes the schema of a table as Flink does.
type deriver struct {
	mapping
	column string // for messages
	names  map[string]bool
}

// derive is the schema of a table in JSON. Rows of a file may be NULL by their
// schema, as in Flink.
func derive(s *types.Schema, m mapping) (string, error) {
	d := &deriver{mapping: m, names: map[string]bool{}}
	var fields []types.Field
	for _, c := range s.Columns {
		fields = append(fields, types.Field{Name: c.Name, Type: c.Type})
	}
	t := types.RowOf(fields...)
	t.Nullable = m.file
	text, err := d.typ(t, "record")
	return string(text), err
}

// typ is a type; name is that of the records in it.
func (d *deriver) typ(t types.Type, name string) ([]byte, error) {
	text, err := d.notNull(t, name)
	if err != nil || !t.Nullable {
		return text, err
	}
	return fmt.Appendf(nil, `["null",%s]`, text), nil
}

func (d *deriver) notNull(t types.Type, name string) ([]byte, error) {
	k, logical, err := d.plain(t)
	if err != nil {
		return nil, err
	}
	switch k {
	case arrayKind:
		items, err := d.typ(t.Elem(), name)
		return fmt.Appendf(nil, `{"type":"array","items":%s}`, items), err
	case mapKind:
		values, err := d.typ(mapValue(t), name)
		return fmt.Appendf(nil, `{"type":"map","values":%s}`, values), err
	case recordKind:
		return d.record(t, name)
	}
	if logical != "" {
		return fmt.Appendf(nil, `{"type":"%s","logicalType":%s}`, k, logical), nil
	}
	return strconv.AppendQuote(nil, string(k)), nil
}

// mapValue is the type of the values of a MAP, or of the counts of a MULTISET.
func mapValue(t types.Type) types.Type {
	if t.Kind == types.Multiset {
		return types.Of(types.Int)
	}
	return t.Value()
}

// plain is the Avro type of values that are not NULL, with what stands behind
// "logicalType":.
func (d *deriver) plain(t types.Type) (k kind, logical string, err error) {
	switch t.Kind {
	case types.Boolean:
		return booleanKind, "", nil
	case types.TinyInt, types.SmallInt, types.Int:
		return intKind, "", nil
	case types.BigInt:
		return longKind, "", nil
	case types.Float:
		return floatKind, "", nil
	case types.Double:
		return doubleKind, "", nil
	case types.Char, types.VarChar:
		return stringKind, "", nil
	case types.Binary, types.VarBinary:
		return bytesKind, "", nil
	case types.Decimal:
		return bytesKind, fmt.Sprintf(`"decimal","precision":%d,"scale":%d`, t.Precision, t.Scale), nil
	case types.Date:
		return intKind, `"date"`, nil
	case types.TimeOfDay:
		if t.Precision > 3 {
			return "", "", noType(t, d.column, "a TIME has a precision of 3 digits at most: declare TIME(3)")
		}
		return intKind, `"time-millis"`, nil
	case types.Timestamp, types.TimestampLTZ:
		logical, err = d.moment(t)
		return longKind, logical, err
	case types.Array:
		return arrayKind, "", nil
	case types.Map, types.Multiset:
		if !t.Elem().IsString() {
			return "", "", noType(t, d.column, "the keys of a map are texts: declare them as STRING")
		}
		return mapKind, "", nil
	case types.Row:
		return recordKind, "", nil
	}
	return "", "", noType(t, d.column, "")
}

func (d *deriver) moment(t types.Type) (string, error) {
	most, unit := int32(6), "millis"
	if d.legacy || d.file {
		most = 3
	}
	if t.Precision > 3 {
		unit = "micros"
	}
	switch {
	case t.Kind == types.TimestampLTZ && d.file:
		return "", noType(t, d.column, "a file has a form for TIMESTAMP(3): declare that, and cast")
	case t.Kind == types.TimestampLTZ && d.legacy:
		return "", noType(t, d.column, "'avro.timestamp_mapping.legacy' = 'false' has a form for it")
	case t.Precision > most:
		return "", noType(t, d.column, fmt.Sprintf("a timestamp has a precision of %d digits at most here: declare TIMESTAMP(%d)", most, most))
	case t.Kind == types.Timestamp && !d.legacy:
		return `"local-timestamp-` + unit + `"`, nil
	}
	return `"timestamp-` + unit + `"`, nil
}

func (d *deriver) record(t types.Type, name string) ([]byte, error) {
	if d.names[name] {
		return nil, diag.New(diag.NotSupported, diag.Span{}, "the format avro names the records of nested rows by their place, and two of this table would be '%s'", name).
			WithHint("rename the column '%s' or a field of it", d.column)
	}
	d.names[name] = true
	text := fmt.Appendf(nil, `{"type":"record","name":"%s",`, name)
	top := name == "record"
	if top {
		text = append(text, `"namespace":"org.apache.flink.avro.generated",`...)
	}
	text = append(text, `"fields":[`...)
	for i, f := range t.Fields {
		if top {
			d.column = f.Name
		}
		if !validName(f.Name) {
			return nil, diag.New(diag.NotSupported, diag.Span{}, "the format avro cannot name a field '%s'", f.Name).
				WithHint("letters, digits and '_' make a name, which does not begin with a digit")
		}
		typ, err := d.typ(f.Type, name+"_"+f.Name)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, `{"name":"%s","type":%s`, f.Name, typ)
		if f.Type.Nullable {
			text = append(text, `,"default":null`...)
		}
		text = append(text, '}')
	}
	return append(text, `]}`...), nil
}

// validName tells whether Avro takes a name.
func validName(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}
