package builtin

import (
	"strconv"
	"strings"
)

// spec is one place of a format.
type spec struct {
	index, width, precision int // -1: not written; index 0: the last one
	minus, hash, plus       bool
	blank, zero, comma      bool
	paren                   bool
	upper                   bool
	verb                    byte
}

// read reads what stands behind a %.
func (p *spec) read(s string) (rest string, ok bool) {
	p.index, p.width, p.precision = -1, -1, -1
	if n, rest, found := leadingNumber(s); found && strings.HasPrefix(rest, "$") {
		p.index, s = n, rest[1:]
	}
flags:
	for ; s != ""; s = s[1:] {
		var flag *bool
		switch s[0] {
		case '-':
			flag = &p.minus
		case '#':
			flag = &p.hash
		case '+':
			flag = &p.plus
		case ' ':
			flag = &p.blank
		case '0':
			flag = &p.zero
		case ',':
			flag = &p.comma
		case '(':
			flag = &p.paren
		case '<':
			p.index = 0
			continue
		default:
			break flags
		}
		if *flag {
			return s, false
		}
		*flag = true
	}
	if n, rest, found := leadingNumber(s); found {
		p.width, s = n, rest
	}
	if strings.HasPrefix(s, ".") {
		n, rest, found := leadingNumber(s[1:])
		if !found {
			return s, false
		}
		p.precision, s = n, rest
	}
	if s == "" {
		return s, false
	}
	p.verb = s[0]
	if p.verb >= 'A' && p.verb <= 'Z' {
		p.verb, p.upper = p.verb|0x20, true
	}
	return s[1:], p.valid()
}

func leadingNumber(s string) (n int, rest string, found bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(s[:i])
	return n, s[i:], err == nil && n < 1<<31
}

// valid tells whether the flags go together with each other and with the verb.
func (p *spec) valid() bool {
	signs := p.plus || p.blank || p.paren
	if (p.minus || p.zero) && p.width < 0 || p.minus && p.zero || p.plus && p.blank {
		return false
	}
	switch p.verb {
	case 'n':
		return !p.upper && !p.minus && !p.hash && !p.zero && !p.comma && !signs && p.width < 0 && p.precision < 0
	case '%':
		return !p.hash && !p.zero && !p.comma && !signs && p.precision < 0
	case 's', 'b':
		return !p.hash && !p.zero && !p.comma && !signs
	case 'c':
		return !p.hash && !p.zero && !p.comma && !signs && p.precision < 0
	case 'd':
		return !p.upper && !p.hash && p.precision < 0
	case 'x', 'o':
		return !(p.upper && p.verb == 'o') && !p.comma && !signs && p.precision < 0
	case 'f':
		return !p.upper
	case 'e':
		return !p.comma
	case 'g':
		return !p.hash
	}
	return false
}
