package cli

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fsql/internal/diag"
)

// TestMain runs a command line when a test has started this program again as a
// child on a pseudo-terminal.
func TestMain(m *testing.M) {
	if args := os.Getenv("FSQL_TEST_ARGS"); args != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		status := Main(ctx, strings.Split(args, "\x1f"), Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, InTTY: true, OutTTY: true, ErrTTY: true})
		stop()
		os.Exit(status)
	}
	goleak.VerifyTestMain(m)
}

// run runs a command line and returns status, output and messages.
func run(t *testing.T, stdin string, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = Main(context.Background(), args, Streams{In: strings.NewReader(stdin), Out: &o, Err: &e})
	return status, o.String(), e.String()
}

func TestExitStatus(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(bad, []byte("1\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table := "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = '" + bad + "', 'format' = 'csv');"
	for name, c := range map[string]struct {
		args   []string
		status int
		code   string
		words  []string // of the message
	}{
		"fine":             {[]string{"-c", "SELECT 1"}, diag.ExitOK, "", nil},
		"syntax":           {[]string{"-c", "SELCT 1"}, diag.ExitSQL, "syntax", []string{"SELCT", "SELECT"}},
		"unknown table":    {[]string{"-c", "SELECT * FROM nope"}, diag.ExitSQL, "unknown-table", []string{"nope"}},
		"unknown flag":     {[]string{"--fromat", "csv"}, diag.ExitUsage, "usage", []string{"--format"}},
		"bad choice":       {[]string{"--format", "xml", "-c", "SELECT 1"}, diag.ExitUsage, "usage", []string{"csv", "table", "ndjson", "arrow"}},
		"no script":        {[]string{filepath.Join(dir, "none.sql")}, diag.ExitIO, "no-such-file", []string{"none.sql"}},
		"bad row":          {[]string{"-c", table + "SELECT * FROM t"}, diag.ExitJob, "bad-row", []string{"bad.csv", "line 2", "'a'", "two", "ignore-parse-errors"}},
		"missing path":     {[]string{"-c", "CREATE TABLE t (a INT) WITH ('connector'='filesystem','path'='" + dir + "/bed.csv','format'='csv'); SELECT * FROM t"}, diag.ExitIO, "no-such-file", []string{"bed.csv", "bad.csv"}},
		"misspelt option":  {[]string{"-c", strings.Replace(table, "'format'", "'csv.field-delimeter' = ';', 'format'", 1) + "SELECT * FROM t"}, diag.ExitSQL, "unknown-option", []string{"csv.field-delimiter"}},
		"misspelt setting": {[]string{"-c", "SET 'parallelism.defualt' = '2'"}, diag.ExitSQL, "unknown-option", []string{"parallelism.default"}},
		"wrong watermark":  {[]string{"-c", "CREATE TABLE t (a INT, WATERMARK FOR a AS a) WITH ('connector' = 'datagen')"}, diag.ExitSQL, "bad-watermark", []string{"TIMESTAMP"}},
		"division":         {[]string{"-c", "SELECT a / (a - a) FROM (VALUES (1)) AS t(a)"}, diag.ExitJob, "division-by-zero", nil},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, errs := run(t, "", c.args...)
			if status != c.status {
				t.Errorf("status %d, want %d: %s", status, c.status, errs)
			}
			if c.code != "" && !strings.Contains(errs, "error["+c.code+"]") {
				t.Errorf("no error[%s]: %s", c.code, errs)
			}
			for _, w := range c.words {
				if !strings.Contains(errs, w) {
					t.Errorf("message lacks %q: %s", w, errs)
				}
			}
		})
	}
}

