package sql
import ("testing";"os";"path/filepath";"strings";"fmt")
func TestTmpSweep(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/conformance/*/*/script.sql")
	bad, n := 0, 0
	for _, f := range files {
		b, _ := os.ReadFile(f)
		e, _ := os.ReadFile(filepath.Dir(f)+"/expected.txt")
		_, err := Parse(string(b))
		isErr := strings.HasPrefix(string(e), "mode: error")
		n++
		if err != nil && !isErr { bad++; if bad < 60 { fmt.Println(strings.TrimPrefix(f,"/work/shared/conformance/"), err) } }
		if err != nil && isErr && os.Getenv("E") != "" { fmt.Println("E", strings.TrimPrefix(f,"/work/shared/conformance/"), err) }
	}
	fmt.Println(n, "files", bad, "bad")
}
