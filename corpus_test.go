// Package fsql_test runs the corpus: every case under testdata/conformance, in
// process, against the answers of a real Flink.
package fsql_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fsql/internal/cli"
	"fsql/internal/ftest"
	"fsql/internal/ftest/corpus"
)

const (
	casesDir        = "testdata/conformance"
	dataDir         = "testdata/data"
	knownPath       = casesDir + "/known.txt"
	differencesPath = "docs/differences.md"
	featuresPath    = "docs/features.md"

	// orderDependent is the reason of cases whose answer depends on which of
	// two inputs is read first, on Flink too: they may pass or fail.
	orderDependent = "order-dependent"

	workers     = 2
	caseTimeout = 20 * time.Second
)

var updateKnown = flag.Bool("update-known", false, "rewrite "+knownPath+" and the states in "+featuresPath)

// runner runs one script as "fsql -f" does in dir, and returns standard
// output, the message on standard error, and whether it failed.
type runner func(ctx context.Context, dir, script string, mode ftest.Mode) (stdout, message string, failed bool)

// run is the engine under test: the command line, in process.
var run runner = func(ctx context.Context, dir, script string, mode ftest.Mode) (string, string, bool) {
	file := filepath.Join(dir, "run.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return "", err.Error(), true
	}
	args := []string{"-f", file, "--format", "csv", "--result", "final"}
	if mode == ftest.Changelog {
		args = []string{"-f", file, "--format", "csv", "--result", "log", "--op", "always"}
	}
	var out, errs bytes.Buffer
	status := cli.Main(ctx, args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return out.String(), errs.String(), status != 0
}

// TestMain fails when a script leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCorpus(t *testing.T) {
	cases, known, differ := loadBooks(t)
	verdicts := make([]ftest.Verdict, len(cases)) // each written by its own case
	slots := make(chan struct{}, workers)
	for from := 0; from < len(cases); {
		group, _, _ := strings.Cut(cases[from].Name, "/")
		to := from
		for to < len(cases) && strings.HasPrefix(cases[to].Name, group+"/") {
			to++
		}
		t.Run(group, func(t *testing.T) { // returns when its parallel cases have ended
			for i := from; i < to; i++ {
				c := cases[i]
				_, name, _ := strings.Cut(c.Name, "/")
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					slots <- struct{}{}
					defer func() { <-slots }()
					verdicts[i] = judge(t, c)
					report(t, c.Name, verdicts[i], known, differ)
				})
			}
		})
		from = to
	}
	if *updateKnown {
		update(t, cases, verdicts, known, differ)
	}
}

// loadBooks reads the cases and what is said about them, and checks that they
// speak of each other.
func loadBooks(t *testing.T) ([]corpus.Case, corpus.Known, corpus.Differences) {
	t.Helper()
	cases, err := corpus.Load(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	known, err := corpus.ReadKnown(knownPath)
	if err != nil {
		t.Fatal(err)
	}
	differ, err := corpus.ReadDifferences(differencesPath)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, c := range cases {
		names[c.Name] = true
	}
	for name := range known {
		if !names[name] {
			t.Errorf("%s lists %s, which is no case", knownPath, name)
		}
		if differ[name] && *updateKnown {
			delete(known, name)
		} else if differ[name] {
			t.Errorf("%s stands in %s and in %s", name, knownPath, differencesPath)
		}
	}
	for name := range differ {
		if !names[name] {
			t.Errorf("%s names %s, which is no case", differencesPath, name)
		}
	}
	return cases, known, differ
}

// judge runs the checks of a case; the first one that is wrong decides.
func judge(t *testing.T, c corpus.Case) ftest.Verdict {
	t.Helper()
	checks, err := c.File.Checks()
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range checks {
		dir, err := c.Lay(t.TempDir(), dataDir)
		if err != nil {
			t.Fatal(err)
		}
		outcome, inTime := runInTime(dir, check)
		if !inTime {
			return ftest.Verdict{Reason: ftest.TimedOut, Detail: fmt.Sprintf("no answer in %s", caseTimeout)}
		}
		if v := check.Judge(outcome); !v.OK {
			v.Detail = fmt.Sprintf("%s:%d: %s", c.File.Name, check.Line, v.Detail)
			return v
		}
	}
	return ftest.Verdict{OK: true}
}

// runInTime runs one check. An engine that does not heed its context within a
// grace period is left behind.
func runInTime(dir string, check ftest.Check) (ftest.Outcome, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), caseTimeout)
	defer cancel()
	done := make(chan ftest.Outcome, 1)
	go func() {
		var o ftest.Outcome
		defer func() {
			if p := recover(); p != nil {
				o = ftest.Outcome{Message: fmt.Sprintf("panic: %v\n\n%s", p, debug.Stack()), Failed: true}
			}
			done <- o
		}()
		o.Stdout, o.Message, o.Failed = run(ctx, dir, check.Script, check.Mode)
	}()
	const grace = 5 * time.Second
	select {
	case o := <-done:
		return o, ctx.Err() == nil
	case <-time.After(caseTimeout + grace):
		return ftest.Outcome{}, false
	}
}

