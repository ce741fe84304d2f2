// Package doctest reads the code blocks of documents, so that a test can do what
// they say. What counts is the line that opens a block:
//
//	```console          commands behind "$ ", each with its output below; a line
//	                    "..." stands for any lines, at the end of a line it
//	                    stands for the rest
//	```LANG file=PATH   the file of that path has this content from here on
//	```LANG in=PATH     the first line is in that file; the others are put
//	                    behind it
//	```LANG from=PATH   these lines are in that file, one behind the other; "..."
//	                    stands for any lines
//
// Blocks of other kinds are left alone.
package doctest

import (
	"fmt"
	"strings"
)

// Block is a code block with a meaning.
type Block struct {
	Doc  string // the document
	Line int    // of its first line, from 1
	What string // "console", "file", "in", "from"
	Path string
	Text []string
}

// Step is a command of a console block with what it prints.
type Step struct {
	Line    int
	Command string
	Want    []string
}

// Blocks finds the blocks of a document.
func Blocks(doc, text string) ([]Block, error) {
	var out []Block
	var open *Block
	fence := ""
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "" && trimmed == fence:
			if open.What != "" {
				out = append(out, *open)
			}
			fence = ""
		case fence != "":
			open.Text = append(open.Text, line)
		case strings.HasPrefix(line, "```"):
			words := strings.Fields(strings.TrimLeft(line, "`"))
			fence = line[:len(line)-len(strings.TrimLeft(line, "`"))]
			open = &Block{Doc: doc, Line: i + 2}
			for n, w := range words {
				key, path, pair := strings.Cut(w, "=")
				switch {
				case n == 0 && w == "console":
					open.What = "console"
				case n > 0 && pair && (key == "file" || key == "in" || key == "from"):
					open.What, open.Path = key, path
				case n > 0:
					return nil, fmt.Errorf("%s:%d: '%s' says nothing about a block", doc, i+1, w)
				}
			}
		}
	}
	if fence != "" {
		return nil, fmt.Errorf("%s:%d: the block is not closed", doc, open.Line-1)
	}
	return out, nil
}

// Steps are the commands of a console block.
func (b *Block) Steps() ([]Step, error) {
	var out []Step
	for i, line := range b.Text {
		if cmd, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, Step{Line: b.Line + i, Command: cmd})
			continue
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("%s:%d: a console block begins with a command, as in: $ fsql", b.Doc, b.Line)
		}
		s := &out[len(out)-1]
		s.Want = append(s.Want, line)
	}
	return out, nil
}

// Match compares lines with what is wanted, in which "..." is any lines. Blanks
// at the ends of lines and empty lines at the end do not count.
func Match(want, got []string) bool {
	want, got = tidy(want), tidy(got)
	return match(want, got)
}

func match(want, got []string) bool {
	for i, w := range want {
		if strings.TrimSpace(w) == "..." {
			for skip := 0; i+skip <= len(got); skip++ {
				if match(want[i+1:], got[i+skip:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) {
			return false
		}
		begin, open := strings.CutSuffix(w, "...")
		if got[i] != w && !(open && strings.HasPrefix(got[i], begin)) {
			return false
		}
	}
	return len(want) == len(got)
}

func tidy(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(l, " \t\r")
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// Quoted tells whether a file has the lines of a block, whatever their
// indentation.
func Quoted(want []string, file string) bool {
	got := strings.Split(file, "\n")
	want = tidy(want)
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	// Anything may stand before and behind.
	return len(want) > 0 && match(append(append([]string{"..."}, want...), "..."), got)
}

// Inserted puts the lines of a block behind its first one, which the file has
// exactly once.
func Inserted(b *Block, file string) (string, error) {
	lines := strings.Split(file, "\n")
	at := -1
	for i, l := range lines {
		if strings.TrimSpace(l) == strings.TrimSpace(b.Text[0]) {
			if at >= 0 {
				return "", fmt.Errorf("%s:%d: %s has the line twice: %s", b.Doc, b.Line, b.Path, b.Text[0])
			}
			at = i
		}
	}
	if at < 0 {
		return "", fmt.Errorf("%s:%d: %s does not have the line: %s", b.Doc, b.Line, b.Path, b.Text[0])
	}
	out := append(append(append([]string{}, lines[:at+1]...), b.Text[1:]...), lines[at+1:]...)
	return strings.Join(out, "\n"), nil
}
