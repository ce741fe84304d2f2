//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"fsql/internal/diag"
)

// onTerminal runs a command line at a terminal of 80 columns. When the screen
// has shown a text the keys behind it are typed; all that was shown is returned.
func onTerminal(t *testing.T, env []string, args []string, dialogue ...string) (status int, shown string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append([]string{"FSQL_TEST_ARGS=" + strings.Join(args, "\x1f"), "TERM=xterm", "PATH=" + os.Getenv("PATH"), "GOCOVERDIR=" + os.TempDir()}, env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("NO TERMINAL IS TESTED: %v", err)
	}
	defer tty.Close()
	read := make(chan string)
	go func() {
		defer close(read)
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			if n > 0 {
				read <- string(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	late := time.After(30 * time.Second)
	for {
		select {
		case s, more := <-read:
			shown += s
			if !more {
				err := cmd.Wait()
				var e *exec.ExitError
				if errors.As(err, &e) {
					return e.ExitCode(), shown
				}
				return 0, shown
			}
		case <-late:
			_ = cmd.Process.Signal(syscall.SIGKILL)
			t.Fatalf("it does not end:\n%q", shown)
		}
		if len(dialogue) > 1 && strings.Contains(shown, dialogue[0]) {
			if _, err := tty.WriteString(dialogue[1]); err != nil {
				t.Fatal(err)
			}
			dialogue = dialogue[2:]
		}
	}
}

const steady = "CREATE TABLE t (k INT) WITH ('connector' = 'datagen', 'rows-per-second' = '50', 'fields.k.min' = '0', 'fields.k.max' = '2'); "

// Outside of the shell, at a terminal: a status line for what takes longer, a
// live table on request, and the exit statuses of both ways to leave it.
func TestAtATerminal(t *testing.T) {
	t.Parallel()
	count := steady + "SELECT k, COUNT(*) AS n FROM t GROUP BY k"
	for name, c := range map[string]struct {
		env, args, dialogue []string
		status              int
		has                 []string
		lacks               []string
	}{
		"live, left with q":       {nil, []string{"--result", "live", "-c", count}, []string{"3 rows ", "q"}, diag.ExitOK, []string{"3 rows in set", "\x1b[J"}, nil},
		"live, Ctrl-C":            {nil, []string{"--result", "live", "-c", count}, []string{"3 rows ", "\x03"}, diag.ExitInterrupt, []string{"3 rows in set"}, nil},
		"live, --limit":           {nil, []string{"--result", "live", "-c", count, "--limit", "9"}, nil, diag.ExitOK, []string{"3 rows in set", "note: ended after 9 rows (--limit)"}, nil},
		"log in colours":          {nil, []string{"-c", count, "--limit", "20"}, nil, diag.ExitOK, []string{"\x1b[32m| +U |"}, nil},
		"status line":             {nil, []string{"-c", steady + "SELECT k FROM t WHERE k > 9"}, []string{"in ", "\x03"}, diag.ExitInterrupt, []string{"out 0"}, nil},
		"no status line":          {nil, []string{"-c", steady + "SELECT k FROM t WHERE k > 9", "--no-progress", "--timeout", "700ms"}, nil, diag.ExitOK, nil, []string{"out 0"}},
		"of an INSERT":            {nil, []string{"-c", steady + "CREATE TABLE h (k INT) WITH ('connector' = 'blackhole'); INSERT INTO h SELECT k FROM t"}, []string{"out ", "\x03"}, diag.ExitInterrupt, []string{"in "}, nil},
		"NO_COLOR":                {[]string{"NO_COLOR=1"}, []string{"-c", count, "--limit", "20"}, nil, diag.ExitOK, []string{"| +U |"}, []string{"\x1b[32m"}},
		"a terminal that is dumb": {[]string{"TERM=dumb"}, []string{"-c", count, "--limit", "80"}, nil, diag.ExitOK, []string{"| +U |"}, []string{"\x1b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, shown := onTerminal(t, c.env, c.args, c.dialogue...)
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, w := range c.has {
				if !strings.Contains(shown, w) {
					t.Errorf("no %q in\n%q", w, shown)
				}
			}
			for _, w := range c.lacks {
				if strings.Contains(shown, w) {
					t.Errorf("%q in\n%q", w, shown)
				}
			}
		})
	}
}
