package javaregexp

import "unicode/utf16"

// escape reads what follows a backslash outside a class.
func (p *parser) escape() (*node, error) {
	c := p.peek()
	p.at++
	switch c {
	case -1:
		return nil, p.fail("unexpected internal error: a backslash at the end")
	case 'A':
		return &node{kind: kindBegin}, nil
	case 'z':
		return &node{kind: kindEnd}, nil
	case 'Z':
		return &node{kind: kindFinal, unixLines: p.flags.d}, nil
	case 'b':
		return &node{kind: kindWord}, nil
	case 'B':
		return &node{kind: kindNotWord}, nil
	case 'G':
		return &node{kind: kindLast}, nil
	case 'Q':
		return p.quotation(), nil
	case 'R':
		crlf := &node{kind: kindSeq, kids: []*node{{kind: kindChar, lit: '\r'}, {kind: kindChar, lit: '\n'}}}
		return &node{kind: kindAtomic, kids: []*node{{kind: kindAlt, kids: []*node{crlf, {kind: kindSet, set: shorthand('v', false)}}}}}, nil
	case 'k':
		if !p.take('<') {
			return nil, p.fail("\\k is not followed by '<' for a named group")
		}
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		g := p.names[name]
		if g == 0 {
			return nil, p.fail("named capturing group <%s> does not exist", name)
		}
		return &node{kind: kindBack, group: g, fold: p.flags.fold()}, nil
	}
	if c >= '1' && c <= '9' {
		g := int(c - '0')
		// More digits belong to the number while there are so many groups.
		for d := p.peek(); d >= '0' && d <= '9' && g*10+int(d-'0') <= p.groups; d = p.peek() {
			g = g*10 + int(d-'0')
			p.at++
		}
		if g > p.groups {
			return &node{kind: kindNever}, nil
		}
		return &node{kind: kindBack, group: g, fold: p.flags.fold()}, nil
	}
	p.at--
	s, r, err := p.escaped()
	if err != nil {
		return nil, err
	}
	if s != nil {
		return &node{kind: kindSet, set: s}, nil
	}
	return p.char(r), nil
}

// quotation reads \Q..\E.
func (p *parser) quotation() *node {
	seq := &node{kind: kindSeq}
	for p.at < len(p.src) && !p.takes(`\E`) {
		seq.kids = append(seq.kids, p.char(p.src[p.at]))
		p.at++
	}
	if len(seq.kids) == 0 {
		return nil
	}
	// A quantifier behind it belongs to the last character alone.
	if n := len(seq.kids); n > 1 {
		switch p.peek() {
		case '*', '+', '?', '{':
			last := seq.kids[n-1]
			if r, err := p.repeat(last); err == nil {
				seq.kids[n-1] = r
			}
		}
	}
	return seq
}

// escaped reads the escapes that mean the same in a class and outside: a class
// or one character.
func (p *parser) escaped() (*set, rune, error) {
	c := p.peek()
	p.at++
	if s := shorthand(c, p.flags.U); s != nil {
		return s, 0, nil
	}
	switch c {
	case -1:
		return nil, 0, p.fail("a backslash at the end")
	case 'p', 'P':
		s, err := p.property(c == 'P')
		return s, 0, err
	case 't':
		return nil, '\t', nil
	case 'n':
		return nil, '\n', nil
	case 'r':
		return nil, '\r', nil
	case 'f':
		return nil, '\f', nil
	case 'a':
		return nil, 7, nil
	case 'e':
		return nil, 27, nil
	case '0':
		r, n := rune(0), 0
		for n < 3 && p.peek() >= '0' && p.peek() <= '7' && r*8+p.peek()-'0' <= 0377 {
			r = r*8 + p.peek() - '0'
			p.at++
			n++
		}
		if n == 0 {
			return nil, 0, p.fail("illegal octal escape sequence")
		}
		return nil, r, nil
	case 'x':
		if p.take('{') {
			r, n := p.hex(8)
			if n == 0 || r > 0x10ffff || !p.take('}') {
				return nil, 0, p.fail("illegal hexadecimal escape sequence")
			}
			return nil, r, nil
		}
		r, n := p.hex(2)
		if n != 2 {
			return nil, 0, p.fail("illegal hexadecimal escape sequence")
		}
		return nil, r, nil
	case 'u':
		r, n := p.hex(4)
		if n != 4 {
			return nil, 0, p.fail("illegal Unicode escape sequence")
		}
		if at := p.at; utf16.IsSurrogate(r) && p.takes(`\u`) {
			if low, n := p.hex(4); n == 4 && utf16.DecodeRune(r, low) != 0xfffd {
				return nil, utf16.DecodeRune(r, low), nil
			}
			p.at = at
		}
		return nil, r, nil
	case 'c':
		r := p.peek()
		if r < 0 {
			return nil, 0, p.fail("illegal control escape sequence")
		}
		p.at++
		return nil, r ^ 64, nil
	}
	if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '1' && c <= '9' {
		p.at--
		return nil, 0, p.fail("illegal or unsupported escape sequence")
	}
	return nil, c, nil
}

