package types

// Of returns a nullable type without parameters, or with the default ones of
// the dialect where the kind has parameters (DECIMAL(10,0), TIMESTAMP(6), ...).
func Of(k Kind) Type {
	t := Type{Kind: k, Nullable: true}
	switch k {
	case Decimal:
		t.Precision = 10
	case Char, Binary:
		t.Length = 1
	case VarChar, VarBinary:
		t.Length = MaxLength
	case Timestamp, TimestampLTZ:
		t.Precision = 6
	case IntervalMonths:
		t.Unit, t.Precision = "MONTH", 2
	case IntervalMillis:
		t.Unit, t.Precision, t.Scale = "SECOND", 2, 3
	}
	return t
}

// String is STRING, that is VARCHAR(2147483647).
func String() Type { return Of(VarChar) }

// DecimalOf returns DECIMAL(p, s).
func DecimalOf(p, s int32) Type {
	return Type{Kind: Decimal, Nullable: true, Precision: p, Scale: s}
}

// TimestampOf returns TIMESTAMP(p); TimestampLTZOf TIMESTAMP_LTZ(p).
func TimestampOf(p int32) Type { return Type{Kind: Timestamp, Nullable: true, Precision: p} }

// TimestampLTZOf returns TIMESTAMP_LTZ(p).
func TimestampLTZOf(p int32) Type { return Type{Kind: TimestampLTZ, Nullable: true, Precision: p} }

// CharOf returns CHAR(n); VarCharOf VARCHAR(n).
func CharOf(n int32) Type { return Type{Kind: Char, Nullable: true, Length: n} }

// VarCharOf returns VARCHAR(n).
func VarCharOf(n int32) Type { return Type{Kind: VarChar, Nullable: true, Length: n} }

// ArrayOf returns ARRAY<elem>.
func ArrayOf(elem Type) Type {
	return Type{Kind: Array, Nullable: true, Fields: []Field{{Type: elem}}}
}

// MapOf returns MAP<k, v>.
func MapOf(k, v Type) Type {
	return Type{Kind: Map, Nullable: true, Fields: []Field{{Type: k}, {Type: v}}}
}

// RowOf returns ROW<fields...>.
func RowOf(fields ...Field) Type { return Type{Kind: Row, Nullable: true, Fields: fields} }

// NotNull returns the type without NULL; Null with it.
func (t Type) NotNull() Type { t.Nullable = false; return t }

// AsNullable returns the type with NULL allowed.
func (t Type) AsNullable() Type { t.Nullable = true; return t }

// OrNull returns the type with Nullable set when null is true, else as it is.
func (t Type) OrNull(null bool) Type { t.Nullable = t.Nullable || null; return t }

// Plain returns the type without its time attribute.
func (t Type) Plain() Type { t.Attr = NoAttr; return t }

// Elem returns the element type of an ARRAY or MULTISET, or the key type of a MAP.
func (t Type) Elem() Type { return t.Fields[0].Type }

// Value returns the value type of a MAP.
func (t Type) Value() Type { return t.Fields[1].Type }
