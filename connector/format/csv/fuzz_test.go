package csv

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"fsql/connector/format/formattest"
)

// FuzzAgainstLibrary compares the fields of every record with encoding/csv,
// where the two have the same rules: no bare carriage return, no blank line, no
// quote inside of an unquoted field, nothing but the delimiter behind a quote.
func FuzzAgainstLibrary(f *testing.F) {
	for _, s := range []string{"a,b\nc,d\n", "\"x,\"\"y\n\",z\r\n", ",\n", "\"\",\"\"", "a,\"b", "ä,\"ö\"\n", "a,b,\n"} {
		f.Add([]byte(s))
	}
	s := formattest.Schema(f, "a STRING, b STRING")
	opts := formattest.Options(f, Format(), []string{"allow-trailing-comma=false"})
	f.Fuzz(func(t *testing.T, data []byte) {
		if !utf8.Valid(data) || bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) || len(data) == 0 {
			return
		}
		text := strings.ReplaceAll(string(data), "\r\n", "\n")
		if strings.Contains(text, "\r") || strings.HasPrefix(text, "\n") || strings.Contains(text, "\n\n") {
			return
		}
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = 2
		want, err := r.ReadAll()
		if err != nil {
			return
		}
		rows, _, err := formattest.Decode(t, Format(), s, []bool{true, true}, opts, []byte(text), 1<<20, 10)
		if err != nil {
			t.Fatalf("%q: %v, library: %q", text, err, want)
		}
		if len(rows) != len(want) {
			t.Fatalf("%q: %q, library: %q", text, rows, want)
		}
		for i, w := range want {
			if rows[i] != w[0]+","+w[1] {
				t.Fatalf("%q: %q, library: %q", text, rows[i], w)
			}
		}
	})
}
