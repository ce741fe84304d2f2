// Package lint holds the rules of the project that a compiler does not know:
// who may import whom, what a deterministic room must not use, how long a file
// may be. Its tests apply them to the repository. Every finding names a place,
// the rule, and what to do instead.
package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Tree is the Go source of a module.
type Tree struct {
	module string
	fset   *token.FileSet
	files  []file
}

// file is one Go file. Its package is named by its folder, with slashes and
// relative to the module: "expr/builtin", "." for the root.
type file struct {
	path   string
	pkg    string
	test   bool
	lines  int
	syntax *ast.File
}

// Load parses the module whose go.mod lies at the root of fsys. What lies
// under testdata or a hidden folder is left out.
func Load(fsys fs.FS) (*Tree, error) {
	mod, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return nil, err
	}
	t := &Tree{fset: token.NewFileSet()}
	for line := range strings.Lines(string(mod)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			t.module = strings.TrimSpace(name)
		}
	}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := path.Base(name); base == "testdata" || name != "." && strings.HasPrefix(base, ".") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(t.fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		t.files = append(t.files, file{
			path: name, pkg: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
			lines: bytes.Count(src, []byte{'\n'}), syntax: syntax,
		})
		return nil
	})
	return t, err
}

// at makes a finding at a node.
func (t *Tree) at(n ast.Node, format string, args ...any) string {
	p := t.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d: ", p.Filename, p.Line) + fmt.Sprintf(format, args...)
}

// imports returns the import declarations of a file and their paths.
func (f file) imports() ([]*ast.ImportSpec, []string) {
	paths := make([]string, len(f.syntax.Imports))
	for i, spec := range f.syntax.Imports {
		paths[i], _ = strconv.Unquote(spec.Path.Value) // the parser has checked it
	}
	return f.syntax.Imports, paths
}

// within says whether a package or import path is dir or lies below it.
func within(pkg, dir string) bool {
	return pkg == dir || strings.HasPrefix(pkg, dir+"/")
}
