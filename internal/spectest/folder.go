package spectest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/ftest"
)

// folder is where a test runs. A test that has files of its own, or whose SQL
// names paths, gets a folder that is removed afterwards: its files, and links
// to what lies next to the test.
type folder struct {
	dir  string
	temp bool
	base string // of the test file
}

func layFolder(u *Unit) (*folder, error) {
	base := filepath.Dir(u.path)
	f := &folder{dir: base, base: base}
	var files []*ftest.Input
	paths := false
	for _, rec := range u.records {
		switch rec := rec.Record.(type) {
		case *ftest.Input:
			files = append(files, rec)
		case *ftest.Exec:
			paths = paths || strings.Contains(rec.SQL, "'path'")
		case *ftest.Query:
			paths = paths || rec.Script != ""
		}
	}
	if len(files) == 0 && !paths {
		return f, nil
	}
	dir, err := os.MkdirTemp("", "fsql-test-")
	if err != nil {
		return f, err
	}
	f.dir, f.temp = dir, true
	own := map[string]bool{}
	for _, in := range files {
		if !filepath.IsLocal(filepath.FromSlash(in.Path)) {
			return f, fmt.Errorf("line %d: file %s lies outside of the test's folder", in.Line, in.Path)
		}
		path := filepath.Join(dir, filepath.FromSlash(in.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return f, err
		}
		if err := os.WriteFile(path, []byte(in.Text), 0o644); err != nil {
			return f, err
		}
		first, _, _ := strings.Cut(in.Path, "/")
		own[first] = true
	}
	return f, f.link(own)
}

// link links what lies next to the test, but for what the test has itself.
func (f *folder) link(own map[string]bool) error {
	beside, err := os.ReadDir(f.base)
	if err != nil {
		return err
	}
	base, err := filepath.Abs(f.base)
	if err != nil {
		return err
	}
	for _, e := range beside {
		if own[e.Name()] || strings.HasSuffix(e.Name(), ".ftest") {
			continue
		}
		if err := os.Symlink(filepath.Join(base, e.Name()), filepath.Join(f.dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// read reads a file of the test.
func (f *folder) read(name string) ([]byte, error) {
	for _, dir := range []string{f.dir, f.base} {
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			return text, nil
		}
	}
	return nil, diag.New(diag.NoSuchFile, diag.Span{}, "there is no file %s in %s", name, f.base)
}

func (f *folder) remove() error {
	if f == nil || !f.temp {
		return nil
	}
	return os.RemoveAll(f.dir)
}
