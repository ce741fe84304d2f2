package javaregexp

import (
	"fmt"
	"unicode"
)

// node is a part of an expression.
type node struct {
	kind      kind
	set       *set // kindSet
	lit       rune // kindChar
	fold      folding
	kids      []*node // of sequences, alternatives; the inside of others
	group     int     // of captures and back references
	min, max  int     // of repeats, max -1: any number
	how       greed
	neg       bool // of look-around
	unixLines bool
}

type kind uint8

const (
	kindEmpty kind = iota
	kindChar
	kindSet
	kindSeq
	kindAlt
	kindCapture
	kindRepeat
	kindAtomic
	kindAhead
	kindBehind
	kindBack
	kindNever     // a reference to a group that does not exist
	kindBegin     // \A, ^
	kindLineBegin // ^ with (?m)
	kindEnd       // \z
	kindFinal     // $, \Z: at the end or before a last line break
	kindLineEnd   // $ with (?m)
	kindWord      // \b
	kindNotWord   // \B
	kindLast      // \G
)

type greed uint8

const (
	greedy greed = iota
	lazy
	possessive
)

// flags are the options of (?idmsuxU).
type flags struct{ i, d, m, s, u, x, U bool }

func (f flags) fold() folding {
	switch {
	case f.i && (f.u || f.U):
		return foldAll
	case f.i:
		return foldASCII
	}
	return exact
}

// parser reads an expression.
type parser struct {
	src    []rune
	at     int
	groups int
	names  map[string]int
	flags  flags
	depth  int
}

const maxDepth = 500 // of groups within groups

func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("%s near index %d", fmt.Sprintf(format, args...), p.at)
}

func (p *parser) parse() (*node, error) {
	n, err := p.alternatives()
	if err == nil && p.at < len(p.src) {
		err = p.fail("unmatched closing ')'")
	}
	return n, err
}

func (p *parser) peek() rune {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return -1
}

func (p *parser) take(r rune) bool {
	if p.peek() == r {
		p.at++
		return true
	}
	return false
}

func (p *parser) takes(s string) bool {
	rs := []rune(s)
	if p.at+len(rs) > len(p.src) || string(p.src[p.at:p.at+len(rs)]) != s {
		return false
	}
	p.at += len(rs)
	return true
}

// blanks goes over what (?x) makes meaningless.
func (p *parser) blanks() {
	for p.flags.x && p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == ' ' || c >= '\t' && c <= '\r':
			p.at++
		case c == '#':
			for p.at < len(p.src) && p.src[p.at] != '\n' && p.src[p.at] != '\r' {
				p.at++
			}
		default:
			return
		}
	}
}

func (p *parser) alternatives() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("too many groups within groups")
	}
	defer func() { p.depth-- }()
	var alts []*node
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		alts = append(alts, n)
		if !p.take('|') {
			break
		}
	}
	if len(alts) == 1 {
		return alts[0], nil
	}
	return &node{kind: kindAlt, kids: alts}, nil
}

func (p *parser) sequence() (*node, error) {
	seq := &node{kind: kindSeq}
	for {
		p.blanks()
		switch p.peek() {
		case -1, '|', ')':
			return seq, nil
		case '*', '+', '?':
			return nil, p.fail("dangling meta character '%c'", p.peek())
		}
		n, err := p.atom()
		if err != nil {
			return nil, err
		}
		if n == nil { // flags, or an empty quotation
			continue
		}
		p.blanks()
		if n, err = p.repeat(n); err != nil {
			return nil, err
		}
		seq.kids = append(seq.kids, n)
	}
}

// repeat reads the quantifier behind an atom, if there is one.
func (p *parser) repeat(n *node) (*node, error) {
	r := &node{kind: kindRepeat, kids: []*node{n}, max: -1}
	switch p.peek() {
	case '*':
		p.at++
	case '+':
		p.at++
		r.min = 1
	case '?':
		p.at++
		r.max = 1
	case '{':
		p.at++
		var ok bool
		if r.min, ok = p.number(); !ok {
			return nil, p.fail("illegal repetition")
		}
		if r.max = r.min; p.take(',') {
			if r.max, ok = p.number(); !ok {
				r.max = -1
			}
		}
		if !p.take('}') {
			return nil, p.fail("unclosed counted closure")
		}
		if r.max >= 0 && r.max < r.min {
			return nil, p.fail("illegal repetition range")
		}
	default:
		return n, nil
	}
	switch {
	case p.take('?'):
		r.how = lazy
	case p.take('+'):
		r.how = possessive
	}
	return r, nil
}

