//go:build unix

package shell

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"fsql/session"
)

// TestMain runs the shell itself when a test has started this program again as
// a child on a pseudo-terminal.
func TestMain(m *testing.M) {
	if os.Getenv("FSQL_TEST_SHELL") == "" {
		os.Exit(m.Run())
	}
	cfg := Config{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Session: session.Config{Dir: os.Getenv("FSQL_TEST_SHELL")},
		Version: "fsql test", Banner: "hello",
	}
	if os.Getenv("FSQL_TEST_PANIC") != "" {
		s, err := open(context.Background(), cfg)
		if err != nil {
			panic(err)
		}
		s.printf("fsql> ")
		done := make(chan struct{})
		s.spawn(func() { defer close(done); <-time.After(100 * time.Millisecond); panic("boom") })
		<-done
		select {}
	}
	err := Run(context.Background(), cfg)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("left")
}

// person is somebody at a terminal with a shell on it.
type person struct {
	t    *testing.T
	dir  string
	file *os.File
	cmd  *exec.Cmd

	mu     sync.Mutex
	vt     *vt
	news   chan struct{}
	exited chan error
}

const patience = 20 * time.Second // of a loaded machine

// sit starts a shell in a folder. env is added to the environment.
func sit(t *testing.T, dir string, cols, rows int, env ...string) *person {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skipf("NO SHELL IS TESTED: no pseudo-terminal: %v", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)}); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, dir: dir, file: master, vt: newVT(cols, rows), news: make(chan struct{}, 1), exited: make(chan error, 1)}
	p.cmd = exec.Command(self)
	p.cmd.Dir = dir
	p.cmd.Env = append([]string{"FSQL_TEST_SHELL=" + dir, "XDG_STATE_HOME=" + filepath.Join(dir, "state"),
		"TERM=xterm-256color", "HOME=" + dir, "PATH=" + os.Getenv("PATH"), "GOCOVERDIR=" + os.TempDir()}, env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go p.watch()
	go func() { p.exited <- p.cmd.Wait() }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = master.Close()
		_ = tty.Close()
		if t.Failed() {
			t.Logf("the screen:\n%s", p.all())
		}
	})
	p.prompted()
	return p
}

func (p *person) watch() {
	buf := make([]byte, 4096)
	for {
		n, err := p.file.Read(buf)
		p.mu.Lock()
		p.vt.write(buf[:n])
		p.mu.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (p *person) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.vt.text()
}

func (p *person) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.vt.all()
}

// until waits for something to be so.
func (p *person) until(what string, is func() bool) {
	p.t.Helper()
	late := time.After(patience)
	for !is() {
		select {
		case <-p.news:
		case <-time.After(20 * time.Millisecond):
		case <-late:
			p.t.Fatalf("waited for %s", what)
		}
	}
}

// sees waits until the screen shows a text.
func (p *person) sees(text string) {
	p.t.Helper()
	text = strings.TrimRight(text, " ")
	p.until(fmt.Sprintf("%q", text), func() bool { return strings.Contains(p.screen(), text) })
}

// prompted waits for an empty prompt on the last line.
func (p *person) prompted() {
	p.t.Helper()
	p.until("a prompt", func() bool { return strings.HasSuffix("\n"+p.screen(), "\nfsql>") })
}

func (p *person) types(keys string) {
	p.t.Helper()
	if _, err := p.file.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// runs types a line and waits for the prompt behind what it prints.
func (p *person) runs(line string) {
	p.t.Helper()
	p.types(line)
	p.sees(line[max(0, len(line)-8):])
	p.types("\r")
	p.prompted()
}

func (p *person) pastes(text string) {
	p.t.Helper()
	p.types("\x1b[200~" + strings.ReplaceAll(text, "\n", "\r") + "\x1b[201~")
}

// leaves waits for the end of the shell and looks at what it leaves behind.
func (p *person) leaves() {
	p.t.Helper()
	select {
	case err := <-p.exited:
		if err != nil {
			p.t.Fatalf("exit: %v", err)
		}
	case <-time.After(patience):
		p.t.Fatal("the shell does not leave")
	}
	p.restored()
}

func (p *person) restored() {
	p.t.Helper()
	p.until("the modes of before", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return !p.vt.modes["?2004"] && !p.vt.noWrap
	})
	p.types("echoed")
	p.sees("echoed")
}

func (p *person) content(name string) string {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}
