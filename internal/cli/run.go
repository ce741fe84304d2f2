package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"fsql/internal/diag"
	"fsql/internal/shell"
	"fsql/internal/value"
	"fsql/session"
	"fsql/sql"
	"fsql/sql/ast"
	"fsql/types"
)

// runFiles runs scripts one after another in one session.
func runFiles(ctx context.Context, st Streams, o *options, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	list, err := within(ctx, grace, func() ([]script, error) { return scripts(st, o, args) })
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return runShell(ctx, st, o)
	}
	return runList(ctx, st, o, list, false)
}

// runList runs scripts, or explains them.
func runList(ctx context.Context, st Streams, o *options, list []script, explain bool) error {
	r, err := newRunner(st, o)
	if err != nil {
		return err
	}
	r.explain = explain
	_, err = within(ctx, grace, func() (struct{}, error) { return struct{}{}, r.scripts(ctx, list) })
	return err
}

// grace is how long an interrupted run may take to end by itself.
const grace = 3 * time.Second

// within runs f. What is stuck for longer than grace after ctx is done (in a
// pipe that nobody writes to, on a disk that does not answer) is left behind: it
// ends with the process.
func within[T any](ctx context.Context, grace time.Duration, f func() (T, error)) (T, error) {
	type outcome struct {
		v   T
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		v, err := f()
		done <- outcome{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
	}
	wait := time.NewTimer(grace)
	defer wait.Stop()
	select {
	case r := <-done:
		return r.v, r.err
	case <-wait.C:
		var none T
		return none, interrupted()
	}
}

// scripts runs scripts to the end of the jobs they started.
func (r *runner) scripts(ctx context.Context, list []script) error {
	for _, s := range list {
		if err := r.script(ctx, s); err != nil {
			_ = r.close(ctx, true)
			return err
		}
	}
	return r.close(ctx, false)
}

// interrupted is how a run ends that Ctrl-C stopped.
func interrupted() error {
	return reported{diag.New(diag.Cancelled, diag.Span{}, "interrupted")}
}

// explainFiles runs the DDL of scripts and shows the plan of everything else.
func explainFiles(ctx context.Context, st Streams, o *options, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	list, err := within(ctx, grace, func() ([]script, error) { return scripts(st, o, args) })
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return diag.New(diag.Usage, diag.Span{}, "no script to explain").WithHint("write fsql explain script.sql; - is standard input")
	}
	return runList(ctx, st, o, list, true)
}

// runner runs statements and prints what they give.
type runner struct {
	st      Streams
	o       *options
	out     io.Writer
	viewer  *shell.Viewer // nil: nobody watches
	until   types.Time
	file    *os.File // of --output
	session *session.Session
	explain bool
	printed bool // something was printed: the next result needs an empty line
	first   error
	last    diag.Source // of the script that started the running jobs
}

func newRunner(st Streams, o *options) (*runner, error) {
	settings, err := pairs("--set", o.settings)
	if err != nil {
		return nil, err
	}
	r := &runner{st: st, o: o, until: types.MaxTime}
	if o.until != "" {
		ms, _, ok := value.ParseTimestamp(strings.TrimSuffix(strings.Replace(o.until, "T", " ", 1), "Z"))
		if !ok {
			return nil, diag.New(diag.Usage, diag.Span{}, "--until-watermark takes a time, not '%s'", o.until).
				WithHint("write it as 2026-03-01 10:00:00; it is UTC")
		}
		r.until = types.Time(ms)
	}
	if err := r.watched(); err != nil {
		return nil, err
	}
	st = r.st
	r.out = &stream{to: st.Out}
	if o.output != "" {
		if r.file, err = os.Create(o.output); err != nil {
			return nil, &diag.Error{Code: diag.InputOutput, Msg: "the output file '" + o.output + "' cannot be written", Cause: err}
		}
		r.out = &stream{to: r.file}
	}
	level := slog.LevelInfo
	if o.quiet {
		level = slog.LevelWarn
	}
	r.session, err = session.New(session.Config{
		Out: r.out, Err: st.Err, Settings: settings,
		Log: diag.NewLog(st.Err, level, o.verbose),
	})
	return r, err
}

// script runs the statements of one script in order. A bounded INSERT is
// awaited before the next statement; an endless one keeps running beside the
// following ones.
func (r *runner) script(ctx context.Context, s script) error {
	r.session.SetDir(s.dir)
	r.session.SetScript(s.path)
	r.last = s.src
	in := sql.NewReader(s.src.Text)
	for {
		stmt, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		began := time.Now()
		if err == nil {
			var quit bool
			quit, err = r.statement(ctx, stmt)
			if quit {
				return nil
			}
		}
		if r.o.time {
			fmt.Fprintf(r.st.Err, "Time: %.3f s\n", time.Since(began).Seconds())
		}
		if err == nil {
			continue
		}
		if stopped(ctx, err) {
			// Ctrl-C is the usual end of an endless query: nothing to report.
			return interrupted()
		}
		if broken(err) {
			return err
		}
		printError(r.st, r.o, err, s.src)
		if !r.o.keepGoing {
			return reported{err}
		}
		if r.first == nil {
			r.first = reported{err}
		}
	}
}

// statement runs one statement and prints its rows.
func (r *runner) statement(ctx context.Context, stmt ast.Statement) (quit bool, err error) {
	if r.explain {
		switch stmt.(type) {
		case *ast.QueryStatement, *ast.Insert, *ast.StatementSet:
			stmt = &ast.Explain{At: ast.At{Pos: stmt.Span()}, Statement: stmt}
		}
	}
	res, err := r.session.Execute(ctx, stmt)
	if err != nil {
		return false, err
	}
	switch {
	case res.Quit:
		return true, nil
	case res.Job != nil && res.Bounded:
		defer r.status(ctx, res.Job.Progress, func() int64 { return arrived(res.Job.Progress()) })()
		if err := res.Job.Wait(); err != nil {
			return false, err
		}
		r.dropped(res.Job.Progress())
	case res.Schema != nil:
		if err := r.print(ctx, res, stmt); err != nil {
			return false, err
		}
		r.dropped(res.Progress())
	}
	return false, nil
}

// close ends the session: after a failure or an interrupt running jobs are
// cancelled, else they are awaited.
func (r *runner) close(ctx context.Context, cancel bool) error {
	var err error
	if cancel {
		err = r.session.Close()
	} else if err = r.wait(ctx); ctx.Err() != nil {
		err = interrupted()
	} else if err != nil && !broken(err) {
		printError(r.st, r.o, err, diag.Source{})
		err = reported{err}
	}
	if r.first != nil {
		err = r.first
	}
	if r.o.stats {
		r.session.WriteStats(r.st.Err)
	}
	if r.viewer != nil {
		r.viewer.Close()
	}
	if r.file != nil {
		if closeErr := r.file.Close(); err == nil {
			err = closeErr
		}
	}
	return err
}
