package shell

import (
	"context"
	"errors"
	"os"

	"fsql/internal/output"
	"fsql/row"
	"fsql/session"
)

// Viewer shows what a script does while it runs outside of the shell: the
// status line, and results that are repainted in place.
type Viewer struct{ s *Shell }

// NewViewer returns a viewer at the streams of a process. What is printed to
// out while it is used must go through Write.
func NewViewer(in, out, err *os.File) (*Viewer, error) {
	t, e := newTerminal(in, out, err)
	if e != nil {
		return nil, e
	}
	// The status line needs nothing but the error stream.
	t.dumb = isDumb(os.Getenv("TERM"))
	t.color = t.color || t.errTTY && !t.dumb && os.Getenv("NO_COLOR") == ""
	return &Viewer{s: &Shell{t: t, screen: newScreen(t), base: context.Background()}}, nil
}

// Write prints to out, without the status line in between.
func (v *Viewer) Write(p []byte) (int, error) { return v.s.screen.Write(p) }

// Errors is the error stream, without the status line in between.
func (v *Viewer) Errors() *Notes { return &Notes{v.s.screen} }

// Notes prints to the error stream.
type Notes struct{ screen *screen }

func (n *Notes) Write(p []byte) (int, error) {
	n.screen.mu.Lock()
	defer n.screen.mu.Unlock()
	n.screen.erase()
	return n.screen.t.err.Write(p)
}

// Width is the number of columns of the screen.
func (v *Viewer) Width() int { return v.s.t.width() }

// Status shows the status line until stop. rows is what has come out.
func (v *Viewer) Status(ctx context.Context, progress func() *session.Progress, rows func() int64) (stop func()) {
	return v.s.status(ctx, progress, rows)
}

// Live shows the table that a query describes while it changes, until its input
// ends, q or Ctrl-C; the last state stays as an ordinary table.
// each runs the query; nothing but Ctrl-C makes an error of it.
func (v *Viewer) Live(ctx context.Context, res *session.Result, each func(context.Context, func(*row.Batch) error) error, o output.Options) error {
	if err := v.s.t.raw(); err != nil {
		return err
	}
	defer v.s.t.restore()
	o.Width, o.Blocks = v.s.t.width(), true
	err := v.s.running(func(own context.Context) error {
		own, cancel := context.WithCancelCause(own)
		defer cancel(nil)
		defer context.AfterFunc(ctx, func() { cancel(errCancelled) })()
		return v.s.showLive(own, res, each, o)
	})
	switch {
	case errors.Is(err, errLeft):
		return nil
	case errors.Is(err, errCancelled):
		return context.Canceled
	}
	return err
}

// Close gives the terminal back.
func (v *Viewer) Close() {
	v.s.screen.overlay(v.s.t.err, nil)
	v.s.t.close()
}
