package sql
import ("testing";"os";"path/filepath";"strings";"fmt";"fsql/sql/ast")
func TestTmpDump(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/conformance/*/*/script.sql")
	o, _ := os.Create("/tmp/ask/orig.txt"); m, _ := os.Create("/tmp/ask/mine.txt")
	n := 0
	for _, f := range files {
		b, _ := os.ReadFile(f)
		r := NewReader(string(b))
		for { s, err := r.Next(); if err != nil { if err.Error()=="EOF" {break}; continue }
			switch s.(type) { case *ast.Unsupported, *ast.ClientCommand, *ast.Set, *ast.Reset, *ast.StopJob, *ast.Jar: continue }
			sp := s.Span()
			fmt.Fprintf(o, "%s\n----\n", string(b)[sp.Start:sp.End]); fmt.Fprintf(m, "%s\n----\n", FormatStatement(s)); n++
		}
	}
	o.Close(); m.Close(); _ = strings.ToUpper; fmt.Println(n)
}
