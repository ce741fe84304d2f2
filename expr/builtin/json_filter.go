package builtin

import (
	"strconv"
	"strings"

	"fsql/expr/javaregexp"
	"fsql/internal/value"
)

// jsonFilter is the condition of a step [?(...)]: comparisons joined by &&, ||
// and !. A path in it that leads nowhere is unequal to everything.
type jsonFilter struct {
	op          string // "&&", "||", "!", or of a comparison
	left, right *jsonFilter
	a, b        jsonOperand
}

// jsonOperand is a side of a comparison: a constant, or a path from the value
// (@) or the document ($).
type jsonOperand struct {
	kind jsonKind // of a constant
	text string
	path *jsonPath
	here bool // the path begins at the value
	re   *javaregexp.Regexp
}

// filtered reads [?(...)].
func (r *pathReader) filtered() bool {
	open := r.after(r.after(r.pos))
	if r.at(open) != '(' {
		return false
	}
	f := filterReader{r: r, pos: open + 1}
	cond := f.or()
	if cond == nil || !f.take(")") || !f.take("]") {
		return r.path.refused != "" // then it does not matter how the text goes on
	}
	return r.done(f.pos, jsonStep{kind: stepFilter, filter: cond})
}

type filterReader struct {
	r   *pathReader
	pos int
}

func (f *filterReader) space() {
	for f.pos <= f.r.end && f.r.s[f.pos] == ' ' {
		f.pos++
	}
}

func (f *filterReader) take(word string) bool {
	f.space()
	n := len(word) // the words are ASCII
	if f.pos+n > f.r.end+1 || string(f.r.s[f.pos:f.pos+n]) != word {
		return false
	}
	f.pos += n
	return true
}

func (f *filterReader) or() *jsonFilter { return f.chain("||", f.and) }

func (f *filterReader) and() *jsonFilter { return f.chain("&&", f.not) }

func (f *filterReader) chain(op string, part func() *jsonFilter) *jsonFilter {
	x := part()
	for x != nil && f.take(op) {
		y := part()
		if y == nil {
			return nil
		}
		x = &jsonFilter{op: op, left: x, right: y}
	}
	return x
}

func (f *filterReader) not() *jsonFilter {
	if f.take("!") {
		if x := f.not(); x != nil {
			return &jsonFilter{op: "!", left: x}
		}
		return nil
	}
	if f.take("(") {
		if x := f.or(); x != nil && f.take(")") {
			return x
		}
		return nil
	}
	return f.comparison()
}

func (f *filterReader) comparison() *jsonFilter {
	x := &jsonFilter{}
	var ok bool
	if x.a, ok = f.operand(); !ok {
		return nil
	}
	for _, op := range []string{"===", "!==", "==", "!=", "=~", "<=", ">=", "<", ">", "contains", "size", "empty"} {
		if f.take(op) {
			if x.op = op; f.r.path.refused != "" {
				return nil
			}
			x.b, ok = f.operand()
			if !ok {
				return nil
			}
			return x
		}
	}
	// Flink lacks the classes for the question whether a path exists and for
	// lists, and fails the job.
	f.r.path.refused, f.r.path.fails = "a filter other than a comparison", true
	return nil
}

func (f *filterReader) operand() (o jsonOperand, ok bool) {
	f.space()
	switch c := f.r.at(f.pos); {
	case c == '@' || c == '$':
		return f.pathOperand(c == '@')
	case c == '\'' || c == '"':
		text, ok := f.until(c)
		return jsonOperand{kind: jsonString, text: unescapeKey(text)}, ok
	case c == '/':
		return f.pattern()
	case f.take("true"):
		return jsonOperand{kind: jsonTrue, text: "true"}, true
	case f.take("false"):
		return jsonOperand{kind: jsonFalse, text: "false"}, true
	case f.take("null"):
		return jsonOperand{kind: jsonNull, text: "null"}, true
	}
	from := f.pos
	for f.pos <= f.r.end && strings.ContainsRune("0123456789.-+eE", f.r.s[f.pos]) {
		f.pos++
	}
	text := string(f.r.s[from:f.pos])
	_, err := strconv.ParseFloat(text, 64)
	return jsonOperand{kind: jsonDecimal, text: text}, err == nil
}

// until reads what stands between two quotes.
func (f *filterReader) until(quote rune) (string, bool) {
	f.pos++
	for from := f.pos; f.pos <= f.r.end; f.pos++ {
		switch f.r.s[f.pos] {
		case '\\':
			f.pos++
		case quote:
			f.pos++
			return string(f.r.s[from : f.pos-1]), true
		}
	}
	return "", false
}

