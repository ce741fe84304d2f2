package cli

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsql/internal/diag"
)

const wrongTest = `# counts per user
exec
CREATE TABLE t (usr STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'test');

query q
SELECT window_start, usr, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE)) GROUP BY window_start, window_end, usr;

feed t
ann | 2026-03-01 10:00:00
bob | 2026-03-01 10:01:00
bob | 2026-03-01 10:06:00

# a look
changes q
----
window_start        | usr | n
2026-03-01 10:00:00 | ann | 1
2026-03-01 10:00:00 | bob | 3

silent q
`

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTestShowsWhatIsWrong(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	file := write(t, t.TempDir(), "late.ftest", wrongTest)
	status, out, errs := run(t, "", "test", file)
	if status != diag.ExitSQL || errs != "" {
		t.Errorf("status %d, %s", status, errs)
	}
	want := "--- FAIL " + file + `:15  changes q
  expected | actual (2 changes, 1 missing, 1 unexpected)
  window_start            | usr | n
- 2026-03-01 10:00:00.000 | bob | 3
+ 2026-03-01 10:00:00.000 | bob | 1
  2026-03-01 10:00:00.000 | ann | 1
  watermark t 2026-03-01 10:06:00.000   late 0
  repeat: fsql test ` + file + ` --parallelism=1
FAIL 1 of 1 file, 1 of 2 checks (`
	if !strings.HasPrefix(out, want) {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	_, out, _ = run(t, "", "test", file, "--color", "always")
	if !strings.Contains(out, "\x1b[32m- 2026") || !strings.Contains(out, "\x1b[31m+ 2026") {
		t.Errorf("no colours: %q", out)
	}
}

func TestTestStatus(t *testing.T) {
	dir := t.TempDir()
	sound := strings.Replace(wrongTest, "bob | 3", "bob | 1", 1)
	write(t, dir, "a.ftest", sound)
	write(t, dir, "b.ftest", wrongTest)
	write(t, dir, "c.ftest", sound)
	write(t, dir, "d.ftest", "fed t\n")
	for _, c := range []struct {
		args   []string
		status int
		out    string
	}{
		{[]string{filepath.Join(dir, "a.ftest")}, diag.ExitOK, "ok 1 file, 4 checks ("},
		{[]string{dir}, diag.ExitSQL, "FAIL 2 of 4 files, 1 of 10 checks ("},
		{[]string{dir, "--run", `[ac]\.ftest`, "-j", "1"}, diag.ExitSQL, "FAIL 1 of 3 files"},
		{[]string{dir, "--fail-fast"}, diag.ExitSQL, "1 of 6 checks"},
		{[]string{dir, "--list"}, diag.ExitSQL, filepath.Join(dir, "c.ftest") + "\n"},
		{[]string{filepath.Join(dir, "none.ftest")}, diag.ExitUsage, ""},
		{[]string{"--parallelism", "x", filepath.Join(dir, "a.ftest")}, diag.ExitSQL, ""},
		{[]string{"--rum", "x"}, diag.ExitUsage, ""},
		{[]string{"--run", "("}, diag.ExitUsage, ""},
	} {
		status, out, errs := run(t, "", append([]string{"test"}, c.args...)...)
		if status != c.status || !strings.Contains(out, c.out) {
			t.Errorf("%v: status %d\n%s%s", c.args, status, out, errs)
		}
	}
}

func TestTestReports(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b.ftest", wrongTest)
	report := filepath.Join(dir, "report.xml")
	_, out, _ := run(t, "", "test", dir, "--json", "--junit", report)
	var line struct {
		Status   string
		Failures []struct {
			Line int
			Diff []string
		}
	}
	if err := json.Unmarshal([]byte(out), &line); err != nil || line.Status != "fail" || line.Failures[0].Line != 15 || len(line.Failures[0].Diff) != 4 {
		t.Errorf("%v: %s", err, out)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var suites struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				Failure string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(text, &suites); err != nil || len(suites.Suites) != 1 || suites.Suites[0].Failures != 1 ||
		!strings.Contains(suites.Suites[0].Cases[0].Failure, "bob | 3") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestTestUpdate(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "x.ftest", wrongTest)
	want := strings.Replace(wrongTest, "2026-03-01 10:00:00 | ann | 1\n2026-03-01 10:00:00 | bob | 3", "2026-03-01 10:00:00.000 | ann | 1\n2026-03-01 10:00:00.000 | bob | 1", 1)
	want = strings.Replace(want, "window_start        |", "window_start            |", 1)
	status, out, errs := run(t, "", "test", "--update", "--dry-run", file)
	if got, _ := os.ReadFile(file); status != 0 || string(got) != wrongTest || !strings.Contains(out, "19: - 2026-03-01 10:00:00 | bob | 3\n19: + window_start") {
		t.Errorf("--dry-run: status %d\n%s%s", status, out, errs)
	}
	status, out, errs = run(t, "", "test", "--update", file)
	if got, _ := os.ReadFile(file); status != 0 || string(got) != want || out != "updated "+file+"\n" {
		t.Errorf("status %d\n%s%s\n%s", status, out, errs, got)
	}
	if status, out, _ := run(t, "", "test", "--update", file); status != 0 || out != "" {
		t.Errorf("a second time: %s", out)
	}
	// What comes the same way as it stands is left alone, an empty block is written.
	empty := write(t, dir, "empty.ftest", strings.Replace(wrongTest, "window_start        | usr | n\n2026-03-01 10:00:00 | ann | 1\n2026-03-01 10:00:00 | bob | 3\n", "", 1))
	if status, _, errs := run(t, "", "test", "--update", empty); status != 0 {
		t.Errorf("%d %s", status, errs)
	}
	if got, _ := os.ReadFile(empty); string(got) != want {
		t.Errorf("an empty block became\n%s", got)
	}
	for name, text := range map[string]string{
		"an exec that fails":        wrongTest + "\nexec\nSELECT x FROM t;\n",
		"an error that does not":    wrongTest + "\nexec error code=syntax\nCREATE TABLE u (a INT) WITH ('connector' = 'test');\n",
		"a silent that is not":      strings.Replace(wrongTest, "# a look", "silent q\n", 1),
		"variants that do disagree": "# fsql-test: parallelism=1,4\n" + strings.Replace(wrongTest, "usr, COUNT(*) AS n", "usr, COUNT(*) + 0 * CAST(RAND() * 1000000 AS INT) + CAST(RAND() * 1000000 AS INT) AS n", 1),
	} {
		file := write(t, dir, "refused.ftest", text)
		status, _, errs := run(t, "", "test", "--update", file)
		if got, _ := os.ReadFile(file); status != 1 || !strings.Contains(errs, "REFUSED") || string(got) != text {
			t.Errorf("%s: status %d: %s", name, status, errs)
		}
	}
}

// TestSuiteIsFast runs a team's suite: 200 small tests, each in two variants.
func TestSuiteIsFast(t *testing.T) {
	dir := t.TempDir()
	sound := strings.Replace(wrongTest, "bob | 3", "bob | 1", 1)
	for i := range 200 {
		write(t, dir, fmt.Sprintf("t%03d.ftest", i), sound)
	}
	start := time.Now()
	status, out, errs := run(t, "", "test", dir)
	took := time.Since(start)
	if status != 0 || !strings.HasPrefix(out, "ok 200 files, 800 checks") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	t.Logf("200 tests in %s", took)
	if took > 3*time.Second && !testing.Short() {
		t.Errorf("200 tests took %s, more than 3 s", took)
	}
}
