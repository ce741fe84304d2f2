package ftest

import "strings"

// Expected is the block below a separator: what must come out, one row a line.
// From and To are its lines in the file, counted from 1, separators left out;
// an empty block has To = From-1. They are where --update writes.
type Expected struct {
	Lines    []string
	From, To int
	Fenced   bool // between doubled separators
}

// expected reads the separator and what follows it, up to a blank line.
func (r *reader) expected() (Expected, error) {
	if !r.separatorsFollow(1) {
		r.next()
		return Expected{}, r.errorf("%s and what is expected must follow", separator)
	}
	if r.separatorsFollow(2) {
		from := r.at + 2
		text, err := r.block(2, false)
		if err != nil {
			return Expected{}, err
		}
		lines := splitLines(text)
		return Expected{lines, from + 1, from + len(lines), true}, nil
	}
	r.next()
	from := r.at
	lines := r.paragraph()
	return Expected{lines, from + 1, from + len(lines), false}, nil
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// Rewrite puts new lines into the expected blocks of a file; all other bytes
// stay. The blocks are in order.
func Rewrite(src []byte, blocks []Expected, with [][]string) []byte {
	lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	var out []string
	at := 0
	for i, b := range blocks {
		out = append(out, lines[at:b.From-1]...)
		fenced := false
		for _, l := range with[i] {
			fenced = fenced || l == ""
		}
		switch {
		case fenced && !b.Fenced:
			out = append(out, separator)
			out = append(out, with[i]...)
			out = append(out, separator, separator)
		default:
			out = append(out, with[i]...)
		}
		at = b.To
	}
	out = append(out, lines[at:]...)
	return []byte(strings.Join(out, "\n") + "\n")
}
