package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/internal/diag"
)

func TestCheckShowsEveryError(t *testing.T) {
	const script = `CREATE TABLE t (a INTT, b STRING) WITH ('connector'='datagen');
CREATE TABLE ok (a INT, b STRING) WITH ('connector'='datagen');
SELECT * FROM t; -- follows from the first error
SELECT ctiy FROM ok;
SELECT b + FROM ok;
INSERT INTO nope SELECT * FROM ok;
CREATE TABLE c2 WITH ('connector'='blackhole') AS SELECT a, b FROM ok;
INSERT INTO c2 SELECT a, b FROM ok;
SELECT b FROM ok;
`
	status, out, errs := run(t, script, "check", "-")
	if status != diag.ExitSQL || out != "" {
		t.Errorf("status %d, output %q", status, out)
	}
	for _, want := range []string{"stdin:1:", "stdin:4:8", "stdin:5:", "stdin:6:", "4 errors in 1 of 1 script\n"} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q is missing in\n%s", want, errs)
		}
	}
	if n := strings.Count(errs, "error["); n != 4 {
		t.Errorf("%d errors:\n%s", n, errs)
	}
}

func TestCheckOfSoundScriptsIsSilent(t *testing.T) {
	for _, script := range []string{"../../examples/flights.sql", "../../examples/earthquakes.sql"} {
		if status, out, errs := run(t, "", "check", script); status != 0 || out+errs != "" {
			t.Errorf("%s: status %d: %s%s", script, status, out, errs)
		}
	}
	if status, _, errs := run(t, "", "check"); status != diag.ExitUsage || !strings.Contains(errs, "no script") {
		t.Errorf("without files: status %d: %s", status, errs)
	}
	if status, _, errs := run(t, "SELECT '${x}';", "check", "-", "y=1"); status != diag.ExitUsage || !strings.Contains(errs, "${x}") {
		t.Errorf("variables: status %d: %s", status, errs)
	}
}

func TestFmt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.sql")
	const before, after = "select a,b -- why\nfrom t;", "SELECT a, b -- why\nFROM t;\n"
	put := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(before)
	if status, out, errs := run(t, "", "fmt", file); status != 0 || out != after {
		t.Errorf("status %d, printed %q %s", status, out, errs)
	}
	if status, out, _ := run(t, "", "fmt", "--check", file); status != 1 || out != file+"\n" {
		t.Errorf("--check: status %d, printed %q", status, out)
	}
	if status, out, errs := run(t, "", "fmt", "--write", file); status != 0 || out+errs != "" {
		t.Errorf("--write: status %d: %s%s", status, out, errs)
	}
	if got, _ := os.ReadFile(file); string(got) != after {
		t.Errorf("--write: %q", got)
	}
	if status, out, _ := run(t, "", "fmt", "--check", file); status != 0 || out != "" {
		t.Errorf("--check of a file that is laid out: status %d, printed %q", status, out)
	}
	if status, out, _ := run(t, before, "fmt"); status != 0 || out != after {
		t.Errorf("standard input: status %d, printed %q", status, out)
	}
	put("select from where;")
	status, _, errs := run(t, "", "fmt", "--write", file)
	if got, _ := os.ReadFile(file); status != 1 || !strings.Contains(errs, "error[") || string(got) != "select from where;" {
		t.Errorf("a script that does not parse: status %d: %s; now %q", status, errs, got)
	}
}
