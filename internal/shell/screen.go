package shell

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"fsql/internal/diag"
)

// screen is where everything but the line being edited is printed. Below what
// is printed for good it can show an overlay, lines that are repainted in place
// and vanish before anything else is printed: the status line, the live table.
type screen struct {
	mu      sync.Mutex
	t       *terminal
	edit    Editor
	reading bool      // a line is being edited: print above it
	line    bool      // the last thing printed ended its line
	to      io.Writer // of the overlay
	widths  []int     // of its lines; nil: there is none
	partial []byte    // of a line from a job
}

func newScreen(t *terminal) *screen { return &screen{t: t, line: true} }

// Write prints for good.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.print(p)
}

func (s *screen) print(p []byte) (int, error) {
	s.erase()
	if n := len(p); n > 0 {
		s.line = p[n-1] == '\n'
	}
	return s.t.out.Write(p)
}

// notice prints what nobody waited for, such as the rows of a job in the
// background: above the line being edited, in whole lines.
func (s *screen) notice(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partial = append(s.partial, p...)
	end := bytes.LastIndexByte(s.partial, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	text := string(s.partial[:end])
	s.partial = append(s.partial[:0], s.partial[end:]...)
	if s.reading {
		s.edit.Printf("%s", text)
		return len(p), nil
	}
	_, err := s.print([]byte(text))
	return len(p), err
}

// notices is the writer of jobs.
type notices struct{ *screen }

func (n notices) Write(p []byte) (int, error) { return n.notice(p) }

// setReading tells that a line is being edited.
func (s *screen) setReading(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reading = on
}

// overlay shows lines in place of those of the last call; none: nothing. While
// an unfinished line stands on the screen nothing is shown.
func (s *screen) overlay(to io.Writer, lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(lines) == 0 || !s.line {
		s.erase()
		return
	}
	var b strings.Builder
	b.WriteString("\x1b[?25l\x1b[?7l")
	s.up(&b)
	s.widths, s.to = nil, to
	for i, l := range lines {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(l + "\x1b[K")
		s.widths = append(s.widths, visible(l))
	}
	b.WriteString("\x1b[J\r\x1b[?7h\x1b[?25h")
	_, _ = io.WriteString(to, b.String())
}

// erase removes the overlay.
func (s *screen) erase() {
	if s.widths == nil {
		return
	}
	var b strings.Builder
	s.up(&b)
	b.WriteString("\x1b[J")
	s.widths = nil
	_, _ = io.WriteString(s.to, b.String())
}

// up goes to the begin of the overlay. When the screen became narrower the
// terminal has broken its lines into several.
func (s *screen) up(b *strings.Builder) {
	if s.widths == nil {
		return
	}
	width, rows := s.t.width(), -1
	for _, w := range s.widths {
		rows += max(1, (w+width-1)/width)
	}
	b.WriteByte('\r')
	for range rows {
		b.WriteString("\x1b[A")
	}
}

// visible is the width of a line without its colours.
func visible(s string) int {
	n := 0
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return n + diag.Width(s)
		}
		n += diag.Width(s[:i])
		s = s[i+2:]
		if j := strings.IndexByte(s, 'm'); j >= 0 {
			s = s[j+1:]
		}
	}
}
