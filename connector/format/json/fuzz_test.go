package json

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"fsql/connector/format/formattest"
)

// FuzzAgainstLibrary compares what is accepted, and the texts read, with
// encoding/json. Left out is what Flink's reader takes and the library does
// not: control characters; and what only the library takes: malformed UTF-8.
func FuzzAgainstLibrary(f *testing.F) {
	for _, s := range []string{`{"a":"x"}`, `{"a":1,"b":[1,{"c":null}]}`, `{"a":"\u00e4\ud83d\ude00"}`, `{ "a" : -1.5e3 }`, `{"a":{"a":"b","a":[]}}`, `{"b":tru}`, `{"a":"x"} y`, `{"a":01}`, `{"b":"\`} {
		f.Add([]byte(s))
	}
	s := formattest.Schema(f, "a STRING")
	read := []bool{true}
	opts := formattest.Options(f, Format(), nil)
	f.Fuzz(func(t *testing.T, line []byte) {
		if len(line) == 0 || line[0] != '{' || !utf8.Valid(line) || bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' }) || bytes.Count(line, []byte("{"))+bytes.Count(line, []byte("[")) > maxDepth {
			return
		}
		var raw map[string]json.RawMessage
		want := json.NewDecoder(bytes.NewReader(line)).Decode(&raw)
		if bytes.Contains(line, []byte("\t")) && want != nil {
			return // a tab inside of a text
		}
		rows, _, err := formattest.Decode(t, Format(), s, read, opts, append(line, '\n'), 1<<20, 10)
		if (err == nil) != (want == nil) {
			t.Fatalf("%q: %v, library: %v", line, err, want)
		}
		var text string
		if err == nil && json.Unmarshal(raw["a"], &text) == nil && raw["a"][0] == '"' && !bytes.ContainsRune([]byte(text), utf8.RuneError) {
			if rows[0] != text {
				t.Fatalf("%q: %q, library: %q", line, rows[0], text)
			}
		}
	})
}
