package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fsql/internal/ftest"
)

// Lay writes the input files of c for a run and returns the folder to run in.
// It lies three levels below root, so that ../../../data names root/data; data
// is copied there if the case reads it.
func (c Case) Lay(root, data string) (string, error) {
	dir := filepath.Join(root, "a", "b", filepath.Base(c.Name))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, rec := range c.File.Records {
		in, ok := rec.(*ftest.Input)
		if !ok {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(in.Path)) {
			return "", fmt.Errorf("%s:%d: %s lies outside of the case", c.File.Name, in.Line, in.Path)
		}
		path := filepath.Join(dir, filepath.FromSlash(in.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(in.Text), 0o644); err != nil {
			return "", err
		}
	}
	checks, err := c.File.Checks()
	if err != nil {
		return "", err
	}
	for _, check := range checks {
		if strings.Contains(check.Script, "../../../data/") {
			return dir, os.CopyFS(filepath.Join(root, "data"), os.DirFS(data))
		}
	}
	return dir, nil
}
