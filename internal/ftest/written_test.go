package ftest

import (
	"reflect"
	"strings"
	"testing"
)

const written = `# fsql-test: parallelism=1,4 restart=each
# What it shows.

let day=2026-03-01

exec
CREATE TABLE t (
  a INT,

  ts TIMESTAMP(3)
) WITH ('connector'='test');

exec error code=unknown-column contains="b" at=1:8
SELECT b FROM t;

query q
SELECT a FROM t;

feed t header=yes op=yes
op | a
+I | 1

feed t from rows.csv

watermark t ${day} 10:00:00

advance to ${day} 10:00:00

end all

# a look
changes q compact key=a,b
----
a
1

table q sort
----
----
a

1
----
----

metrics q numLateRecordsDropped
----
numLateRecordsDropped 1

silent q
`

func TestWrittenForm(t *testing.T) {
	f, err := Parse("x", []byte(written))
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Format()
	if err != nil || string(again) != written {
		t.Errorf("formatted: %v\n%s", err, again)
	}
	find := func(i int) any { return f.Records[i] }
	if q := find(3).(*Query); q.Name != "q" || q.SQL != "SELECT a FROM t;\n" {
		t.Errorf("%+v", q)
	}
	if x := find(2).(*Refused); x.Code != "unknown-column" || x.Contains != "b" || x.At != "1:8" {
		t.Errorf("%+v", x)
	}
	if d := find(4).(*Feed); !d.Header || !d.Op || !reflect.DeepEqual(d.Rows, []string{"op | a", "+I | 1"}) || d.From != 20 {
		t.Errorf("%+v", d)
	}
	if w := find(6).(*Time); w.What != "watermark" || w.Table != "t" || w.At != "2026-03-01 10:00:00" {
		t.Errorf("%+v", w)
	}
	c := find(9).(*Changes)
	if c.Mode != Compact || !reflect.DeepEqual(c.Key, []string{"a", "b"}) || !reflect.DeepEqual(c.Above, []string{"a look"}) ||
		!reflect.DeepEqual(c.Expected, Expected{[]string{"a", "1"}, 34, 35, false}) {
		t.Errorf("%+v", c)
	}
	if x := find(10).(*Table).Expected; !reflect.DeepEqual(x, Expected{[]string{"a", "", "1"}, 40, 42, true}) {
		t.Errorf("%+v", x)
	}
}

func TestRewriteTouchesOnlyBlocks(t *testing.T) {
	f, err := Parse("x", []byte(written))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []Expected
	var same, other [][]string
	for _, r := range f.Records {
		if e := Blocks(r); e != nil {
			blocks, same, other = append(blocks, *e), append(same, e.Lines), append(other, []string{"new", "", "x"})
		}
	}
	if got := Rewrite([]byte(written), blocks, same); string(got) != written {
		t.Errorf("the same blocks changed the file:\n%s", got)
	}
	got := string(Rewrite([]byte(written), blocks, other))
	want := strings.Replace(written, "a\n1\n\ntable", "----\nnew\n\nx\n----\n----\n\ntable", 1)
	want = strings.Replace(want, "a\n\n1\n----", "new\n\nx\n----", 1)
	want = strings.Replace(want, "numLateRecordsDropped 1\n", "----\nnew\n\nx\n----\n----\n", 1)
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestCells(t *testing.T) {
	for line, want := range map[string][]Cell{
		"a | b":                  {{Text: "a"}, {Text: "b"}},
		"NULL|(empty)|'NULL'":    {{Null: true}, {Quoted: true}, {Text: "NULL", Quoted: true}},
		"' a|b ' | 'it''s'|it's": {{Text: " a|b ", Quoted: true}, {Text: "it's", Quoted: true}, {Text: "it's"}},
		"x'0a' | [1, 2] |":       {{Text: "x'0a'"}, {Text: "[1, 2]"}, {}},
	} {
		got, err := Cells(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v %v", line, got, err)
		}
	}
	for _, line := range []string{"'a", "'a' b | c"} {
		if got, err := Cells(line); err == nil {
			t.Errorf("%q: %+v", line, got)
		}
	}
	for _, text := range []string{"", "a", "NULL", "(empty)", "'", "a|b", " a", "a ", "it's", "#", "----", "x'0a'"} {
		got, err := Cells(FormatCell(text, false))
		if err != nil || len(got) != 1 || got[0].Text != text || got[0].Null {
			t.Errorf("%q became %+v %v", text, got, err)
		}
	}
}
