package shell

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"fsql/internal/option"
	"fsql/sql/lex"
)

// history is the file of the statements that were run: one JSON string per
// line, each a whole statement, so that a statement of many lines comes back as
// one. Nobody else may read it. Secrets are masked before they get there.
type history struct {
	path    string // "": none is kept
	entries []string
	lines   int // of the file
}

// statePath is where the shell keeps what outlives it.
func statePath(name string) string {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "fsql", name)
}

// loadHistory reads the file; what is no JSON string is left out. A history
// that cannot be read is an empty one: the shell must start.
func loadHistory(path string) *history {
	h := &history{path: path}
	f, err := os.Open(path)
	if err != nil {
		return h
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		h.lines++
		var s string
		if json.Unmarshal(in.Bytes(), &s) == nil && s != "" {
			h.entries = folded(h.entries, s, historyLimit)
		}
	}
	return h
}

// add keeps a statement and returns it as it may be kept; "" if it must not be.
func (h *history) add(text string) string {
	if strings.HasPrefix(text, " ") || strings.TrimSpace(text) == "" {
		return ""
	}
	text = masked(strings.TrimRight(text, " \t\n"))
	h.entries = folded(h.entries, text, historyLimit)
	if h.path != "" {
		// A history that cannot be written is no reason to disturb anybody.
		_ = h.write(text)
	}
	return text
}

// write appends a statement; a file with many duplicates is written anew.
func (h *history) write(text string) error {
	if h.lines > 2*historyLimit {
		return h.rewrite()
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(encoded(text))
	h.lines++
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func (h *history) rewrite() error {
	var b strings.Builder
	for _, e := range h.entries {
		b.WriteString(encoded(e))
	}
	h.lines = len(h.entries)
	next := h.path + ".new"
	if err := os.WriteFile(next, []byte(b.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(next, h.path)
}

// encoded is a line of the file.
func encoded(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil { // a string can always be encoded
		return ""
	}
	return b.String()
}

// folded adds an entry at the end and drops an equal earlier one, and the oldest
// beyond the limit.
func folded(entries []string, text string, most int) []string {
	out := make([]string, 0, len(entries)+1)
	for _, e := range entries {
		if e != text {
			out = append(out, e)
		}
	}
	out = append(out, text)
	return out[max(0, len(out)-most):]
}

// masked is a statement with the values of secret options hidden.
func masked(text string) string {
	src := lex.Scan(text)
	var b strings.Builder
	from := 0
	for i := 2; i < len(src.Tokens); i++ {
		key, is, v := src.Tokens[i-2], src.Tokens[i-1], src.Tokens[i]
		if key.Kind != lex.String || !is.Is("=") || v.Kind != lex.String && v.Kind != lex.Bad {
			continue
		}
		if shown := option.Mask(nil, key.Text, v.Text); shown != v.Text {
			b.WriteString(text[from:v.Start] + "'" + shown + "'")
			from = v.End
		}
	}
	return b.String() + text[from:]
}