func TestResults(t *testing.T) {
	const groups = "SELECT k, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a')) AS t(k) GROUP BY k"
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"final csv":       {[]string{"-c", groups}, "k,n\nb,1\na,2\n"},
		"log csv":         {[]string{"-c", groups, "--result", "log", "--csv"}, "op,k,n\n+I,a,1\n+I,b,1\n-U,a,1\n+U,a,2\n"},
		"log without op":  {[]string{"-c", groups, "--result", "log", "--csv", "--op", "never"}, "k,n\na,1\nb,1\na,2\n"},
		"ndjson":          {[]string{"-c", groups, "--result", "log", "--ndjson"}, "{\"op\":\"+I\",\"row\":{\"k\":\"a\",\"n\":1}}\n{\"op\":\"+I\",\"row\":{\"k\":\"b\",\"n\":1}}\n{\"op\":\"-U\",\"row\":{\"k\":\"a\",\"n\":1}}\n{\"op\":\"+U\",\"row\":{\"k\":\"a\",\"n\":2}}\n"},
		"append ndjson":   {[]string{"-c", "SELECT 1 AS a, 'x\"y' AS b, CAST(NULL AS INT) AS c", "--ndjson"}, "{\"a\":1,\"b\":\"x\\\"y\",\"c\":null}\n"},
		"nulls and texts": {[]string{"-c", "SELECT CAST(NULL AS STRING) AS a, '' AS b, 'NULL' AS c, ' x' AS d, 'p,q' AS e"}, "a,b,c,d,e\nNULL,\"\",\"NULL\",\" x\",\"p,q\"\n"},
		"two results":     {[]string{"-c", "SELECT 1 AS a; SELECT 2 AS b"}, "a\n1\n\nb\n2\n"},
		"table":           {[]string{"-c", "SELECT 7 AS a, 'x' AS name", "--table"}, "+--------+--------+\n|      a |   name |\n+--------+--------+\n|      7 |      x |\n+--------+--------+\n1 row in set\n"},
		"log table":       {[]string{"-c", "SELECT 7 AS a", "--table", "--result", "log", "--op", "always"}, "+----+-------------+\n| op |           a |\n+----+-------------+\n| +I |           7 |\n+----+-------------+\nReceived a total of 1 row\n"},
		"empty":           {[]string{"-c", "SELECT a FROM (VALUES (1)) AS t(a) WHERE a > 1"}, "a\n"},
		"limit":           {[]string{"-c", groups, "--result", "log", "--csv", "--limit", "2"}, "op,k,n\n+I,a,1\n+I,b,1\n"},
		"variables":       {[]string{"-c", "SELECT ${n} AS a", "-v", "n=5"}, "a\n5\n"},
		"stdin":           {nil, "a\n3\n"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := run(t, "SELECT 3 AS a", c.args...)
			if status != 0 || out != c.want {
				t.Errorf("status %d\n%s%s\nwant\n%s", status, out, errs, c.want)
			}
		})
	}
}

// TestKeepGoing runs on after a failed statement and ends with its status.
func TestKeepGoing(t *testing.T) {
	script := "SELECT 1 AS a; SELECT nope; SELECT 2 AS b"
	status, out, errs := run(t, "", "-c", script)
	if status != diag.ExitSQL || out != "a\n1\n" {
		t.Errorf("status %d, output %q", status, out)
	}
	if !strings.Contains(errs, "unknown-column") {
		t.Errorf("message %q", errs)
	}
	status, out, _ = run(t, "", "-c", script, "--keep-going")
	if status != diag.ExitSQL || out != "a\n1\n\nb\n2\n" {
		t.Errorf("keep going: status %d, output %q", status, out)
	}
}

// TestErrorsAsJSON is the form for programs.
func TestErrorsAsJSON(t *testing.T) {
	_, _, errs := run(t, "", "-c", "SELECT nope FROM (VALUES (1)) AS t(nape)", "--error-format", "json")
	for _, w := range []string{`"code":"unknown-column"`, `"line":1`, `"col":8`, `"endCol":11`} {
		if !strings.Contains(errs, w) {
			t.Errorf("%s lacks %s", errs, w)
		}
	}
}

// TestInsertThenRead awaits a bounded INSERT before the next statement; paths
// start at the script's folder.
func TestInsertThenRead(t *testing.T) {
	dir := t.TempDir()
	script := `CREATE TABLE o (k STRING, n INT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'json');
INSERT INTO o VALUES ('a', 1), ('b', CAST(NULL AS INT));
SELECT * FROM o;`
	file := filepath.Join(dir, "s.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs := run(t, "", "-f", file)
	if status != 0 || out != "k,n\na,1\nb,NULL\n" {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "out", "part-*")); len(names) != 1 {
		t.Errorf("files %v", names)
	}
}

