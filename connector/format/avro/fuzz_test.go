package avro

import (
	"testing"

	"fsql/connector/format/formattest"
)

// FuzzFile: whatever the bytes are, reading them ends with rows or an error.
func FuzzFile(f *testing.F) {
	for _, name := range []string{"flink_null", "promo", "unull"} {
		f.Add([]byte(file(f, name)))
	}
	s := formattest.Schema(f, "k INT, a ARRAY<INT>, m MAP<STRING, BIGINT>, de DECIMAL(10, 3), l BIGINT, r ROW<a BIGINT, x INT>")
	wanted := []bool{true, true, true, true, false, true}
	opts := formattest.Options(f, Format(), nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, _, err := formattest.Decode(t, Format(), s, wanted, opts, data, 1<<20, 10)
		cut, _, errCut := formattest.Decode(t, Format(), s, wanted, opts, data, 100, 3)
		if (err == nil) != (errCut == nil) || err == nil && len(whole) != len(cut) {
			t.Fatalf("%d rows (%v), in pieces %d (%v)", len(whole), err, len(cut), errCut)
		}
	})
}
