// Package shell is the interactive shell: it reads statements at a prompt, runs
// them in a session and shows what they give. What is peculiar to terminals and
// to the library for line editing stays in terminal.go, keys.go and chzyer.go.
package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fsql/internal/diag"
	"fsql/internal/output"
	"fsql/session"
)

// Config of a shell.
type Config struct {
	In, Out, Err *os.File
	// Session is how the session is made; Out and Err are the shell's.
	Session session.Config
	// Verbose logs what the jobs do.
	Verbose bool
	// Version is what .version prints, Banner what the shell greets with; ""
	// greets nobody.
	Version, Banner string
	// How results are shown: "" leaves it to the shell.
	Result, Format, Op string
	// Init are scripts that run first; without any it is fsqlrc of the user's
	// config folder, unless NoRC.
	Init []string
	NoRC bool
}

// Shell is a running shell.
type Shell struct {
	cfg     Config
	t       *terminal
	screen  *screen
	edit    Editor
	history *history
	session *session.Session
	metas   []meta
	base    context.Context // of jobs: it lives as long as the shell
	end     context.CancelFunc
	view    view
	dir     string // where relative paths start
	last    string // statement that ran last
	timing  bool
	goOn    bool // behind errors
	depth   int  // of scripts that run scripts

	mu        sync.Mutex
	cancel    context.CancelCauseFunc // of what runs now; nil: the prompt stands
	cancelled time.Time
	onKey     func(key byte) bool // takes keys while something runs
	leaving   atomic.Bool         // the process ends at once
	closing   atomic.Bool         // jobs are being stopped
}

// Run runs a shell until its user leaves. The terminal is given back however
// that happens.
func Run(ctx context.Context, cfg Config) error {
	s, err := open(ctx, cfg)
	if err != nil {
		return err
	}
	defer s.followSignals()()
	defer s.close()
	defer s.restoreOnPanic()
	if cfg.Banner != "" {
		s.printf("%s\n", cfg.Banner)
	}
	if err := s.begin(); err != nil {
		return err
	}
	return s.loop()
}

