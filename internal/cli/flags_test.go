package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/internal/diag"
)

// --help fits a screen of 24 lines and 80 columns and names --help-all, which
// has every flag.
func TestHelpFitsAScreen(t *testing.T) {
	_, out, _ := run(t, "", "--help")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) > 24 || !strings.Contains(out, "--help-all") {
		t.Errorf("%d lines:\n%s", len(lines), out)
	}
	for _, l := range lines {
		if len(l) > 80 {
			t.Errorf("too wide: %s", l)
		}
	}
	_, all, _ := run(t, "", "--help-all")
	for _, flag := range []string{"--until-watermark", "--idle-timeout", "--no-rc", "--null", "--no-header", "--color", "--quiet", "--time", "--debezium"} {
		if !strings.Contains(all, flag) {
			t.Errorf("--help-all lacks %s", flag)
		}
	}
}

const unending = "CREATE TABLE t (n INT, ts AS TIMESTAMP '2026-03-01 10:00:00' + n * INTERVAL '1' SECOND, WATERMARK FOR ts AS ts) " +
	"WITH ('connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '1000000000'); "

// The flags that end an endless query: status 0 and a note on standard error.
func TestEndsOfEndlessQueries(t *testing.T) {
	quiet := strings.Replace(unending, "'datagen'", "'datagen', 'rows-per-second' = '1'", 1)
	for name, c := range map[string]struct {
		sql  string
		args []string
		rows int // -1: some
		note string
	}{
		"limit":        {unending + "SELECT n FROM t", []string{"--limit", "5"}, 5, "note: ended after 5 rows (--limit)"},
		"timeout":      {unending + "SELECT n FROM t WHERE n < 0", []string{"--timeout", "50ms"}, 0, "note: ended after 0 rows (--timeout)"},
		"idle timeout": {quiet + "SELECT n FROM t WHERE n < 0", []string{"--idle-timeout", "50ms"}, 0, "note: ended after 0 rows (--idle-timeout)"},
		"watermark":    {unending + "SELECT n, ts FROM t", []string{"--until-watermark", "2026-03-01T10:00:09Z"}, 10, "event time has reached 2026-03-01T10:00:09Z"},
		"windows": {unending + "SELECT window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end",
			[]string{"--until-watermark", "2026-03-01 10:00:30"}, 3, "event time has reached"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := run(t, "", append([]string{"-c", c.sql, "--csv", "--no-header", "--op", "never", "-D", "pipeline.auto-watermark-interval=0 ms"}, c.args...)...)
			if n := strings.Count(out, "\n"); status != diag.ExitOK || n != c.rows || !strings.Contains(errs, c.note) {
				t.Errorf("status %d, %d rows\n%s%s", status, n, out, errs)
			}
			if _, _, errs = run(t, "", append([]string{"-q", "-c", c.sql, "--csv"}, c.args...)...); errs != "" {
				t.Errorf("not quiet: %s", errs)
			}
		})
	}
	if status, _, errs := run(t, "", "-c", "SELECT 1", "--until-watermark", "soon"); status != diag.ExitUsage || !strings.Contains(errs, "'soon'") {
		t.Errorf("%d %s", status, errs)
	}
}

