//go:build unix

package shell

import (
	"errors"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// watched tells that keys can be read beside a running query: a read can be
// ended by somebody else.
const watched = true

// waker ends a wait for input. It is a pipe that is waited for together with
// the terminal: a read of a terminal cannot be ended otherwise.
type waker struct{ r, w *os.File }

func newWaker() (waker, error) {
	r, w, err := os.Pipe()
	return waker{r, w}, err
}

func (k waker) wake() { _, _ = k.w.Write([]byte{0}) }

func (k waker) forget() {
	for k.ready(k.r, 0) {
		_, _ = k.r.Read(make([]byte, 64))
	}
}

// wait returns nil when in has bytes or has ended, errWoken after wake.
func (k waker) wait(in *os.File) error {
	for {
		var set unix.FdSet
		set.Zero()
		a, b := int(in.Fd()), int(k.r.Fd())
		set.Set(a)
		set.Set(b)
		if _, err := unix.Select(max(a, b)+1, &set, nil, nil, nil); err != nil {
			if errors.Is(err, unix.EINTR) {
				continue
			}
			return err
		}
		if set.IsSet(b) {
			_, _ = k.r.Read(make([]byte, 64))
			return errWoken
		}
		return nil
	}
}

func (k waker) ready(f *os.File, wait time.Duration) bool {
	var set unix.FdSet
	set.Zero()
	set.Set(int(f.Fd()))
	tv := unix.NsecToTimeval(int64(wait))
	n, err := unix.Select(int(f.Fd())+1, &set, nil, nil, &tv)
	return err == nil && n > 0
}

func (k waker) close() {
	_ = k.r.Close()
	_ = k.w.Close()
}

// size asks a terminal for its columns and lines.
func size(f *os.File) (cols, rows int) {
	ws, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(ws.Col), int(ws.Row)
}

// onResize calls f when the size of the terminal changes, until stop.
func onResize(f func()) (stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, unix.SIGWINCH)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-ch:
				f()
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(ch); close(done) }
}

// suspend stops the process group, as the terminal itself does on Ctrl-Z, and
// returns when it goes on.
func (t *terminal) suspend() {
	t.restore()
	cont := make(chan os.Signal, 1)
	signal.Notify(cont, unix.SIGCONT)
	defer signal.Stop(cont)
	if unix.Kill(0, unix.SIGTSTP) == nil {
		// Where nobody could continue it the system does not stop the process:
		// then there is nothing to wait for.
		select {
		case <-cont:
		case <-time.After(200 * time.Millisecond):
		}
	}
	_ = t.raw()
}

// ending are the signals that ask the process to leave.
func ending() []os.Signal { return []os.Signal{unix.SIGTERM, unix.SIGHUP} }
