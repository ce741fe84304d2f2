package types

import (
	"strconv"
	"strings"
)

// String writes the type in full form with its nullability, as Flink's
// asSummaryString does: "VARCHAR(2147483647) NOT NULL", "ROW<`a` INT>".
func (t Type) String() string {
	s := t.name(summary)
	if !t.Nullable {
		s += " NOT NULL"
	}
	return s
}

// style is one of the four ways in which Flink spells types.
type style uint8

const (
	summary style = iota
	short         // DESCRIBE
	ddl           // SHOW CREATE TABLE
	full          // TYPEOF(x, TRUE)
)

// DDL writes the type as SHOW CREATE TABLE does: full names, no outer
// nullability, no time attribute.
func (t Type) DDL() string { return t.name(ddl) }

// Full writes the type as TYPEOF(x, TRUE) does: full names without outer
// nullability, TIMESTAMP_LTZ as the standard spells it.
func (t Type) Full() string { return t.name(full) }

// Short writes the type as DESCRIBE shows it: STRING and BYTES for the
// unbounded types, nested NOT NULL kept, no outer nullability.
func (t Type) Short() string { return t.name(short) }

func (t Type) name(as style) string {
	num := func(n int32) string { return strconv.Itoa(int(n)) }
	child := func(c Type) string {
		s := c.name(as)
		if !c.Nullable {
			s += " NOT NULL"
		}
		return s
	}
	switch t.Kind {
	case Null:
		return "NULL"
	case Boolean:
		return "BOOLEAN"
	case TinyInt:
		return "TINYINT"
	case SmallInt:
		return "SMALLINT"
	case Int:
		return "INT"
	case BigInt:
		return "BIGINT"
	case Float:
		return "FLOAT"
	case Double:
		return "DOUBLE"
	case Decimal:
		return "DECIMAL(" + num(t.Precision) + ", " + num(t.Scale) + ")"
	case Char:
		return "CHAR(" + num(t.Length) + ")"
	case VarChar:
		if as == short && t.Length == MaxLength {
			return "STRING"
		}
		return "VARCHAR(" + num(t.Length) + ")"
	case Binary:
		return "BINARY(" + num(t.Length) + ")"
	case VarBinary:
		if as == short && t.Length == MaxLength {
			return "BYTES"
		}
		return "VARBINARY(" + num(t.Length) + ")"
	case Date:
		return "DATE"
	case TimeOfDay:
		return "TIME(" + num(t.Precision) + ")"
	case Timestamp:
		if as == ddl {
			return "TIMESTAMP(" + num(t.Precision) + ")"
		}
		return "TIMESTAMP(" + num(t.Precision) + ")" + t.Attr.mark()
	case TimestampLTZ:
		if as == ddl || as == full {
			return "TIMESTAMP(" + num(t.Precision) + ") WITH LOCAL TIME ZONE"
		}
		return "TIMESTAMP_LTZ(" + num(t.Precision) + ")" + t.Attr.mark()
	case IntervalMonths, IntervalMillis:
		switch { // to Flink a value has the type of its family, whatever was written
		case as == short && t.Kind == IntervalMonths:
			return "INTERVAL MONTH"
		case as == short:
			return "INTERVAL SECOND(3)"
		}
		return "INTERVAL " + t.Unit
	case Array:
		return "ARRAY<" + child(t.Elem()) + ">"
	case Map:
		return "MAP<" + child(t.Elem()) + ", " + child(t.Value()) + ">"
	case Multiset:
		return "MULTISET<" + child(t.Elem()) + ">"
	case Row:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = "`" + strings.ReplaceAll(f.Name, "`", "``") + "` " + child(f.Type)
		}
		if t.Class != "" {
			return "STRUCTURED<'" + strings.ReplaceAll(t.Class, "'", "''") + "', " + strings.Join(parts, ", ") + ">"
		}
		return "ROW<" + strings.Join(parts, ", ") + ">"
	case Variant:
		return "VARIANT"
	case Bitmap:
		return "BITMAP"
	case Descriptor:
		return "DESCRIPTOR"
	default:
		return "UNKNOWN"
	}
}

func (a Attr) mark() string {
	switch a {
	case Rowtime:
		return " *ROWTIME*"
	case Proctime:
		return " *PROCTIME*"
	}
	return ""
}

// Equal compares types including nullability and attributes.
func (t Type) Equal(u Type) bool {
	return t.Nullable == u.Nullable && t.Attr == u.Attr && t.Same(u)
}

// Same compares types, not looking at the outer nullability and attributes.
func (t Type) Same(u Type) bool {
	if t.Kind != u.Kind || t.Length != u.Length || t.Precision != u.Precision || t.Scale != u.Scale || t.Class != u.Class || len(t.Fields) != len(u.Fields) {
		return false
	}
	for i := range t.Fields {
		if t.Fields[i].Name != u.Fields[i].Name || !t.Fields[i].Type.Equal(u.Fields[i].Type) {
			return false
		}
	}
	return true
}
