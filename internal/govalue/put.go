package govalue

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Append appends a Go value to a column, which its caller owns. It takes what
// Get returns, and besides: whole numbers of any Go type where they fit, whole
// numbers for DECIMAL, texts that CAST would take for DECIMAL, DATE, TIME and
// TIMESTAMP, slices for ARRAY and ROW, maps for MAP, and pointers, of which nil
// is NULL. On an error the column is as it was, but for columns inside it.
func Append(v *row.Vec, x any) error {
	if x = plain(x); x == nil {
		if !v.Type.Nullable {
			return diag.New(diag.NullViolation, diag.Span{}, "NULL for the type %s", v.Type)
		}
		v.AppendNull(1)
		return nil
	}
	switch v.Type.Layout() {
	case types.LayoutList:
		return appendList(v, x)
	case types.LayoutRow:
		return appendRow(v, x)
	}
	c, err := convert(v.Type, x)
	if err != nil {
		return err
	}
	i := v.Extend(1)
	switch v.Type.Layout() {
	case types.LayoutBool:
		v.Bool[i] = c.b
	case types.LayoutI32:
		v.I32[i] = int32(c.n)
	case types.LayoutI64:
		v.I64[i] = c.n
	case types.LayoutF32:
		v.F32[i] = float32(c.f)
	case types.LayoutF64:
		v.F64[i] = c.f
	case types.LayoutDec:
		v.Dec[i] = c.d
	case types.LayoutNano:
		v.I64[i], v.Nano[i] = c.n, c.nano
	case types.LayoutStr:
		v.Str[i] = c.s
	}
	return nil
}

// plain follows pointers and takes named types for what they are.
func plain(x any) any {
	switch x.(type) {
	case nil, bool, int, int32, int64, float64, string, []byte, time.Time, time.Duration, []any:
		return x
	}
	r := reflect.ValueOf(x)
	for r.Kind() == reflect.Pointer {
		if r.IsNil() {
			return nil
		}
		r = r.Elem()
	}
	switch {
	case r.Type() == reflect.TypeFor[time.Time](), r.Type() == reflect.TypeFor[time.Duration]():
		return r.Interface()
	case r.CanInt():
		return r.Int()
	case r.CanUint() && r.Uint() <= math.MaxInt64:
		return int64(r.Uint())
	case r.Kind() == reflect.Float32, r.Kind() == reflect.Float64:
		return r.Interface()
	case r.Kind() == reflect.String:
		return r.String()
	case r.Kind() == reflect.Bool:
		return r.Bool()
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() == reflect.Uint8:
		return r.Bytes()
	}
	return r.Interface()
}

// cell is a value in the form of its layout.
type cell struct {
	b    bool
	n    int64
	nano int32
	f    float64
	d    types.Dec
	s    string
}

func convert(t types.Type, x any) (c cell, err error) {
	ok := false
	n, whole := integer(x)
	s, text := x.(string)
	when, isTime := x.(time.Time)
	span, isSpan := x.(time.Duration)
	switch t.Kind {
	case types.Boolean:
		c.b, ok = x.(bool)
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt, types.IntervalMonths:
		c.n, ok = n, whole && !isSpan && n == n<<shift(t.Kind)>>shift(t.Kind)
		if whole && !isSpan && !ok {
			return c, diag.New(diag.Overflow, diag.Span{}, "%d is beyond the type %s", n, t.Short())
		}
	case types.Float, types.Double:
		switch f := x.(type) {
		case float32:
			c.f, ok = float64(f), true
		case float64:
			c.f, ok = f, true
		default:
			c.f, ok = float64(n), whole && !isSpan
		}
	case types.Decimal:
		if whole && !isSpan {
			s, text = fmt.Sprint(n), true
		}
		if text {
			if c.d, err = value.ParseDec(s, int(t.Precision), int(t.Scale)); err != nil {
				return c, diag.New(diag.BadValue, diag.Span{}, "'%s' is no value of the type %s: %v", s, t.Short(), err)
			}
			ok = true
		}
	case types.Char, types.VarChar:
		c.s, ok = s, text
	case types.Binary, types.VarBinary:
		b, bytes := x.([]byte)
		c.s, ok = string(b), bytes
	case types.Date:
		if isTime {
			_, offset := when.Zone()
			c.n, ok = value.FloorDiv(when.Unix()+int64(offset), 86400), true
		} else if text {
			var days int32
			days, ok = value.ParseDate(s)
			c.n = int64(days)
		}
	case types.TimeOfDay:
		if isSpan {
			c.n, ok = span.Milliseconds(), span >= 0 && span < 24*time.Hour
		} else if text {
			var ms int32
			ms, ok = value.ParseTime(s)
			c.n = int64(ms)
		}
	case types.IntervalMillis:
		c.n, ok = span.Milliseconds(), isSpan
	case types.Timestamp, types.TimestampLTZ:
		var ms int64
		if isTime {
			ms, c.nano, ok = when.UnixMilli(), int32(when.Nanosecond()%1_000_000), true
			if _, offset := when.Zone(); t.Kind == types.Timestamp {
				ms += int64(offset) * 1000
			}
		} else if text {
			ms, c.nano, ok = value.ParseTimestamp(s)
		}
		c.n, c.nano = cut(t, ms, c.nano)
	}
	if !ok {
		return c, diag.New(diag.TypeMismatch, diag.Span{}, "a value of Go's type %T (%v) is no %s", x, x, t.Short())
	}
	return c, nil
}

