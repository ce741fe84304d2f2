package sql

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/internal/diag"
	"fsql/internal/ftest"
)

// corpus calls f with every check of the cases that a real Flink answered.
func corpus(t testing.TB, f func(name string, c ftest.Check)) {
	const dir = "../testdata/conformance"
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".ftest" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := ftest.Parse(path, text)
		if err != nil {
			return err
		}
		checks, err := file.Checks()
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.ToSlash(path[len(dir)+1:]), ".ftest")
		for _, c := range checks {
			n++
			f(name, c)
		}
		return nil
	})
	if err != nil || n < 1500 {
		t.Fatalf("%d checks in %s: %v", n, dir, err)
	}
}

// TestCorpus parses every script of the corpus: what Flink runs must parse,
// and what fails to parse must fail in Flink too, for a reason that the case
// names.
func TestCorpus(t *testing.T) {
	corpus(t, func(name string, c ftest.Check) {
		_, err := Parse(c.Script)
		switch {
		case err == nil:
		case c.Mode != ftest.Error:
			t.Errorf("%s:\n%s", name, diag.Render(err, diag.Source{Text: c.Script}))
		default:
			v := c.Judge(ftest.Outcome{Message: diag.Render(err, diag.Source{Text: c.Script}), Failed: true})
			if !v.OK {
				t.Errorf("%s: %s", name, v.Detail)
			}
		}
	})
}

// parseErrors are cases that Flink's parser refuses: ours must refuse them as
// well, not leave them to the planner.
var parseErrors = []string{"errors/double_quotes_for_text", "errors/limit_negative", "errors/missing_comma", "errors/missing_semicolon",
	"errors/option_without_quotes", "errors/reserved_word_as_alias", "errors/select_distinct_on", "errors/statement_set_with_select",
	"errors/trailing_comma", "errors/type_missing", "errors/unbalanced_parenthesis", "errors/unbalanced_quote", "errors/watermark_twice",
	"functions/error-row-constructor-alias", "functions/error-row-star-parentheses", "lexical/bang_equal", "lexical/limit_with_comma",
	"over/json_agg", "statements/compile_plan_select_error", "statements/explain_ddl_error", "statements/interval_column_type_error",
	"statements/watermark_twice_error", "time/wm_two_definitions"}

func TestParseErrorsOfCorpus(t *testing.T) {
	left := map[string]bool{}
	for _, name := range parseErrors {
		left[name] = true
	}
	corpus(t, func(name string, c ftest.Check) {
		if !left[name] {
			return
		}
		if _, err := Parse(c.Script); err != nil {
			delete(left, name)
		}
	})
	for name := range left {
		t.Errorf("%s parses", name)
	}
}
