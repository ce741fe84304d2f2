package cursor

import (
	"errors"
	"testing"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
	"fsql/types"
)

// spelled writes a literal as its type and text.
func spelled(l *ast.Literal, err error) string {
	var e *diag.Error
	if errors.As(err, &e) {
		return string(e.Code)
	}
	return l.Type.String() + " " + l.Text
}

// The types are those that Flink 2.3.0 gives to these literals.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		digits   string
		negative bool
		want     string
	}{
		{"1", false, "INT NOT NULL 1"},
		{"007", false, "INT NOT NULL 7"},
		{"0", true, "INT NOT NULL 0"},
		{"2147483647", false, "INT NOT NULL 2147483647"},
		{"2147483648", false, "BIGINT NOT NULL 2147483648"},
		{"2147483648", true, "INT NOT NULL -2147483648"},
		{"9223372036854775807", false, "BIGINT NOT NULL 9223372036854775807"},
		{"9223372036854775808", false, "bad-literal"},
		{"9223372036854775808", true, "BIGINT NOT NULL -9223372036854775808"},
		{"9223372036854775809", true, "bad-literal"},
		{"000000000000000000000000000000000000000000005", false, "INT NOT NULL 5"},
		{"5.", false, "INT NOT NULL 5"},
		{"5.0", false, "DECIMAL(2, 1) NOT NULL 5.0"},
		{"1.50", false, "DECIMAL(3, 2) NOT NULL 1.50"},
		{".5", false, "DECIMAL(1, 1) NOT NULL .5"},
		{"0.001", true, "DECIMAL(4, 3) NOT NULL -0.001"},
		{"00.10", false, "DECIMAL(4, 2) NOT NULL 00.10"},
		{"922337203685477580.7", false, "DECIMAL(19, 1) NOT NULL 922337203685477580.7"},
		{"9223372036854775808.5", false, "bad-literal"},
		{"0.1234567890123456789", false, "DECIMAL(20, 19) NOT NULL 0.1234567890123456789"},
		{"0.000000000000000000000000001", false, "DECIMAL(28, 27) NOT NULL 0.000000000000000000000000001"},
		{"0.000000000000000000000000000000000000001", false, "bad-literal"},
		{"000000000000000000000000000000000000000000.5", false, "DECIMAL(38, 1) NOT NULL 000000000000000000000000000000000000000000.5"},
		{"1e3", false, "DOUBLE NOT NULL 1e3"},
		{"1.5E-2", true, "DOUBLE NOT NULL -1.5E-2"},
		{"1e400", false, "bad-literal"},
		{"1e-400", false, "DOUBLE NOT NULL 1e-400"},
	} {
		if got := spelled(Number(diag.Span{}, c.digits, c.negative)); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.digits, c.negative, got, c.want)
		}
	}
}

func TestNegate(t *testing.T) {
	big, _ := Number(diag.Span{}, "2147483648", false)
	if got := spelled(Negate(big, diag.Span{})); got != "INT NOT NULL -2147483648" {
		t.Error(got)
	}
	small, _ := Number(diag.Span{}, "2147483648", true)
	if got := spelled(Negate(small, diag.Span{})); got != "BIGINT NOT NULL 2147483648" {
		t.Error(got)
	}
}