// cut leaves out the digits that a TIMESTAMP does not have, in the form of its
// layout.
func cut(t types.Type, ms int64, nano int32) (int64, int32) {
	unit := int64(1)
	for range 9 - t.Precision {
		unit *= 10
	}
	if t.Layout() == types.LayoutNano {
		return ms, nano - nano%int32(unit)
	}
	us := ms*1000 + int64(nano)/1000
	return value.FloorDiv(us, max(unit/1000, 1)) * max(unit/1000, 1), 0
}

func shift(k types.Kind) int {
	switch k {
	case types.TinyInt:
		return 56
	case types.SmallInt:
		return 48
	case types.BigInt:
		return 0
	}
	return 32
}

func integer(x any) (int64, bool) {
	switch n := x.(type) {
	case int:
		return int64(n), true
	case int32:
		return int64(n), true
	case int64:
		return n, true
	}
	return 0, false
}

// appendList appends an ARRAY, MAP or MULTISET.
func appendList(v *row.Vec, x any) error {
	r := reflect.ValueOf(x)
	from := v.Kids[0].Len
	n := 0
	switch {
	case v.Type.Kind == types.Array && (r.Kind() == reflect.Slice || r.Kind() == reflect.Array):
		for i := range r.Len() {
			if err := Append(v.Kids[0], r.Index(i).Interface()); err != nil {
				return err
			}
		}
		n = r.Len()
	case v.Type.Kind != types.Array && r.Kind() == reflect.Map:
		for _, k := range sorted(r) {
			if err := Append(v.Kids[0], k.Interface()); err != nil {
				return err
			}
			if err := Append(v.Kids[1], r.MapIndex(k).Interface()); err != nil {
				v.Kids[0] = v.Kids[0].Slice(0, v.Kids[0].Len-1)
				return err
			}
		}
		n = r.Len()
	default:
		return diag.New(diag.TypeMismatch, diag.Span{}, "a value of Go's type %T (%v) is no %s", x, x, v.Type.Short())
	}
	i := v.Extend(1)
	v.Off[i], v.Size[i] = int32(from), int32(n)
	return nil
}

// appendRow appends a ROW from a slice of its fields.
func appendRow(v *row.Vec, x any) error {
	fields, ok := x.([]any)
	if !ok || len(fields) != len(v.Kids) {
		return diag.New(diag.TypeMismatch, diag.Span{}, "a value of Go's type %T (%v) is no %s", x, x, v.Type.Short()).
			WithHint("a ROW is a []any of its %d fields", len(v.Kids))
	}
	one := row.NewVec(v.Type, 0)
	for j, f := range fields {
		if err := Append(one.Kids[j], f); err != nil {
			return err
		}
	}
	one.Len = 1
	v.AppendRange(one, 0, 1)
	return nil
}
