package shell

import (
	"errors"
	"io"
	"os"
	"sync"

	"github.com/chzyer/readline"
)

// terminal is the terminal of the shell: its modes, its size and the bytes
// typed. It is raw for as long as the shell runs, so that nothing typed ahead
// is echoed into a result, and given back whenever something else gets it: a
// child process, the user's own shell on Ctrl-Z, the end.
type terminal struct {
	in       *os.File
	out, err *os.File
	dumb     bool // TERM=dumb, or output that is no terminal: no cursor to move
	color    bool
	errTTY   bool

	mu    sync.Mutex
	saved *readline.State // modes before ours; nil: they are in force
	typed []byte          // read and not yet taken
	wake  waker
}

// isDumb tells a terminal without sequences.
func isDumb(term string) bool { return term == "dumb" || term == "" }

// Sequences that switch something on, with their opposites.
const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
	showAll  = "\x1b[?25h\x1b[?7h\x1b[0m" // cursor, line wrap, no colour
)

func newTerminal(in, out, err *os.File) (*terminal, error) {
	t := &terminal{in: in, out: out, err: err}
	tty := readline.IsTerminal(int(out.Fd()))
	t.errTTY = readline.IsTerminal(int(err.Fd()))
	t.dumb = !tty || !readline.IsTerminal(int(in.Fd())) || isDumb(os.Getenv("TERM"))
	t.color = !t.dumb && os.Getenv("NO_COLOR") == ""
	var e error
	t.wake, e = newWaker()
	return t, e
}

// raw switches line editing by the system off. A dumb terminal keeps it.
func (t *terminal) raw() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dumb || t.saved != nil {
		return nil
	}
	s, err := readline.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return err
	}
	t.saved = s
	_, err = io.WriteString(t.out, pasteOn)
	return err
}

// restore gives the terminal back as it was found. It may be called at any
// time and more than once.
func (t *terminal) restore() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.saved == nil {
		return
	}
	_, _ = io.WriteString(t.out, pasteOff+showAll)
	_ = readline.Restore(int(t.in.Fd()), t.saved)
	t.saved = nil
}

// errWoken is the answer of read after interrupt.
var errWoken = errors.New("woken")

// read waits for bytes. interrupt ends it with errWoken.
func (t *terminal) read(p []byte) (int, error) {
	t.mu.Lock()
	if n := copy(p, t.typed); n > 0 {
		t.typed = t.typed[n:]
		t.mu.Unlock()
		return n, nil
	}
	t.mu.Unlock()
	if err := t.wake.wait(t.in); err != nil {
		return 0, err
	}
	return t.in.Read(p)
}

// unread puts bytes back, to be read first.
func (t *terminal) unread(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.typed = append(append([]byte{}, b...), t.typed...)
}

// interrupt ends the present or the next read.
func (t *terminal) interrupt() { t.wake.wake() }

// forget takes back an interrupt that met no read.
func (t *terminal) forget() { t.wake.forget() }

// width is the number of columns, 80 when the terminal does not tell.
func (t *terminal) width() int {
	for _, f := range []*os.File{t.out, t.err} {
		if w, _ := size(f); w > 0 {
			return w
		}
	}
	return 80
}

// height is the number of lines, 24 when the terminal does not tell.
func (t *terminal) height() int {
	if _, h := size(t.out); h > 0 {
		return h
	}
	return 24
}

// lend gives the terminal away while f runs.
func (t *terminal) lend(f func() error) error {
	t.restore()
	defer func() { _ = t.raw() }()
	return f()
}

func (t *terminal) close() {
	t.restore()
	t.wake.close()
}
