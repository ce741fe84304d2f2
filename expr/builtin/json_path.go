package builtin

import (
	"strconv"
	"strings"

	"fsql/internal/diag"
)

// jsonPath is a compiled path. Its language is that of the Java library that
// Flink uses (Jayway JsonPath): $.key, $['key'], $['a','b'], $[0], $[-1],
// $[0,1], $[1:3], .*, [*], ..key, [?(@.a > 1)] and functions at the end.
type jsonPath struct {
	text string
	lax  bool
	bad  bool // the text is no path
	// refused is a part that the library has and this reader has not; with
	// fails, Flink cannot run it either.
	refused string
	fails   bool
	steps   []jsonStep
	exact   bool // names at most one value
}

type jsonStepKind uint8

const (
	stepKeys     jsonStepKind = iota // one key or several
	stepIndexes                      // positions
	stepSlice                        // from, to
	stepAll                          // * or [*]
	stepScan                         // .. : everything below
	stepFilter                       // [?(...)]
	stepFunction                     // length() at the end
)

type jsonStep struct {
	kind           jsonStepKind
	keys           []string
	indexes        []int
	from, to       int
	hasFrom, hasTo bool
	filter         *jsonFilter
	function       string
	argument       int // of index()
	// upstream tells that the steps before lead to one value at most: then it
	// is an error in strict mode when the step does not fit the value.
	upstream bool
	exact    bool // the step itself leads to one value at most
}

// compileJSONPath reads "[lax|strict] path"; without a word the mode is strict.
// A text that is no path fails only where it is used, as in Flink.
func compileJSONPath(text string) (*jsonPath, error) {
	p := &jsonPath{text: text, exact: true}
	spec := text
	if mode, rest := cutMode(text); mode != "" {
		p.lax, spec = mode == "lax", rest
	}
	r := pathReader{path: p}
	r.open(spec)
	p.bad = !r.root()
	switch {
	case p.refused != "" && p.fails:
		return nil, diag.New(diag.NotSupported, diag.Span{}, "the JSON path '%s' has %s, which fails in Flink", text, p.refused).
			WithHint("compare with ==, !=, <, <=, > or >= : $.a[?(@.b > 1)]")
	case p.refused != "":
		return nil, diag.New(diag.NotImplemented, diag.Span{}, "the JSON path '%s' has %s, which is not implemented", text, p.refused).
			WithHint("take the part with a plain path and compute on it in SQL")
	}
	for i := range p.steps {
		s := &p.steps[i]
		s.upstream = p.exact
		switch s.kind {
		case stepKeys:
			s.exact = len(s.keys) == 1 || i+1 == len(p.steps)
		case stepIndexes:
			s.exact = len(s.indexes) == 1
		case stepFunction:
			s.exact = true
		}
		p.exact = p.exact && s.exact
	}
	return p, nil
}

// cutMode takes the first word off, if it is lax or strict in any case.
func cutMode(text string) (mode, rest string) {
	const blanks = " \t\n\v\f\r"
	s := strings.TrimLeft(text, blanks)
	for _, word := range []string{"strict", "lax"} {
		if len(s) > len(word) && strings.EqualFold(s[:len(word)], word) {
			rest = strings.TrimLeft(s[len(word):], blanks)
			if rest != "" && len(rest) < len(s)-len(word) {
				return word, rest
			}
		}
	}
	return "", text
}

// pathReader reads a path as the library does, with what that lets pass: one
// character too many at the end goes unnoticed.
type pathReader struct {
	path *jsonPath
	s    []rune
	pos  int
	end  int // last position
}

func (r *pathReader) open(spec string) {
	spec = strings.TrimRight(spec, " ")
	if spec != "" && spec[0] != '$' && spec[0] != '@' {
		spec = "$." + spec
	}
	r.s = []rune(spec)
	r.end = len(r.s) - 1
}

// at is the character at a position, 0 outside.
func (r *pathReader) at(i int) rune {
	if i < 0 || i > r.end {
		return 0
	}
	return r.s[i]
}

// after is the position of the first character behind i that is no blank.
func (r *pathReader) after(i int) int {
	for i++; i <= r.end && r.s[i] == ' '; i++ {
	}
	return i
}

func (r *pathReader) atTail() bool { return r.pos >= r.end }

func (r *pathReader) root() bool {
	if r.end < 0 || r.s[r.end] == '.' {
		return false
	}
	if r.atTail() {
		return true
	}
	r.pos = 1
	if c := r.at(1); c != '.' && c != '[' {
		return false
	}
	return r.next()
}

// done adds a step that ends before pos and reads on where something follows.
func (r *pathReader) done(pos int, s jsonStep) bool {
	r.pos = pos
	r.path.steps = append(r.path.steps, s)
	return r.atTail() || r.next()
}

func (r *pathReader) next() bool {
	switch r.at(r.pos) {
	case '[':
		return r.bracket()
	case '.':
		if r.at(r.pos+1) == '.' {
			r.path.steps = append(r.path.steps, jsonStep{kind: stepScan})
			r.pos++
		}
		r.pos++
		return r.pos <= r.end && r.at(r.pos) != '.' && r.next()
	case '*':
		return r.done(r.pos+1, jsonStep{kind: stepAll})
	}
	return r.name()
}

