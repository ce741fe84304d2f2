package avro

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"fsql/connector/format/formattest"
	"fsql/connector/format/json"
	"fsql/row"
)

func itoa(i int) string { return strconv.Itoa(i) }

// messages encodes rows of json, each a message.
func messages(t *testing.T, columns string, options []string, lines ...string) [][]byte {
	t.Helper()
	s := formattest.Schema(t, columns)
	j := json.Format()
	d, err := j.Decoder(s, nil, j.Options.None())
	if err != nil {
		t.Fatal(err)
	}
	out := row.NewBuilder(s)
	if _, err := d.Decode([]byte(strings.Join(lines, "\n")), true, out, len(lines)); err != nil {
		t.Fatal(err)
	}
	b := out.Flush()
	f := Format()
	e, err := f.Encoder(s, formattest.Options(t, f, options))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for r := range b.Rows {
		m, err := e.Encode(nil, b, r, r+1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// The bytes are those of Flink's messages. A record has no mark of its own, unlike
// in a file, and timestamps are in milliseconds whatever the schema says.
func TestMessages(t *testing.T) {
	const columns = "a INT, n BIGINT NOT NULL, ts TIMESTAMP(6), z TIMESTAMP_LTZ(3), m MAP<STRING, INT>, r ROW<x INT, y STRING>, de DECIMAL(20, 4)"
	options := []string{"timestamp_mapping.legacy=false"}
	all := messages(t, columns, options,
		`{"a":1,"n":2,"ts":"2024-01-02 03:04:05.678901","z":"1970-01-01 00:00:01.5Z","m":{"k":3},"r":{"x":1,"y":"x"},"de":-12.5}`,
		`{"a":null,"n":-1,"ts":null,"z":null,"m":null,"r":null,"de":null}`)
	got := fmt.Sprintf("%x %x", all[0], all[1])
	if want := "02020402dcec8682996302b8170202026b0206000202020202780206fe17b8 00010000000000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	first, second := string(all[0]), string(all[1])
	rows := []string{"1,2,2024-01-02 03:04:05.678000,1970-01-01 00:00:01.500,{k=3},(1, x),-12.5000", "NULL,-1,NULL,NULL,NULL,NULL,NULL"}
	formattest.Messages(t, Format(), columns, options, []string{first, "-", second + "more", first[:7]}, rows, 3)
	formattest.Messages(t, Format(), columns, options, []string{"", first}, rows[:1], 0)
}

func TestMessagesRefused(t *testing.T) {
	f := Format()
	for _, c := range []struct{ columns, options, words string }{
		{"a TIMESTAMP(6)", "", "TIMESTAMP(6)"},
		{"a TIMESTAMP_LTZ(3)", "", "TIMESTAMP_LTZ(3)"},
		{"a TIMESTAMP(9)", "timestamp_mapping.legacy=false", "TIMESTAMP(9)"},
		{"a MAP<INT, INT>", "", "MAP<INT, INT>"},
		{"a INT", "encoding=json", "not implemented"},
		{"`a b` INT", "", "'a b'"},
		{"a_b ROW<c INT>, a ROW<b ROW<c INT>>", "", "record_a_b"},
	} {
		var options []string
		if c.options != "" {
			options = []string{c.options}
		}
		o := formattest.Options(t, f, options)
		_, err := f.Encoder(formattest.Schema(t, c.columns), o)
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v lacks %q", c.columns, err, c.words)
		}
		if _, err := f.Decoder(formattest.Schema(t, c.columns), nil, o); err == nil {
			t.Errorf("%s can be read?", c.columns)
		}
	}
}
