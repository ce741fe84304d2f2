package spectest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestExamples runs examples/tests, which newcomers read.
func TestExamples(t *testing.T) {
	s, err := Run(context.Background(), &Options{Paths: []string{"../../examples/tests"}}, func([]*Result) {})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, s, 4)
}

// TestGuide runs every test that docs/guide/testing.md shows.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	blocks := regexp.MustCompile("(?s)```(ftest|yaml)\n(.*?)```").FindAllSubmatch(text, -1)
	for i, b := range blocks {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("block%d.%s", i, b[1])), b[2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Run(context.Background(), &Options{Paths: []string{dir}}, func([]*Result) {})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, s, len(blocks))
}

func sound(t *testing.T, s *Summary, files int) {
	t.Helper()
	if s.Files != files || files == 0 {
		t.Errorf("%d files, expected are %d", s.Files, files)
	}
	for _, err := range s.Broken {
		t.Error(err)
	}
	for _, r := range s.Results {
		if r.Skipped != "" {
			t.Errorf("%s [%s] skipped: %s", r.Unit.Name, r.Variant, r.Skipped)
		}
		for _, f := range r.Failures {
			t.Errorf("%s", f.Text(nil))
		}
	}
}
