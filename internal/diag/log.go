package diag

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// NewLog is the logger of a program whose user reads what it writes to w. Records
// from level on are lines such as "note: the job goes on (epoch 3)"; in the
// verbose form, which is for those who look into a job, they have slog's text
// form with the time, and nothing is left out.
func NewLog(w io.Writer, level slog.Level, verbose bool) *slog.Logger {
	if verbose {
		return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return slog.New(&notes{to: &together{w: w}, level: level})
}

// together writes one line at a time.
type together struct {
	mu sync.Mutex
	w  io.Writer
}

// notes is a slog.Handler for people.
type notes struct {
	to    *together
	level slog.Level
	attrs []slog.Attr
}

// Enabled implements slog.Handler.
func (n *notes) Enabled(_ context.Context, l slog.Level) bool { return l >= n.level }

// WithAttrs implements slog.Handler.
func (n *notes) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &notes{n.to, n.level, append(n.attrs[:len(n.attrs):len(n.attrs)], attrs...)}
}

// WithGroup implements slog.Handler; a line for people has no groups.
func (n *notes) WithGroup(string) slog.Handler { return n }

// Handle implements slog.Handler. Attributes stand in parentheses behind the
// message; the stack of a panic and what has several lines follows below.
func (n *notes) Handle(_ context.Context, r slog.Record) error {
	word := "note"
	if r.Level >= slog.LevelWarn {
		word = "warning"
	}
	var in, below []string
	add := func(a slog.Attr) bool {
		text := a.Value.Resolve().String()
		if err, is := a.Value.Any().(error); is {
			text = Plain(err)
		}
		switch text = strings.TrimSpace(text); {
		case text == "":
		case strings.Contains(text, "\n"):
			below = append(below, text)
		default:
			in = append(in, a.Key+" "+Visible(text))
		}
		return true
	}
	for _, a := range n.attrs {
		add(a)
	}
	r.Attrs(add)
	line := word + ": " + r.Message
	if len(in) > 0 {
		line += " (" + strings.Join(in, ", ") + ")"
	}
	n.to.mu.Lock()
	defer n.to.mu.Unlock()
	_, err := fmt.Fprintln(n.to.w, strings.Join(append([]string{line}, below...), "\n"))
	return err
}
