package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/spectest"
)

const aboutTest = `
fsql test [PATH...]

Runs tests of SQL: .ftest files, and suites of flink-unittest in YAML. Folders
are searched; without a path it is the current one. docs/guide/testing.md tells
how tests are written. Exit status: 0 passed, 1 failures, 2 usage.
`

// testOptions are the flags of `fsql test`.
type testOptions struct {
	spectest.Options
	run           string
	verbose       bool
	list          bool
	update        bool
	dryRun        bool
	inPlaceAnyway bool
	junit         string
	json          bool
	bench         bool
	colour        string
	engine        string
	endpoint      string
}

// runTests is `fsql test`.
func runTests(ctx context.Context, st Streams, o *options, args []string) error {
	t := &testOptions{}
	f := ownFlags("test")
	f.StringVar(&t.run, "run", "", "run the tests whose name (file:subtest) matches this regular expression")
	f.StringVar(&t.run, "only", "", "the same")
	f.IntVarP(&t.Workers, "jobs", "j", 0, "tests at the same time (default: one per processor)")
	f.BoolVar(&t.FailFast, "fail-fast", false, "stop after the first test that fails")
	f.BoolVarP(&t.verbose, "verbose", "v", false, "show every test, what it does and what comes, with the clock")
	f.BoolVar(&t.list, "list", false, "list the tests, run none")
	f.BoolVar(&t.bench, "bench", false, "show the time that every test took")
	f.StringSliceVar(&t.Parallelism, "parallelism", nil, "run with these, whatever the files say")
	f.StringSliceVar(&t.Restart, "restart", nil, "none, each, rescale, feed#N, random(SEED)")
	f.StringSliceVar(&t.BatchRows, "batch-rows", nil, "most rows of a batch")
	f.StringSliceVar(&t.Shuffle, "shuffle", nil, "permute the rows of every feed by this seed")
	f.StringSliceVar(&t.Mode, "mode", nil, "streaming, batch (all rows at once, tables compared at the end)")
	f.StringVar(&t.engine, "engine", "fsql", "fsql, or flink: the feeds and final tables on a cluster")
	f.StringVar(&t.endpoint, "endpoint", "", "address of the SQL gateway of the cluster (default: $FSQL_FLINK_ENDPOINT)")
	f.BoolVar(&t.update, "update", false, "write what comes into the expected blocks of the files")
	f.BoolVar(&t.UpdateErrors, "update-errors", false, "as --update, and change exec and exec error to what the statements do")
	f.BoolVar(&t.dryRun, "dry-run", false, "with --update: show the difference, write nothing")
	f.BoolVar(&t.inPlaceAnyway, "in-place-anyway", false, "with --update: write to files with edits that are not staged as well")
	f.StringVar(&t.junit, "junit", "", "write a report for CI systems to this file")
	f.BoolVar(&t.json, "json", false, "print one JSON object for every test and variant")
	f.StringVar(&t.colour, "color", "auto", "auto, always or never")
	f.StringVar(&o.errorFormat, "error-format", "text", "text or json")
	f.Lookup("only").Hidden = true
	paths, done, err := parseOwn(st, f, args, aboutTest)
	if done || err != nil {
		return err
	}
	if err := firstError(oneOf("--color", t.colour, "auto", "always", "never"), t.onFlink()); err != nil {
		return err
	}
	t.update = t.update || t.UpdateErrors
	if t.run != "" {
		if t.Run, err = regexp.Compile(t.run); err != nil {
			return diag.New(diag.Usage, diag.Span{}, "--run: %v", err)
		}
	}
	for i := range paths {
		paths[i] = filepath.ToSlash(paths[i])
	}
	t.Paths, t.Script = paths, runScript
	if t.verbose {
		t.Trace = st.Out
	}
	switch {
	case t.list:
		return t.listTests(st)
	case t.update:
		return t.updateTests(ctx, st)
	}
	return t.runAll(ctx, st)
}

// onFlink finds the cluster of --engine flink.
func (t *testOptions) onFlink() error {
	if err := oneOf("--engine", t.engine, "fsql", "flink"); err != nil || t.engine != "flink" {
		return err
	}
	if t.Endpoint = t.endpoint; t.Endpoint == "" {
		t.Endpoint = os.Getenv("FSQL_FLINK_ENDPOINT")
	}
	if t.Endpoint == "" {
		return diag.New(diag.Usage, diag.Span{}, "--engine flink needs the address of a Flink SQL gateway").
			WithHint("--endpoint localhost:8083, or FSQL_FLINK_ENDPOINT in the environment; the cluster must see the files of this machine")
	}
	return nil
}

func (t *testOptions) colours(st Streams) *spectest.Colours {
	none := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	if t.colour == "always" || t.colour == "auto" && st.OutTTY && !none {
		return spectest.ANSI()
	}
	return nil
}

