package raw

import (
	"strings"
	"testing"

	"fsql/connector/format/formattest"
	"fsql/connector/format/json"
)

// The rows and errors are what Flink 2.3.0 answered.
func TestDecode(t *testing.T) {
	for _, c := range []formattest.Case{
		{Name: "text", Columns: "line STRING", In: "one\n\n  two,\"x\" \nthree\tü", Rows: []string{"one", "", "  two,\"x\" ", "three\tü"}},
		{Name: "carriage returns", Columns: "line STRING", In: "one\r\ntwo\n\r\n", Rows: []string{"one", "two", ""}},
		{Name: "no UTF-8", Columns: "line STRING", In: "a\xffb\n\xe2\x82\n", Rows: []string{"a\ufffdb", "\ufffd"}},
		{Name: "charset", Columns: "line STRING", Options: []string{"charset=ISO-8859-1"}, In: "caf\xe9\n\xfc\xdf\n", Rows: []string{"café", "üß"}},
		{Name: "bytes", Columns: "line BYTES", In: "a\xff\n\x00\n\n", Rows: []string{"x'61ff'", "x'00'", "x''"}},
		{Name: "big-endian", Columns: "v INT", In: "\x00\x00\x00\x01\n\xff\xff\xff\xfe\n\x01\x02\x03\x04\n", Rows: []string{"1", "-2", "16909060"}},
		{Name: "little-endian", Columns: "v INT", Options: []string{"endianness=little-endian"}, In: "\x00\x00\x00\x01\n\xff\xff\xff\xfe\n\x01\x02\x03\x04\n", Rows: []string{"16777216", "-16777217", "67305985"}},
		{Name: "too short", Columns: "v BIGINT", In: "\x00\x00\x00\x01\n", Err: []string{"line 1", "'v'", "BIGINT", "4 bytes"}},
		{Name: "not read", Columns: "v BIGINT", Wanted: []int{}, In: "x\ny", Rows: []string{"", ""}},
	} {
		t.Run(c.Name, func(t *testing.T) { formattest.Run(t, Format(), c) })
	}
}

func TestEncode(t *testing.T) {
	formattest.Encode(t, Format(), nil, json.Format(), []string{"s STRING", `{"s":"a,b"}`, `{"s":"ü"}`}, nil, "a,b", "ü")
	formattest.Encode(t, Format(), nil, json.Format(), []string{"v INT", `{"v":16909060}`}, nil, "\x01\x02\x03\x04")
}

func TestRefused(t *testing.T) {
	for columns, words := range map[string][]string{"a STRING, b STRING": {"raw", "column", "exactly one"}, "a DECIMAL(5, 2)": {"raw", "DECIMAL(5, 2)", "support"}} {
		_, err := Format().Decoder(formattest.Schema(t, columns), nil, formattest.Options(t, Format(), nil))
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v lacks %q", columns, err, w)
			}
		}
	}
}
