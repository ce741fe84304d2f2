package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"fsql/internal/output"
	"fsql/internal/shell"
	"fsql/row"
	"fsql/session"
	"fsql/sql/ast"
)

// watched gives the runner a viewer where a person watches: for the status line
// on standard error, and for --result live.
func (r *runner) watched() error {
	in, inOK := r.st.In.(*os.File)
	out, outOK := r.st.Out.(*os.File)
	errs, errOK := r.st.Err.(*os.File)
	status := r.st.ErrTTY && !r.o.quiet && !r.o.noProgress && r.o.errorFormat == "text"
	live := r.o.result == "live" && r.st.InTTY && r.st.OutTTY
	if !inOK || !outOK || !errOK || !status && !live {
		return nil
	}
	v, err := shell.NewViewer(in, out, errs)
	if err != nil {
		return err
	}
	r.viewer = v
	r.st.Out, r.st.Err = v, v.Errors()
	return nil
}

// status shows the status line until stop.
func (r *runner) status(ctx context.Context, progress func() *session.Progress, rows func() int64) (stop func()) {
	if r.viewer == nil || r.o.quiet || r.o.noProgress {
		return func() {}
	}
	return r.viewer.Status(ctx, progress, rows)
}

// arrived is the number of rows that have reached the sinks of a job.
func arrived(p *session.Progress) int64 {
	n := int64(0)
	if p != nil {
		for i := range p.Steps {
			if p.Steps[i].Sink {
				n += p.Steps[i].In
			}
		}
	}
	return n
}

// wait waits for the jobs that go on behind the script's last statement.
func (r *runner) wait(ctx context.Context) error {
	for _, j := range r.session.Jobs() {
		if !j.Done() {
			stop := r.status(ctx, j.Progress, func() int64 { return arrived(j.Progress()) })
			_ = j.Wait()
			stop()
		}
	}
	return r.session.Wait()
}

// print shows the rows of a result.
func (r *runner) print(ctx context.Context, res *session.Result, stmt ast.Statement) error {
	out := io.Writer(r.out)
	if r.printed {
		out = &parted{to: r.out}
	}
	if _, plan := stmt.(*ast.Explain); plan && r.o.format == "" {
		// A plan is text for people; as a CSV cell it would be unreadable.
		return res.Each(ctx, func(b *row.Batch) error {
			r.printed = true
			_, err := io.WriteString(out, b.Cols[0].Str[0]+"\n")
			return err
		})
	}
	opts := r.look(res)
	if r.o.result == "live" && r.viewer != nil && r.file == nil && res.Query && !res.Bounded && opts.Format == output.Table {
		r.printed = true
		return r.viewer.Live(ctx, res, func(ctx context.Context, to func(*row.Batch) error) error {
			return r.each(ctx, res, to)
		}, opts)
	}
	p := output.New(out, res.Schema, res.Kinds, opts)
	var n atomic.Int64
	stop := func() {}
	if res.Query {
		stop = r.status(ctx, res.Progress, n.Load)
	}
	err := r.each(ctx, res, func(b *row.Batch) error {
		n.Add(int64(b.Rows))
		return p.Print(b)
	})
	stop()
	switch {
	case err == nil:
		err = p.Close()
		r.printed = true
	case stopped(ctx, err):
		_ = p.Close()
		r.printed = true
	default:
		_ = output.Fail(p)
		r.printed = r.printed || n.Load() > 0
	}
	return err
}

// stopped tells that a query did not fail: somebody has ended it.
func stopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled)
}

// parted writes an empty line in front of the first text: what parts a result
// from the one before it. A result that fails without rows leaves none.
type parted struct {
	to   io.Writer
	done bool
}

func (p *parted) Write(b []byte) (int, error) {
	if !p.done && len(b) > 0 {
		p.done = true
		if _, err := io.WriteString(p.to, "\n"); err != nil {
			return 0, err
		}
	}
	return p.to.Write(b)
}

// look says how a result is printed.
func (r *runner) look(res *session.Result) output.Options {
	mode, format := r.o.choose(r.st, res.Bounded)
	opts := output.Options{
		Mode: mode, Format: format, Op: output.OpColumn(r.o.op), Zone: r.session.Zone(), MaxWidth: r.session.MaxColumnWidth(),
		NoHeader: r.o.noHeader, Color: r.o.colored(r.st),
	}
	if r.o.nullSet {
		opts.Null = &r.o.null
	}
	if !res.Query {
		opts.Mode, opts.Op = output.Final, output.OpNever
	}
	return opts
}
