package shell

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"fsql/internal/diag"
	"fsql/sql/lex"
)

// runFile runs a script. Relative paths in it start in its folder.
func (s *Shell) runFile(name, shown string) error {
	const deepest = 16
	text, err := os.ReadFile(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return diag.New(diag.NoSuchFile, diag.Span{}, "there is no file '%s'", shown).WithHint("relative paths start in %s", s.dir)
	case err != nil:
		return &diag.Error{Code: diag.InputOutput, Msg: "the script '" + shown + "' cannot be read", Cause: err}
	case s.depth == deepest:
		return usage("scripts that run scripts: %d deep is too deep", deepest)
	}
	back := s.dir
	s.depth++
	s.moveTo(filepath.Dir(name))
	s.runScript(diag.Source{Name: filepath.Base(name), Text: string(text)})
	if s.dir == filepath.Dir(name) { // unless a .cd in it has moved on
		s.moveTo(back)
	}
	s.depth--
	return nil
}

// runScript runs a text that may hold commands of the shell on lines of their
// own between its statements. It ends at QUIT, and at the first error unless
// .bail is off.
func (s *Shell) runScript(src diag.Source) {
	for _, p := range pieces(src.Text) {
		piece := diag.Source{Name: src.Name, Text: p.text}
		var quit, ok bool
		if p.meta {
			quit, ok = s.command(strings.TrimSpace(p.text))
		} else {
			quit, ok = s.execute(piece, false)
		}
		if quit || !ok && !s.goOn {
			return
		}
	}
}

// piece is a part of a script: a command of the shell, or statements. What
// stands above it is left blank, so that places in it are places in the script.
type piece struct {
	text string
	meta bool
}

func pieces(text string) []piece {
	var out []piece
	from, at := 0, 0
	add := func(to int) {
		if strings.TrimSpace(text[from:to]) != "" {
			out = append(out, piece{text: blanked(text[:from]) + text[from:to]})
		}
	}
	for line := range strings.Lines(text) {
		if head := strings.TrimSpace(line); isMeta(head) && between(text[from:at]) {
			add(at)
			out = append(out, piece{text: head, meta: true})
			from = at + len(line)
		}
		at += len(line)
	}
	add(len(text))
	return out
}

// between tells that a text has ended its last statement.
func between(text string) bool {
	src := lex.Scan(text)
	n := len(src.Tokens) - 1
	return !isUnclosed(src) && (n == 0 || src.Tokens[n-1].Is(";") && !inSet(src.Tokens[:n]))
}

// blanked is a text of which only the line breaks are left.
func blanked(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return -1
	}, text)
}
