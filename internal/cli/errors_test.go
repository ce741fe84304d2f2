package cli

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata")

var mutations = flag.Int("mutations", 0, "how many scripts TestMutatedScripts makes")

// errorTables are what the scripts of testdata/errors.txt read and write, on
// one line, so that the scripts begin on line 2.
const errorTables = "CREATE TABLE t (id INT, item STRING, price DECIMAL(10, 2), flag BOOLEAN, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)" +
	" WITH ('connector' = 'filesystem', 'path' = 't.json', 'format' = 'json');" +
	" CREATE TABLE orders (id INT) WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');\n"

// TestErrors runs the scripts of testdata/errors.txt and compares what users
// are told; then it runs the fixes. A hint that says what to write must be in
// the fix as it stands.
func TestErrors(t *testing.T) {
	const file = "testdata/errors.txt"
	parts := errorParts(t, file)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"t.json":     `{"id": 1, "item": "1", "price": 2.5, "flag": true, "ts": "2024-01-01 00:00:00"}` + "\n",
		"orders.csv": "1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := parts[0] + "\n"
	for _, part := range parts[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		script, rest, _ := strings.Cut(rest, "----\n")
		want, fix, fixed := strings.Cut(rest, "---- fix\n")
		want, fix = strings.TrimRight(want, "\n"), strings.TrimRight(fix, "\n")
		got, status := complain(t, dir, errorTables+script)
		got = strings.TrimRight(got, "\n")
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			if got != want && !*update {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			if status == 0 {
				t.Error("the script runs")
			}
			if fixed {
				checkFix(t, dir, script, got, fix)
			}
		})
		out += "=== " + name + "\n" + script + "----\n" + got + "\n"
		if fixed {
			out += "---- fix\n" + fix + "\n"
		}
		out += "\n"
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.TrimRight(out, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// errorParts are the head and the cases of a file such as testdata/errors.txt.
func errorParts(t testing.TB, file string) []string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(src), "\n=== ")
}

// pieces are the parts of what is told that could be pasted.
func pieces(message string) []string {
	var out []string
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if _, near, found := strings.Cut(line, "did you mean "); found {
			out = append(out, strings.Trim(near, "'?"))
		}
		if hint, found := strings.CutPrefix(line, "hint: "); found {
			hint = strings.NewReplacer("; ", "\n", ": ", "\n", " or ", "\n", "write ", "\n", " with ", "\n", " for ", "\n", " behind ", "\n", " at the end", "\n").Replace(hint)
			out = append(out, strings.Split(hint, "\n")...)
		}
	}
	return out
}

// words counts how often a piece stands in a script as a word of its own.
func words(script, piece string) int {
	edge := func(s string) string {
		if s != "" && (s[0] == '_' || s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z') {
			return `\b`
		}
		return ""
	}
	return len(regexp.MustCompile(edge(piece)+regexp.QuoteMeta(piece)+edge(piece[len(piece)-1:])).FindAllString(script, -1))
}

// checkFix checks that the fix has a piece of the message more often than the
// script, or lacks one that is to be removed, and that it runs.
func checkFix(t *testing.T, dir, script, message, fix string) {
	t.Helper()
	found := false
	for _, p := range pieces(message) {
		p = strings.TrimSpace(p)
		if gone, remove := strings.CutPrefix(p, "remove "); remove {
			found = found || words(fix, gone) < words(script, gone)
		}
		switch p {
		case "';'":
			p = ";"
		case "an ordinary blank":
			found = found || strings.Count(fix, " ") > strings.Count(script, " ")
		}
		found = found || p != "" && words(fix, p) > words(script, p)
	}
	if !found {
		t.Errorf("nothing that the message says is new in the fix %q: %q", fix, pieces(message))
	}
	if text, status := complain(t, dir, errorTables+fix); status != 0 {
		t.Errorf("the fix fails:\n%s", text)
	}
}

// complain gives what a script prints to standard error, and its status.
func complain(t *testing.T, dir, script string) (string, int) {
	t.Helper()
	file := filepath.Join(dir, "script.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := Main(context.Background(), []string{"-f", file, "--format", "csv", "--result", "final"}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return strings.ReplaceAll(errs.String(), dir+string(filepath.Separator), ""), status
}
