package rowtext_test

import (
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/types"
)

// TestInverse reads a text with every kind of value and writes the same again.
func TestInverse(t *testing.T) {
	of := types.Of
	cases := []struct {
		typ    types.Type
		values []string
	}{
		{of(types.Boolean), []string{"TRUE", "FALSE", "NULL"}},
		{of(types.TinyInt), []string{"-128", "0"}},
		{of(types.BigInt), []string{"-9223372036854775808", "7"}},
		{of(types.Float), []string{"0.1", "NaN", "-Infinity", "-0"}},
		{of(types.Double), []string{"0.30000000000000004", "1e+300", "Infinity"}},
		{types.DecimalOf(38, 2), []string{"-0.05", "1.50", "-123456789012345678901234567890.12"}},
		{types.DecimalOf(10, 0), []string{"-7", "0"}},
		{types.String(), []string{"'a'", "''", "'it''s | x'", `"two\nlines"`, "'ä €'", "'NULL'", `'a\b"c'`}},
		{of(types.VarBinary), []string{"x'00ff'", "x''"}},
		{of(types.Bitmap), []string{"{}", "{1,65536,4294967295}", "NULL"}},
		{of(types.Date), []string{"2024-02-29", "1969-12-31", "0001-01-01"}},
		{of(types.TimeOfDay), []string{"00:00:00", "23:59:59.999"}},
		{types.TimestampOf(3), []string{"12:00:05", "1969-12-31 23:59:59.999", "2026-03-01 00:00:00"}},
		{types.TimestampOf(6), []string{"12:00:05.000001", "0001-01-01 00:00:00.5"}},
		{types.TimestampLTZOf(9), []string{"9999-12-31 23:59:59.999999999", "12:00:00"}},
		{of(types.IntervalMillis), []string{"-1500"}},
		{types.ArrayOf(of(types.Int)), []string{"[]", "[1, NULL, 3]"}},
		{types.MapOf(types.String(), of(types.Int)), []string{"{'a'=1, 'b'=NULL}", "{}"}},
		{types.RowOf(types.Field{Name: "a", Type: of(types.Int)}, types.Field{Name: "b", Type: types.ArrayOf(types.String())}),
			[]string{"(1, ['x', NULL])", "(NULL, NULL)", "NULL"}},
	}
	for _, c := range cases {
		s := &types.Schema{Columns: []types.Column{{Name: "n", Type: of(types.Int)}, {Name: "x", Type: c.typ}}}
		want := "-- 1969-12-31 23:59:59.999\n"
		for i, v := range c.values {
			want += []string{"+I", "-U", "+U", "-D"}[i%4] + " | 1 | " + v + "\n-- " + []string{"00", "01", "02", "03", "04", "05", "06"}[i] + ":00:00.000\n"
		}
		want += "-- max\n"
		b, err := rowtext.Parse(s, want)
		if err != nil {
			t.Errorf("%s: %v", c.typ, err)
			continue
		}
		want = strings.Replace(want, strings.Split(want, "\n")[2*len(c.values)]+"\n", "", 1) // two marks at one place: the last holds
		if got := rowtext.Format(b); got != want {
			t.Errorf("%s: got\n%swant\n%s", c.typ, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	s := &types.Schema{Columns: []types.Column{{Name: "n", Type: types.Of(types.Int)}}}
	for text, want := range map[string]string{
		"+I":                       `"|" expected`,
		"+I | 1 | 2":               "more values",
		"+X | 1":                   "no row kind",
		"+I | x":                   "invalid syntax",
		"-- 00:00:02\n-- 00:00:01": "does not rise",
	} {
		if _, err := rowtext.Parse(s, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
