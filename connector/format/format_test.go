package format_test

import (
	"testing"

	"fsql/connector/format"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// TestColumnTruncate takes back values of a nested column half-way, as a decoder
// does that meets a mistake.
func TestColumnTruncate(t *testing.T) {
	inner := types.RowOf(types.Field{Name: "x", Type: types.Of(types.Int)}, types.Field{Name: "l", Type: types.ArrayOf(types.String())})
	typ := types.ArrayOf(inner)
	v := row.NewVec(typ, 0)
	c := format.NewColumn(typ)
	c.Attach(v)
	element := func(x int32, texts ...string) {
		r := c.Kids[0]
		r.Vec.Kids[0].I32 = append(r.Vec.Kids[0].I32, x)
		off := r.Kids[1].Kids[0].Len()
		r.Kids[1].Kids[0].Vec.Str = append(r.Kids[1].Kids[0].Vec.Str, texts...)
		r.Kids[1].List(off)
		r.Row()
	}
	element(1, "a", "b")
	c.Kids[0].Null()
	c.List(0)
	c.Null()
	// A third list that gets as far as a field of its first element.
	c.Kids[0].Vec.Kids[0].I32 = append(c.Kids[0].Vec.Kids[0].I32, 9)
	c.Kids[0].Kids[1].Kids[0].Null()
	c.Truncate(2)
	// And a fourth that is complete, but not wanted.
	element(5, "z")
	c.Kids[0].Kids[0].LastNull()
	c.List(2)
	c.Truncate(2)
	element(7)
	c.List(2)
	c.Finish()
	want := []string{"[(1, [a, b]), NULL]", "NULL", "[(7, [])]"}
	if v.Len != len(want) {
		t.Fatalf("%d values", v.Len)
	}
	for i, w := range want {
		if got := string(value.AppendText(nil, v, i, value.UTC())); got != w {
			t.Errorf("value %d: %s, want %s", i, got, w)
		}
	}
	// The same column goes on in a second call.
	c.Attach(v)
	c.Null()
	element(8, "q")
	c.List(3)
	c.Finish()
	for i, w := range []string{want[0], want[1], want[2], "NULL", "[(8, [q])]"} {
		if got := string(value.AppendText(nil, v, i, value.UTC())); got != w {
			t.Errorf("value %d: %s, want %s", i, got, w)
		}
	}
}

// TestAppendShort holds spellings of Java's BigDecimal without trailing zeros.
func TestAppendShort(t *testing.T) {
	for _, c := range []struct {
		digits int64
		scale  int
		want   string
	}{
		{0, 3, "0"}, {7000, 3, "7"}, {-500, 3, "-0.5"}, {100000, 0, "1E+5"}, {120, 0, "1.2E+2"}, {12, 0, "12"}, {1, 7, "1E-7"}, {12, 8, "1.2E-7"}, {1, 6, "0.000001"}, {-110, 2, "-1.1"},
	} {
		if got := string(format.AppendShort(nil, types.DecOf(c.digits), c.scale)); got != c.want {
			t.Errorf("%d with scale %d: %s, want %s", c.digits, c.scale, got, c.want)
		}
	}
}

func TestMomentsRemembersTheDate(t *testing.T) {
	m := format.Moments{Style: format.SQL}
	for _, c := range []struct {
		text  string
		want  int64
		valid bool
	}{
		{"1970-01-02 00:00:01", 86401000, true}, {"1970-01-02 00:00:02.5", 86402500, true}, {"1970-01-02 24:00:00", 172800000, true}, {"1970-01-02 00:00:03", 86403000, true},
		{"1970-01-02T00:00:03", 0, false}, {"1970-01-02 00:00", 0, false}, {"1970-01-31 00:00:00", 30 * 86400000, true}, {"1970-02-31 00:00:00", 58 * 86400000, true}, {"1970-02-31 00:00:01", 58*86400000 + 1000, true},
	} {
		ms, _, ok := m.Parse([]byte(c.text))
		if ok != c.valid || ok && ms != c.want {
			t.Errorf("%s: %d %v, want %d %v", c.text, ms, ok, c.want, c.valid)
		}
	}
}