func TestOtherFlags(t *testing.T) {
	dir := t.TempDir()
	init := filepath.Join(dir, "init.sql")
	if err := os.WriteFile(init, []byte("CREATE TEMPORARY VIEW v AS SELECT 'x' AS a, CAST(NULL AS INT) AS b;"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"init file":      {[]string{"-i", init, "-c", "SELECT * FROM v"}, "a,b\nx,NULL\n"},
		"null text":      {[]string{"-i", init, "-c", "SELECT * FROM v", "--null", ""}, "a,b\nx,\n"},
		"no header":      {[]string{"-i", init, "-c", "SELECT * FROM v", "--no-header"}, "x,NULL\n"},
		"header=false":   {[]string{"-i", init, "-c", "SELECT * FROM v", "--header=false"}, "x,NULL\n"},
		"-e beside -c":   {[]string{"-i", init, "-c", "SELECT a FROM v", "-e", "SELECT b FROM v", "-c", "SELECT 1 AS c"}, "a\nx\n\nb\nNULL\n\nc\n1\n"},
		"tsv":            {[]string{"-c", "SELECT 'a\tb\\' AS x, CAST(NULL AS INT) AS n", "--tsv"}, "x\tn\na\\tb\\\\\t\\N\n"},
		"json":           {[]string{"-c", "SELECT * FROM (VALUES (1), (2)) AS t(a)", "--json"}, "[{\"a\":1},\n {\"a\":2}]\n"},
		"empty json":     {[]string{"-c", "SELECT * FROM (VALUES (1)) AS t(a) WHERE a > 1", "--json"}, "[]\n"},
		"debezium":       {[]string{"-c", "SELECT COUNT(*) AS n FROM (VALUES (1), (2)) AS t(a)", "--debezium", "--result", "log"}, "{\"before\":null,\"after\":{\"n\":1},\"op\":\"c\"}\n{\"before\":{\"n\":1},\"after\":null,\"op\":\"d\"}\n{\"before\":null,\"after\":{\"n\":2},\"op\":\"c\"}\n"},
		"markdown":       {[]string{"-c", "SELECT 'a|b' AS x, 1 AS n", "--markdown"}, "| x | n |\n|----|---:|\n| a\\|b | 1 |\n"},
		"box":            {[]string{"-c", "SELECT 'abcdef' AS x, 1 AS n", "--box"}, "┌────────┬────────┐\n│ x      │      n │\n├────────┼────────┤\n│ abcdef │      1 │\n└────────┴────────┘\n"},
		"colours":        {[]string{"-c", "SELECT COUNT(*) AS n FROM (VALUES (1), (2)) AS t(a)", "--table", "--result", "log", "--color", "always"}, "+----+----------------------+\n| op |                    n |\n+----+----------------------+\n| +I |                    1 |\n\x1b[2m| -U |                    1 |\x1b[0m\n\x1b[32m| +U |                    2 |\x1b[0m\n+----+----------------------+\nReceived a total of 3 rows\n"},
		"version --json": {[]string{"version", "--json"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := run(t, "", c.args...)
			if status != diag.ExitOK || errs != "" || c.want != "" && out != c.want {
				t.Errorf("status %d\n got %q\nwant %q\n%s", status, out, c.want, errs)
			}
		})
	}
	if _, _, errs := run(t, "", "-c", "SELECT 1; SELECT 2", "--time"); strings.Count(errs, "Time: ") != 2 {
		t.Errorf("--time: %s", errs)
	}
	if status, _, errs := run(t, "", "test", "--engine", "flink", dir); status != diag.ExitUsage || !strings.Contains(errs, "FSQL_FLINK_ENDPOINT") {
		t.Errorf("%d %s", status, errs)
	}
}

// --stats has Flink's names.
func TestStatsNames(t *testing.T) {
	_, _, errs := run(t, "", "--stats", "-c", unending+"SELECT window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end",
		"--limit", "2")
	for _, name := range []string{"numRecordsIn ", "numRecordsOut ", "numLateRecordsDropped 0", "currentInputWatermark ", "currentOutputWatermark ", "watermarkLatency ",
		"busyTimeMsPerSecond ", "backPressuredTimeMsPerSecond ", "idleTimeMsPerSecond "} {
		if !strings.Contains(errs, name) {
			t.Errorf("no %s in\n%s", name, errs)
		}
	}
}

// Cells of a table show control characters and do not send them to the terminal;
// csv is data and keeps them.
func TestCellsAreNotObeyed(t *testing.T) {
	const query = "SELECT U&'a\\001B[2Jb' AS s"
	for _, format := range []string{"table", "box", "line"} {
		if _, out, _ := run(t, "", "-c", query, "--format", format); strings.Contains(out, "\x1b") || !strings.Contains(out, "a\uFFFD[2Jb") {
			t.Errorf("%s: %q", format, out)
		}
	}
	if _, out, _ := run(t, "", "-c", query, "--csv"); !strings.Contains(out, "a\x1b[2Jb") {
		t.Errorf("csv: %q", out)
	}
}

// fsql help shows what --help does; a word that is nearly a command names it.
func TestHelpAndMistypedCommands(t *testing.T) {
	for _, c := range [][2]string{{"help", "--help"}, {"help check", "check --help"}, {"help explain", "--help"}} {
		_, want, _ := run(t, "", strings.Fields(c[1])...)
		if _, out, _ := run(t, "", strings.Fields(c[0])...); out != want {
			t.Errorf("%s:\n%s", c[0], out)
		}
	}
	if status, _, errs := run(t, "", "explian", "x.sql"); status != diag.ExitIO || !strings.Contains(errs, "did you mean the command fsql explain?") {
		t.Errorf("status %d: %s", status, errs)
	}
}
