package shell

import (
	"fmt"
	"strings"
	"time"

	"fsql/internal/value"
	"fsql/session"
	"fsql/types"
	"fsql/window"
)

// quiet is how long nothing may come before the status line says why.
const quiet = 5 * time.Second

// watch follows the progress of a job to tell what it does and, when nothing
// comes out, why.
type watch struct {
	start    time.Time
	rows, in int64
	lastOut  time.Time // when rows came out last
	lastIn   time.Time // when rows came in last
	rate     float64   // rows in per second, lately
	rateAt   time.Time
	rateIn   int64
}

func newWatch(now time.Time) *watch {
	return &watch{start: now, lastOut: now, lastIn: now, rateAt: now}
}

// see takes what there is now. rows is what came out.
func (w *watch) see(p *session.Progress, rows int64, now time.Time) {
	if rows != w.rows {
		w.rows, w.lastOut = rows, now
	}
	in := readSoFar(p)
	if in != w.in {
		w.in, w.lastIn = in, now
	}
	if d := now.Sub(w.rateAt); d >= time.Second {
		w.rate = float64(in-w.rateIn) / d.Seconds()
		w.rateAt, w.rateIn = now, in
	}
}

// readSoFar is the number of rows that the sources have given.
func readSoFar(p *session.Progress) int64 {
	in := int64(0)
	for i := range p.Steps {
		if p.Steps[i].Source {
			in += p.Steps[i].In
		}
	}
	return in
}

// why says in words why nothing comes out; "" when something does, or when
// there is nothing to say.
func (w *watch) why(p *session.Progress, now time.Time) string {
	if now.Sub(w.lastOut) < quiet {
		return ""
	}
	var idle string
	if w.in > 0 && now.Sub(w.lastIn) >= quiet {
		idle = "no input for " + seconds(now.Sub(w.lastIn).Truncate(time.Second))
	}
	if w.in == 0 {
		return "no input yet from " + sources(p, func(s *session.Step) bool { return true })
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		switch {
		case s.Filter && s.In > 0 && s.Out == 0:
			return join(fmt.Sprintf("no rows yet: %s read, %s filtered by WHERE", thousands(w.in), thousands(s.In)), idle)
		case s.Window != nil && s.In > 0 && s.Late == s.In:
			return join("every row came late: "+thousands(s.Late)+" dropped", idle)
		case s.Window != nil && s.In > 0:
			return join(openWindow(p, s, now), idle)
		}
	}
	if idle != "" {
		return idle
	}
	if n := skipped(p); n == w.in {
		return thousands(n) + " rows could not be read"
	}
	return ""
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + "; " + b
}

func skipped(p *session.Progress) int64 {
	n := int64(0)
	for _, s := range p.Steps {
		n += s.Errors
	}
	return n
}

// sources are the names of the sources that pass.
func sources(p *session.Progress, keep func(*session.Step) bool) string {
	var names []string
	for i := range p.Steps {
		if s := &p.Steps[i]; s.Source && keep(s) {
			names = append(names, lastPart(s.Name))
		}
	}
	return strings.Join(names, ", ")
}

// lastPart is a table's name without its catalog and database.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// openWindow says which window is open and which source holds event time back.
func openWindow(p *session.Progress, s *session.Step, now time.Time) string {
	slowest := types.MaxTime
	for i := range p.Steps {
		if src := &p.Steps[i]; src.Source && src.Timed {
			slowest = min(slowest, src.OutTime)
		}
	}
	by := sources(p, func(src *session.Step) bool { return src.Timed && src.OutTime == slowest })
	if s.Time == types.MinTime {
		return "windows are open: no watermark yet from " + by
	}
	local, clock := int64(s.Time), types.Time(now.UnixMilli())
	if s.Window.Zone != "" {
		if z, err := value.LoadZone(s.Window.Zone); err == nil {
			local, clock = z.Local(local), types.Time(z.Local(int64(clock)))
		}
	}
	held := fmt.Sprintf("watermark %s, held by %s", moment(types.Time(local), clock), by)
	if s.Window.Kind == window.Session {
		return "sessions are open: " + held
	}
	return fmt.Sprintf("window until %s still open: %s", moment(nextEnd(s.Window, types.Time(local)), clock), held)
}

// nextEnd is the first end of a window that event time has not passed.
func nextEnd(w *window.Window, t types.Time) types.Time {
	step := w.Size
	if w.Kind != window.Tumble {
		step = w.Slide
	}
	at := t + 1 - w.Offset
	n := at / step
	if at%step < 0 {
		n--
	}
	return (n+1)*step + w.Offset
}
