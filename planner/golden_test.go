package planner

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fsql/internal/diag"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata")

// TestGolden plans the scripts of testdata/*.test: cases that begin with a line
// "=== name", a script, a line "----", and what EXPLAIN prints of the plan, or
// the error as users see it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.test")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	world := newShipped()
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, cases := split(string(src))
		var out strings.Builder
		out.WriteString(head)
		for _, c := range cases {
			got := outcome(t, world, head, c.script)
			t.Run(strings.TrimSuffix(filepath.Base(file), ".test")+"/"+c.name, func(t *testing.T) {
				if got != c.want && !*update {
					t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
				}
			})
			out.WriteString("=== " + c.name + "\n" + c.script + "----\n" + got + "\n")
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

type goldenCase struct{ name, script, want string }

// split cuts a file into cases and what stands before the first one.
func split(src string) (head string, cases []goldenCase) {
	parts := strings.Split("\n"+src, "\n=== ")
	for _, p := range parts[1:] {
		name, rest, _ := strings.Cut(p, "\n")
		sql, want, _ := strings.Cut(rest, "----\n")
		cases = append(cases, goldenCase{name, sql, strings.TrimRight(want, "\n") + "\n"})
	}
	return strings.TrimPrefix(parts[0], "\n") + "\n", cases
}

// tables are what the scripts of testdata read and write.
const tables = `
CREATE TABLE bid (id INT, item STRING, price DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
  WITH ('connector' = 'filesystem', 'path' = 'bid.json', 'format' = 'json');
CREATE TABLE plain (id INT, k STRING, v BIGINT, r ROW<f INT, g ROW<h STRING>>) WITH ('connector' = 'filesystem', 'path' = 'plain.csv', 'format' = 'csv');
CREATE TABLE click (id INT NOT NULL, usr STRING, ms BIGINT, lt AS TO_TIMESTAMP_LTZ(ms, 3), pt AS PROCTIME(),
  f STRING METADATA FROM 'file.name' VIRTUAL, WATERMARK FOR lt AS lt - INTERVAL '1' MINUTE)
  WITH ('connector' = 'filesystem', 'path' = 'clicks', 'format' = 'csv');
CREATE TABLE acc (id INT, owner STRING, bal INT, ts TIMESTAMP(3), twice AS bal * 2, PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts)
  WITH ('connector' = 'filesystem', 'path' = 'acc.json', 'format' = 'debezium-json');
CREATE TABLE loose (id INT, owner STRING) WITH ('connector' = 'filesystem', 'path' = 'acc.json', 'format' = 'debezium-json');
CREATE TABLE u (id INT, owner STRING, bal INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'upserts');
CREATE TABLE keyless (id INT) WITH ('connector' = 'upserts');
CREATE TABLE copy (id INT, owner STRING, bal INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'upserts');
CREATE TABLE by_k (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'upserts');
CREATE TABLE by_n (k STRING, n BIGINT, PRIMARY KEY (n) NOT ENFORCED) WITH ('connector' = 'print');
CREATE TABLE by_both (k STRING, n BIGINT, PRIMARY KEY (k, n) NOT ENFORCED) WITH ('connector' = 'upserts');
CREATE TABLE out_print (k STRING, n BIGINT) WITH ('connector' = 'print');
CREATE TABLE out_file (k STRING, n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'json');
CREATE TABLE out_typed (a INT NOT NULL, b VARCHAR(3), c DECIMAL(5, 1), d TIMESTAMP(3)) WITH ('connector' = 'print');
`

// comment is a line of a file about its cases.
var comment = regexp.MustCompile("(?m)^#.*$")

func outcome(t *testing.T, w *shipped, head, text string) string {
	s := w.script()
	if _, err := s.run(tables + comment.ReplaceAllString(head, "")); err != nil {
		t.Fatal(err)
	}
	p, err := s.run(text)
	if err != nil {
		return diag.Render(diag.Of(err), diag.Source{Text: text})
	}
	if p == nil {
		return s.declared()
	}
	return Explain(p, nil)
}