// report fails the test when a verdict is not the one that the books foretell.
func report(t *testing.T, name string, v ftest.Verdict, known corpus.Known, differ corpus.Differences) {
	t.Helper()
	reason, listed := known[name]
	switch {
	case v.Reason == ftest.Panicked:
		t.Errorf("%s", v.Detail)
	case reason == orderDependent:
		t.Logf("depends on which input is read first: %v %s", v.OK, v.Detail)
	case differ[name] && v.OK:
		t.Errorf("comes out as Flink's, but %s says that it differs: remove the line", differencesPath)
	case differ[name] || *updateKnown:
	case v.OK && listed:
		t.Errorf("passes, but stands in %s: remove the line (or run with -update-known)", knownPath)
	case !v.OK && !listed:
		t.Errorf("%s: %s", v.Reason, v.Detail)
	case !v.OK:
		t.Logf("known to fail (%s): %s: %s", known[name], v.Reason, v.Detail)
	}
}

// update rewrites the books after a run. Cases that did not run, panicked or
// differ on purpose are left alone.
func update(t *testing.T, cases []corpus.Case, verdicts []ftest.Verdict, known corpus.Known, differ corpus.Differences) {
	t.Helper()
	ran := map[string]ftest.Verdict{}
	for i, v := range verdicts {
		if (v.OK || v.Reason != "") && v.Reason != ftest.Panicked && !differ[cases[i].Name] && known[cases[i].Name] != orderDependent {
			ran[cases[i].Name] = v
		}
	}
	known.Update(ran)
	if err := os.WriteFile(knownPath, known.Format(), 0o644); err != nil {
		t.Fatal(err)
	}
	_, want := featuresText(t, cases, known, differ)
	if err := os.WriteFile(featuresPath, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d cases pass", len(cases)-len(known)-len(differ), len(cases))
}

// TestFeaturesAreCurrent compares docs/features.md with what the corpus and
// known.txt say.
func TestFeaturesAreCurrent(t *testing.T) {
	cases, known, differ := loadBooks(t)
	if is, want := featuresText(t, cases, known, differ); is != want {
		t.Errorf("%s is not current: go test . -run TestCorpus -update-known rewrites it", featuresPath)
	}
}

func featuresText(t *testing.T, cases []corpus.Case, known corpus.Known, differ corpus.Differences) (is, want string) {
	t.Helper()
	text, err := os.ReadFile(featuresPath)
	if err != nil {
		t.Fatal(err)
	}
	want, err = corpus.RewriteFeatures(string(text), corpus.States(cases, known, differ))
	if err != nil {
		t.Fatalf("%s: %v", featuresPath, err)
	}
	return string(text), want
}
