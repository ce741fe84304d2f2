package difftest

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
)

// node is one generated expression with those it is made of.
type node struct {
	text   string
	kids   []*node
	fn     string
	sig    *signature // of a call
	leaves [3]int     // operands that are no calls, by leafKind
}

// leafKind tells where an operand comes from that is no call.
type leafKind int

const (
	nullLeaf   leafKind = iota
	edgeLeaf            // an edge value, written
	columnLeaf          // a column, half of whose values are NULL or edge values
)

// garden grows random typed expressions.
type garden struct {
	seed  uint64
	rng   *rand.Rand
	all   map[string][]kind
	lits  map[kind][]string
	cols  map[kind][]string
	byFn  map[string][]*signature
	names []string
	sigs  []signature
	first int // the signatures before those of addedSignatures, which are never nested
}

func newGarden(seed uint64) *garden {
	g := &garden{
		seed: seed, all: classes(), lits: literals(), cols: map[kind][]string{}, byFn: map[string][]*signature{},
		sigs: signatures(),
	}
	for _, c := range columns() {
		g.cols[c.kind] = append(g.cols[c.kind], c.name)
	}
	g.first = len(g.sigs) - len(parse(addedSignatures))
	for i := range g.first {
		s := &g.sigs[i]
		if g.byFn[s.fn] == nil {
			g.names = append(g.names, s.fn)
		}
		g.byFn[s.fn] = append(g.byFn[s.fn], s)
	}
	return g
}

// one picks an element.
func one[T any](g *garden, list []T) T { return list[g.rng.IntN(len(list))] }

// root grows the nth expression whose outermost call is s. It depends on
// nothing else, so that a new signature leaves the expressions of others.
func (g *garden) root(s *signature, n, depth int) *node {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(s.parts, "{}")))
	g.rng = rand.New(rand.NewPCG(g.seed<<32+uint64(n), h.Sum64()))
	return g.call(s, nil, depth)
}

// roots grows for each signature as many expressions, those that are there
// already left out, and more for those that occur too seldom in all.
func (g *garden) roots(each int) []*node {
	var roots []*node
	seen := map[string]bool{}
	add := func(s *signature, n int) bool {
		r := g.root(s, n, 1+n%4)
		if seen[r.text] {
			return false
		}
		seen[r.text] = true
		roots = append(roots, r)
		return true
	}
	for _, part := range [][2]int{{0, g.first}, {g.first, len(g.sigs)}} {
		for n := range each {
			for i := part[0]; i < part[1]; i++ {
				add(&g.sigs[i], n)
			}
		}
	}
	g.lits = moreLiterals()
	defer func() { g.lits = literals() }()
	times := occurrences(roots)
	for i := range g.sigs {
		s := &g.sigs[i]
		for n := each; times[s] < min(each, atLeast) && n < each+tries; n++ {
			if add(s, n) {
				times[s]++
			}
		}
	}
	return roots
}

const (
	// atLeast is how often a signature occurs.
	atLeast = 20
	// tries to grow an expression that is new: a few signatures do not have
	// as many.
	tries = 200
)

// occurrences counts the calls of each signature.
func occurrences(roots []*node) map[*signature]int {
	times := map[*signature]int{}
	for _, r := range roots {
		r.walk(func(n *node) { times[n.sig]++ })
	}
	return times
}

// call fills the holes of s. want narrows the kinds of its result's variable.
func (g *garden) call(s *signature, want []kind, depth int) *node {
	bound := map[string]kind{}
	n := &node{fn: s.fn, sig: s}
	var b strings.Builder
	for i, h := range s.holes {
		b.WriteString(s.parts[i])
		ks := h.kinds
		if h.variable != "" {
			if h.kinds != nil {
				if h.variable == s.result && want != nil {
					ks = slices.DeleteFunc(slices.Clone(ks), func(k kind) bool { return !slices.Contains(want, k) })
				}
				bound[h.variable] = one(g, ks)
			}
			ks = []kind{bound[h.variable]}
		}
		kid := g.value(ks, depth-1)
		if kid.fn != "" {
			n.kids = append(n.kids, kid)
		}
		for k, c := range kid.leaves {
			n.leaves[k] += c
		}
		b.WriteString(kid.text)
	}
	b.WriteString(s.parts[len(s.parts)-1])
	n.text = b.String()
	return n
}

// value grows an operand of one of the kinds.
func (g *garden) value(want []kind, depth int) *node {
	k := one(g, want)
	if depth > 0 && g.rng.Float64() < 0.6 {
		if s := g.giving(want, k); s != nil {
			n := g.call(s, want, depth)
			if !enclosed(n.text) {
				n.text = "(" + n.text + ")"
			}
			return n
		}
	}
	text, from := g.leaf(k)
	if text[0] == '-' { // which after a minus would start a comment
		text = "(" + text + ")"
	}
	n := &node{text: text}
	n.leaves[from] = 1
	return n
}

// giving picks a function whose result is k, or else any of want.
func (g *garden) giving(want []kind, k kind) *signature {
	for range 3 {
		for range 20 {
			s := one(g, g.byFn[one(g, g.names)])
			if s.risky && g.rng.IntN(8) > 0 {
				continue
			}
			if s.fits([]kind{k}, g.all) {
				return s
			}
		}
		for range 20 {
			s := one(g, g.byFn[one(g, g.names)])
			if !s.risky && s.fits(want, g.all) {
				return s
			}
		}
	}
	return nil
}

// leaf is a typed NULL, an edge value or a column.
func (g *garden) leaf(k kind) (string, leafKind) {
	cols, lits := g.cols[k], g.lits[k]
	switch p := g.rng.Float64(); {
	case p < 0.08:
		return "CAST(NULL AS " + typeOf(k) + ")", nullLeaf
	case len(cols) == 0 || len(lits) > 0 && p < 0.45:
		return one(g, lits), edgeLeaf
	default:
		return one(g, cols), columnLeaf
	}
}

// enclosed tells a call or a literal, which needs no parentheses as operand.
func enclosed(s string) bool {
	depth := 0
	word := true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			for i++; i < len(s) && s[i] != '\''; i++ {
			}
		case c == '(' || c == '[':
			depth++
			word = true
		case c == ')' || c == ']':
			depth--
			if depth == 0 && i < len(s)-1 {
				return false
			}
		case depth == 0 && !(c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9'):
			word = false
		}
		if depth == 0 && !word {
			return false
		}
	}
	return true
}
