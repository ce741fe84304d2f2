package shell

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/chzyer/readline"
)

// lineBreak shows a line break inside a line: the library edits one line, and a
// statement of several lines is recalled as one.
const lineBreak = '\u240A'

// lineEditor is an Editor made of github.com/chzyer/readline, which edits single
// lines and has faults that would end the program with the terminal raw. It
// runs in a goroutine of its own, so that nothing can be recovered there;
// therefore the keys that lead to faults never reach it:
//   - Tab: its own completion panics on wide candidates and on Backspace
//     (issue open since 2017), so completion is done here;
//   - Ctrl-T on a line of one letter puts the cursor behind the end;
//   - Ctrl-R and Ctrl-S without any history dereference nil;
//   - a width of 0 divides by zero.
type lineEditor struct {
	t    *terminal
	rl   *readline.Instance
	keys keys
	stop func() // following the size
	// ended tells that the terminal is gone, not only that somebody pressed
	// Ctrl-D.
	ended atomic.Bool

	mu       sync.Mutex // of what the library's goroutine reads
	before   string     // the lines above the one being edited
	complete Completer
	paint    Painter
	history  []string
	reading  bool
}

// historyLimit is the number of statements that the arrow keys reach.
const historyLimit = 1000

func newLineEditor(t *terminal) (*lineEditor, error) {
	e := &lineEditor{t: t}
	if err := t.raw(); err != nil {
		return nil, err
	}
	var err error
	e.rl, err = readline.NewEx(&readline.Config{
		HistoryLimit:           historyLimit + 1,
		DisableAutoSaveHistory: true,
		HistorySearchFold:      true,
		InterruptPrompt:        "^C",
		EOFPrompt:              "\n",
		Listener:               readline.FuncListener(e.changed),
		Painter:                e,
		Stdin:                  &keySource{e},
		Stdout:                 t.out,
		Stderr:                 t.err,
		FuncFilterInputRune:    e.filter,
		FuncGetWidth:           t.width,
		FuncIsTerminal:         func() bool { return true },
		// The terminal stays raw between two lines.
		FuncMakeRaw: func() error { return nil },
		FuncExitRaw: func() error { return nil },
		FuncOnWidthChanged: func(f func()) {
			e.stop = onResize(f)
		},
	})
	if err != nil {
		t.restore()
	}
	return e, err
}

// keySource is what the library reads from.
type keySource struct{ e *lineEditor }

func (s *keySource) Read(p []byte) (int, error) {
	k, t := &s.e.keys, s.e.t
	for {
		if out, ok := k.next(nil); ok {
			n := copy(p, out) // a line is shorter than the buffer, or typed slowly
			if n < len(out) {
				k.in = append(append([]byte{}, out[n:]...), k.in...)
			}
			return n, nil
		}
		buf := make([]byte, 4096)
		n, err := t.read(buf)
		if n > 0 {
			k.feed(buf[:n])
			continue
		}
		if errors.Is(err, errWoken) || err == nil {
			err = io.EOF
		}
		s.e.ended.Store(true)
		return 0, err
	}
}

func (s *keySource) Close() error { return nil }

// ReadStatement implements Editor.
func (e *lineEditor) ReadStatement(start string, look func(string) Look) (string, error) {
	text := start
	for {
		prompt := look(text).Prompt
		line, pasted, err := e.readLine(text, prompt)
		// What was typed behind Enter is for whoever reads next.
		e.t.unread(e.keys.rest())
		if err == io.EOF && text != "" && !e.ended.Load() {
			// Ctrl-D leaves from an empty statement only.
			continue
		}
		if err != nil {
			return "", err
		}
		if text != "" {
			text += "\n"
		}
		text += line
		if strings.TrimSpace(text) == "" {
			if !pasted {
				return "", nil
			}
			text = ""
			continue
		}
		if !pasted && look(text).Done {
			return text, nil
		}
	}
}

func (e *lineEditor) readLine(before, prompt string) (line string, pasted bool, err error) {
	e.mu.Lock()
	if e.before = before; before != "" {
		e.before += "\n"
	}
	e.reading = true
	history := e.history
	e.mu.Unlock()
	// The library adds what it likes to its history; ours is loaded anew.
	e.rl.ResetHistory()
	for _, h := range history {
		_ = e.rl.SaveHistory(h)
	}
	e.rl.SetPrompt(prompt)
	line, err = e.rl.Readline()
	e.mu.Lock()
	e.reading = false
	e.mu.Unlock()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", false, errInterrupt
	}
	if strings.HasSuffix(line, string(pasteMark)) {
		pasted = true
	}
	line = strings.ReplaceAll(line, string(pasteMark), "")
	return strings.ReplaceAll(line, string(lineBreak), "\n"), pasted, err
}