// TestCancel stops an endless query within 200 ms of Ctrl-C; what was printed
// are complete lines.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var out, errs bytes.Buffer
	stopped := make(chan time.Duration, 1)
	go func() {
		time.Sleep(100 * time.Millisecond)
		cancel()
		stopped <- time.Duration(time.Now().UnixNano())
	}()
	sql := "CREATE TABLE g (a BIGINT, b STRING) WITH ('connector' = 'datagen', 'rows-per-second' = '100000'); SELECT b, COUNT(*) FROM g GROUP BY b"
	status := Main(ctx, []string{"-c", sql}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	took := time.Duration(time.Now().UnixNano()) - <-stopped
	if status != diag.ExitInterrupt {
		t.Errorf("status %d: %s", status, errs.String())
	}
	if took > 2*time.Second { // the promise is 200 ms; a busy machine gets more
		t.Errorf("it took %v to stop", took)
	}
	if s := out.String(); s == "" || !strings.HasSuffix(s, "}\n") {
		t.Errorf("output ends with %q", s[max(0, len(s)-40):])
	}
}

// TestExplain shows plans of a script without running it.
func TestExplain(t *testing.T) {
	status, out, errs := run(t, "CREATE TABLE g (a BIGINT, b STRING) WITH ('connector' = 'datagen'); SELECT b, COUNT(*) FROM g GROUP BY b", "explain", "-D", "parallelism.default=4")
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, w := range []string{"GroupAggregate", "hash", "g"} {
		if !strings.Contains(out, w) {
			t.Errorf("plan lacks %s:\n%s", w, out)
		}
	}
}

func TestVersion(t *testing.T) {
	status, out, _ := run(t, "", "version", "--json")
	if status != 0 || !strings.Contains(out, `"flink":"2.3.0"`) {
		t.Errorf("status %d: %s", status, out)
	}
}

// TestVariablesWithoutValue: a variable in the SQL itself is asked for by name
// and place. In a text it may be meant for another reader while no variable has
// a value.
func TestVariablesWithoutValue(t *testing.T) {
	status, _, errs := run(t, "SELECT '${a}', -- ${b}\n ${c};")
	if status != diag.ExitUsage || !strings.Contains(errs, "${c}") || !strings.Contains(errs, "stdin:2:2") || !strings.Contains(errs, "-v c=") {
		t.Errorf("status %d: %s", status, errs)
	}
	if status, out, errs := run(t, "SELECT '${a}' AS a /* ${b} */"); status != 0 || out != "a\n${a}\n" {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

// TestFailedQueries: a query that fails prints nothing that passes for its
// result; rows that were printed before stay.
func TestFailedQueries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.csv")
	table := "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = '" + file + "', 'format' = 'csv');"
	for name, c := range map[string]struct{ data, query, want string }{
		"no row":  {"x\n", "SELECT a FROM t", ""},
		"a group": {"1\nx\n", "SELECT COUNT(*) AS n FROM t GROUP BY a", ""},
	} {
		if err := os.WriteFile(file, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"csv", "tsv", "table", "box", "markdown", "json", "ndjson", "line"} {
			status, out, _ := run(t, table+c.query, "--format", format, "--result", "final")
			if status != diag.ExitJob || out != c.want {
				t.Errorf("%s, %s: status %d, %q", name, format, status, out)
			}
		}
	}
	if err := os.WriteFile(file, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"csv", "table", "box", "json"} {
		if _, out, _ := run(t, "SELECT 1 AS one;"+table+"SELECT a FROM t", "--format", format, "--result", "log"); strings.Contains(out, "a") && format == "csv" || strings.HasSuffix(out, "\n\n") || strings.Contains(out, "total of 0") {
			t.Errorf("%s: %q", format, out)
		}
	}
	if _, out, _ := run(t, table+"SELECT a FROM t", "--keep-going"); out != "" {
		t.Errorf("%q", out)
	}
}

// TestPartitionsLeftOut: EXPLAIN shows by what condition files are left out, and
// those of other partitions are not read.
func TestPartitionsLeftOut(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"d=1/f": "7\n", "d=2/f": "broken\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := "CREATE TABLE t (a INT, d INT) PARTITIONED BY (d) WITH ('connector' = 'filesystem', 'path' = '" + dir + "', 'format' = 'csv');"
	if status, out, errs := run(t, table+"SELECT a FROM t WHERE d < 2 AND a > 0"); status != 0 || out != "a\n7\n" {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if _, out, _ := run(t, table+"EXPLAIN SELECT a FROM t WHERE d < 2 AND a > 0"); !strings.Contains(out, "partitions=[(d < 2)]") || !strings.Contains(out, "prune-partitions") {
		t.Errorf("%s", out)
	}
	if status, _, errs := run(t, table+"SELECT a FROM t WHERE d < 2 UNION ALL SELECT d FROM t"); status != diag.ExitJob {
		t.Errorf("a table that is read whole as well: status %d: %s", status, errs)
	}
}
