package session_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stranger is a program of another module. It names everything that it needs to:
// an API that hands out what only fsql can name does not compile here.
const stranger = `package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/apache/arrow/go/v17/arrow/array"

	"fsql/row"
	"fsql/session"
	"fsql/types"
)

func add(args []any) (any, error) { return args[0].(int32) + 1, nil }

func open() (*session.Session, error) {
	return session.New(session.Config{
		Out: os.Stdout, Log: slog.Default(), Settings: map[string]string{"parallelism.default": "2"},
		Functions: []session.Function{{Name: "ADD_ONE", Args: []types.Type{types.Of(types.Int)}, Returns: types.Of(types.Int), Call: add}},
	})
}

func run() error {
	ctx := context.Background()
	s, err := open()
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Exec(ctx, "CREATE TABLE t (n INT) WITH ('connector' = 'program', 'bounded' = 'true')"); err != nil {
		return err
	}
	var feed *session.Feed
	if feed, err = s.Feed("t"); err != nil {
		return err
	}
	if err := errors.Join(feed.Append(ctx, []any{1}, []any{41}), feed.End()); err != nil {
		return err
	}
	var res *session.Result
	if res, err = s.Query(ctx, "SELECT ADD_ONE(n) FROM t"); err != nil {
		return err
	}
	var in array.RecordReader
	if in, err = res.Records(ctx); err != nil {
		return err
	}
	defer in.Release()
	for in.Next() {
		fmt.Println(in.Record().Column(0))
	}
	var kind row.Kind = row.Insert
	fmt.Println(kind, in.Err())

	const wrong = "SELECT nosuch FROM t"
	_, err = s.Query(ctx, wrong)
	var e *session.Error
	if !errors.As(err, &e) {
		return err
	}
	var code session.Code = e.Code
	var place session.Span = e.Span
	_, column, _ := session.Position(err, wrong)
	fmt.Println(code, wrong[place.Start:place.End], column)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
`

// TestAnotherModule builds and runs a program that embeds fsql from outside.
func TestAnotherModule(t *testing.T) {
	gocmd, err := exec.LookPath("go")
	if err != nil {
		t.Skip("WHAT EMBEDS FSQL IS NOT TESTED: there is no command go")
	}
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// The requirements are those of fsql, so that nothing has to be resolved.
	text := strings.Replace(string(mod), "module fsql", "module example.org/stranger", 1) +
		"\nrequire fsql v0.0.0\n\nreplace fsql => " + root + "\n"
	for name, data := range map[string]string{"go.mod": text, "go.sum": string(sum), "main.go": stranger} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(gocmd, "run", "-mod=mod", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := "[2 42]\n+I <nil>\nunknown-column nosuch 8\n"; string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

// TestNoInternalTypes looks at every exported declaration of the package: what
// belongs to an internal package appears in no signature and no field, but as
// an alias that gives it a name here. lookup.go serves the clients within this
// module.
func TestNoInternalTypes(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "lookup.go" {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		internal := map[string]bool{}
		for _, i := range f.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			if strings.Contains(path, "/internal/") {
				internal[path[strings.LastIndexByte(path, '/')+1:]] = true
			}
		}
		check := func(n ast.Node) {
			looked++
			if n == nil {
				return
			}
			ast.Inspect(n, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := sel.X.(*ast.Ident); ok && internal[x.Name] {
						t.Errorf("%s: %s.%s is a type that a program cannot name", fset.Position(n.Pos()), x.Name, sel.Sel.Name)
					}
				}
				return true
			})
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || exported(d.Recv.List[0].Type)) {
					check(d.Type)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					ts, ok := spec.(*ast.TypeSpec)
					if !ok || !ts.Name.IsExported() || ts.Assign.IsValid() {
						continue
					}
					st, ok := ts.Type.(*ast.StructType)
					if !ok {
						check(ts.Type)
						continue
					}
					for _, field := range st.Fields.List {
						if len(field.Names) == 0 || field.Names[0].IsExported() {
							check(field.Type)
						}
					}
				}
			}
		}
	}
	if looked < 50 {
		t.Errorf("only %d declarations were found", looked)
	}
}

// exported tells the receiver of a method that a program can call.
func exported(recv ast.Expr) bool {
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = star.X
	}
	id, ok := recv.(*ast.Ident)
	return ok && id.IsExported()
}
