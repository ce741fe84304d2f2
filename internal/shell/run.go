package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"fsql/internal/diag"
	"fsql/session"
	"fsql/sql"
	"fsql/sql/ast"
)

// errCancelled is why the context of something that ran was cancelled: its user
// wanted so.
var errCancelled = errors.New("cancelled")

// errLeft is why it was when the key for leaving a view was pressed.
var errLeft = fmt.Errorf("left: %w", errCancelled)

// execute runs the statements of a text in order until one fails; with .bail
// off it goes on behind errors. ok tells that none failed.
func (s *Shell) execute(src diag.Source, expanded bool) (quit, ok bool) {
	ok = true
	text, end := terminator(src.Text)
	if end == `\G` || end == `\gx` {
		expanded = true
	}
	in := sql.NewReader(text)
	stmt, err := in.Next()
	for !errors.Is(err, io.EOF) {
		if err != nil {
			s.fail(err, src)
			if ok = false; !s.goOn {
				return false, false
			}
			stmt, err = in.Next()
			continue
		}
		next, nextErr := in.Next()
		began := time.Now()
		quit, err = s.statement(stmt, src, expanded, !errors.Is(nextErr, io.EOF))
		switch {
		case errors.Is(err, errCancelled):
			return false, false
		case err != nil:
			s.fail(err, src)
			if ok = false; !s.goOn {
				return false, false
			}
		case quit:
			return true, ok
		case s.timing:
			s.printf("Time: %.3f s\n", time.Since(began).Seconds())
		}
		stmt, err = next, nextErr
	}
	return false, ok
}

// statement runs one statement. more tells that others of the same text follow
// it.
func (s *Shell) statement(stmt ast.Statement, src diag.Source, expanded, more bool) (quit bool, err error) {
	if c, ok := stmt.(*ast.ClientCommand); ok {
		switch c.Word {
		case "HELP":
			s.command(".help")
		case "CLEAR":
			s.printf("\x1b[H\x1b[2J")
		default:
			return true, nil
		}
		return false, nil
	}
	err = s.running(func(ctx context.Context) error {
		res, err := s.session.Execute(s.base, stmt)
		switch {
		case err != nil:
			return err
		case res.Job != nil:
			return s.started(ctx, res.Job, src, more)
		case res.Schema != nil:
			return s.show(ctx, res, stmt, expanded)
		}
		quit = res.Quit
		if !quit {
			s.printf("OK\n")
		}
		return nil
	})
	return quit, err
}

// running does something that takes time: Ctrl-C cancels its context, and a
// second Ctrl-C soon after, when it does not end, leaves the shell. Keys typed
// meanwhile are kept for the prompt.
func (s *Shell) running(f func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(s.base)
	defer cancel(nil)
	s.mu.Lock()
	s.cancel, s.cancelled = cancel, time.Time{}
	s.mu.Unlock()
	stop := s.watchKeys()
	err := f(ctx)
	s.mu.Lock()
	s.cancel = nil
	s.mu.Unlock()
	stop()
	if errors.Is(context.Cause(ctx), errCancelled) && (err == nil || errors.Is(err, context.Canceled) || errors.Is(err, errCancelled)) {
		return errCancelled
	}
	return err
}

// interrupt is Ctrl-C.
func (s *Shell) interrupt() {
	const patience = 2 * time.Second
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing.Load():
		s.leave(diag.ExitInterrupt)
	case s.cancel == nil:
		if s.t.dumb {
			s.t.interrupt() // the line being typed
		}
	case s.cancelled.IsZero() || time.Since(s.cancelled) > patience:
		s.cancelled = time.Now()
		s.cancel(errCancelled)
	default:
		s.leave(diag.ExitInterrupt)
	}
}

// watchKeys reads keys while something runs.
func (s *Shell) watchKeys() (stop func()) {
	if s.t.dumb || !watched {
		return func() {}
	}
	done := make(chan struct{})
	var held []byte
	s.spawn(func() {
		defer close(done)
		buf := make([]byte, 256)
		for {
			n, err := s.t.read(buf)
			if err != nil || n == 0 {
				return
			}
			for _, b := range buf[:n] {
				switch b {
				case ctrlC:
					held = nil
					s.interrupt()
				case ctrlZ:
					s.screen.overlay(s.t.out, nil)
					s.t.suspend()
				default:
					if !s.key(b) {
						held = append(held, b)
					}
				}
			}
		}
	})
	return func() {
		s.t.interrupt()
		<-done
		s.t.forget()
		s.t.unread(held)
	}
}

// key gives a key to whoever wants keys now.
func (s *Shell) key(b byte) bool {
	s.mu.Lock()
	f := s.onKey
	s.mu.Unlock()
	return f != nil && f(b)
}

// takeKeys gives all keys to f until stop.
func (s *Shell) takeKeys(f func(byte) bool) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onKey = f
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.onKey = nil
	}
}

// started tells what an INSERT does. One that ends soon is waited for; so is a
// bounded one that other statements of the same text follow, as in a script.
// Others go on in the background.
func (s *Shell) started(ctx context.Context, j *session.Job, src diag.Source, more bool) error {
	const soon = 250 * time.Millisecond
	ended := make(chan struct{})
	s.spawn(func() { defer close(ended); _ = j.Wait() })
	var late <-chan time.Time
	if !more || !j.Bounded {
		late = time.After(soon)
	} else {
		stop := s.status(ctx, j.Progress, func() int64 { return written(j) })
		defer stop()
	}
	select {
	case <-ended:
		s.screen.overlay(s.t.err, nil)
		if err := j.Wait(); err != nil && !j.Cancelled() {
			return err
		}
		s.printf("%s\n", endLine(j))
		return nil
	case <-late:
	case <-ctx.Done():
	}
	s.printf("Job %s runs in the background: %s\n", jobNumber(j), jobTarget(j))
	s.spawn(func() {
		<-ended
		if s.leaving.Load() {
			return
		}
		n := notices{s.screen}
		if err := j.Wait(); err != nil && !j.Cancelled() {
			_, _ = io.WriteString(n, "Job "+jobNumber(j)+" failed\n"+s.rendered(err, src))
			return
		}
		_, _ = io.WriteString(n, endLine(j)+"\n")
	})
	return context.Cause(ctx)
}
