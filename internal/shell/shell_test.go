//go:build unix

package shell

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

const (
	clicks = "CREATE TABLE clicks (k INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'rows-per-second' = '50', 'fields.k.min' = '0', 'fields.k.max' = '2');"
	counts = "SELECT k, COUNT(*) AS n FROM clicks GROUP BY k;"
)

func TestStatementOverSeveralLines(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 24)
	p.types("SELECT 'a\r")
	p.sees("   '> ")
	p.types("b' AS x /* and\r")
	p.sees("   *> ")
	p.types("so on */\r")
	p.sees("   -> ")
	p.types(";\r")
	p.sees("1 row in set")
	p.types("EXECUTE STATEMENT SET BEGIN\r")
	p.sees("fsql(set)> ")
	p.types("\x03")
	p.prompted()
	p.runs("SELECT 41 + 1;")
	p.sees("     42 |")
	p.types("quit\r")
	p.leaves()
}

// A script of 30 lines with tabs, pasted: nothing runs before Enter, no tab
// completes, every line arrives as it is.
func TestPaste(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 50)
	var b strings.Builder
	b.WriteString("CREATE TABLE pasted (\n")
	for i := range 24 {
		b.WriteString("\tsel" + string(rune('a'+i)) + " STRING,\t-- a\ttab\n")
	}
	b.WriteString("\tlast INT\n) WITH (\n\t'connector'\t= 'datagen',\n\t'number-of-rows' = '1'\n);\nSELECT '\tx' AS tabbed;\n")
	if n := strings.Count(b.String(), "\n"); n < 30 {
		t.Fatalf("%d lines", n)
	}
	p.pastes(b.String())
	p.sees("SELECT '    x' AS tabbed;")
	p.until("the prompt behind the paste", func() bool { return strings.HasSuffix(p.screen(), "\n   ->") })
	if strings.Contains(p.screen(), "OK") {
		t.Error("it ran before Enter")
	}
	p.types("\r")
	p.sees("1 row in set")
	p.runs("DESCRIBE pasted;")
	p.sees("25 rows in set")
	p.types("exit\r")
	p.leaves()
	if h := p.content("state/fsql/history"); !strings.Contains(h, `SELECT '\tx' AS tabbed;`) || strings.Count(h, "\n") != 4 {
		t.Errorf("history:\n%s", h)
	}
}

func TestRecallAfterRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := sit(t, dir, 80, 24)
	p.types("SELECT 7\r   + 70 AS sum_of;\r")
	p.sees("1 row in set")
	p.runs("SET 'pipeline.name' = 'x';")
	p.runs(" SELECT 'not kept';")
	p.types("\x04")
	p.leaves()
	if info, err := os.Stat(filepath.Join(dir, "state/fsql/history")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("history: %v %v", info.Mode(), err)
	}
	p = sit(t, dir, 80, 24)
	p.types("\x1b[A\x1b[A") // past the command that ended the first shell
	p.sees("SELECT 7␊   + 70 AS sum_of;")
	p.types("\r")
	p.sees("     77 |")
	p.types("\x12sum_o") // Ctrl-R
	p.sees("bck-i-search: sum_o")
	p.types("\r")
	p.until("it again", func() bool { return strings.Count(p.screen(), "     77 |") == 2 })
	p.types("\x04")
	p.leaves()
}

