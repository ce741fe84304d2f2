package difftest

import (
	"fmt"
	"slices"
	"strings"
)

// signature is one way to call a function: text with holes for operands.
type signature struct {
	fn     string // name in the registry
	parts  []string
	holes  []hole // between the parts
	result string // a kind, a class, a variable or "" (nothing else takes it)
	risky  bool   // fails on values that operands often have: rarely nested
}

// hole is an operand: of one of the kinds, or what variable stands for.
type hole struct {
	variable string
	kinds    []kind // of a variable where it is named first
}

// parse reads lines of the form
//
//	FUNCTION | text with {kind} or {T=class} and {T} | result
//
// A result that starts with ! marks a risky signature.
func parse(lines string) []signature {
	var out []signature
	all := classes()
	for line := range strings.SplitSeq(lines, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		first, rest, _ := strings.Cut(line, " | ")
		at := strings.LastIndex(rest, " | ")
		if at < 0 {
			panic("no result: " + line)
		}
		s := signature{fn: first, result: strings.TrimSpace(rest[at+3:])}
		s.result, s.risky = strings.CutPrefix(s.result, "!")
		if s.result == "-" {
			s.result = ""
		}
		text := rest[:at]
		for {
			open := strings.IndexByte(text, '{')
			if open < 0 {
				break
			}
			shut := open + strings.IndexByte(text[open:], '}')
			s.parts = append(s.parts, text[:open])
			s.holes = append(s.holes, readHole(text[open+1:shut], all))
			text = text[shut+1:]
		}
		s.parts = append(s.parts, text)
		out = append(out, s)
	}
	return out
}

func readHole(text string, all map[string][]kind) hole {
	variable, class, named := strings.Cut(text, "=")
	switch {
	case named:
		return hole{variable, kinds(class, all)}
	case len(text) == 1:
		return hole{variable: text}
	}
	return hole{kinds: kinds(text, all)}
}

func kinds(name string, all map[string][]kind) []kind {
	if ks, ok := all[name]; ok {
		return ks
	}
	k := kind(name)
	if len(literals()[k]) == 0 {
		panic(fmt.Sprintf("no kind %q", name))
	}
	return []kind{k}
}

// fits tells whether what a signature gives can stand where one of want is
// asked for: a variable can be bound to one of want, of a class every kind
// must do.
func (s *signature) fits(want []kind, all map[string][]kind) bool {
	if s.result == "" {
		return false
	}
	if h := s.bound(); h != nil {
		return slices.ContainsFunc(h.kinds, func(k kind) bool { return slices.Contains(want, k) })
	}
	gives := []kind{kind(s.result)}
	if ks, ok := all[s.result]; ok {
		gives = ks
	}
	return !slices.ContainsFunc(gives, func(k kind) bool { return !slices.Contains(want, k) })
}

// bound is the hole whose variable is the result.
func (s *signature) bound() *hole {
	for i := range s.holes {
		if h := &s.holes[i]; h.variable == s.result && h.kinds != nil {
			return h
		}
	}
	return nil
}
