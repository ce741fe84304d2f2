package shell

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"

	"fsql/internal/output"
	"fsql/row"
	"fsql/session"
	"fsql/sql/ast"
)

// show runs a query and prints its rows: a bounded one as a table at the end,
// an endless one live - repainted in place when its rows change, line by line
// when they do not.
func (s *Shell) show(ctx context.Context, res *session.Result, stmt ast.Statement, expanded bool) error {
	if _, plan := stmt.(*ast.Explain); plan && s.view.format == "" {
		return res.Each(ctx, func(b *row.Batch) error {
			s.printf("%s\n", strings.TrimRight(b.Cols[0].Str[0], "\n"))
			return nil
		})
	}
	o := s.options(res, expanded)
	if s.view.file == nil && !s.t.dumb && s.result() == "live" && res.Query && !res.Bounded && o.Format == output.Table && res.Kinds != row.InsertOnly {
		return s.showLive(ctx, res, res.Each, o)
	}
	to := &cancelWriter{ctx: ctx, to: s.screen}
	if f := s.view.file; f != nil {
		to.to = f
	}
	p := output.New(to, res.Schema, res.Kinds, o)
	var n atomic.Int64
	stop := func() {}
	if res.Query {
		stop = s.status(ctx, res.Progress, n.Load)
	}
	err := res.Each(ctx, func(b *row.Batch) error {
		n.Add(int64(b.Rows))
		return p.Print(b)
	})
	stop()
	to.ctx = context.Background()
	switch {
	case err == nil:
		err = p.Close()
	case cancelled(ctx, err):
		_ = output.Cut(p)
	default:
		_ = output.Fail(p)
	}
	if s.view.file != nil && s.view.once {
		if e := s.closeOutput(); err == nil {
			err = e
		}
	}
	if cancelled(ctx, err) {
		s.printf("Query cancelled after %s\n", received(n.Load(), res.Kinds))
	}
	return err
}

func cancelled(ctx context.Context, err error) bool {
	return err != nil && errors.Is(context.Cause(ctx), errCancelled)
}

// cancelWriter stops printing when Ctrl-C was pressed.
type cancelWriter struct {
	ctx context.Context
	to  io.Writer
}

func (w *cancelWriter) Write(p []byte) (int, error) {
	if err := context.Cause(w.ctx); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}

// result is how endless results are shown: the shell's own setting, else the
// one of Flink's client.
func (s *Shell) result() string {
	if s.view.result != "" {
		return s.view.result
	}
	switch mode, _ := s.session.Setting("sql-client.execution.result-mode"); strings.ToLower(mode) {
	case "changelog", "tableau":
		return "log"
	}
	return "live"
}

// options says how a result is printed.
func (s *Shell) options(res *session.Result, expanded bool) output.Options {
	o := output.Options{Mode: output.Log, Format: output.Table, Op: output.OpAuto, Zone: s.session.Zone(), MaxWidth: s.session.MaxColumnWidth()}
	if s.view.op != "" {
		o.Op = output.OpColumn(s.view.op)
	}
	if r := s.result(); res.Bounded && r != "log" || r == "final" {
		o.Mode = output.Final
	}
	if !res.Query {
		o.Mode, o.Op = output.Final, output.OpNever
	}
	switch {
	case s.view.format != "":
		o.Format = output.Format(s.view.format)
	case s.view.file != nil && o.Mode == output.Final:
		o.Format = output.CSV
	case s.view.file != nil:
		o.Format = output.NDJSON
	}
	if o.Format != output.Table || s.view.file != nil {
		return o
	}
	if !s.t.dumb {
		o.Width = s.t.width()
	}
	o.Blocks = s.view.expanded != "off"
	if expanded || s.view.expanded == "on" {
		o.Format = output.Line
	}
	return o
}
