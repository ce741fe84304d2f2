package types

// IsString tells CHAR and VARCHAR.
func (t Type) IsString() bool { return t.Kind == Char || t.Kind == VarChar }

// IsBinary tells BINARY and VARBINARY.
func (t Type) IsBinary() bool { return t.Kind == Binary || t.Kind == VarBinary }

// IsInteger tells TINYINT, SMALLINT, INT, BIGINT.
func (t Type) IsInteger() bool { return t.Kind >= TinyInt && t.Kind <= BigInt }

// IsApprox tells FLOAT and DOUBLE.
func (t Type) IsApprox() bool { return t.Kind == Float || t.Kind == Double }

// IsExact tells integers and DECIMAL.
func (t Type) IsExact() bool { return t.IsInteger() || t.Kind == Decimal }

// IsNumeric tells every number type.
func (t Type) IsNumeric() bool { return t.Kind >= TinyInt && t.Kind <= Decimal }

// IsTimestamp tells TIMESTAMP and TIMESTAMP_LTZ.
func (t Type) IsTimestamp() bool { return t.Kind == Timestamp || t.Kind == TimestampLTZ }

// IsTemporal tells DATE, TIME and both timestamps.
func (t Type) IsTemporal() bool { return t.Kind >= Date && t.Kind <= TimestampLTZ }

// IsInterval tells both interval families.
func (t Type) IsInterval() bool { return t.Kind == IntervalMonths || t.Kind == IntervalMillis }

// IsNested tells ARRAY, MAP, MULTISET and ROW.
func (t Type) IsNested() bool { return t.Kind >= Array && t.Kind <= Row }

// Layout is the physical layout of a column (architecture: one layout serves
// several SQL types so that kernels stay few).
type Layout uint8

// The layouts of row.Vec.
const (
	LayoutBool Layout = iota // []bool
	LayoutI32                // []int32: TINYINT, SMALLINT, INT, DATE (days), TIME (ms of day), interval months
	LayoutI64                // []int64: BIGINT, timestamps up to 6 digits (microseconds), interval milliseconds
	LayoutF32                // []float32
	LayoutF64                // []float64
	LayoutDec                // []Dec: 128-bit unscaled value
	LayoutNano               // timestamps above 6 digits: []int64 milliseconds and []int32 nanoseconds of the millisecond
	LayoutStr                // []string: CHAR, VARCHAR, BINARY, VARBINARY, VARIANT and BITMAP (encoded)
	LayoutList               // offsets, sizes and child columns: ARRAY, MAP, MULTISET
	LayoutRow                // one child column per field
)

// Layout tells how a column of the type lies in memory.
func (t Type) Layout() Layout {
	switch t.Kind {
	case Boolean, Null:
		return LayoutBool
	case TinyInt, SmallInt, Int, Date, TimeOfDay, IntervalMonths:
		return LayoutI32
	case BigInt, IntervalMillis:
		return LayoutI64
	case Timestamp, TimestampLTZ:
		if t.Precision > 6 {
			return LayoutNano
		}
		return LayoutI64
	case Float:
		return LayoutF32
	case Double:
		return LayoutF64
	case Decimal:
		return LayoutDec
	case Array, Map, Multiset:
		return LayoutList
	case Row:
		return LayoutRow
	default:
		return LayoutStr
	}
}
