package govalue_test

import (
	"reflect"
	"testing"
	"time"

	"fsql/internal/diag"
	"fsql/internal/govalue"
	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

func column(t *testing.T, typ string) *row.Vec {
	t.Helper()
	s, err := rowtext.ParseSchema("c " + typ)
	if err != nil {
		t.Fatal(err)
	}
	return row.NewVec(s.Columns[0].Type, 0)
}

// TestThereAndBack appends values of every type and reads them again.
func TestThereAndBack(t *testing.T) {
	berlin := time.FixedZone("", 3600)
	at := time.Date(2024, 2, 29, 1, 2, 3, 456_789_012, time.UTC)
	for _, c := range []struct {
		typ      string
		in, want any
	}{
		{"BOOLEAN", true, true},
		{"TINYINT", 7, int8(7)},
		{"TINYINT", int64(-128), int8(-128)},
		{"SMALLINT", uint16(9), int16(9)},
		{"INT", int8(3), int32(3)},
		{"BIGINT", int64(1) << 62, int64(1) << 62},
		{"FLOAT", float32(1.5), float32(1.5)},
		{"DOUBLE", 2, 2.0},
		{"DECIMAL(10, 2)", "12.5", "12.50"},
		{"DECIMAL(10, 2)", 3, "3.00"},
		{"STRING", "flink", "flink"},
		{"BYTES", []byte{1, 2}, []byte{1, 2}},
		{"DATE", time.Date(1969, 12, 31, 23, 0, 0, 0, berlin), time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC)},
		{"DATE", "2024-02-29", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)},
		{"TIME(3)", 90 * time.Second, 90 * time.Second},
		{"TIMESTAMP(3)", at, at.Truncate(time.Millisecond)},
		{"TIMESTAMP(0)", at, at.Truncate(time.Second)},
		{"TIMESTAMP(3)", at.In(berlin), at.Truncate(time.Millisecond).Add(time.Hour)},
		{"TIMESTAMP_LTZ(3)", at.In(berlin), at.Truncate(time.Millisecond)},
		{"TIMESTAMP(9)", at, at},
		{"TIMESTAMP(8)", at, at.Truncate(10 * time.Nanosecond)},
		{"TIMESTAMP(6)", "2024-02-29 01:02:03.456789", at.Truncate(time.Microsecond)},
		{"ARRAY<INT>", []int{1, 2}, []any{int32(1), int32(2)}},
		{"ARRAY<INT>", []any{1, nil}, []any{int32(1), nil}},
		{"MAP<STRING, INT>", map[string]int{"a": 1, "b": 2}, map[any]any{"a": int32(1), "b": int32(2)}},
		{"ROW<a INT, b STRING>", []any{1, "x"}, []any{int32(1), "x"}},
		{"ROW<a INT, b ARRAY<INT>>", []any{nil, []int{4}}, []any{nil, []any{int32(4)}}},
		{"INT", (*int)(nil), nil},
		{"ROW<a INT>", nil, nil},
	} {
		v := column(t, c.typ)
		for range 2 { // the second value must not be the first one
			v.AppendNull(1)
			if err := govalue.Append(v, c.in); err != nil {
				t.Errorf("%s %v: %v", c.typ, c.in, err)
			}
		}
		if got := govalue.Get(v, v.Len-1); !reflect.DeepEqual(got, c.want) || v.Len != 4 {
			t.Errorf("%s %v: got %#v (%d values), want %#v", c.typ, c.in, got, v.Len, c.want)
		}
		if v.Type.Layout() == types.LayoutRow && v.Kids[0].Len != v.Len {
			t.Errorf("%s: %d fields for %d rows", c.typ, v.Kids[0].Len, v.Len)
		}
	}
}

func TestWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		typ  string
		in   any
		code diag.Code
	}{
		{"TINYINT", 128, diag.Overflow},
		{"INT", int64(1) << 31, diag.Overflow},
		{"INT", "1", diag.TypeMismatch},
		{"INT", 1.5, diag.TypeMismatch},
		{"INT", time.Second, diag.TypeMismatch},
		{"STRING", 1, diag.TypeMismatch},
		{"BIGINT", uint64(1) << 63, diag.TypeMismatch},
		{"DECIMAL(3, 1)", "1000", diag.BadValue},
		{"TIME", 24 * time.Hour, diag.TypeMismatch},
		{"TIMESTAMP(3)", "yesterday", diag.TypeMismatch},
		{"ARRAY<INT>", []string{"a"}, diag.TypeMismatch},
		{"MAP<STRING, INT>", []int{1}, diag.TypeMismatch},
		{"ROW<a INT>", []any{1, 2}, diag.TypeMismatch},
		{"INT NOT NULL", nil, diag.NullViolation},
		{"STRING", struct{}{}, diag.TypeMismatch},
	} {
		v := column(t, c.typ)
		if err := govalue.Append(v, c.in); err == nil || diag.Of(err).Code != c.code {
			t.Errorf("%s %v: %v, want %s", c.typ, c.in, err, c.code)
		}
		if v.Len != 0 {
			t.Errorf("%s %v: %d values", c.typ, c.in, v.Len)
		}
	}
}

func TestScan(t *testing.T) {
	type name string
	for _, c := range []struct {
		value, dest, want any
	}{
		{int32(5), new(int), 5},
		{int64(5), new(int8), int8(5)},
		{int64(5), new(uint), uint(5)},
		{int8(5), new(float64), 5.0},
		{"12.50", new(float64), 12.5},
		{"12", new(int), 12},
		{"x", new(string), "x"},
		{"x", new(name), name("x")},
		{"x", new(any), any("x")},
		{nil, new(any), nil},
		{nil, new(*string), (*string)(nil)},
		{time.Second, new(time.Duration), time.Second},
		{[]any{int32(1), int32(2)}, new([]int), []int{1, 2}},
		{map[any]any{"a": int32(1)}, new(map[string]int64), map[string]int64{"a": 1}},
	} {
		if err := govalue.Scan(c.dest, c.value); err != nil {
			t.Errorf("%v: %v", c.value, err)
		}
		if got := reflect.ValueOf(c.dest).Elem().Interface(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %#v, want %#v", c.value, got, c.want)
		}
	}
	for _, c := range []struct{ value, dest any }{
		{int64(128), new(int8)}, {int64(-1), new(uint)}, {"x", new(int)}, {nil, new(int)}, {1.5, new(int)}, {true, new(string)}, {int64(1), 1}, {int32(7), new(string)}, {time.Second, new(int)}, {int64(1), new(time.Duration)},
	} {
		if err := govalue.Scan(c.dest, c.value); err == nil {
			t.Errorf("%v was read into a %T", c.value, c.dest)
		}
	}
}
