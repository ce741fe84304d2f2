// Package corpus keeps the books of the cases under testdata/conformance: the
// cases themselves, which of them still fail (known.txt), which are meant to
// differ (docs/differences.md) and what that says about each numbered feature
// (docs/features.md).
package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fsql/internal/ftest"
)

// Case is one .ftest file of the corpus.
type Case struct {
	Name string // GROUP/NAME
	File *ftest.File
}

// Load reads every GROUP/NAME.ftest below dir, in order of name.
func Load(dir string) ([]Case, error) {
	var cases []Case
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".ftest" {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.ToSlash(rel), ".ftest")
		if strings.Count(name, "/") != 1 {
			return fmt.Errorf("%s: a case lies in a folder of its group", path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := ftest.Parse(filepath.ToSlash(path), text)
		if err != nil {
			return err
		}
		cases = append(cases, Case{name, f})
		return nil
	})
	return cases, err
}
