package sql

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fsql/internal/diag"
	"fsql/sql/ast"
)

// FuzzParse checks that no text makes the reader panic or loop, that places
// lie in the text, and that what parses prints and reads back as itself.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, r := range records(string(text)) {
			f.Add(r.input)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := NewReader(text)
		for n := 0; ; n++ {
			s, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if n > len(text) {
				t.Fatal("the reader does not advance")
			}
			span := diag.Span{}
			if err != nil {
				var e *diag.Error
				if !errors.As(err, &e) {
					t.Fatalf("%v is no *diag.Error", err)
				}
				if e.Code == diag.Internal {
					t.Fatalf("%v", err)
				}
				span = e.Span
			} else {
				span = s.Span()
			}
			if span.Start < 0 || span.End < span.Start || span.End > len(text) {
				t.Fatalf("place %v in %d bytes", span, len(text))
			}
			if err != nil {
				continue
			}
			if _, ok := s.(*ast.Unsupported); ok {
				continue
			}
			out := FormatStatement(s)
			again, err := NewReader(out).Next()
			if err != nil {
				if e := diag.Of(err); e.Code == diag.TooDeep {
					continue // parentheses are written for all operators
				}
				t.Fatalf("%v\n%s", err, out)
			}
			if !reflect.DeepEqual(strip(s), strip(again)) {
				t.Fatalf("another tree: %s\n%s", out, FormatStatement(again))
			}
		}
	})
}
