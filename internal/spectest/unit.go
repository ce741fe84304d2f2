package spectest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"fsql/internal/ftest"
)

// Unit is one test: a file, or a subtest of it with what stands above the
// first one.
type Unit struct {
	File string // as it was found
	Name string // the file, and the subtest behind a colon
	path string
	main *ftest.File
	settings
	records []unitRecord
	run     func(u *Unit, v Variant) *Result // of other kinds of files; nil: execute
}

// unitRecord is a record with the file that it is in.
type unitRecord struct {
	ftest.Record
	file *ftest.File
}

func (u unitRecord) line() int {
	return int(reflect.ValueOf(u.Record).Elem().FieldByName("Line").Int())
}

// find lists the test files of paths: files as they are, folders with all
// *.ftest, and *.yaml and *.yml with tests of flink-unittest, below them.
func find(paths []string) ([]string, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var files []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, fmt.Errorf("there is no test %s", p)
		}
		if !info.IsDir() {
			files = append(files, p)
			continue
		}
		err = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != p && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(path, ".part.ftest"):
			case filepath.Ext(path) == ".ftest", isYAML(path) && looksLikeTests(path):
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// load reads a file of tests.
func load(o *Options, path string) ([]*Unit, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if isYAML(path) {
		return loadYAML(o, path, text)
	}
	f, err := ftest.Parse(filepath.ToSlash(path), text)
	if err != nil {
		return nil, err
	}
	if f.Header.Get("compare") == "text" {
		return loadImported(o, path, f)
	}
	set, err := readHeader(f, o)
	if err != nil {
		return nil, err
	}
	all, err := flatten(f, path, 0)
	if err != nil {
		return nil, err
	}
	return split(f, path, set, all), nil
}

// flatten puts the records of included files in.
func flatten(f *ftest.File, path string, depth int) ([]unitRecord, error) {
	var all []unitRecord
	for _, rec := range f.Records {
		inc, ok := rec.(*ftest.Include)
		if !ok {
			all = append(all, unitRecord{rec, f})
			continue
		}
		name := filepath.Join(filepath.Dir(path), filepath.FromSlash(inc.File))
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: there is no file %s to include", f.Name, inc.Line, inc.File)
		}
		if depth > 8 {
			return nil, fmt.Errorf("%s:%d: files include each other", f.Name, inc.Line)
		}
		part, err := ftest.ParseWith(filepath.ToSlash(name), text, inc.Vars)
		if err != nil {
			return nil, err
		}
		more, err := flatten(part, name, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// split makes the tests of a file.
func split(f *ftest.File, path string, set settings, all []unitRecord) []*Unit {
	unit := func(name string, records []unitRecord) *Unit {
		u := &Unit{File: path, Name: path, path: path, main: f, settings: set, records: records}
		if name != "" {
			u.Name += ":" + name
		}
		for _, rec := range records {
			if c, ok := rec.Record.(*ftest.Changes); ok && c.Mode == ftest.InOrder {
				// An exact order is that of one subtask.
				u.variants = slices.DeleteFunc(slices.Clone(u.variants), func(v Variant) bool { return v.Parallelism > 1 })
				if len(u.variants) == 0 {
					u.variants = []Variant{{Parallelism: 1, Restart: "none"}}
				}
				break
			}
		}
		return u
	}
	var units []*Unit
	var above []unitRecord
	name, from := "", -1
	for i, rec := range all {
		sub, ok := rec.Record.(*ftest.Subtest)
		if !ok {
			continue
		}
		if from < 0 {
			above = all[:i:i]
		} else {
			units = append(units, unit(name, append(slices.Clone(above), all[from:i]...)))
		}
		name, from = sub.Name, i+1
	}
	if from < 0 {
		return []*Unit{unit("", all)}
	}
	return append(units, unit(name, append(slices.Clone(above), all[from:]...)))
}
