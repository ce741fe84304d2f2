//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The keys of the live view.
func TestLiveKeys(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 24)
	p.runs(clicks)
	p.types(counts + "\r")
	p.sees("3 rows  ")
	p.types("ss\r") // the second row, in full
	p.sees("row 2, any key closes it")
	p.sees("k | ")
	p.types("x")
	p.sees("q ends")
	p.types("/nowhere\x7f")
	p.sees("filter: nowher_")
	p.types("\r")
	p.sees("0 of 3 rows with 'nowher'")
	p.types("/\r") // none
	p.until("all rows", func() bool { return !strings.Contains(p.screen(), "nowher") })
	p.types("++")
	p.sees("painted every 1s")
	p.types("--\x1b[B\x1b[A") // arrows are no Esc
	p.sees("3 rows  ")
	p.types("g9")
	p.sees("page: 9_")
	p.types("\x1b") // leaves the question
	p.sees("q ends")
	p.types("c")
	p.sees("| +U |")
	p.sees("| op |           k |                    n |")
	p.types("q")
	p.sees("Query cancelled after ")
	p.prompted()
	p.types(counts + "\r")
	p.sees("q ends")
	p.types("\x1b") // Esc ends, as in Flink's client
	p.sees("3 rows in set\nQuery cancelled after ")
	p.prompted()
	t.Log("a table that is wider than the screen")
	p.types("SELECT k, MAX(ts) AS c1, MAX(ts) AS c2, MAX(ts) AS c3, MAX(ts) AS c4, MAX(ts) AS c5, MAX(ts) AS c6 FROM clicks GROUP BY k;\r")
	p.sees("columns 1-5 of 7 (a d)")
	p.types("dd")
	p.sees("columns 3-7 of 7 (a d)")
	p.types("q")
	p.prompted()
	p.types("quit\r")
	p.leaves()
}

// Ctrl-C in the states that TestCtrlC has not.
func TestCtrlCElsewhere(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 30)
	p.runs(clicks)
	p.runs("CREATE TABLE hole (k INT) WITH ('connector' = 'blackhole');")
	t.Log("while an INSERT that ends is waited for")
	p.runs("CREATE TABLE slow (k INT) WITH ('connector' = 'datagen', 'rows-per-second' = '1', 'number-of-rows' = '60');")
	p.types("INSERT INTO hole SELECT k FROM slow; SELECT 'behind it';\r")
	p.sees("in ") // the status line
	p.types("\x03")
	p.sees("Job 1 runs in the background")
	p.prompted()
	t.Log("following a job, watching, searching, at a question")
	p.types(".attach 1\r")
	p.sees("in ")
	p.types("\x03")
	p.sees("Job 1 goes on in the background")
	p.prompted()
	p.runs("SELECT 7 * 6;")
	p.types(".watch 60\r")
	p.sees("(every 60s)")
	p.types("\x03")
	p.prompted()
	p.types("\x12SEL\x03")
	p.prompted()
	p.types("\x04")
	p.sees("Leave? [y/n]")
	p.types("\x03")
	p.sees("no\nfsql>")
	t.Log("Ctrl-Z gives the terminal back and the shell goes on")
	p.types("\x1aSELECT 41 + 1;")
	p.sees("fsql> SELECT 41 + 1;")
	p.types("\r")
	p.until("the result", func() bool { return strings.Count(p.screen(), "     42 |") > 1 })
	p.runs(".stop 1")
	p.sees("Job 1 was stopped")
	p.types("quit\r")
	p.leaves()
}

// fsqlrc runs before the first prompt, with commands of the shell among its
// statements; what is saved is there after a restart.
func TestInitAndSaved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "config")
	if err := os.MkdirAll(filepath.Join(config, "fsql"), 0o700); err != nil {
		t.Fatal(err)
	}
	rc := "-- mine\n.mode csv\nCREATE VIEW two AS\n  SELECT 1 + 1 AS a;\n.timer on\nSELECT\n  nope;\nSELECT 'never' AS here;\n"
	if err := os.WriteFile(filepath.Join(config, "fsql", "fsqlrc"), []byte(rc), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sit(t, dir, 80, 30, "XDG_CONFIG_HOME="+config)
	p.sees("fsqlrc:7:3") // the place of the error is its place in the file
	if strings.Contains(p.screen(), "never") {
		t.Error("fsqlrc went on behind an error")
	}
	p.runs("SELECT a FROM two;")
	p.sees("a\n2\nTime: ")
	p.runs(".save pair")
	p.sees("Saved. .run pair runs it again.")
	p.runs(".save ../pair")
	p.sees("'../pair' is no name")
	p.types("quit\r")
	p.leaves()
	p = sit(t, dir, 80, 30, "XDG_CONFIG_HOME="+config)
	p.runs(".run")
	p.sees("pair")
	p.types(".run pa\t\r")
	p.sees("SELECT a FROM two;\na\n2")
	p.prompted()
	p.runs(".run pairs")
	p.sees("did you mean pair?")
	p.types("quit\r")
	p.leaves()
}

// Why nothing comes out: an open window, and who holds its event time.
func TestWhyWindow(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 30)
	p.runs(strings.Replace(clicks, "TABLE clicks", "TABLE slowly", 1))
	p.types("SELECT window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE slowly, DESCRIPTOR(ts), INTERVAL '10' DAY)) GROUP BY window_start, window_end;\r")
	p.sees(" still open: watermark ")
	p.sees("held by")
	p.types("\x03")
	p.sees("Query cancelled after 0 rows")
	p.types("quit\r")
	p.leaves()
}