func TestCtrlC(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 40)
	t.Log("at the prompt, in an empty and a begun statement")
	p.types("\x03")
	p.sees("^C")
	p.types("SELECT 1\r")
	p.sees("   -> ")
	p.types("FROM nowhere\x03")
	p.prompted()
	p.runs("SELECT 41 + 1;")
	p.sees("     42 |")
	t.Log("in a query that appends")
	p.runs(clicks)
	p.types("SELECT * FROM clicks;\r")
	p.until("rows", func() bool { return strings.Count(p.screen(), "| 20") > 3 })
	p.types("\x03")
	p.sees("Query cancelled after ")
	p.prompted()
	t.Log("in a live query")
	p.types(counts + "\r")
	p.sees("q ends")
	p.types("\x03")
	p.sees("3 rows in set\nQuery cancelled after ")
	p.prompted()
	t.Log("INSERT jobs are not touched")
	p.runs("CREATE TABLE hole (k INT) WITH ('connector' = 'blackhole');")
	p.runs("INSERT INTO hole SELECT k FROM clicks;")
	p.sees("Job 1 runs in the background")
	p.types("\x03")
	p.runs(".jobs")
	p.sees("1    RUNNING")
	p.runs(".stop 1")
	p.sees("Job 1 was stopped: ")
	p.types("quit\r")
	p.leaves()
}

func TestLive(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 24)
	p.runs(clicks)
	p.types(counts + "\r")
	p.sees("q ends")
	first := p.screen()
	p.until("other numbers", func() bool { return p.screen() != first && strings.Contains(p.screen(), "q ends") })
	p.until("one table of three rows", func() bool {
		s := p.screen()
		return strings.Count(s, "+--------+--------+") == 3 && strings.Count(s, "\n|") == 4
	})
	p.types(" ")
	p.sees("paused")
	p.types(" ?")
	p.sees("space pauses")
	p.types("q")
	p.sees("3 rows in set")
	p.prompted()
	if s := p.all(); strings.Count(s, "|      k |      n |") != 1 || strings.Contains(s, "q ends") {
		t.Error("the repainted table is still there")
	}
	t.Log("on request the changes themselves")
	p.runs("SET 'sql-client.execution.result-mode' = 'changelog';")
	p.types(counts + "\r")
	p.sees("| +U |")
	p.types("\x03")
	p.prompted()
	p.types("quit\r")
	p.leaves()
}

// A narrow screen that changes its size while a table is repainted.
func TestResize(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 24)
	p.runs(clicks)
	p.types(counts + "\r")
	p.sees("q ends")
	p.mu.Lock()
	p.vt.cols = 40
	for i := range p.vt.grid {
		p.vt.grid[i] = p.vt.grid[i][:40]
	}
	p.mu.Unlock()
	if err := pty.Setsize(p.file, &pty.Winsize{Rows: 24, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	p.types("q")
	p.sees("3 rows in set")
	p.prompted()
	p.types("SELECT 'a statement of more than forty columns' AS x;")
	p.sees("ty columns' AS x;")
	p.types("\r")
	p.sees("1 row in set")
	p.types("quit\r")
	p.leaves()
}

func TestFortyColumns(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 40, 60)
	p.types(clicks + "\r")
	p.sees("OK")
	p.types("SELECT k, ts, ts AS u FROM clicks;\r")
	p.sees("-[ row 3 ]") // too wide for a table
	p.types("\x03")
	p.prompted()
	p.types("SELECT kk FROM clicks;\r")
	p.sees("error[unknown-column]")
	p.types(counts + "\r")
	p.sees("+--------+--------+")
	p.types("q")
	p.sees("3 rows in set")
	p.types(".help all\r")
	p.sees("leave (also quit, exit, Ctrl-D)")
	for _, l := range strings.Split(p.all(), "\n") {
		if len([]rune(l)) > 40 {
			t.Errorf("wider than the screen: %q", l)
		}
	}
	p.types("quit\r")
	p.leaves()
}

func TestNoColor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		env     string
		colored bool
	}{{"NO_COLOR=", true}, {"NO_COLOR=1", false}} {
		p := sit(t, dir, 80, 24, c.env)
		p.runs("SELECT nope;")
		p.sees("error[unknown-column]")
		p.runs("SELECT 1;")
		p.types("SELECT UPPER('a'), 1 -- x\x03")
		p.sees("-- x^C")
		p.types("quit\r")
		p.leaves()
		for _, style := range []string{styleKeyword, styleString, styleNumber, styleComment} {
			if p.vt.styles[style] != c.colored {
				t.Errorf("%s: highlighting %s: %v", c.env, style, p.vt.styles[style])
			}
		}
		if p.vt.colored != c.colored {
			t.Errorf("%s: colours %v", c.env, p.vt.colored)
		}
	}
}

