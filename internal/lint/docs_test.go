package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fileInDoc = regexp.MustCompile("`([a-z][a-z0-9_/.-]*/[a-z0-9_.-]+\\.(?:go|md|sql|csv|jsonl|txt|ftest))`")
	linkInDoc = regexp.MustCompile(`\]\(([^)#: ]+)\)`)
)

// TestDocsNameFiles keeps the documents true: every file that one names in
// back-quotes or links to exists.
func TestDocsNameFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	var docs []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, found...)
	}
	named := 0
	for _, doc := range docs {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fileInDoc.FindAllStringSubmatch(string(text), -1) {
			named++
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s names %s, which does not exist", doc, m[1])
			}
		}
		for _, m := range linkInDoc.FindAllStringSubmatch(string(text), -1) {
			named++
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s, which does not exist", doc, m[1])
			}
		}
	}
	if named < 20 || !strings.Contains(strings.Join(docs, " "), "ARCHITECTURE.md") {
		t.Errorf("only %d names in %d documents were found", named, len(docs))
	}
}