func (p *parser) hex(most int) (r rune, n int) {
	for n < most {
		switch c := p.peek(); {
		case c >= '0' && c <= '9':
			r = r<<4 + c - '0'
		case c >= 'a' && c <= 'f':
			r = r<<4 + c - 'a' + 10
		case c >= 'A' && c <= 'F':
			r = r<<4 + c - 'A' + 10
		default:
			return r, n
		}
		p.at++
		n++
	}
	return r, n
}

// property reads what follows \p.
func (p *parser) property(neg bool) (*set, error) {
	name := ""
	if p.take('{') {
		start := p.at
		for p.at < len(p.src) && p.src[p.at] != '}' {
			p.at++
		}
		name = string(p.src[start:p.at])
		if !p.take('}') {
			return nil, p.fail("unclosed character family")
		}
	} else if p.at < len(p.src) {
		name = string(p.src[p.at])
		p.at++
	}
	s, ok := property(name, p.flags.U)
	if !ok {
		return nil, p.fail("unknown character property {%s}", name)
	}
	s.fold = p.flags.fold()
	if s.fold == exact && !neg {
		return s, nil
	}
	out := *s
	out.neg, out.ascii = out.neg != neg, [2]uint64{}
	return out.seal(), nil
}

// class reads what follows '[', up to its ']'.
func (p *parser) class() (*set, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("too many classes within classes")
	}
	defer func() { p.depth-- }()
	s := &set{fold: p.flags.fold()}
	neg := p.take('^')
	some := false // of this part of an intersection
	var sides []*set
	for {
		if p.flags.x {
			p.blanks()
		}
		switch c := p.peek(); {
		case c < 0:
			return nil, p.fail("unclosed character class")
		case c == ']' && (some || len(sides) > 0):
			p.at++
			if sides = append(sides, s.seal()); len(sides) == 1 {
				s.neg, s.ascii = neg, [2]uint64{}
				return s.seal(), nil
			}
			if !some {
				sides = sides[:len(sides)-1] // && before the bracket says nothing
			}
			out := &set{parts: sides[:1], and: sides[1:], neg: neg}
			return out.seal(), nil
		case c == '[':
			p.at++
			inner, err := p.class()
			if err != nil {
				return nil, err
			}
			s.parts, some = append(s.parts, inner), true
		case c == '&' && p.at+1 < len(p.src) && p.src[p.at+1] == '&':
			p.at += 2
			for p.take('&') {
			}
			if some {
				sides = append(sides, s.seal())
				s, some = &set{fold: p.flags.fold()}, false
			}
		default:
			if err := p.member(s); err != nil {
				return nil, err
			}
			some = true
		}
	}
}

// member reads a character, a range or an escape of a class.
func (p *parser) member(s *set) error {
	low, done, err := p.end(s)
	if done || err != nil {
		return err
	}
	if p.peek() != '-' || p.at+1 >= len(p.src) || p.src[p.at+1] == ']' || p.src[p.at+1] == '[' {
		s.ranges = append(s.ranges, low, low)
		return nil
	}
	p.at++
	high, done, err := p.end(s)
	if err != nil {
		return err
	}
	if done { // a class, as in [a-\d]: the minus is one
		s.ranges = append(s.ranges, low, low, '-', '-')
		return nil
	}
	if high < low {
		return p.fail("illegal character range")
	}
	s.ranges = append(s.ranges, low, high)
	return nil
}

// end reads one end of a range; done tells that it was a class or a quotation,
// which is in s already.
func (p *parser) end(s *set) (r rune, done bool, err error) {
	c := p.peek()
	p.at++
	if c != '\\' {
		return c, false, nil
	}
	if p.take('Q') {
		for p.at < len(p.src) && !p.takes(`\E`) {
			s.ranges = append(s.ranges, p.src[p.at], p.src[p.at])
			p.at++
		}
		return 0, true, nil
	}
	sub, r, err := p.escaped()
	if sub != nil {
		s.parts = append(s.parts, sub)
	}
	return r, sub != nil, err
}
