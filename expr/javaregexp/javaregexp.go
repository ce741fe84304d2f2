// Package javaregexp holds regular expressions with the syntax and the meaning
// that java.util.regex gives them (JDK 17): leftmost first by backtracking,
// look-around, back references, possessive and atomic groups, intersections of
// classes. Of Java it lacks \X, \N{..} and the blocks of \p{In..}.
package javaregexp

import (
	"errors"
	"unicode/utf8"
)

// Regexp is a compiled expression. It does not change and may be shared.
type Regexp struct {
	prog     []inst
	groups   int    // without the whole match
	slots    int    // of captures and loops
	prefix   string // every match begins with it
	first    *set   // the first character of every match is in it; nil: not known
	anchored bool   // a match begins at the start of the text
}

// ErrTooLong is what a Matcher reports when backtracking does not come to an
// end in reasonable time.
var ErrTooLong = errors.New("backtracking takes too long")

// Compile reads an expression; an error is one of the expression.
func Compile(pattern string) (*Regexp, error) {
	p := &parser{src: []rune(pattern), names: map[string]int{}}
	n, err := p.parse()
	if err != nil {
		return nil, err
	}
	return build(n, p.groups)
}

// Groups is the number of capturing groups.
func (re *Regexp) Groups() int { return re.groups }

// Matcher finds matches of one expression; it keeps its memory between texts
// and is used by one goroutine.
type Matcher struct {
	re    *Regexp
	text  string
	caps  []int
	stack []entry
	steps int
	look  int // steps at which to poll
	last  int // where the last match ended, for \G
	err   error
	// Poll is called once in a while during a long search; nil: not.
	Poll func()
}

// Matcher returns a new matcher.
func (re *Regexp) Matcher() *Matcher { return &Matcher{re: re, caps: make([]int, re.slots)} }

// Find looks for the first match at byte from or behind it. The result holds
// the bounds of the match and of every group, -1 for a group without part; it
// is good until the next call, nil if there is no match.
func (m *Matcher) Find(text string, from int) ([]int, error) {
	m.text, m.err, m.steps, m.look, m.last = text, nil, 0, pollEvery, from
	re := m.re
	for at := from; at <= len(text); {
		if re.anchored && at > 0 {
			return nil, nil
		}
		if at = m.skip(at); at < 0 {
			return nil, nil
		}
		for i := range m.caps {
			m.caps[i] = -1
		}
		m.stack = m.stack[:0]
		if end := m.run(0, at, -1); end >= 0 {
			m.caps[0], m.caps[1] = at, end
			return m.caps[:2*(re.groups+1)], nil
		}
		if m.err != nil {
			return nil, m.err
		}
		at += width(text, at)
	}
	return nil, nil
}

// skip goes on to where a match can begin; -1 if nowhere.
func (m *Matcher) skip(at int) int {
	re := m.re
	if re.prefix != "" {
		i := index(m.text[at:], re.prefix)
		if i < 0 {
			return -1
		}
		return at + i
	}
	if re.first == nil {
		return at
	}
	for at < len(m.text) {
		r, n := utf8.DecodeRuneInString(m.text[at:])
		if re.first.has(r) {
			return at
		}
		at += n
	}
	return -1
}

// width is the length of the character at a byte, 1 at the end.
func width(text string, at int) int {
	if at >= len(text) {
		return 1
	}
	_, n := utf8.DecodeRuneInString(text[at:])
	return n
}

// All calls each with every match in turn, until it answers false. An empty
// match may follow a match directly, as in Java.
func (m *Matcher) All(text string, each func(loc []int) bool) error {
	for from := 0; from <= len(text); {
		loc, err := m.Find(text, from)
		if err != nil || loc == nil {
			return err
		}
		start, end := loc[0], loc[1]
		if !each(loc) {
			return nil
		}
		if from = end; start == end {
			from += width(text, end)
		}
	}
	return nil
}
