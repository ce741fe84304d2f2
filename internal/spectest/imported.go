package spectest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fsql/internal/ftest"
	"fsql/internal/ftest/corpus"
)

// importedPatience is how long a case may take.
const importedPatience = 30 * time.Second

// loadImported makes a test of a case that a real Flink answered: each of its
// scripts is run as the command line does, and the answer compared as text.
// Input that several cases share lies in a folder data above them.
func loadImported(o *Options, path string, f *ftest.File) ([]*Unit, error) {
	checks, err := f.Checks()
	if err != nil {
		return nil, err
	}
	u := &Unit{File: path, Name: path, path: path, main: f, settings: settings{variants: []Variant{{Parallelism: 1, Restart: "none"}}}}
	u.run = func(u *Unit, v Variant) *Result {
		r := &Result{Unit: u, Variant: v}
		for _, c := range checks {
			r.Checks++
			root, err := os.MkdirTemp("", "fsql-test-")
			if err == nil {
				err = runImported(o, f, c, path, root, r)
				if gone := os.RemoveAll(root); err == nil {
					err = gone
				}
			}
			if err != nil {
				r.fail(&Failure{Line: c.Line, What: "query-once", Message: err.Error()})
			}
		}
		return r
	}
	return []*Unit{u}, nil
}

func runImported(o *Options, f *ftest.File, c ftest.Check, path, root string, r *Result) error {
	base := strings.TrimSuffix(filepath.Base(path), ".ftest")
	dir, err := corpus.Case{Name: base, File: f}.Lay(root, sharedData(path))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), importedPatience)
	defer cancel()
	var out ftest.Outcome
	out.Stdout, out.Message, out.Failed = o.Script(ctx, dir, c.Script, c.Mode == ftest.Changelog)
	v := c.Judge(out)
	if v.OK {
		return nil
	}
	fail := &Failure{Line: c.Line, What: map[bool]string{true: "exec error", false: "query-once"}[c.Mode == ftest.Error]}
	for i, l := range strings.Split(v.Detail, "\n") {
		switch {
		case i == 0:
			fail.Message = l
		case strings.HasPrefix(l, "  - "), strings.HasPrefix(l, "  + "):
			fail.Diff = append(fail.Diff, DiffLine{l[2], l[4:]})
		default:
			fail.Detail += l + "\n"
		}
	}
	fail.Detail = strings.TrimRight(fail.Detail, "\n")
	r.fail(fail)
	return nil
}

// sharedData is the nearest folder data above a case.
func sharedData(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		data := filepath.Join(dir, "data")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
		if dir == filepath.Dir(dir) {
			return data
		}
	}
}
