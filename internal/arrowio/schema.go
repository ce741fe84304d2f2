// Package arrowio is the border to Apache Arrow: schemas and batches as Arrow
// schemas and records. Fixed-width columns are handed over without a copy, since
// row.Vec lays them out as Arrow does; text, booleans and nested columns are
// built anew.
package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"

	"fsql/internal/diag"
	"fsql/types"
)

// Schema returns the Arrow schema of a result. The SQL type of a column is in its
// metadata under "sql-type".
func Schema(s *types.Schema) (*arrow.Schema, error) {
	fields := make([]arrow.Field, len(s.Columns))
	for i, c := range s.Columns {
		t, err := Type(c.Type)
		if err != nil {
			return nil, err
		}
		fields[i] = arrow.Field{Name: c.Name, Type: t, Nullable: c.Type.Nullable,
			Metadata: arrow.NewMetadata([]string{"sql-type"}, []string{c.Type.Plain().DDL()})}
	}
	return arrow.NewSchema(fields, nil), nil
}

// Type returns the Arrow type of a SQL type. TIMESTAMP has no zone,
// TIMESTAMP_LTZ has UTC; up to 6 digits are microseconds, more are nanoseconds.
func Type(t types.Type) (arrow.DataType, error) {
	switch t.Kind {
	case types.Null:
		return arrow.Null, nil
	case types.Boolean:
		return arrow.FixedWidthTypes.Boolean, nil
	case types.TinyInt:
		return arrow.PrimitiveTypes.Int8, nil
	case types.SmallInt:
		return arrow.PrimitiveTypes.Int16, nil
	case types.Int:
		return arrow.PrimitiveTypes.Int32, nil
	case types.BigInt:
		return arrow.PrimitiveTypes.Int64, nil
	case types.Float:
		return arrow.PrimitiveTypes.Float32, nil
	case types.Double:
		return arrow.PrimitiveTypes.Float64, nil
	case types.Decimal:
		return &arrow.Decimal128Type{Precision: t.Precision, Scale: t.Scale}, nil
	case types.Char, types.VarChar, types.Variant, types.Bitmap:
		return arrow.BinaryTypes.String, nil
	case types.Binary, types.VarBinary:
		return arrow.BinaryTypes.Binary, nil
	case types.Date:
		return arrow.FixedWidthTypes.Date32, nil
	case types.TimeOfDay:
		return arrow.FixedWidthTypes.Time32ms, nil
	case types.Timestamp, types.TimestampLTZ:
		out := &arrow.TimestampType{Unit: arrow.Microsecond}
		if t.Layout() == types.LayoutNano {
			out.Unit = arrow.Nanosecond
		}
		if t.Kind == types.TimestampLTZ {
			out.TimeZone = "UTC"
		}
		return out, nil
	case types.IntervalMonths:
		return arrow.FixedWidthTypes.MonthInterval, nil
	case types.IntervalMillis:
		return arrow.FixedWidthTypes.Duration_ms, nil
	case types.Array:
		e, err := Type(t.Elem())
		if err != nil {
			return nil, err
		}
		return arrow.ListOfField(arrow.Field{Name: "element", Type: e, Nullable: t.Elem().Nullable}), nil
	case types.Map, types.Multiset:
		k, err := Type(t.Elem())
		if err != nil {
			return nil, err
		}
		count := types.Of(types.Int).NotNull()
		if t.Kind == types.Map {
			count = t.Value()
		}
		v, err := Type(count)
		if err != nil {
			return nil, err
		}
		return arrow.MapOf(k, v), nil
	case types.Row:
		var fields []arrow.Field
		for _, f := range t.Fields {
			ft, err := Type(f.Type)
			if err != nil {
				return nil, err
			}
			fields = append(fields, arrow.Field{Name: f.Name, Type: ft, Nullable: f.Type.Nullable})
		}
		return arrow.StructOf(fields...), nil
	}
	return nil, diag.New(diag.NotSupported, diag.Span{}, "the type %s has no form in Arrow", t.Short())
}