// filter looks at every key before the library does.
func (e *lineEditor) filter(r rune) (rune, bool) {
	switch r {
	case ctrlZ:
		e.rl.Operation.Clean()
		e.t.suspend()
		r = keyNothing
	case readline.CharCtrlL:
		_, _ = io.WriteString(e.t.out, "\x1b[H\x1b[2J")
		r = keyNothing
	case readline.CharBckSearch, readline.CharFwdSearch:
		e.mu.Lock()
		if len(e.history) == 0 {
			r = keyNothing
		}
		e.mu.Unlock()
	case readline.MetaTranspose, readline.CharTab:
		r = keyNothing
	}
	if r > 0x7f && !isKey(r) && !unicode.IsPrint(r) && !unicode.Is(unicode.M, r) && !unicode.Is(unicode.Cf, r) {
		r = keyNothing
	}
	if isKey(r) && e.rl.Operation.IsSearchMode() {
		if r == keyPaste {
			e.keys.takePaste()
		}
		r = readline.CharBell // leaves the search
	}
	// To answer false would make the library read on after the end of the line.
	return r, true
}

// changed is called after every key.
func (e *lineEditor) changed(line []rune, pos int, key rune) ([]rune, int, bool) {
	if !isKey(key) || pos < 1 || pos > len(line) || line[pos-1] != key {
		return nil, 0, false
	}
	head, tail := line[:pos-1:pos-1], line[pos:]
	switch key {
	case keyPaste:
		head = append(head, []rune(e.keys.takePaste())...)
	case keyDelete:
		if len(tail) > 0 {
			tail = tail[1:]
		}
	case keySwap:
		if n := len(head); n > 0 && len(tail) > 0 {
			head = append(append([]rune{}, head[:n-1]...), tail[0], head[n-1])
			tail = tail[1:]
		} else if n > 1 {
			head = append([]rune{}, head...)
			head[n-1], head[n-2] = head[n-2], head[n-1]
		}
	case keyTab:
		head = e.completed(head, tail)
	}
	at := len(head)
	return append(head, tail...), at, true
}

// completed is head with what Tab adds to it. Several candidates are listed
// when nothing can be added for certain.
func (e *lineEditor) completed(head, tail []rune) []rune {
	e.mu.Lock()
	complete, before := e.complete, e.before
	e.mu.Unlock()
	if complete == nil {
		return head
	}
	above := before + strings.ReplaceAll(string(head), string(lineBreak), "\n")
	c := guarded(func() Completion { return complete(above+string(tail), len(above)) })
	if len(c.Items) == 0 || c.From < len(before) && c.From != len(above) {
		_, _ = io.WriteString(e.t.out, "\a")
		return head
	}
	typed := above[min(c.From, len(above)):]
	keep := head[:len(head)-utf8.RuneCountInString(typed)]
	common := commonPrefix(c.Items)
	if len(c.Items) == 1 {
		only := c.Items[0].Text
		if len(tail) == 0 {
			only += c.Items[0].After
		}
		return append(keep, []rune(only)...)
	}
	if len(common) > len(typed) || len(common) == len(typed) && common != typed {
		return append(keep, []rune(common)...)
	}
	e.Printf("%s", columns(c.Items, e.t.width(), 100))
	return head
}

// Paint implements the library's Painter: styles are put around the runes of the
// line.
func (e *lineEditor) Paint(line []rune, pos int) []rune {
	e.mu.Lock()
	paint, before := e.paint, e.before
	e.mu.Unlock()
	if paint == nil {
		paint = func(string, int) []Paint { return nil }
	}
	text := strings.ReplaceAll(string(line), string(lineBreak), "\n  ") // as long as the sign: 3 bytes
	at := len(before) + len(string(line[:min(max(pos, 0), len(line))]))
	pieces := guarded(func() []Paint { return paint(before+text, at) })
	out := make([]rune, 0, len(line)*2)
	i, style := len(before), ""
	for _, r := range line {
		for len(pieces) > 0 && pieces[0].End <= i {
			pieces = pieces[1:]
		}
		want := ""
		switch {
		case r == lineBreak:
			want = styleBreak
		case len(pieces) > 0 && pieces[0].Start <= i:
			want = pieces[0].Style
		}
		if want != style {
			if style != "" {
				out = append(out, []rune("\x1b[0m")...)
			}
			if want != "" {
				out = append(out, []rune("\x1b["+want+"m")...)
			}
			style = want
		}
		if !isKey(r) && r != pasteMark {
			out = append(out, r)
		}
		i += utf8.RuneLen(r)
	}
	if style != "" {
		out = append(out, []rune("\x1b[0m")...)
	}
	return out
}

// guarded is what f gives, or nothing if f fails: completion and colours are no
// reason to lose what was typed, and nobody else recovers in this goroutine.
func guarded[T any](f func() T) (out T) {
	defer func() { _ = recover() }()
	return f()
}

// SetCompleter implements Editor.
func (e *lineEditor) SetCompleter(c Completer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.complete = c
}

// SetPainter implements Editor.
func (e *lineEditor) SetPainter(p Painter) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.paint = p
}

// AddHistory implements Editor.
func (e *lineEditor) AddHistory(statement string) {
	line := strings.ReplaceAll(statement, "\n", string(lineBreak))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.history = folded(e.history, line, historyLimit)
}

// Printf implements Editor.
func (e *lineEditor) Printf(format string, args ...any) {
	e.mu.Lock()
	reading := e.reading
	e.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	if reading {
		_, _ = io.WriteString(e.rl.Stdout(), text)
		return
	}
	_, _ = io.WriteString(e.t.out, text)
}

// Close implements Editor.
func (e *lineEditor) Close() error {
	if e.stop != nil {
		e.stop()
	}
	e.t.interrupt()
	err := e.rl.Close()
	e.t.restore()
	return err
}