func TestDumb(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 24, "TERM=dumb")
	p.types("SELECT 1\r")
	p.sees("   -> ")
	p.types("+ 1;\r")
	p.sees("      2 |")
	p.prompted()
	p.types("SELECT 3")
	p.sees("fsql> SELECT 3")
	p.types("\x03") // the system sends the signal
	p.until("a new prompt", func() bool { return strings.HasSuffix(p.screen(), "^C\nfsql>") })
	p.types(clicks + "\r")
	p.sees("OK")
	p.types(counts + "\r")
	p.sees("| +U |") // nothing can be repainted: the changes
	p.types("\x03")
	p.sees("Query cancelled after ")
	p.types("quit\r")
	p.leaves()
	if p.vt.colored || len(p.vt.modes) > 0 {
		t.Errorf("sequences were sent to a dumb terminal: %v", p.vt.modes)
	}
}

func TestTab(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 40)
	p.runs(clicks)
	p.types("sel\t")
	p.sees("fsql> select")
	p.types("* from cl\t")
	p.sees("fsql> select * from clicks")
	p.types("\x03")
	t.Log("several candidates are listed above the line, the line stays")
	p.types("SELECT COUNT(*) FROM clicks WHERE \t")
	p.until("the columns", func() bool { return strings.Contains(p.screen(), "\nk   ts\nfsql> SELECT COUNT(*) FROM clicks WHERE") })
	t.Log("what ended the program in the library's own completion")
	p.types("\t\t\x7f\t\t\x01\x0e\x05")
	p.types("\x03")
	p.prompted()
	p.types("CREATE TABLE t (a INT) WITH ('connector' = 'dat\t")
	p.sees("'connector' = 'datagen'")
	p.types(", 'rows\t")
	p.sees(", 'rows-per-second' = '")
	p.types("\x03SET 'sql-client.execution.result-mode' = 'ch\t")
	p.sees("= 'changelog'")
	p.types("\x03.he\t")
	p.sees("fsql> .help")
	p.types("\x03\x04")
	p.leaves()
}

func TestEditingKeys(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 24)
	p.types("LECT 1 + 1 AS x")
	p.sees("AS x")
	p.types("\x1b[1~SE")                   // Home of many terminals
	p.types("\x1b[4~;")                    // End
	p.types("\x1b[1;5D\x1b[1;5D\x1b[1;5D") // Ctrl-Left
	p.types("\x1b[3~4")                    // Delete
	p.sees("fsql> SELECT 1 + 4 AS x;")
	p.types("\r")
	p.sees("      5 |")
	p.types("a\x14b\x14\x14") // Ctrl-T on one letter puts the library's cursor out of bounds
	p.types("\x03\x1b[3~")    // Delete on an empty line is no Ctrl-D
	p.types("\x1b[99;99Z\x1b[200~\x1b[201~\x00\u0080")
	p.runs("SELECT 41 + 1;")
	p.sees("     42 |")
	p.types("\x0c") // Ctrl-L
	p.until("an empty screen", func() bool { return p.screen() == "fsql>" })
	p.types("\x12\x03\x12\x07\x13x\x7f\x03") // searches that are left
	p.runs("SELECT 42 + 1;")
	p.sees("     43 |")
	p.types("quit\r")
	p.leaves()
}

func TestQuitWithJobs(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 24)
	p.runs(clicks)
	p.runs("CREATE TABLE hole (k INT) WITH ('connector' = 'blackhole');")
	p.runs("INSERT INTO hole SELECT k FROM clicks;")
	p.runs("INSERT INTO hole SELECT k FROM clicks;")
	p.types("\x04")
	p.sees("2 jobs are running and end with the shell. Leave? [y/n]")
	p.types("n")
	p.sees("no\nfsql>")
	p.types("quit;\r")
	p.until("the question again", func() bool { return strings.Count(p.screen(), "[y/n]") == 2 })
	p.types("y")
	p.leaves()
}

