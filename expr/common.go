package expr

import (
	"fsql/internal/diag"
	"fsql/types"
)

// Common is the least restrictive type that holds values of all given types:
// the result type of CASE, UNION and the constructors (flink-sql 2.4). It is
// nullable if one of them is. FLOAT with DOUBLE is the first one, as in
// Calcite, where both have one precision.
func Common(ts ...types.Type) (types.Type, error) { return common(ts, false) }

// CommonWide is Common as COALESCE has it: FLOAT with DOUBLE is DOUBLE, DECIMAL
// with FLOAT (in this order) FLOAT, TIMESTAMP with TIMESTAMP_LTZ TIMESTAMP_LTZ,
// with DATE or TIME these.
func CommonWide(ts ...types.Type) (types.Type, error) { return common(ts, true) }

func common(ts []types.Type, wide bool) (types.Type, error) {
	out := ts[0].Plain()
	for _, t := range ts[1:] {
		u, ok := merge(out, t.Plain(), wide)
		if !ok {
			return types.Type{}, diag.New(diag.TypeMismatch, diag.Span{}, "there is no common type for %s and %s", out.Short(), t.Short()).
				WithHint("convert one of them: CAST(x AS type)")
		}
		out = u
	}
	return out, nil
}

func merge(a, b types.Type, wide bool) (types.Type, bool) {
	null := a.Nullable || b.Nullable
	switch {
	case a.Kind == types.Null:
		return b.AsNullable(), true
	case b.Kind == types.Null:
		return a.AsNullable(), true
	case a.Same(b):
		return a.OrNull(null), true
	case a.IsNumeric() && b.IsNumeric():
		t := mergeNumbers(a, b, wide)
		t.Nullable = null
		return t, true
	case a.IsString() && b.IsString():
		return orNull(types.VarCharOf(max(a.Length, b.Length)), null), true
	case a.IsBinary() && b.IsBinary():
		t := types.Of(types.VarBinary)
		t.Length, t.Nullable = max(a.Length, b.Length), null
		return t, true
	}
	if a.Kind != b.Kind {
		if wide && (a.Kind == types.Timestamp || b.Kind == types.Timestamp) {
			for _, t := range [...]types.Type{a, b} {
				if t.Kind == types.Date || t.Kind == types.TimeOfDay {
					return t.OrNull(null), true // the part that both have
				}
			}
		}
		if a.IsTimestamp() && b.IsTimestamp() {
			// Calcite keeps the first kind, but with another precision it makes
			// a type of the second.
			kind := b.Kind
			if a.Precision == b.Precision {
				kind = a.Kind
			}
			if kind == types.Timestamp && !wide {
				return orNull(types.TimestampOf(max(a.Precision, b.Precision)), null), true
			}
			return orNull(types.TimestampLTZOf(max(a.Precision, b.Precision)), null), true
		}
		return types.Type{}, false
	}
	t := a
	t.Nullable = null
	switch a.Kind {
	case types.TimeOfDay, types.Timestamp, types.TimestampLTZ:
		t.Precision = max(a.Precision, b.Precision)
		return t, true
	case types.IntervalMonths:
		t.Unit = "MONTH"
		return t, true
	case types.IntervalMillis:
		t.Unit = "SECOND"
		return t, true
	case types.Array, types.Map, types.Multiset, types.Row:
		if len(a.Fields) != len(b.Fields) || a.Class != b.Class {
			return types.Type{}, false
		}
		t.Fields = make([]types.Field, len(a.Fields))
		for i := range a.Fields {
			u, ok := merge(a.Fields[i].Type, b.Fields[i].Type, wide)
			if !ok {
				return types.Type{}, false
			}
			t.Fields[i] = types.Field{Name: a.Fields[i].Name, Type: u}
		}
		return t, true
	}
	return types.Type{}, false
}

func mergeNumbers(a, b types.Type, wide bool) types.Type {
	switch {
	case a.IsApprox() && b.IsApprox():
		if wide {
			return types.Of(types.Double)
		}
		return a
	case a.IsApprox() || b.IsApprox():
		if wide && a.Kind == types.Decimal && b.Kind == types.Float {
			return b // but a FLOAT with a DECIMAL is a DOUBLE
		}
		if a.Kind == types.Decimal || b.Kind == types.Decimal {
			return types.Of(types.Double)
		}
		if a.IsApprox() {
			return a
		}
		return b
	case a.Kind == types.Decimal || b.Kind == types.Decimal:
		a, b = AsDecimal(a), AsDecimal(b)
		whole := max(a.Precision-a.Scale, b.Precision-b.Scale)
		s := min(max(a.Scale, b.Scale), 38-whole)
		return types.DecimalOf(whole+s, s)
	case a.Kind > b.Kind:
		return a
	}
	return b
}

// AsDecimal is the DECIMAL type that holds every value of an exact number
// type.
func AsDecimal(t types.Type) types.Type {
	var p int32
	switch t.Kind {
	case types.TinyInt:
		p = 3
	case types.SmallInt:
		p = 5
	case types.Int:
		p = 10
	case types.BigInt:
		p = 19
	default:
		return t
	}
	d := types.DecimalOf(p, 0)
	d.Nullable = t.Nullable
	return d
}

// CanStore tells whether INSERT converts a query's column to a sink's column
// by itself (Flink's implicit casts). Nullability, also of elements and fields,
// is another matter: the sink checks it row by row.
func CanStore(from, to types.Type) bool {
	if from.Kind == types.Null || from.Same(to) {
		return true
	}
	switch to.Kind {
	case types.Char:
		return from.Kind == types.Char
	case types.VarChar:
		return from.IsString()
	case types.Binary:
		return from.Kind == types.Binary
	case types.VarBinary:
		return from.IsBinary()
	case types.Decimal, types.Double:
		return from.IsNumeric()
	case types.SmallInt, types.Int, types.BigInt:
		return from.IsInteger() && from.Kind <= to.Kind
	case types.Float:
		return from.IsNumeric() && from.Kind != types.Double
	case types.Date, types.TimeOfDay:
		return from.Kind == to.Kind || from.Kind == types.Timestamp
	case types.Timestamp, types.TimestampLTZ:
		return from.IsTimestamp()
	case types.IntervalMonths, types.IntervalMillis:
		return from.Kind == to.Kind
	case types.Array, types.Map, types.Multiset, types.Row:
		if from.Kind != to.Kind || len(from.Fields) != len(to.Fields) {
			return false
		}
		for i := range to.Fields {
			if !CanStore(from.Fields[i].Type, to.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	return false
}

func orNull(t types.Type, null bool) types.Type {
	t.Nullable = null
	return t
}
