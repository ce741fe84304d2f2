package ftest

import (
	"reflect"
	"strings"
	"testing"
)

const sample = `# fsql-test: parallelism=1 compare=text features=061,080
# What it shows.
#
# More of it.

# the input
file input/t.csv
# not a comment
exec

file "input/k=1/a b.bin" base64
/w0K

file input/blank.csv
----
----
a

b
----
----

file input/empty.csv

# A note that stands alone.

exec
CREATE TABLE t (

  a INT
);

exec error contains="empty|\"\" ; a\\b"
SELECT 1;

SELECT CAST('' AS INT);
----
flink: no

query-once mode=ordered
SELECT a
FROM t;
----
----
a

"

"
----
----

exec
INSERT INTO outbox SELECT 1;

query-once mode=final
SELECT 2;
----
b
2
`

func TestParse(t *testing.T) {
	f, err := Parse("sample", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := []Record{
		&Input{Place{7, []string{"the input"}}, "input/t.csv", "# not a comment\nexec\n"},
		&Input{Place{Line: 11}, "input/k=1/a b.bin", "\xff\r\n"},
		&Input{Place{Line: 14}, "input/blank.csv", "a\n\nb\n"},
		&Input{Place{Line: 23}, "input/empty.csv", ""},
		&Note{Place{Line: 25}, []string{"A note that stands alone."}},
		&Exec{Place{Line: 27}, "CREATE TABLE t (\n\n  a INT\n);\n"},
		&ExecError{Place{Line: 33}, `empty|"" ; a\b`, Source{Text: "SELECT 1;\n\nSELECT CAST('' AS INT);\n"}, "flink: no\n"},
		&QueryOnce{Place{Line: 40}, Ordered, Source{Text: "SELECT a\nFROM t;\n"}, "a\n\n\"\n\n\"\n"},
		&Exec{Place{Line: 53}, "INSERT INTO outbox SELECT 1;\n"},
		&QueryOnce{Place{Line: 56}, Final, Source{Text: "SELECT 2;\n"}, "b\n2\n"},
	}
	if len(f.Records) != len(want) {
		t.Fatalf("%d records, want %d", len(f.Records), len(want))
	}
	for i, rec := range f.Records {
		if !reflect.DeepEqual(rec, want[i]) {
			t.Errorf("record %d:\n got %#v\nwant %#v", i, rec, want[i])
		}
	}
	if got := f.Header.Features(); !reflect.DeepEqual(got, []string{"061", "080"}) {
		t.Errorf("features %q", got)
	}
	if got := f.Description; !reflect.DeepEqual(got, []string{"What it shows.", "", "More of it."}) {
		t.Errorf("description %q", got)
	}
	text, err := f.Format()
	if err != nil || string(text) != sample {
		t.Errorf("Format: %v\n%s", err, text)
	}
}

func TestChecksTakeWhatStandsAbove(t *testing.T) {
	f, err := Parse("sample", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	checks, err := f.Checks()
	if err != nil || len(checks) != 3 {
		t.Fatalf("%d checks, %v", len(checks), err)
	}
	const create = "CREATE TABLE t (\n\n  a INT\n);\n"
	for i, want := range []string{
		create + "SELECT 1;\n\nSELECT CAST('' AS INT);\n",
		create + "SELECT a\nFROM t;\n",
		create + "INSERT INTO outbox SELECT 1;\nSELECT 2;\n",
	} {
		if checks[i].Script != want {
			t.Errorf("script %d: %q, want %q", i, checks[i].Script, want)
		}
	}
}

func TestScriptInFile(t *testing.T) {
	const head = "# fsql-test: parallelism=1 compare=text\n\n"
	f, err := Parse("x", []byte(head+"file s.sql base64\nU0VMRUNUIDE=\n\nquery-once mode=final from=s.sql\n----\na\n1\n"))
	if err != nil {
		t.Fatal(err)
	}
	checks, err := f.Checks()
	if err != nil || checks[0].Script != "SELECT 1" {
		t.Errorf("%+v, %v", checks, err)
	}
	f, err = Parse("x", []byte(head+"query-once mode=final from=s.sql\n----\na\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.Checks(); err == nil || !strings.Contains(err.Error(), "no file block s.sql") {
		t.Errorf("missing script: %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	const imported = "# fsql-test: compare=text\n"
	for text, want := range map[string]string{
		"":                            "x: the file is empty",
		"exec\nSELECT 1;":             "x: the last line has no line end",
		"# fsql-test: paralelism=1\n": "x:1: unknown setting paralelism",
		"# fsql-test: compare=text compare=text\n": "x:1: compare is given twice",
		"\nfed t\n1\n":                  "x:2: no such directive: fed t",
		"file\n1\n":                     "x:1: file takes one name",
		"file a b\n1\n":                 "x:1: file takes one name",
		"file a base64\n???\n":          "x:2: bad base64",
		"file a\n----\n----\n1\n----\n": "x:3: no closing ---- ---- for the text that starts here",
		"file \"a\n1\n":                 "x:1: no closing quote",
		"exec now\nSELECT 1;\n":         "x:1: unknown word: now",
		imported + "query-once\nSELECT 1;\n----\na\n":         "x:2: mode must be final, changelog or ordered",
		imported + "query-once mode=final\nSELECT 1;\n\n":     "x:2: no ---- follows the SQL of this record",
		"exec error contains=a b\nSELECT 1;\n":                "x:1: b must stand before contains=",
		imported + "query-once mode=final from=a\nS;\n----\n": "x:4: from=a and SQL in one record",
		"exec\nSELECT 1\n\nsilent q\n":                        "x:1: the SQL of this record must end with a semicolon",
		"query q\nSELECT 1\n":                                 "x:1: the SQL of this record must end with a semicolon",
		"feed t\n\n":                                          "x:1: feed t has no rows",
		"feed t op=maybe\n1\n":                                "x:1: op is yes or no",
		"changes q\na\n":                                      "x:2: ---- and what is expected must follow",
		"changes\n----\n":                                     "x:1: changes takes the name of a query",
		"query-once\nSELECT 1;\n":                             "x:1: no ---- follows",
		"watermark t\n":                                       "x:1: watermark takes the name of a test source and a time",
		"idle t of=1\n":                                       "x:1: unknown setting of",
		"restore\n":                                           "x:1: restore takes the name of a savepoint",
		"advance\n":                                           "x:1: write advance 10 s",
		"skip\n":                                              "x:1: skip: of what?",
		"file a\n----\n----\n1\n----\n----\nexec\n":           "x:7: a blank line must follow the record that starts at line 1",
	} {
		if _, err := Parse("x", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestFormatRefusesWhatItCannotCarry(t *testing.T) {
	for _, rec := range []Record{
		&Exec{SQL: "SELECT 1"},
		&Exec{SQL: "SELECT 1;\n\n"},
		&QueryOnce{Mode: Final, SQL: Source{Text: "SELECT 1;\r\n"}},
		&ExecError{SQL: Source{Text: "SELECT 1\n----\n;\n"}},
	} {
		if text, err := (&File{Name: "x", Records: []Record{rec}}).Format(); err == nil {
			t.Errorf("%#v became %q", rec, text)
		}
	}
}
