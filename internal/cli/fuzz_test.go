package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fsql/internal/diag"
	"fsql/internal/ftest/corpus"
	"fsql/session"
)

// FuzzScript checks that no script makes the reader or the planner panic or
// loop, and that every error is a good one: with a code, a place in the text
// and a message for users. Its seeds are the scripts of the corpus:
//
//	go test ./internal/cli -run '^$' -fuzz FuzzScript -fuzztime 5m
func FuzzScript(f *testing.F) {
	cases, err := corpus.Load("../../testdata/conformance")
	if err != nil {
		f.Fatal(err)
	}
	for i, c := range cases {
		if testing.Short() && i%10 != 0 {
			continue
		}
		checks, err := c.File.Checks()
		if err != nil {
			f.Fatal(err)
		}
		for _, check := range checks {
			f.Add(check.Script)
		}
	}
	for _, script := range errorScripts(f) {
		f.Add(errorTables + script)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		s, err := session.New(session.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range checkScript(context.Background(), s, script{src: diag.Source{Name: "x.sql", Text: text}, dir: dir}) {
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v is no *diag.Error", err)
			}
			if complaint := badError(e, text); complaint != "" {
				t.Errorf("%s: %s", complaint, diag.Render(e, diag.Source{Text: text}))
			}
		}
	})
}

// badError says what is wrong with an error that users see, "" if nothing is.
func badError(e *diag.Error, text string) string {
	said := e.Msg + "\n" + e.Hint + "\n" + e.Label
	switch {
	case e.Code == diag.Internal:
		return "an internal error"
	case e.Span == (diag.Span{}):
		return "no place"
	case e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(text):
		return "a place outside the text"
	case strings.Contains(said, "%!") && !strings.Contains(text, "%!"):
		return "a format that went wrong"
	case e.Msg == "":
		return "no message"
	}
	for _, inner := range []string{"*ast.", "*expr.", "row.Vec", "ast.Name", "types.Type", "goroutine", "runtime error", "<nil>"} {
		if strings.Contains(said, inner) && !strings.Contains(text, inner) {
			return "the name of something inside"
		}
	}
	return ""
}

// errorScripts are the scripts of testdata/errors.txt.
func errorScripts(f testing.TB) []string {
	f.Helper()
	var out []string
	for _, part := range errorParts(f, filepath.Join("testdata", "errors.txt"))[1:] {
		_, rest, _ := strings.Cut(part, "\n")
		text, _, _ := strings.Cut(rest, "----\n")
		out = append(out, text)
	}
	return out
}
