package shell

import (
	"context"
	"sync"
	"time"

	"fsql/internal/output"
	"fsql/row"
	"fsql/session"
)

const (
	repaint = 100 * time.Millisecond // at most 10 times a second
	keep    = 1000                   // rows of a live table that stay on the screen
)

// eachRow runs a query and hands over its batches.
type eachRow = func(ctx context.Context, to func(*row.Batch) error) error

// showLive shows the table that an updating query describes while it changes,
// until Ctrl-C or q; the last state stays as an ordinary table.
func (s *Shell) showLive(ctx context.Context, res *session.Result, each eachRow, o output.Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	live := output.NewLive(res.Schema, o)
	v := &liveView{shell: s, live: live, watch: newWatch(time.Now()), news: true, selected: -1, quit: func() { cancel(errLeft) }}
	v.log = func() output.Printer {
		o.Mode, o.Width, o.Color = output.Log, s.t.width(), s.t.color
		return output.New(&cancelWriter{ctx: ctx, to: s.screen}, res.Schema, res.Kinds, o)
	}
	defer s.takeKeys(func(b byte) bool {
		if ctx.Err() != nil {
			return false // typed behind the key that ended it: for the prompt
		}
		v.key(b)
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
	err := each(ctx, v.add)
	close(done)
	<-painted
	s.screen.overlay(s.t.out, nil)
	if err != nil && !cancelled(ctx, err) {
		return err
	}
	v.mu.Lock()
	printer := v.printer
	v.mu.Unlock()
	if printer != nil {
		if e := output.Cut(printer); e != nil && !cancelled(ctx, e) {
			return e
		}
	} else {
		o.Width = s.t.width()
		if e := live.Print(s.screen, keep); e != nil {
			return e
		}
	}
	if err != nil {
		s.printf("Query cancelled after %s\n", received(live.Changes(), res.Kinds))
		return context.Cause(ctx)
	}
	return nil
}

// liveView is what is on the screen while a live table is shown.
type liveView struct {
	shell *Shell
	quit  func()
	log   func() output.Printer // of the changes, when they are wanted

	mu       sync.Mutex
	live     *output.Live
	watch    *watch
	printer  output.Printer // takes the changes; nil: the table is shown
	news     bool
	drawn    time.Time // when it was drawn last
	every    int       // index of intervals
	pause    bool
	skip     int // rows above the screen
	selected int // row; -1: none
	column   int // the first one shown
	columns  [2]int
	page     int // rows on the screen
	filter   string
	open     bool // the selected row is shown in full
	help     bool
	ask      byte // '/' or 'g': what is being typed
	typed    []byte
	esc      int       // bytes of an escape sequence seen
	escAt    time.Time // when it began
}

// intervals between two paintings, as the keys + and - choose them.
func intervals() []time.Duration {
	return []time.Duration{repaint, 500 * time.Millisecond, time.Second, 5 * time.Second, 10 * time.Second, time.Minute, 1<<63 - 1}
}

// add takes a batch of the query.
func (v *liveView) add(b *row.Batch) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.live.Add(b)
	v.news = true
	if v.printer != nil {
		return v.printer.Print(b)
	}
	return nil
}

// showLog goes over to printing every change, below the table as it is.
func (v *liveView) showLog() {
	v.shell.screen.overlay(v.shell.t.out, nil)
	_ = v.live.Print(v.shell.screen, keep)
	v.printer = v.log()
}

// paint draws the table and the line below it.
func (v *liveView) paint(p *session.Progress, now time.Time) {
	t := v.shell.t
	width, height := t.width(), t.height()
	v.mu.Lock()
	if p != nil {
		v.watch.see(p, v.live.Changes(), now)
	}
	if v.esc == 1 && now.Sub(v.escAt) > repaint {
		v.quit() // nothing followed: it was the key itself
	}
	// The highlight of a changed cell goes out a second after the change, and
	// the line below counts on.
	due := v.news && !v.pause && now.Sub(v.drawn) >= intervals()[v.every]
	if v.printer != nil || !due && now.Sub(v.drawn) < statusEvery {
		v.mu.Unlock()
		return
	}
	v.news = v.news && !due
	v.drawn = now
	var lines []string
	foot := v.foot(p, now, width-1)
	room := max(1, height-1-len(foot))
	switch {
	case v.open:
		lines = v.row(room, width-1)
	case v.live.Rows() > 0:
		v.page = max(1, room-4)
		lines, v.columns = v.live.Frame(output.View{
			Height: room, Width: width - 1, Skip: v.skip, Selected: v.selected, Column: v.column, Filter: v.filter, Now: now, Color: t.color,
		})
	}
	v.mu.Unlock()
	v.shell.screen.overlay(t.out, append(lines, v.shell.dim(foot)...))
}

// row is the selected row in full.
func (v *liveView) row(height, width int) []string {
	var lines []string
	for _, l := range v.live.Row(v.filter, max(0, v.selected)) {
		lines = append(lines, wrap(l, width)...)
	}
	return lines[:min(len(lines), height)]
}