// runScript runs a script as `fsql -f` does in a folder.
func runScript(ctx context.Context, dir, script string, log bool) (stdout, message string, failed bool) {
	file := filepath.Join(dir, "run.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return "", err.Error(), true
	}
	args := []string{"-f", file, "--format", "csv", "--result", "final"}
	if log {
		args = []string{"-f", file, "--format", "csv", "--result", "log", "--op", "always"}
	}
	var out, errs bytes.Buffer
	status := Main(ctx, args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return out.String(), errs.String(), status != 0
}

func loadError(err error) error {
	return diag.New(diag.Usage, diag.Span{}, "%s", err).WithHint("fsql test takes files and folders")
}

func (t *testOptions) listTests(st Streams) error {
	units, broken, err := spectest.Load(&t.Options)
	if err != nil {
		return loadError(err)
	}
	for _, u := range units {
		if _, err := fmt.Fprintln(st.Out, u.Name); err != nil {
			return err
		}
	}
	return t.unreadable(st, broken)
}

// unreadable shows files that are no tests.
func (t *testOptions) unreadable(st Streams, broken []error) error {
	for _, err := range broken {
		fmt.Fprintf(st.Err, "--- FAIL %v\n", err)
	}
	if len(broken) > 0 {
		return reported{diag.New(diag.Syntax, diag.Span{}, "files that are no tests")}
	}
	return nil
}

func (t *testOptions) runAll(ctx context.Context, st Streams) error {
	colours := t.colours(st)
	var failed error
	print := func(text string) {
		if _, err := io.WriteString(st.Out, text); err != nil && failed == nil {
			failed = err
		}
	}
	s, err := spectest.Run(ctx, &t.Options, func(rs []*spectest.Result) {
		for _, r := range rs {
			if t.json {
				if err := r.WriteJSON(st.Out); err != nil && failed == nil {
					failed = err
				}
				continue
			}
			if t.verbose || t.bench || r.Skipped != "" && len(r.Failures) == 0 {
				print(resultLine(r))
			}
			print(r.Trace())
			for _, f := range r.Failures {
				print(f.Text(colours))
			}
		}
	})
	if err != nil {
		return loadError(err)
	}
	unread := t.unreadable(st, s.Broken)
	if t.junit != "" {
		var b bytes.Buffer
		if err := s.WriteJUnit(&b); err != nil {
			return err
		}
		if err := os.WriteFile(t.junit, b.Bytes(), 0o644); err != nil {
			return &diag.Error{Code: diag.InputOutput, Msg: "the report '" + t.junit + "' cannot be written", Cause: err}
		}
	}
	if failed != nil {
		return failed
	}
	if ctx.Err() != nil {
		return interrupted()
	}
	files, checks := s.Failed()
	if !t.json {
		switch {
		case s.Files == 0:
			print("no tests found\n")
		case files > 0:
			print(fmt.Sprintf("FAIL %d of %s, %d of %s (%.1fs)\n", files, count(s.Files, "file"), checks, count(s.Checks(), "check"), s.Took.Seconds()))
		default:
			print(fmt.Sprintf("ok %s, %s (%.1fs)\n", count(s.Files, "file"), count(s.Checks(), "check"), s.Took.Seconds()))
		}
	}
	if files > 0 && unread == nil {
		return reported{diag.New(diag.Syntax, diag.Span{}, "tests failed")}
	}
	return unread
}

func resultLine(r *spectest.Result) string {
	s := fmt.Sprintf("%-4s %s  [%s] %.1fms", r.Status(), r.Unit.Name, r.Variant, float64(r.Took.Microseconds())/1000)
	if r.Skipped != "" {
		s += "  " + r.Skipped
	}
	return s + "\n"
}

func (t *testOptions) updateTests(ctx context.Context, st Streams) error {
	updates, broken, err := spectest.Updates(ctx, &t.Options, t.inPlaceAnyway || t.dryRun)
	if err != nil {
		return loadError(err)
	}
	refused := t.unreadable(st, broken)
	for _, u := range updates {
		switch {
		case u.Refused != "":
			fmt.Fprintf(st.Err, "--- REFUSED %s: %s\n", u.File, u.Refused)
			refused = reported{diag.New(diag.Syntax, diag.Span{}, "not updated")}
		case slices.Equal(u.Old, u.New):
		case t.dryRun:
			if _, err := io.WriteString(st.Out, patch(&u)); err != nil {
				return err
			}
		default:
			if err := replaceFile(u.File, string(u.New)); err != nil {
				return err
			}
			fmt.Fprintf(st.Out, "updated %s\n", u.File)
		}
	}
	return refused
}

// patch shows the lines that an update changes.
func patch(u *spectest.Update) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n", u.File)
	line := 0
	for _, d := range u.Diff() {
		if d.Sign != '+' {
			line++
		}
		if d.Sign != ' ' {
			fmt.Fprintf(&b, "%d: %c %s\n", line, d.Sign, d.Text)
		}
	}
	return b.String()
}
