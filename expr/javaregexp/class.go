package javaregexp

import (
	"strings"
	"unicode"
)

// set is a class of characters: those in one of the ranges, tests or parts,
// and in all of and, or the others if neg.
type set struct {
	ranges []rune // pairs
	tests  []func(rune) bool
	parts  []*set
	and    []*set
	neg    bool
	fold   folding
	ascii  [2]uint64 // the answers for 0 to 127
}

// folding says which letters count as one.
type folding uint8

const (
	exact     folding = iota
	foldASCII         // (?i)
	foldAll           // (?iu)
)

// seal computes the answers for ASCII.
func (s *set) seal() *set {
	for r := rune(0); r < 128; r++ {
		if s.slow(r) {
			s.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	return s
}

func (s *set) has(r rune) bool {
	if r < 128 {
		return s.ascii[r>>6]>>(r&63)&1 == 1
	}
	return s.slow(r)
}

func (s *set) slow(r rune) bool {
	in := s.holds(r)
	for _, f := range others(r, s.fold) {
		in = in || s.holds(f)
	}
	return in != s.neg
}

func (s *set) holds(r rune) bool {
	in := false
	for i := 0; i < len(s.ranges) && !in; i += 2 {
		in = r >= s.ranges[i] && r <= s.ranges[i+1]
	}
	for i := 0; i < len(s.tests) && !in; i++ {
		in = s.tests[i](r)
	}
	for i := 0; i < len(s.parts) && !in; i++ {
		in = s.parts[i].slow(r)
	}
	for i := 0; i < len(s.and) && in; i++ {
		in = s.and[i].slow(r)
	}
	return in
}

// others are the characters that count as r.
func others(r rune, f folding) []rune {
	switch f {
	case foldASCII:
		switch {
		case r >= 'a' && r <= 'z':
			return []rune{r - 32}
		case r >= 'A' && r <= 'Z':
			return []rune{r + 32}
		}
	case foldAll:
		var out []rune
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			out = append(out, o)
		}
		return out
	}
	return nil
}

func ranged(neg bool, rs ...rune) *set { return (&set{ranges: rs, neg: neg}).seal() }

// shorthand is the class of \d, \w and so on; nil for other letters.
func shorthand(c rune, all bool) *set {
	var s *set
	switch unicode.ToLower(c) {
	case 'd':
		s = &set{ranges: []rune{'0', '9'}}
		if all {
			s = &set{tests: []func(rune) bool{unicode.IsDigit}}
		}
	case 'w':
		s = &set{ranges: []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}}
		if all {
			s = &set{tests: []func(rune) bool{func(r rune) bool {
				return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.In(r, unicode.M, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
			}}}
		}
	case 's':
		s = &set{ranges: []rune{'\t', '\r', ' ', ' '}}
		if all {
			s = &set{tests: []func(rune) bool{unicode.IsSpace}}
		}
	case 'h':
		s = &set{ranges: []rune{'\t', '\t', ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000}}
	case 'v':
		s = &set{ranges: []rune{'\n', '\r', 0x85, 0x85, 0x2028, 0x2029}}
	default:
		return nil
	}
	s.neg = c < 'a'
	return s.seal()
}

// property is the class of \p{name}.
func property(name string, all bool) (*set, bool) {
	test := func(f func(rune) bool) (*set, bool) { return (&set{tests: []func(rune) bool{f}}).seal(), true }
	if all {
		switch name {
		case "Lower", "Upper", "Alpha", "Digit", "Alnum", "Punct", "Space":
			name = "Is" + map[string]string{"Lower": "Lowercase", "Upper": "Uppercase", "Alpha": "Alphabetic", "Digit": "Digit",
				"Alnum": "Alnum", "Punct": "Punctuation", "Space": "White_Space"}[name]
		}
	}
	switch name {
	case "Lower":
		return ranged(false, 'a', 'z'), true
	case "Upper":
		return ranged(false, 'A', 'Z'), true
	case "ASCII":
		return ranged(false, 0, 0x7f), true
	case "Alpha":
		return ranged(false, 'A', 'Z', 'a', 'z'), true
	case "Digit":
		return ranged(false, '0', '9'), true
	case "Alnum":
		return ranged(false, '0', '9', 'A', 'Z', 'a', 'z'), true
	case "Punct":
		return ranged(false, '!', '/', ':', '@', '[', '`', '{', '~'), true
	case "Graph":
		return ranged(false, '!', '~'), true
	case "Print":
		return ranged(false, ' ', '~'), true
	case "Blank":
		return ranged(false, '\t', '\t', ' ', ' '), true
	case "Cntrl":
		return ranged(false, 0, 0x1f, 0x7f, 0x7f), true
	case "XDigit":
		return ranged(false, '0', '9', 'A', 'F', 'a', 'f'), true
	case "Space":
		return ranged(false, '\t', '\r', ' ', ' '), true
	case "javaLowerCase":
		return test(unicode.IsLower)
	case "javaUpperCase":
		return test(unicode.IsUpper)
	case "javaWhitespace":
		return test(func(r rune) bool { return unicode.IsSpace(r) && r != 0xa0 && r != 0x2007 && r != 0x202f && r != 0x85 })
	case "javaLetter", "javaAlphabetic":
		return test(unicode.IsLetter)
	case "javaDigit":
		return test(unicode.IsDigit)
	case "javaLetterOrDigit":
		return test(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	case "L1":
		return ranged(false, 0, 0xff), true
	case "LC":
		return test(func(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt) })
	}
	key, value, found := strings.Cut(name, "=")
	switch strings.ToLower(key) {
	case "script", "sc":
		if t := unicode.Scripts[title(value)]; found && t != nil {
			return test(func(r rune) bool { return unicode.Is(t, r) })
		}
		return nil, false
	case "general_category", "gc":
		name = value
	}
	if t := unicode.Categories[name]; t != nil {
		return test(func(r rune) bool { return unicode.Is(t, r) })
	}
	rest, is := strings.CutPrefix(name, "Is")
	if !is {
		return nil, false
	}
	switch strings.ToLower(rest) {
	case "alphabetic":
		return test(func(r rune) bool {
			return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_Alphabetic)
		})
	case "alnum":
		return test(func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.In(r, unicode.Nl, unicode.Other_Alphabetic)
		})
	case "letter":
		return test(unicode.IsLetter)
	case "lowercase":
		return test(func(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) })
	case "uppercase":
		return test(func(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r) })
	case "titlecase":
		return test(unicode.IsTitle)
	case "punctuation":
		return test(unicode.IsPunct)
	case "control":
		return test(unicode.IsControl)
	case "digit":
		return test(unicode.IsDigit)
	case "white_space", "whitespace":
		return test(unicode.IsSpace)
	case "ideographic":
		return test(func(r rune) bool { return unicode.Is(unicode.Ideographic, r) })
	case "hex_digit":
		return test(func(r rune) bool { return unicode.Is(unicode.Hex_Digit, r) })
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts} {
		for _, key := range []string{rest, title(rest)} {
			if t := tables[key]; t != nil {
				return test(func(r rune) bool { return unicode.Is(t, r) })
			}
		}
	}
	return nil, false
}

// title writes the name of a script as the tables have it.
func title(s string) string {
	b := []byte(strings.ToLower(s))
	for i := range b {
		if (i == 0 || b[i-1] == '_') && b[i] >= 'a' && b[i] <= 'z' {
			b[i] -= 32
		}
	}
	return string(b)
}
