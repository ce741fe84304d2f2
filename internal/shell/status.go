package shell

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fsql/internal/diag"
	"fsql/session"
	"fsql/types"
)

const (
	statusAfter = 500 * time.Millisecond // work that is shorter needs no status
	statusEvery = 250 * time.Millisecond
)

// lines is the status line, at most width columns wide. What matters least is
// left out first; the reason why nothing comes is never cut, it takes more lines
// on a narrow screen.
func (w *watch) lines(p *session.Progress, now time.Time, width int) []string {
	spin := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	elapsed := now.Sub(w.start)
	head := fmt.Sprintf("%c %s", spin[int(elapsed/statusEvery)%len(spin)], seconds(elapsed))
	if p == nil {
		return []string{head}
	}
	if why := w.why(p, now); why != "" {
		return wrap(head+"  "+why, width)
	}
	parts := []string{"in " + short(w.in) + " rows", "out " + thousands(w.rows)}
	if w.rate >= 1 {
		parts[0] += " (" + short(int64(w.rate)) + "/s)"
	}
	if t, ok := eventTime(p); ok {
		clock := types.Time(now.UnixMilli())
		s := "wm " + moment(t, clock)
		const day = 86_400_000
		if d := clock - t; d > -day && d < 30*day {
			s += " (" + seconds((time.Duration(d) * time.Millisecond).Truncate(time.Second)) + " behind)"
		}
		parts = append(parts, s)
	}
	late, state := int64(0), int64(0)
	for _, s := range p.Steps {
		late, state = late+s.Late, state+s.State
	}
	if late > 0 {
		parts = append(parts, "late "+thousands(late))
	}
	if n := skipped(p); n > 0 {
		parts = append(parts, "skipped "+thousands(n))
	}
	if state > 64<<10 {
		parts = append(parts, "state "+bytesText(state))
	}
	line := head
	for _, part := range parts {
		if diag.Width(line)+2+diag.Width(part) > width {
			break
		}
		line += "  " + part
	}
	return []string{clip(line, width)}
}

// wrap breaks a text between words.
func wrap(text string, width int) []string {
	var out []string
	for diag.Width(text) > width {
		n := 0
		for i := range text {
			if text[i] == ' ' && diag.Width(text[:i]) <= width {
				n = i
			}
		}
		if n == 0 {
			return append(out, clip(text, width))
		}
		out = append(out, text[:n])
		text = strings.TrimLeft(text[n:], " ")
	}
	return append(out, text)
}

// eventTime is the event time of the slowest source that has any.
func eventTime(p *session.Progress) (types.Time, bool) {
	t := types.MaxTime
	for _, s := range p.Steps {
		if s.Source && s.Timed {
			t = min(t, s.OutTime)
		}
	}
	return t, t != types.MaxTime && t != types.MinTime
}

// status shows the status line until the context is done.
func (s *Shell) status(ctx context.Context, progress func() *session.Progress, rows func() int64) (stop func()) {
	if s.t.dumb || !s.t.errTTY {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	w := newWatch(time.Now())
	if p := progress(); p != nil {
		w.rateIn = readSoFar(p) // of a job that has run for a while
	}
	s.spawn(func() {
		defer close(done)
		defer s.screen.overlay(s.t.err, nil)
		timer := time.NewTicker(statusEvery)
		defer timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-timer.C:
				p := progress()
				if p != nil {
					w.see(p, rows(), now)
				}
				if now.Sub(w.start) >= statusAfter {
					s.screen.overlay(s.t.err, s.dim(w.lines(p, now, s.t.width()-1)))
				}
			}
		}
	})
	return func() { cancel(); <-done }
}

func (s *Shell) dim(lines []string) []string {
	if s.t.color {
		for i, l := range lines {
			lines[i] = "\x1b[2m" + l + "\x1b[0m"
		}
	}
	return lines
}
