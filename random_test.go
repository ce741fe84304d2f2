package fsql_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsql/internal/cli"
)

var (
	randomQueries = flag.Int("queries", 60, "random queries of TestRandomQueries")
	randomSeed    = flag.Uint64("queryseed", 1, "where they begin")
)

// TestRandomQueries runs random queries over rows of which some are late, at
// parallelism 1 and more: there is one answer. Refusals are fine (windows over
// updates and the like), other failures are not. go test . -run RandomQueries
// -queries 2000 -queryseed 7 looks further.
func TestRandomQueries(t *testing.T) {
	answered := 0
	for i := range *randomQueries {
		seed := *randomSeed + uint64(i)
		q := &queries{r: rand.New(rand.NewPCG(seed, 0))}
		dir := t.TempDir()
		script := q.script(t, dir, true)
		want, status, errs := answer(dir)
		if status != 0 && !strings.Contains(errs, "error[not-supported]") {
			t.Errorf("seed %d: status %d: %s\n%s", seed, status, errs, script)
		}
		if status != 0 {
			continue
		}
		answered++
		for _, p := range []string{"2", "5"} {
			got, status, errs := answer(dir, "-D", "parallelism.default="+p)
			if status != 0 || !slices.Equal(got, want) {
				t.Errorf("seed %d: parallelism %s, status %d %s\n%s\ngot\n%s\nwant\n%s", seed, p, status, errs, script, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
	if answered < *randomQueries/2 {
		t.Errorf("only %d of %d queries were answered", answered, *randomQueries)
	}
}

// script writes the tables and returns a script whose last statement is a query.
func (q *queries) script(t *testing.T, dir string, late bool) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "input"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, n := range []int{40, 15} {
		name := fmt.Sprintf("t%d.csv", i+1)
		if err := os.WriteFile(filepath.Join(dir, "input", name), []byte(q.rows(n, late)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text := tableOf("t1", "input/t1.csv") + tableOf("t2", "input/t2.csv") + q.query()
	if err := os.WriteFile(filepath.Join(dir, "script.sql"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return text
}

// answer is the sorted final table of the script of a folder.
func answer(dir string, args ...string) (lines []string, status int, errs string) {
	var out, err bytes.Buffer
	args = append([]string{filepath.Join(dir, "script.sql"), "--csv", "--result", "final", "-q"}, args...)
	status = cli.Main(context.Background(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
	lines = strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(lines)
	return lines, status, err.String()
}

// TestRandomQueriesFlink compares such queries, without late rows, with a real
// Flink. FSQL_ORACLE names a command: `oracle record FOLDER...` runs script.sql of each
// folder and writes the answer as CSV behind the first line of expected.txt,
// "mode: final".
func TestRandomQueriesFlink(t *testing.T) {
	command := os.Getenv("FSQL_ORACLE")
	if command == "" || command == "kept" {
		t.Skip("NOT RUN: random queries against a real Flink need FSQL_ORACLE, the command that asks one")
	}
	root := t.TempDir()
	var folders []string
	for i := range *randomQueries {
		seed := *randomSeed + uint64(i)
		q := &queries{r: rand.New(rand.NewPCG(seed, 0)), strict: true}
		dir := filepath.Join(root, fmt.Sprint("seed", seed))
		q.script(t, dir, false)
		if err := os.WriteFile(filepath.Join(dir, "expected.txt"), []byte("mode: final\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, dir)
	}
	said, _ := exec.Command(command, append([]string{"record"}, folders...)...).CombinedOutput()
	compared := 0
	for _, dir := range folders {
		text, err := os.ReadFile(filepath.Join(dir, "expected.txt"))
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(text), "\n")
		if body == "" {
			continue // Flink refuses or fails
		}
		compared++
		want := strings.Split(strings.TrimSpace(body), "\n")
		slices.Sort(want)
		got, status, errs := answer(dir)
		if status != 0 || !slices.Equal(got, want) {
			script, _ := os.ReadFile(filepath.Join(dir, "script.sql"))
			t.Errorf("%s: status %d %s\n%s\ngot\n%s\nFlink\n%s", filepath.Base(dir), status, errs, script, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	t.Logf("%d of %d answers of Flink compared", compared, len(folders))
	if compared < len(folders)/2 {
		t.Errorf("Flink answered %d of %d:\n%s", compared, len(folders), said)
	}
}
