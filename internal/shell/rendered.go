package shell

import (
	"strings"
	"unicode/utf8"

	"fsql/internal/diag"
)

// rendered is an error as the screen shows it.
func (s *Shell) rendered(err error, src diag.Source) string {
	text := diag.Render(err, src)
	if !s.t.dumb {
		text = fitted(text, s.t.width()-1)
	}
	if !s.t.color {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		bare := strings.TrimSuffix(l, "\n")
		switch {
		case i == 0:
			if code, rest, ok := strings.Cut(bare, "]"); ok {
				lines[i] = "\x1b[1;31m" + code + "]\x1b[0m" + rest + "\n"
			}
		case strings.Contains(bare, "^") && strings.HasPrefix(strings.TrimLeft(bare, " "), "|"):
			at := strings.IndexByte(bare, '^')
			lines[i] = bare[:at] + "\x1b[31m" + bare[at:] + "\x1b[0m\n"
		case strings.HasPrefix(bare, "  hint: "):
			lines[i] = "  \x1b[36mhint:\x1b[0m" + strings.TrimPrefix(bare, "  hint:") + "\n"
		}
	}
	return strings.Join(lines, "")
}

// fitted is a rendered error on a screen of that width: sentences are broken
// between words, and of a long line of SQL the part around the place is shown.
func fitted(text string, width int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if i+1 < len(lines) && isCaret(lines[i+1]) {
			source, caret := excerpt(l, lines[i+1], width)
			out = append(out, source, caret)
			i++
			continue
		}
		indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
		for k, part := range wrap(strings.TrimLeft(l, " "), max(10, width-len(indent)-2)) {
			if k > 0 {
				part = "  " + part
			}
			out = append(out, indent+part)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// isCaret tells the line below a line of SQL.
func isCaret(l string) bool {
	return strings.HasPrefix(strings.TrimLeft(l, " "), "|") && strings.Contains(l, "^")
}

// excerpt shortens a line of SQL and the line with the caret below it.
func excerpt(source, caret string, width int) (string, string) {
	bar := strings.IndexByte(caret, '|') + 2
	if diag.Width(source) <= width && diag.Width(caret) <= width || bar > len(source) || bar > len(caret) {
		return source, caret
	}
	at := strings.IndexByte(caret, '^')
	mark := caret[at:]
	label := strings.TrimLeft(mark, "^")
	wide := len(mark) - len(label)
	// What is to the left of the mark goes first, all but some of it.
	const context = 12
	head, rest := source[:bar], source[bar:]
	skip := max(0, at-bar-context, min(at+wide-(width-1), at-bar-1))
	if over := max(diag.Width(source), at+wide) - width; over <= 0 {
		skip = 0
	}
	if skip > 0 {
		for dropped := 0; dropped < skip+1 && rest != ""; {
			r, n := utf8.DecodeRuneInString(rest)
			dropped += diag.Width(string(r))
			rest = rest[n:]
		}
		rest = "…" + rest
	}
	source = clip(head+rest, width)
	at -= skip
	caret = caret[:bar] + strings.Repeat(" ", max(0, at-bar)) + strings.Repeat("^", max(1, min(wide, width-at)))
	if diag.Width(caret)+diag.Width(label) <= width {
		return source, caret + label
	}
	var lines []string
	for _, l := range wrap(strings.TrimLeft(label, " "), width-bar) {
		lines = append(lines, caret[:bar]+l)
	}
	return source, caret + "\n" + strings.Join(lines, "\n")
}
