package sql
import ("testing";"os";"strings";"fmt";"bufio")
func TestTmpProbe(t *testing.T) {
	for _, f := range strings.Fields(os.Getenv("PROBE")) {
		name, mode, _ := strings.Cut(f, ":")
		fh, _ := os.Open("/tmp/ask/"+name+".txt"); sc := bufio.NewScanner(fh); sc.Buffer(nil, 1<<20)
		o, _ := os.Create("/tmp/ask/"+name+".mine")
		for sc.Scan() {
			s := sc.Text(); if strings.TrimSpace(s)=="" {continue}
			var out string; var err error
			if mode == "expr" { x, e := ParseExpr(s); err = e; if e == nil { out = FormatExpr(x) } } else {
				r := NewReader(s); x, e := r.Next(); err = e; if e == nil { out = FormatStatement(x) } }
			if err != nil { fmt.Fprintf(o, "ERR %s\t%v\n", s, err) } else { fmt.Fprintf(o, "OK  %s\t%s\n", s, strings.ReplaceAll(out, "\n", " ")) }
		}
		o.Close()
	}
}