func (p *parser) number() (int, bool) {
	n, start := 0, p.at
	for p.at < len(p.src) && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
		if n = n*10 + int(p.src[p.at]-'0'); n > 1<<30 {
			return 0, false
		}
		p.at++
	}
	return n, p.at > start
}

func (p *parser) char(r rune) *node { return &node{kind: kindChar, lit: r, fold: p.flags.fold()} }

func (p *parser) atom() (*node, error) {
	c := p.peek()
	p.at++
	switch c {
	case '.':
		switch {
		case p.flags.s:
			return &node{kind: kindSet, set: ranged(false, 0, unicode.MaxRune)}, nil
		case p.flags.d:
			return &node{kind: kindSet, set: ranged(true, '\n', '\n')}, nil
		}
		return &node{kind: kindSet, set: ranged(true, '\n', '\n', '\r', '\r', 0x85, 0x85, 0x2028, 0x2029)}, nil
	case '^':
		if p.flags.m {
			return &node{kind: kindLineBegin, unixLines: p.flags.d}, nil
		}
		return &node{kind: kindBegin}, nil
	case '$':
		if p.flags.m {
			return &node{kind: kindLineEnd, unixLines: p.flags.d}, nil
		}
		return &node{kind: kindFinal, unixLines: p.flags.d}, nil
	case '[':
		s, err := p.class()
		return &node{kind: kindSet, set: s}, err
	case '(':
		return p.group()
	case '\\':
		return p.escape()
	case '{':
		return nil, p.fail("illegal repetition")
	}
	return p.char(c), nil
}

func (p *parser) group() (*node, error) {
	before := p.flags
	n := &node{}
	switch {
	case !p.take('?'):
		p.groups++
		n.kind, n.group = kindCapture, p.groups
	case p.take(':'):
		n.kind = kindSeq
	case p.take('>'):
		n.kind = kindAtomic
	case p.take('='):
		n.kind = kindAhead
	case p.take('!'):
		n.kind, n.neg = kindAhead, true
	case p.takes("<="):
		n.kind = kindBehind
	case p.takes("<!"):
		n.kind, n.neg = kindBehind, true
	case p.take('<'):
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		if p.names[name] != 0 {
			return nil, p.fail("named capturing group <%s> is already defined", name)
		}
		p.groups++
		p.names[name] = p.groups
		n.kind, n.group = kindCapture, p.groups
	default:
		if err := p.options(); err != nil {
			return nil, err
		}
		if p.take(')') {
			return nil, nil // for the rest of the group
		}
		if !p.take(':') {
			return nil, p.fail("unknown inline modifier")
		}
		n.kind = kindSeq
	}
	inside, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if !p.take(')') {
		return nil, p.fail("unclosed group")
	}
	p.flags = before
	n.kids = []*node{inside}
	if n.kind == kindBehind {
		if n.min, n.max = inside.length(); n.max < 0 {
			return nil, p.fail("look-behind group does not have an obvious maximum length")
		}
	}
	return n, nil
}

// options reads the letters of (?idmsuxU-idmsuxU.
func (p *parser) options() error {
	on := true
	for ; ; p.at++ {
		switch p.peek() {
		case '-':
			on = false
		case 'i':
			p.flags.i = on
		case 'd':
			p.flags.d = on
		case 'm':
			p.flags.m = on
		case 's':
			p.flags.s = on
		case 'u':
			p.flags.u = on
		case 'x':
			p.flags.x = on
		case 'U':
			p.flags.U = on
		default:
			return nil
		}
	}
}

// name reads the name of a group up to '>'.
func (p *parser) name() (string, error) {
	start := p.at
	for c := p.peek(); c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || p.at > start && c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	name := string(p.src[start:p.at])
	if name == "" || !p.take('>') {
		return "", p.fail("a named group begins with a letter and ends with '>'")
	}
	return name, nil
}

// length is how many characters a part can match; most -1: any number.
func (n *node) length() (least, most int) {
	switch n.kind {
	case kindChar, kindSet:
		return 1, 1
	case kindBack:
		return 0, -1
	case kindSeq, kindCapture, kindAtomic:
		for _, k := range n.kids {
			l, m := k.length()
			least += l
			if most = most + m; m < 0 || most < m {
				return least, -1
			}
		}
		return least, most
	case kindAlt:
		least = 1 << 30
		for _, k := range n.kids {
			l, m := k.length()
			if least = min(least, l); m < 0 || most < 0 {
				most = -1
				continue
			}
			most = max(most, m)
		}
		return least, most
	case kindRepeat:
		l, m := n.kids[0].length()
		if n.max < 0 || m < 0 || n.max*m > 1<<20 {
			return l * n.min, -1
		}
		return l * n.min, m * n.max
	}
	return 0, 0
}
