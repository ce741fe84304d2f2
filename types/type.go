// Package types holds the SQL types of the dialect, schemas, and the two
// scalars every room shares: event time and epoch numbers.
package types

// Time is an instant of event or processing time in milliseconds since the
// Unix epoch. Flink computes all event time in whole milliseconds.
type Time int64

// Bounds of event time. MaxTime is the last watermark of every bounded input
// (Flink's MAX_WATERMARK); MinTime means "no watermark yet".
const (
	MinTime Time = -1 << 63
	MaxTime Time = 1<<63 - 1
)

// Epoch numbers checkpoints, from 1.
type Epoch uint64

// Kind is the root of a SQL type.
type Kind uint8

// The kinds, in an order that groups families; never stored on disk by number.
const (
	Invalid Kind = iota
	Null         // the type of a bare NULL; assignable to every nullable type
	Boolean
	TinyInt
	SmallInt
	Int
	BigInt
	Float
	Double
	Decimal
	Char
	VarChar
	Binary
	VarBinary
	Date
	TimeOfDay      // TIME(p)
	Timestamp      // TIMESTAMP(p), wall clock without a zone
	TimestampLTZ   // TIMESTAMP_LTZ(p), an instant
	IntervalMonths // year-month family
	IntervalMillis // day-time family
	Array
	Map
	Multiset
	Row
	Variant
	Bitmap
	Descriptor
)

// MaxLength is the length of STRING and BYTES: VARCHAR(2147483647).
const MaxLength = 1<<31 - 1

// Attr marks a time attribute. It is part of a column's type, as in Flink: a
// plain reference keeps it, every computation loses it (flink-sql 3.4).
type Attr uint8

// The time attributes.
const (
	NoAttr Attr = iota
	Rowtime
	Proctime
)

// Type is a SQL type. It is a value; Fields must not be changed once shared.
type Type struct {
	Kind     Kind
	Nullable bool
	// Attr is set on columns that are time attributes.
	Attr Attr
	// Length of CHAR, VARCHAR, BINARY, VARBINARY in code points or bytes.
	Length int32
	// Precision of DECIMAL, TIME, TIMESTAMP, TIMESTAMP_LTZ and the leading
	// precision of intervals; Scale of DECIMAL and the fraction of intervals.
	Precision int32
	Scale     int32
	// Unit is the resolution of an interval type as written ("DAY TO SECOND",
	// "MONTH"); values are always whole months or milliseconds.
	Unit string
	// Fields: ARRAY and MULTISET one (no name), MAP two, ROW one per field.
	Fields []Field
	// Class makes a ROW a STRUCTURED type: the name of its class, which need
	// not exist.
	Class string
}

// Field is a component of a nested type.
type Field struct {
	Name    string
	Type    Type
	Comment string
}
