package shell

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fsql/internal/diag"
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
		return s.showLive(ctx, res, o)
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
	if err == nil {
		err = p.Close()
	} else if cancelled(ctx, err) {
		_ = output.Cut(p)
	}
	if s.view.file != nil && s.view.once {
		if e := s.closeOutput(); err == nil {
			err = e
		}
	}
	if cancelled(ctx, err) {
		s.printf("Query cancelled after %s\n", rows(n.Load()))
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

const (
	repaint = 100 * time.Millisecond // at most 10 times a second
	keep    = 1000                   // rows of a live table that stay on the screen
)

// showLive shows the table that an updating query describes while it changes,
// until Ctrl-C or q; the last state stays as an ordinary table.
func (s *Shell) showLive(ctx context.Context, res *session.Result, o output.Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	live := output.NewLive(res.Schema, o)
	v := &liveView{shell: s, live: live, watch: newWatch(time.Now()), news: true}
	defer s.takeKeys(func(b byte) bool {
		v.key(b, func() { cancel(errCancelled) })
		return true
	})()
	done := make(chan struct{})
	painted := make(chan struct{})
	s.spawn(func() {
		defer close(painted)
		tick := time.NewTicker(repaint)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				v.paint(res.Progress(), now)
			}
		}
	})
	err := res.Each(ctx, func(b *row.Batch) error {
		v.mu.Lock()
		defer v.mu.Unlock()
		live.Add(b)
		v.news = true
		return nil
	})
	close(done)
	<-painted
	s.screen.overlay(s.t.out, nil)
	if err != nil && !cancelled(ctx, err) {
		return err
	}
	o.Width = s.t.width()
	if e := live.Print(s.screen, keep); e != nil {
		return e
	}
	if err != nil {
		s.printf("Query cancelled after %s\n", rows(live.Changes()))
		return errCancelled
	}
	return nil
}

// liveView is what is on the screen while a live table is shown.
type liveView struct {
	shell *Shell
	mu    sync.Mutex
	live  *output.Live
	watch *watch
	news  bool
	drawn time.Time // when news was drawn last
	pause bool
	skip  int
	help  bool
	esc   int // bytes of an escape sequence seen
}

// key handles a key.
func (v *liveView) key(b byte, quit func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.esc == 1 && (b == '[' || b == 'O') {
		v.esc = 2
		return
	}
	if v.esc == 2 {
		if b >= 0x40 && b <= 0x7e {
			v.esc = 0
			switch b {
			case 'A':
				v.scroll(-1)
			case 'B':
				v.scroll(1)
			}
		}
		return
	}
	v.esc = 0
	page := max(1, v.shell.t.height()-6)
	switch b {
	case 'q', 'Q', ctrlD:
		quit()
	case ' ':
		v.pause = !v.pause
	case 'n':
		v.scroll(page)
	case 'p':
		v.scroll(-page)
	case 's':
		v.scroll(1)
	case 'w':
		v.scroll(-1)
	case '?', 'h':
		v.help = !v.help
	case esc:
		v.esc = 1
	}
	v.news = true
}

func (v *liveView) scroll(by int) {
	v.skip = max(0, min(v.skip+by, int(v.live.Rows())-1))
	v.news = true
}

// paint draws the table and the line below it.
func (v *liveView) paint(p *session.Progress, now time.Time) {
	t := v.shell.t
	width, height := t.width(), t.height()
	v.mu.Lock()
	if p != nil {
		v.watch.see(p, v.live.Changes(), now)
	}
	// The highlight of a changed cell goes out a second after the change, and
	// the line below counts on.
	fresh := v.news && !v.pause
	if !fresh && now.Sub(v.drawn) < statusEvery {
		v.mu.Unlock()
		return
	}
	v.news = v.news && v.pause
	v.drawn = now
	var lines []string
	foot := v.foot(p, now, width-1)
	if v.live.Rows() > 0 {
		lines = v.live.Frame(height-1-len(foot), width, v.skip, now, t.color)
	}
	v.mu.Unlock()
	v.shell.screen.overlay(t.out, append(lines, v.shell.dim(foot)...))
}

func (v *liveView) foot(p *session.Progress, now time.Time, width int) []string {
	if v.help {
		return wrap("q or Ctrl-C ends, space pauses, n p w s or arrows move, ? hides this", width)
	}
	head := rows(v.live.Rows())
	if v.skip > 0 {
		head += " from " + thousands(int64(v.skip)+1)
	}
	if v.pause {
		return wrap(head+"  paused, space goes on", width)
	}
	const tail = "  q ends, ? helps"
	if p != nil && v.watch.why(p, now) != "" {
		return append([]string{clip(head+tail, width)}, v.watch.lines(p, now, width)...)
	}
	line := v.watch.lines(p, now, max(10, width-diag.Width(head)-2-len(tail)))[0]
	if diag.Width(head)+2+diag.Width(line)+len(tail) > width {
		return []string{clip(head+"  "+line, width)}
	}
	return []string{head + "  " + line + tail}
}
