package planner
import ("testing";"fmt";"strings";"os";"fsql/internal/ftest";"fsql/internal/ftest/corpus";"fsql/diag")
func TestZZ(t *testing.T) {
	cases, _ := corpus.Load("../testdata/conformance")
	for _, c := range cases {
		checks, _ := c.File.Checks()
		for _, check := range checks {
			if check.Mode != ftest.Error { continue }
			s := newScript(t)
			s.env.Dir, _ = c.Lay(t.TempDir(), "../testdata/data")
			_, err := s.run(check.Script)
			b, _ := os.ReadFile("/work/shared/conformance/"+c.Name+"/expected.txt")
			run := strings.Contains(string(b), "Job execution failed")
			if err == nil {
				if !run { fmt.Println("PLANS", c.Name, strings.Split(string(b),"\n")[len(strings.Split(string(b),"\n"))-3]) }
				continue
			}
			d := diag.Of(err)
			if d.Code == diag.NotImplemented || d.Code == diag.UnknownFunction { continue }
			if os.Getenv("ALL") == "" { 
			// must-mention check
			text := diag.Render(d, diag.Source{Text: check.Script})
			ok := true
			for _, w := range strings.Split(check.Contains, " ; ") {
				hit := false
				for _, alt := range strings.Split(w, "|") { if strings.Contains(strings.ToLower(text), strings.ToLower(strings.TrimSpace(alt))) { hit = true } }
				ok = ok && hit
			}
			if ok { continue }
			}
			fmt.Println("MENTION", c.Name, "|", check.Contains); fmt.Println(diag.Render(d, diag.Source{Text: check.Script}))
			if d.Span == (diag.Span{}) { fmt.Println("NO SPAN") }
		}
	}
}
