package sqlfmt

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/internal/ftest"
	"fsql/sql"
	"fsql/sql/lex"
)

func TestLayout(t *testing.T) {
	golden, err := filepath.Glob("testdata/*.in.sql")
	if err != nil || len(golden) == 0 {
		t.Fatal(err, golden)
	}
	for _, in := range golden {
		source, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.Replace(in, ".in.", ".out.", 1))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Format(string(source))
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s", in, got)
		}
	}
}

// scripts calls f with every script of the corpus that parses.
func scripts(t *testing.T, f func(name, text string)) {
	const dir = "../../testdata/conformance"
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
		for _, c := range checks {
			if _, err := sql.Parse(c.Script); err == nil {
				n++
				f(path, c.Script)
			}
		}
		return nil
	})
	if err != nil || n < 1000 {
		t.Fatalf("%d scripts in %s: %v", n, dir, err)
	}
}

// tree is what a script says.
func tree(t *testing.T, text string) string {
	script, err := sql.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var b strings.Builder
	for _, s := range script.Statements {
		b.WriteString(sql.FormatStatement(s) + ";\n")
	}
	return b.String()
}

// hints are the hints of a script, in order, as written but for blanks.
func hints(text string) string {
	var b strings.Builder
	inside := false
	for _, t := range lex.Scan(text).Tokens {
		inside = inside || t.Kind == lex.HintBegin
		if inside {
			b.WriteString(text[t.Start:t.End] + " ")
		}
		inside = inside && t.Kind != lex.HintEnd
	}
	return b.String()
}

func check(t *testing.T, name, text string) {
	t.Helper()
	got, err := Format(text)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if tree(t, got) != tree(t, text) {
		t.Errorf("%s: another tree:\n%s\nof\n%s", name, got, text)
	}
	if hints(got) != hints(text) {
		t.Errorf("%s: hints differ:\n%s", name, got)
	}
	again, err := Format(got)
	if err != nil || again != got {
		t.Errorf("%s: not stable (%v): first\n%s\nthen\n%s\nof\n%s", name, err, got, again, text)
	}
	for line := range strings.Lines(got) {
		if strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") && !strings.Contains(text, strings.TrimSpace(line)+" ") {
			t.Errorf("%s: blanks at the end of a line: %q", name, line)
		}
	}
}

// TestCorpus lays out every script that a real Flink was asked: the same tree,
// the same hints, and nothing changes the second time.
func TestCorpus(t *testing.T) {
	scripts(t, func(name, text string) { check(t, name, text) })
}

// TestCommentsSurvive puts comments between any two tokens.
func TestCommentsSurvive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	scripts(t, func(name, text string) {
		if rng.IntN(4) > 0 {
			return
		}
		var b strings.Builder
		at, n := 0, 0
		hint := false
		for _, tok := range lex.Scan(text).Tokens {
			b.WriteString(text[at:tok.Start])
			at = tok.Start
			hint = tok.Kind == lex.HintBegin || hint && tok.Kind != lex.HintEnd
			if !hint && rng.IntN(12) == 0 {
				n++
				b.WriteString([]string{" -- c%\n", "\n-- c%\n", " /* c% */ ", "\n/* c%\n two */\n", "\n\n-- c%\n\n", " // c%\n"}[rng.IntN(6)])
			}
		}
		b.WriteString(text[at:])
		script := b.String()
		for i := range n {
			script = strings.Replace(script, "c%", "c"+strings.Repeat("i", i+1), 1)
		}
		check(t, name, script)
		got, _ := Format(script)
		last := -1
		for i := range n {
			c := "c" + strings.Repeat("i", i+1)
			if strings.Count(got, c+" ")+strings.Count(got, c+"\n") != 1 {
				t.Errorf("%s: comment %d is lost:\n%s\nof\n%s", name, i, got, script)
				return
			}
			place := max(strings.Index(got, c+" "), strings.Index(got, c+"\n"))
			if place < last {
				t.Errorf("%s: comment %d moved before another:\n%s\nof\n%s", name, i, got, script)
			}
			last = place
		}
	})
}