func (f *filterReader) pattern() (o jsonOperand, ok bool) {
	text, ok := f.until('/')
	flags := ""
	for ; f.pos <= f.r.end && strings.ContainsRune("imsdxuU", f.r.s[f.pos]); f.pos++ {
		if c := f.r.s[f.pos]; c == 'i' || c == 'm' || c == 's' {
			flags += string(c)
		}
	}
	if flags != "" {
		flags = "(?" + flags + ")"
	}
	re, err := javaregexp.Compile(flags + "^(?:" + text + ")$")
	o.re = re
	return o, ok && err == nil
}

// pathOperand reads a path up to a blank, an operator or the end of the
// condition.
func (f *filterReader) pathOperand(here bool) (o jsonOperand, ok bool) {
	from, depth := f.pos, 0
	for ; f.pos <= f.r.end; f.pos++ {
		c := f.r.s[f.pos]
		if depth == 0 && strings.ContainsRune(" <>=~!)", c) {
			break
		}
		switch c {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
	}
	p, err := compileJSONPath(string(f.r.s[from:f.pos]))
	if err != nil {
		f.r.path.refused, f.r.path.fails = "a filter in a filter or a function with operands", false
		return o, false
	}
	return jsonOperand{path: p, here: here}, !p.bad
}

// accepts evaluates a condition for a value.
func (w *jsonWalk) accepts(f *jsonFilter, at int32) bool {
	switch f.op {
	case "&&":
		return w.accepts(f.left, at) && w.accepts(f.right, at)
	case "||":
		return w.accepts(f.left, at) || w.accepts(f.right, at)
	case "!":
		return !w.accepts(f.left, at)
	}
	a, okA := w.operand(&f.a, at)
	b, okB := w.operand(&f.b, at)
	both := okA && okB
	number := func(n jsonNode) bool { return n.kind == jsonWhole || n.kind == jsonDecimal }
	switch f.op {
	case "==":
		return both && equalJSON(a, b)
	case "!=":
		return !both || !equalJSON(a, b)
	case "===":
		return both && (a.kind == b.kind || number(a) && number(b)) && equalJSON(a, b)
	case "!==":
		return !both || a.kind != b.kind && !(number(a) && number(b)) || !equalJSON(a, b)
	case "=~":
		re, text := f.b.re, a
		if f.a.re != nil {
			re, text = f.a.re, b
		}
		if re == nil || text.kind != jsonString {
			return false
		}
		loc, err := re.Matcher().Find(text.text, 0)
		return err == nil && loc != nil
	case "contains":
		return both && a.kind == jsonString && b.kind == jsonString && strings.Contains(a.text, b.text)
	case "size":
		n := int64(a.count)
		if a.kind == jsonString {
			n = int64(len([]rune(a.text)))
		}
		want, err := strconv.ParseInt(b.text, 10, 64)
		return both && err == nil && number(b) && !number(a) && n == want
	case "empty":
		return both && a.kind == jsonString && (a.text == "") == (b.kind == jsonTrue)
	}
	d := 0
	switch {
	case !both:
		return false
	case number(a) && number(b):
		d = compareNumbers(a.text, b.text)
	case a.kind == jsonString && b.kind == jsonString:
		d = value.CompareJava(a.text, b.text)
	default:
		return false
	}
	switch f.op {
	case "<":
		return d < 0
	case "<=":
		return d <= 0
	case ">":
		return d > 0
	}
	return d >= 0
}

// operand gives the value of one side; not ok: its path leads nowhere.
func (w *jsonWalk) operand(o *jsonOperand, at int32) (n jsonNode, ok bool) {
	if o.path == nil {
		return jsonNode{kind: o.kind, text: o.text}, true
	}
	if !o.here {
		at = 0
	}
	path, hits, fail := w.path, w.hits, w.fail
	w.path, w.hits, w.fail = o.path, nil, ""
	w.step(0, at, -1)
	found, failed := w.hits, w.fail != ""
	w.path, w.hits, w.fail = path, hits, fail
	switch {
	case failed:
		return n, false
	case !o.path.exact:
		return jsonNode{kind: jsonArray, count: int32(len(found))}, true
	case len(found) == 0:
		return n, false
	}
	return w.doc.nodes[found[len(found)-1]], true
}

// equalJSON compares single values; a text equals the number that it reads as.
func equalJSON(a, b jsonNode) bool {
	numA, numB := a.kind == jsonWhole || a.kind == jsonDecimal, b.kind == jsonWhole || b.kind == jsonDecimal
	switch {
	case a.kind >= jsonArray || b.kind >= jsonArray:
		return false
	case numA && numB:
		return compareNumbers(a.text, b.text) == 0
	case numA && b.kind == jsonString:
		_, err := strconv.ParseFloat(b.text, 64)
		return err == nil && compareNumbers(a.text, b.text) == 0
	case numB && a.kind == jsonString:
		return a.text == b.text
	}
	return a.kind == b.kind && a.text == b.text
}

func compareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
