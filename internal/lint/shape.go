package lint

import (
	"fmt"
	"go/ast"
)

const mostLines = 600

// Length finds files that hold more than one idea, tests left out.
func (t *Tree) Length() []string {
	var found []string
	for _, f := range t.files {
		if !f.test && f.lines > mostLines {
			found = append(found, fmt.Sprintf("%s: %d lines, more than %d: part it by idea, one file each", f.path, f.lines, mostLines))
		}
	}
	return found
}

// HiddenWork finds what would run before main: init functions, and imports for
// their side effect. Tests are left out.
func (t *Tree) HiddenWork() []string {
	var found []string
	for _, f := range t.files {
		if f.test {
			continue
		}
		for _, decl := range f.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				found = append(found, t.at(fn, "an init function: start-up stays under 20 ms and names what it does; "+
					"make a value in a function and hand it down from main"))
			}
		}
		specs, paths := f.imports()
		for i, spec := range specs {
			if spec.Name != nil && spec.Name.Name == "_" && paths[i] != "embed" {
				found = append(found, t.at(spec, "a blank import of %s: list what registers in a table that main hands down", paths[i]))
			}
		}
	}
	return found
}