// open makes a shell at a terminal.
func open(ctx context.Context, cfg Config) (*Shell, error) {
	t, err := newTerminal(cfg.In, cfg.Out, cfg.Err)
	if err != nil {
		return nil, err
	}
	s := &Shell{cfg: cfg, t: t, screen: newScreen(t), metas: metas(), dir: cfg.Session.Dir}
	s.base, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.view = view{result: cfg.Result, format: cfg.Format, op: cfg.Op}
	if s.dir == "" {
		s.dir = "."
	}
	c := cfg.Session
	c.Dir, c.Out, c.Err = s.dir, notices{s.screen}, notices{s.screen}
	if c.Log == nil {
		c.Log = diag.NewLog(notices{s.screen}, slog.LevelInfo, cfg.Verbose)
	}
	if s.session, err = session.New(c); err == nil {
		err = s.openEditor()
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// close ends the jobs and gives the terminal back.
func (s *Shell) close() {
	s.closing.Store(true)
	if s.edit != nil {
		_ = s.edit.Close()
	}
	if s.session != nil {
		_ = s.session.Close()
	}
	s.end()
	_ = s.closeOutput()
	s.t.close()
}

func (s *Shell) openEditor() error {
	s.history = loadHistory(statePath("history"))
	if s.t.dumb {
		s.edit = &plainEditor{t: s.t}
	} else {
		e, err := newLineEditor(s.t)
		if err != nil {
			return err
		}
		s.edit = e
	}
	s.screen.edit = s.edit
	for _, h := range s.history.entries {
		s.edit.AddHistory(h)
	}
	c := &completer{session: s.session, metas: s.metas, dir: func() string { return s.dir }}
	s.edit.SetCompleter(c.complete)
	if s.t.color {
		s.edit.SetPainter(painter(func(name string) bool {
			return s.session.Functions().Lookup(name) != nil || s.session.Aggregates().Lookup(name) != nil
		}))
	}
	return nil
}

// loop reads and runs until the user leaves.
func (s *Shell) loop() error {
	start := ""
	for {
		s.screen.setReading(true)
		text, err := s.edit.ReadStatement(start, look)
		s.screen.setReading(false)
		start = ""
		switch {
		case errors.Is(err, errInterrupt):
			continue
		case errors.Is(err, io.EOF):
			if s.mayLeave() {
				return nil
			}
			continue
		case err != nil:
			return err
		}
		quit := false
		if cmd, above := bufferCommand(text); cmd != "" {
			start = s.buffer(cmd, above)
			if !look(start).Done {
				continue
			}
			text, start = start, ""
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		s.remember(text)
		if quit = s.input(text); quit && s.mayLeave() {
			return nil
		}
	}
}

// remember keeps what was typed, statement by statement: that is what one wants
// to have back of a pasted script.
func (s *Shell) remember(text string) {
	for _, one := range statements(text) {
		if kept := s.history.add(one); kept != "" {
			s.edit.AddHistory(kept)
		}
	}
}

// input runs what was typed: a command of the shell or statements.
func (s *Shell) input(text string) (quit bool) {
	head := strings.TrimSpace(text)
	switch bareWord(head) {
	case "QUIT", "EXIT":
		return true
	case "HELP":
		head = ".help"
	case "CLEAR":
		s.printf("\x1b[H\x1b[2J")
		return false
	}
	if isMeta(head) && !strings.Contains(head, "\n") {
		quit, _ = s.command(head)
		return quit
	}
	s.last = text
	quit, _ = s.execute(diag.Source{Text: text}, false)
	return quit
}

// mayLeave asks when jobs would end with the shell.
func (s *Shell) mayLeave() bool {
	n := 0
	for _, j := range s.session.Jobs() {
		if !j.Done() {
			n++
		}
	}
	if n == 0 || s.t.dumb {
		return true
	}
	what := "1 job is running and ends"
	if n > 1 {
		what = fmt.Sprintf("%d jobs are running and end", n)
	}
	s.printf("%s with the shell. Leave? [y/n] ", what)
	switch s.ask() {
	case 'y', 'Y', ctrlD, '\r', '\n':
		s.printf("yes\n")
		return true
	}
	s.printf("no\n")
	return false
}

// ask reads one key.
func (s *Shell) ask() byte {
	var b [1]byte
	for {
		n, err := s.t.read(b[:])
		if errors.Is(err, errWoken) {
			return ctrlC
		}
		if n == 0 || err != nil {
			return ctrlD
		}
		if b[0] != esc {
			return b[0]
		}
	}
}

// followSignals cancels what runs on an interrupt and leaves when the process
// is told to.
func (s *Shell) followSignals() (stop func()) {
	ch := make(chan os.Signal, 4)
	signal.Notify(ch, append(ending(), os.Interrupt)...)
	done := make(chan struct{})
	s.spawn(func() {
		for {
			select {
			case <-done:
				return
			case sig := <-ch:
				if sig == os.Interrupt {
					s.interrupt()
					continue
				}
				s.leave(143)
			}
		}
	})
	return func() { signal.Stop(ch); close(done) }
}

// leave ends the process at once, with the terminal given back.
func (s *Shell) leave(status int) {
	s.leaving.Store(true)
	s.screen.overlay(s.t.out, nil)
	s.t.restore()
	os.Exit(status)
}

// spawn starts a goroutine that gives the terminal back before it dies.
func (s *Shell) spawn(f func()) {
	go func() {
		defer s.restoreOnPanic()
		f()
	}()
}

func (s *Shell) restoreOnPanic() {
	if p := recover(); p != nil {
		s.t.restore()
		fmt.Fprintf(s.t.err, "\nfsql has failed: %v\n%s\n", p, debug.Stack())
		os.Exit(diag.ExitJob)
	}
}

func (s *Shell) printf(format string, args ...any) {
	fmt.Fprintf(s.screen, format, args...)
}

// fail prints an error.
func (s *Shell) fail(err error, src diag.Source) {
	s.printf("%s", s.rendered(err, src))
}

// path is a file's name as seen from where relative paths start.
func (s *Shell) path(name string) string {
	name = strings.Trim(strings.TrimSpace(name), `'"`)
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.dir, name)
}

// view is how results are shown.
type view struct {
	result   string // "", live, log, final
	format   string // "", table, csv, ndjson, line
	op       string // auto, always, never
	expanded string // "", on, off, auto (as "")
	file     *os.File
	once     bool // file is for one result
}

func formats() []string { return output.TextFormats() }

func results() []string { return []string{"auto", "live", "log", "final"} }