func TestJobsReport(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 80, 30)
	p.runs("CREATE TABLE out1 (k INT) WITH ('connector' = 'print');")
	p.runs("INSERT INTO out1 VALUES (1), (2);")
	p.sees("Job 1 finished: 2 rows written")
	p.sees("+I[2]")
	t.Log("rows of a job in the background appear above the line being typed")
	p.runs("CREATE TABLE slow (k INT) WITH ('connector' = 'datagen', 'rows-per-second' = '4', 'fields.k.kind' = 'sequence', 'fields.k.start' = '100', 'fields.k.end' = '103');")
	p.types("INSERT INTO out1 SELECT k FROM slow;\rSELECT 'half a li")
	p.until("rows above the line", func() bool {
		return strings.Contains(p.screen(), "+I[102]") && strings.HasSuffix(p.screen(), "fsql> SELECT 'half a li")
	})
	p.sees("Job 2 finished: 4 rows written")
	p.types("ne';\r")
	p.sees("| half a line |")
	p.types("quit\r")
	p.leaves()
}

// Why nothing comes out, on the status line.
func TestWhy(t *testing.T) {
	t.Parallel()
	p := sit(t, t.TempDir(), 100, 30)
	p.runs(clicks)
	p.types("SELECT k FROM clicks WHERE k > 100;\r")
	p.sees("in ") // the status line, after half a second
	p.sees("filtered by WHERE")
	p.types("\x03")
	p.sees("Query cancelled after 0 rows")
	p.prompted()
	if strings.Contains(p.screen(), "filtered by WHERE") {
		t.Error("the status line is still there")
	}
	p.types("quit\r")
	p.leaves()
}

// Whatever ends the shell, the terminal is as it was.
func TestTerminalIsRestored(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(p *person){
		"signal": func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGTERM) },
		"panic":  func(p *person) { p.sees("fsql has failed: boom") },
		"signal in a query": func(p *person) {
			p.runs(clicks)
			p.types(counts + "\r")
			p.sees("q ends")
			_ = p.cmd.Process.Signal(syscall.SIGTERM)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var env []string
			if name == "panic" {
				env = append(env, "FSQL_TEST_PANIC=1")
			}
			p := sit(t, t.TempDir(), 80, 24, env...)
			end(p)
			select {
			case <-p.exited:
			case <-time.After(patience):
				t.Fatal("the shell does not leave")
			}
			p.restored()
		})
	}
}

// No key, in whatever state, may end the program: the library edits in a
// goroutine of its own, where nobody can recover.
func TestAnyKeys(t *testing.T) {
	t.Parallel()
	keys := strings.Split("a b SELECT ' ( ) ; , . \\ ü 漢 \t \t \r \x01 \x02 \x03 \x05 \x06 \x07 \x08 \x0b \x0e \x10 \x12 \x13 \x14 \x15 \x17 \x19 \x7f \x7f "+
		"\x1b[A \x1b[B \x1b[C \x1b[D \x1b[H \x1b[F \x1b[3~ \x1b[1;5D \x1b[1;5C \x1bb \x1bf \x1bd \x1b\x7f \x1b\x14 \x1b[200~a\tb\rc\x1b[201~ \x1b \x00 \u0091 \u2028 FROM WITH('", " ")
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 0))
		p := sit(t, t.TempDir(), 40+int(seed)*20, 24)
		for range 40 {
			var b strings.Builder
			for range 50 {
				b.WriteString(keys[random.IntN(len(keys))])
			}
			p.types(b.String())
		}
		p.types("\x03\x03\x1b\x03")
		p.until("a prompt behind all the keys", func() bool {
			p.types("\x03")
			return strings.HasSuffix(p.screen(), "fsql> ^C\nfsql>")
		})
		p.types("SELECT 41 + 1;\r")
		p.sees("     42 |")
		p.types("\x04")
		p.leaves()
	}
}