func TestTextAndBytes(t *testing.T) {
	for text, want := range map[string]string{"": "CHAR(0) NOT NULL ", "ab": "CHAR(2) NOT NULL ab", "é": "CHAR(1) NOT NULL é", "😀": "CHAR(2) NOT NULL 😀"} {
		if got := spelled(String(diag.Span{}, text), nil); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := spelled(Binary(diag.Span{}, "0aFF"), nil); got != "BINARY(2) NOT NULL \x0a\xff" {
		t.Errorf("%q", got)
	}
}

// What Flink 2.3.0 accepts was asked text by text.
func TestDateTime(t *testing.T) {
	for _, c := range []struct {
		kind types.Kind
		text string
		want string
	}{
		{types.Date, "2024-02-29", "DATE NOT NULL 2024-02-29"},
		{types.Date, "2024-2-9", "DATE NOT NULL 2024-02-09"},
		{types.Date, "24-01-01", "DATE NOT NULL 0024-01-01"},
		{types.Date, " 2024-01-01", "DATE NOT NULL 2024-01-01"},
		{types.Date, "02024-01-01", "DATE NOT NULL 2024-01-01"},
		{types.Date, "0001-01-01", "DATE NOT NULL 0001-01-01"},
		{types.Date, "9999-12-31", "DATE NOT NULL 9999-12-31"},
		{types.Date, "2023-02-29", "bad-literal"},
		{types.Date, "2024-13-01", "bad-literal"},
		{types.Date, "2024-01-01 ", "bad-literal"},
		{types.Date, "2024-01-01x", "bad-literal"},
		{types.Date, "2024-01-01 10:00:00", "bad-literal"},
		{types.Date, "0000-01-01", "bad-literal"},
		{types.Date, "10000-01-01", "bad-literal"},
		{types.Date, "-2024-01-01", "bad-literal"},
		{types.Date, "2024/01/01", "bad-literal"},
		{types.Date, "2024", "bad-literal"},
		{types.Date, "", "bad-literal"},
		{types.TimeOfDay, "10:00:00", "TIME(0) NOT NULL 10:00:00"},
		{types.TimeOfDay, "1:2:3", "TIME(0) NOT NULL 01:02:03"},
		{types.TimeOfDay, " 10:00:00", "TIME(0) NOT NULL 10:00:00"},
		{types.TimeOfDay, "10:00:00.", "TIME(0) NOT NULL 10:00:00"},
		{types.TimeOfDay, "10:00:00.5", "TIME(1) NOT NULL 10:00:00.5"},
		{types.TimeOfDay, "10:00:00.1239", "TIME(3) NOT NULL 10:00:00.123"},
		{types.TimeOfDay, "10:00", "bad-literal"},
		{types.TimeOfDay, "24:00:00", "bad-literal"},
		{types.TimeOfDay, "23:59:60", "bad-literal"},
		{types.TimeOfDay, "10:00:00 ", "bad-literal"},
		{types.TimeOfDay, "10:00:00Z", "bad-literal"},
		{types.TimeOfDay, "-1:00:00", "bad-literal"},
		{types.Timestamp, "2024-01-01 10:00:00", "TIMESTAMP(0) NOT NULL 2024-01-01 10:00:00"},
		{types.Timestamp, "2024-01-01", "TIMESTAMP(0) NOT NULL 2024-01-01 00:00:00"},
		{types.Timestamp, "2024-1-1 1:2:3", "TIMESTAMP(0) NOT NULL 2024-01-01 01:02:03"},
		{types.Timestamp, "2024-01-01  10:00:00", "TIMESTAMP(0) NOT NULL 2024-01-01 10:00:00"},
		{types.Timestamp, "2024-01-01 10:00:00.120", "TIMESTAMP(3) NOT NULL 2024-01-01 10:00:00.120"},
		{types.Timestamp, "2024-01-01 10:00:00.1234567899", "TIMESTAMP(9) NOT NULL 2024-01-01 10:00:00.123456789"},
		{types.Timestamp, "2024-01-01 10:00", "bad-literal"},
		{types.Timestamp, "2024-01-01T10:00:00", "bad-literal"},
		{types.Timestamp, "2024-01-01 24:00:00", "bad-literal"},
		{types.Timestamp, "2024-02-30 10:00:00", "bad-literal"},
		{types.Timestamp, "2024-01-01 10:00:00Z", "bad-literal"},
		{types.Timestamp, "10000-01-01 10:00:00", "bad-literal"},
		{types.TimestampLTZ, "2024-01-01 00:00:00", "TIMESTAMP_LTZ(0) NOT NULL 2024-01-01 00:00:00"},
	} {
		if got := spelled(DateTime(diag.Span{}, c.kind, c.text)); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// Months or milliseconds, and what Flink 2.3.0 refuses.
func TestInterval(t *testing.T) {
	for _, c := range []struct{ text, qualifier, want string }{
		{"5", "MINUTE", "300000"},
		{"5", "MINUTES", "300000"},
		{" 5 ", "MINUTE", "300000"},
		{"+5", "MINUTE", "300000"},
		{"-5", "MINUTE", "-300000"},
		{"- 5", "MINUTE", "bad-literal"},
		{"", "MINUTE", "bad-literal"},
		{"x", "MINUTE", "bad-literal"},
		{"1.5", "MINUTE", "bad-literal"},
		{"1-6", "YEAR TO MONTH", "18"},
		{"-1-6", "YEAR TO MONTH", "-18"},
		{"1-11", "YEAR TO MONTH", "23"},
		{"1-12", "YEAR TO MONTH", "bad-literal"},
		{"18", "MONTH", "18"},
		{"2", "YEARS", "24"},
		{"3", "QUARTER", "9"},
		{"2", "WEEK", "1209600000"},
		{"1 02:03:04.5", "DAY TO SECOND", "93784500"},
		{"1 2:3:4", "DAY TO SECOND", "93784000"},
		{"-1 02:03:04.5", "DAY TO SECOND", "-93784500"},
		{"1 02:03:04.1234", "DAY TO SECOND", "93784123"},
		{"1 02:03:04.1234", "DAY TO SECOND(3)", "bad-literal"},
		{"10:30", "HOUR TO MINUTE", "37800000"},
		{"90:30", "MINUTE TO SECOND", "5430000"},
		{"9:60", "MINUTE TO SECOND", "bad-literal"},
		{"1 24", "DAY TO HOUR", "bad-literal"},
		{"1 23:60", "DAY TO MINUTE", "bad-literal"},
		{"1", "DAY TO SECOND", "bad-literal"},
		{"0.001", "SECOND", "1"},
		{"1.123956", "SECOND", "1123"},
		{"1.1234567", "SECOND", "bad-literal"},
		{"1.1234", "SECOND(2, 3)", "bad-literal"},
		{"120", "SECOND", "bad-literal"},
		{"120", "SECOND(3)", "120000"},
		{"005", "SECOND", "5000"},
		{"100", "HOUR", "bad-literal"},
		{"400", "DAY(3)", "34560000000"},
		{"99", "WEEK", "59875200000"},
		{"100", "WEEK", "bad-literal"},
		{"9999999999", "DAY(10)", "bad-literal"},
		{"3000000000", "MONTH(10)", "bad-literal"},
		{"2000000000", "MONTH(10)", "2000000000"},
		{"2000000000", "YEAR(10)", "bad-literal"},
		{"1", "DAY(0)", "bad-literal"},
		{"1", "DAY(11)", "bad-literal"},
		{"1", "SECOND(2, 10)", "bad-literal"},
		{"1", "SECOND(2, 0)", "bad-literal"},
		{"1", "YEAR TO DAY", "syntax"},
		{"1", "DAY TO DAY", "syntax"},
		{"1", "MILLISECOND", "syntax"},
	} {
		got := ""
		q, err := New(lex.Scan(c.qualifier)).IntervalQualifier()
		if err == nil {
			var l *ast.Literal
			if l, err = q.Interval(diag.Span{}, c.text, false); err == nil {
				got = l.Text
			}
		}
		if err != nil {
			got = string(diag.Of(err).Code)
		}
		if got != c.want {
			t.Errorf("INTERVAL '%s' %s: %s, want %s", c.text, c.qualifier, got, c.want)
		}
	}
}

func TestIntervalTypes(t *testing.T) {
	for text, want := range map[string]string{"DAY(3) TO SECOND(3)": "INTERVAL DAY TO SECOND", "SECONDS": "INTERVAL SECOND", "YEAR TO MONTH": "INTERVAL YEAR TO MONTH",
		"QUARTER": "INTERVAL QUARTER", "WEEKS": "INTERVAL WEEK"} {
		q, err := New(lex.Scan(text)).IntervalQualifier()
		if err != nil || q.Type().String() != want {
			t.Errorf("%s: %s, %v", text, q.Type(), err)
		}
		months := q.From == "YEAR" || q.From == "QUARTER" || q.From == "MONTH"
		if (q.Type().Kind == types.IntervalMonths) != months {
			t.Errorf("%s: %v", text, q.Type().Kind)
		}
	}
}