func (r *pathReader) bracket() bool {
	switch c := r.at(r.after(r.pos)); {
	case c == '\'' || c == '"':
		return r.quoted(c)
	case c >= '0' && c <= '9' || c == '-' || c == ':':
		return r.positions()
	case c == '*':
		end := r.after(r.after(r.pos))
		return r.at(end) == ']' && r.done(end+1, jsonStep{kind: stepAll})
	case c == '?':
		return r.filtered()
	}
	return false
}

// name reads key or function().
func (r *pathReader) name() bool {
	from := r.pos
	if c := r.at(from); c == ' ' || c == 0 {
		return false
	}
	i := from
	for ; i <= r.end && !strings.ContainsRune(".[(", r.s[i]); i++ {
		if r.s[i] == ' ' {
			return false
		}
	}
	name := string(r.s[from:i])
	if r.at(i) == '(' {
		return r.function(name, i)
	}
	return r.done(i, jsonStep{kind: stepKeys, keys: []string{name}})
}

// function reads the operands of name, which begin at the bracket at open.
func (r *pathReader) function(name string, open int) bool {
	depth, end := 1, open+1
	for ; end <= r.end && depth > 0; end++ {
		switch r.s[end] {
		case ')':
			depth--
		case '(':
			depth++
		}
	}
	if depth != 0 {
		return false
	}
	s := jsonStep{kind: stepFunction, function: name}
	operand := strings.TrimSpace(string(r.s[open+1 : end-1]))
	switch name {
	case "length", "size", "keys", "first", "last", "sum", "min", "max", "avg", "stddev":
		if operand != "" {
			r.path.refused = "an operand of " + name + "()"
		}
	case "index":
		n, err := strconv.Atoi(operand)
		if err != nil {
			return false
		}
		s.argument = n
	case "concat", "append":
		r.path.refused = name + "()"
	default:
		return false
	}
	for _, before := range r.path.steps {
		if before.kind == stepScan {
			r.path.refused = name + "() behind .."
		}
	}
	return r.done(end-1, s)
}

// quoted reads ['a'] and ['a', 'b'].
func (r *pathReader) quoted(quote rune) bool {
	var keys []string
	start, last := 0, 0
	inside, escape, comma := false, false, false
	for i := r.pos + 1; i <= r.end && (inside || r.s[i] != ']'); i++ {
		switch c := r.s[i]; {
		case escape:
			escape = false
		case c == '\\':
			escape = true
		case c == quote && inside:
			if n := r.at(r.after(i)); n != ']' && n != ',' {
				return false
			}
			keys = append(keys, unescapeKey(string(r.s[start:i])))
			inside, last = false, i
		case c == quote:
			start, inside, comma = i+1, true, false
		case c == ',' && !inside:
			if comma {
				return false
			}
			comma = true
		}
	}
	end := r.after(last)
	if inside || comma || r.at(end) != ']' {
		return false
	}
	return r.done(end+1, jsonStep{kind: stepKeys, keys: keys})
}

// unescapeKey resolves the escapes in a key; of an unknown one the letter
// stays.
func unescapeKey(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b []byte
	for len(s) > 0 {
		if s[0] != '\\' || len(s) == 1 {
			b, s = append(b, s[0]), s[1:]
			continue
		}
		n := 0
		if b, n = appendUnescaped(b, s); n == 0 {
			b, n = append(b, s[1]), 2
		}
		s = s[n:]
	}
	return string(b)
}

// positions reads [1], [1,2], [-1], [1:], [:2], [1:2].
func (r *pathReader) positions() bool {
	end := r.pos + 1
	for ; end <= r.end && r.s[end] != ']'; end++ {
		if !strings.ContainsRune("0123456789,-: ", r.s[end]) {
			return false
		}
	}
	if end > r.end {
		return false
	}
	text := string(r.s[r.pos+1 : end])
	if from, to, slice := strings.Cut(text, ":"); slice {
		to, _, _ = strings.Cut(to, ":")
		s := jsonStep{kind: stepSlice}
		var ok1, ok2 bool
		s.from, s.hasFrom, ok1 = position(from)
		s.to, s.hasTo, ok2 = position(to)
		return ok1 && ok2 && (s.hasFrom || s.hasTo) && r.done(end+1, s)
	}
	s := jsonStep{kind: stepIndexes}
	for _, p := range strings.Split(text, ",") {
		n, there, ok := position(p)
		if !there || !ok {
			return false
		}
		s.indexes = append(s.indexes, n)
	}
	return r.done(end+1, s)
}

// position reads a number of 32 bits, which may be left out.
func position(s string) (n int, there, ok bool) {
	if s = strings.TrimSpace(s); s == "" {
		return 0, false, true
	}
	v, err := strconv.ParseInt(s, 10, 32)
	return int(v), true, err == nil
}
