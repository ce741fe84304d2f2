package arrowio

import (
	"strings"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// Batch copies a record into a batch of a schema; columns are found by name.
// It takes the types that Type gives, and besides whole numbers of any width
// that the column can hold, times of any unit, and the large forms of texts and
// lists. The record may be released afterwards.
func Batch(s *types.Schema, rec arrow.Record) (*row.Batch, error) {
	n := int(rec.NumRows())
	cols := make([]*row.Vec, len(s.Columns))
	for i, c := range s.Columns {
		at := rec.Schema().FieldIndices(c.Name)
		if len(at) != 1 {
			return nil, diag.New(diag.UnknownColumn, diag.Span{}, "the record has no column '%s'", c.Name).
				WithHint("its columns: %s", strings.Join(fieldNames(rec.Schema()), ", "))
		}
		v, err := column(c.Type, rec.Column(at[0]))
		if err != nil {
			e := diag.Of(err)
			e.Msg = "column '" + c.Name + "': " + e.Msg
			return nil, e
		}
		if !c.Type.Nullable && v.Valid.Nulls(n) > 0 {
			return nil, diag.New(diag.NullViolation, diag.Span{}, "column '%s' is NOT NULL, and the record has a NULL in it", c.Name)
		}
		cols[i] = v
	}
	return row.New(s, n, cols, nil), nil
}

func fieldNames(s *arrow.Schema) []string {
	var out []string
	for _, f := range s.Fields() {
		out = append(out, f.Name)
	}
	return out
}

// column copies an array into a column of type t.
func column(t types.Type, a arrow.Array) (*row.Vec, error) {
	v := row.NewVec(t, a.Len())
	if a.NullN() > 0 {
		for i := range v.Len {
			if a.IsNull(i) {
				v.SetNull(i)
			}
		}
	}
	if !fill(v, a) {
		if err := nest(v, a); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// fill copies flat values; false: they are not of the column's type.
func fill(v *row.Vec, a arrow.Array) bool {
	switch t := v.Type; t.Kind {
	case types.Null:
		_, ok := a.(*array.Null)
		return ok
	case types.Boolean:
		b, ok := a.(*array.Boolean)
		for i := 0; ok && i < v.Len; i++ {
			v.Bool[i] = b.Value(i)
		}
		return ok
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		return whole(v, a)
	case types.Float:
		f, ok := a.(*array.Float32)
		if ok {
			copy(v.F32, f.Float32Values())
		}
		return ok
	case types.Double:
		switch f := a.(type) {
		case *array.Float64:
			copy(v.F64, f.Float64Values())
		case *array.Float32:
			for i, x := range f.Float32Values() {
				v.F64[i] = float64(x)
			}
		default:
			return false
		}
		return true
	case types.Decimal:
		d, ok := a.(*array.Decimal128)
		if at, is := a.DataType().(*arrow.Decimal128Type); !is || at.Scale != t.Scale || at.Precision > t.Precision {
			return false
		}
		for i := 0; ok && i < v.Len; i++ {
			n := d.Value(i)
			v.Dec[i] = types.Dec{Lo: n.LowBits(), Hi: n.HighBits()}
		}
		return ok
	case types.Char, types.VarChar, types.Binary, types.VarBinary:
		return bytes(v, a)
	case types.Date:
		d, ok := a.(*array.Date32)
		for i := 0; ok && i < v.Len; i++ {
			v.I32[i] = int32(d.Value(i))
		}
		return ok
	case types.TimeOfDay:
		d, ok := a.(*array.Time32)
		for i := 0; ok && i < v.Len; i++ {
			v.I32[i] = int32(d.Value(i).ToTime(a.DataType().(*arrow.Time32Type).Unit).UnixMilli())
		}
		return ok
	case types.Timestamp, types.TimestampLTZ:
		return moments(v, a)
	case types.IntervalMonths:
		d, ok := a.(*array.MonthInterval)
		for i := 0; ok && i < v.Len; i++ {
			v.I32[i] = int32(d.Value(i))
		}
		return ok
	case types.IntervalMillis:
		d, ok := a.(*array.Duration)
		if ok = ok && a.DataType().(*arrow.DurationType).Unit == arrow.Millisecond; ok {
			for i := range v.Len {
				v.I64[i] = int64(d.Value(i))
			}
		}
		return ok
	}
	return false
}

// whole copies whole numbers that fit into the column's type.
func whole(v *row.Vec, a arrow.Array) bool {
	bits := map[types.Kind]uint{types.TinyInt: 8, types.SmallInt: 16, types.Int: 32, types.BigInt: 64}[v.Type.Kind]
	switch a := a.(type) {
	case *array.Int8:
		return copied(v, a.Int8Values(), a, bits)
	case *array.Int16:
		return copied(v, a.Int16Values(), a, bits)
	case *array.Int32:
		return copied(v, a.Int32Values(), a, bits)
	case *array.Int64:
		return copied(v, a.Int64Values(), a, bits)
	case *array.Uint8:
		return copied(v, a.Uint8Values(), a, bits)
	case *array.Uint16:
		return copied(v, a.Uint16Values(), a, bits)
	case *array.Uint32:
		return copied(v, a.Uint32Values(), a, bits)
	}
	return false
}

func copied[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](v *row.Vec, from []T, a arrow.Array, bits uint) bool {
	for i, x := range from {
		n := int64(x)
		switch {
		case a.IsNull(i):
		case n<<(64-bits)>>(64-bits) != n:
			return false
		case bits == 64:
			v.I64[i] = n
		default:
			v.I32[i] = int32(n)
		}
	}
	return true
}

// bytes copies texts and bytes into memory that they share.
func bytes(v *row.Vec, a arrow.Array) bool {
	var at func(i int) string
	isText := v.Type.IsString()
	switch a := a.(type) {
	case *array.String:
		at = a.Value
		isText = !isText
	case *array.LargeString:
		at = a.Value
		isText = !isText
	case *array.Binary:
		at = a.ValueString
	case *array.LargeBinary:
		at = a.ValueString
	}
	if at == nil || isText {
		return false
	}
	size := 0
	for i := range v.Len {
		if !a.IsNull(i) {
			size += len(at(i))
		}
	}
	all := make([]byte, 0, size)
	for i := range v.Len {
		if v.Str[i] = ""; !a.IsNull(i) {
			from := len(all)
			if all = append(all, at(i)...); len(all) > from {
				v.Str[i] = unsafe.String(&all[from], len(all)-from)
			}
		}
	}
	return true
}

// moments copies timestamps; finer ones than the column has are cut. One with a
// zone is an instant and goes into TIMESTAMP_LTZ, one without into TIMESTAMP.
func moments(v *row.Vec, a arrow.Array) bool {
	m, ok := a.(*array.Timestamp)
	if !ok || (a.DataType().(*arrow.TimestampType).TimeZone != "") != (v.Type.Kind == types.TimestampLTZ) {
		return false
	}
	perSecond := int64(1)
	for range 3 * int(a.DataType().(*arrow.TimestampType).Unit) {
		perSecond *= 10
	}
	step := int64(1) // nanoseconds of the column's last digit
	for range 9 - v.Type.Precision {
		step *= 10
	}
	for i := range v.Len {
		if a.IsNull(i) {
			continue
		}
		n := int64(m.Value(i))
		sec, nano := n/perSecond, n%perSecond*(1_000_000_000/perSecond)
		if nano < 0 {
			sec, nano = sec-1, nano+1_000_000_000
		}
		nano -= nano % step
		if v.Type.Layout() == types.LayoutNano {
			v.I64[i], v.Nano[i] = sec*1000+nano/1_000_000, int32(nano%1_000_000)
		} else {
			v.I64[i] = sec*1_000_000 + nano/1000
		}
	}
	return true
}

// nest copies lists, maps and structs.
func nest(v *row.Vec, a arrow.Array) error {
	switch t := v.Type; t.Kind {
	case types.Array:
		if l, ok := a.(array.ListLike); ok && a.DataType().ID() != arrow.MAP {
			return lists(v, l, l.ListValues())
		}
	case types.Map, types.Multiset:
		if m, ok := a.(*array.Map); ok {
			return lists(v, m, m.Keys(), m.Items())
		}
	case types.Row:
		s, ok := a.(*array.Struct)
		if !ok || s.NumField() != len(t.Fields) {
			break
		}
		for i, f := range t.Fields {
			kid, err := column(f.Type.AsNullable(), s.Field(i))
			if err != nil {
				return err
			}
			v.Kids[i] = kid
		}
		return nil
	}
	return diag.New(diag.TypeMismatch, diag.Span{}, "Arrow's type %s does not go into %s", a.DataType(), v.Type.Short())
}

func lists(v *row.Vec, l array.ListLike, kids ...arrow.Array) error {
	for i := range v.Len {
		if l.IsNull(i) {
			v.Off[i], v.Size[i] = 0, 0
			continue
		}
		from, to := l.ValueOffsets(i)
		v.Off[i], v.Size[i] = int32(from), int32(to-from)
	}
	for i, kid := range kids {
		c, err := column(v.Kids[i].Type, kid)
		if err != nil {
			return err
		}
		v.Kids[i] = c
	}
	return nil
}
