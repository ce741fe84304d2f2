package corpus

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fsql/internal/ftest"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	header = "# fsql-test: parallelism=1 compare=text features=001,002\n\n"
	query  = "query-once mode=final\nSELECT 1 AS a;\n----\na\n1\n"
)

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b", "two.ftest"), header+query)
	write(t, filepath.Join(dir, "a", "one.ftest"), header+query)
	write(t, filepath.Join(dir, "known.txt"), "")
	cases, err := Load(dir)
	if err != nil || len(cases) != 2 || cases[0].Name != "a/one" || cases[1].Name != "b/two" {
		t.Errorf("%+v, %v", cases, err)
	}
	write(t, filepath.Join(dir, "stray.ftest"), header+query)
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "stray") {
		t.Errorf("a case without a group: %v", err)
	}
}

func parse(t *testing.T, name, text string) Case {
	t.Helper()
	f, err := ftest.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Case{name, f}
}

func TestLay(t *testing.T) {
	data := t.TempDir()
	write(t, filepath.Join(data, "rec.csv"), "r\n")
	c := parse(t, "g/n", header+"file \"input/p=1/t.csv\"\n1\n\n"+strings.Replace(query, "1 AS", "'../../../data/rec.csv' AS", 1))
	dir, err := c.Lay(t.TempDir(), data)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"input/p=1/t.csv": "1\n", "../../../data/rec.csv": "r\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	c = parse(t, "g/n", header+"file ../t.csv\n1\n\n"+query)
	if _, err := c.Lay(t.TempDir(), data); err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("a path out of the case: %v", err)
	}
}

func TestKnown(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "known.txt"), "# head\na/a timeout\na/b needs-clock\na/c wrong-result\na/d wrong-result\nerrors/y operator\n")
	known, err := ReadKnown(path)
	if err != nil {
		t.Fatal(err)
	}
	known.Update(map[string]ftest.Verdict{
		"a/a": {OK: true},
		"a/b": {Reason: "wrong-result"},
		"a/c": {Reason: "refused:syntax"},
		"a/e": {Reason: "wrong-error"},
		"a/f": {OK: true},

		"types/x": {Reason: "not-implemented:fsql-does-not-run-qualify"}, "lexical/x": {Reason: "not-implemented:the-connector-kafka"},
		"functions/x": {Reason: "not-implemented:the-function-f"}, "errors/x": {Reason: "wrong-error"},
		"joins/x": {Reason: "not-implemented:fsql-does-not-run-qualify"}, "errors/y": {Reason: "wrong-error"},
	})
	want := Known{"a/b": "needs-clock", "a/c": "refused:syntax", "a/d": "wrong-result", "a/e": "wrong-error",
		"types/x": "operator", "lexical/x": "operator", "functions/x": "not-implemented:the-function-f", "errors/x": "wrong-error",
		"joins/x": "not-implemented:fsql-does-not-run-qualify", "errors/y": "wrong-error"}
	if !reflect.DeepEqual(known, want) {
		t.Errorf("%v", known)
	}
	write(t, path, string(known.Format()))
	if again, err := ReadKnown(path); err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("read back: %v, %v", again, err)
	}
	for text, complaint := range map[string]string{
		"b/a x\na/a x\n": ":2: a/a is not in order",
		"a/a x\na/a x\n": ":2: a/a is not in order",
		"a/a\n":          ":1: not GROUP/NAME and one reason word",
		"a/a two words":  ":1: not GROUP/NAME and one reason word",
	} {
		if _, err := ReadKnown(write(t, path, text)); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestDifferences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "differences.md")
	write(t, path, "# About `x/y` and 001\n\n| other | table |\n| --- | --- |\n| `a/z` | 1 |\n\n"+
		"| case or feature | what Flink does | what fsql does | reason |\n| --- | --- | --- | --- |\n"+
		"| `a/one-123`, `b/two` (212) | a \\| b | c | d |\n| feature 007 | a | b | c |\n\n`c/three`\n")
	differ, err := ReadDifferences(path)
	if err != nil || !reflect.DeepEqual(differ, Differences{"a/one-123": true, "b/two": true}) {
		t.Errorf("%v, %v", differ, err)
	}
	const head = "| case or feature | what Flink does | what fsql does | reason |\n"
	for row, complaint := range map[string]string{
		"| `a/one` | a | b |  |\n":      ":2: a row has four filled columns",
		"| `a/one` | a | b |\n":         ":2: a row has four filled columns",
		"| feature 277 | a | b | c |\n": ":2: there is no feature 277",
		"| something | a | b | c |\n":   ":2: no `GROUP/NAME` and no feature number",
	} {
		if _, err := ReadDifferences(write(t, path, head+row)); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%q: %v", row, err)
		}
	}
}

func TestStates(t *testing.T) {
	cases := []Case{parse(t, "a/a", header+query), parse(t, "a/b", header+query), parse(t, "a/c", header+query)}
	for want, given := range map[string]struct {
		known  Known
		differ Differences
	}{
		"right":              {},
		"partly (2 of 3)":    {known: Known{"a/b": "timeout"}},
		"partly (1 of 2)":    {known: Known{"a/b": "timeout"}, differ: Differences{"a/a": true}},
		"not yet":            {known: Known{"a/a": "x", "a/b": "x", "a/c": "x"}},
		"differs on purpose": {differ: Differences{"a/a": true, "a/b": true, "a/c": true}},
	} {
		if got := States(cases, given.known, given.differ); got["001"].String() != want || got["002"].String() != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if got := (State{}).String(); got != "no case" {
		t.Error(got)
	}
}

func TestRewriteFeatures(t *testing.T) {
	text, err := os.ReadFile("../../../docs/features.md")
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]State{"001": {Cases: 4, Right: 3, Differ: 1}, "276": {Cases: 2, Right: 2}, "002": {Cases: 1}, "003": {Differ: 1}}
	got, err := RewriteFeatures(string(text), states)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| 5 | partly (3 of 4) |\n", "| 2 | right |\n", "| 1 | not yet |\n", "| 1 | differs on purpose |\n",
		"\nNow: 1 right, 1 partly, 1 not yet, 272 without a case, 1 differ on purpose.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the rewritten table", want)
		}
	}
	if again, err := RewriteFeatures(got, states); err != nil || again != got {
		t.Errorf("a second run changes something: %v", err)
	}
	for complaint, bad := range map[string]string{
		"275 features in the table":    strings.Replace(got, "\n| 276 |", "\n| x276 |", 1),
		"feature 003 stands where 002": strings.Replace(got, "\n| 002 |", "\n| x002 |", 1),
		`no line starts with "Now: "`:  strings.Replace(got, "\nNow: ", "\nThen: ", 1),
	} {
		if _, err := RewriteFeatures(bad, states); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%v, want %s", err, complaint)
		}
	}
	if _, err := RewriteFeatures(got, map[string]State{"277": {Cases: 1}}); err == nil || !strings.Contains(err.Error(), "277") {
		t.Errorf("a feature that does not exist: %v", err)
	}
}
