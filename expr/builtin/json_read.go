package builtin

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"fsql/value"
)

// The reader of the JSON functions. It takes what Jackson takes with its
// defaults, because Flink's functions stand on it: no comments, no single
// quotes, no leading zeros, text after a complete value is ignored, of a
// repeated key the last value stays (in the place of the first).

type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonFalse
	jsonTrue
	jsonWhole   // a number without fraction and exponent
	jsonDecimal // any other number
	jsonString
	jsonArray
	jsonObject
)

// jsonNode is a value of a document. The values of an array or object are
// chained by next.
type jsonNode struct {
	kind  jsonKind
	text  string // of a string, decoded; of a number and a word, as it is written out
	key   string // in an object
	first int32  // first value inside, -1 if there is none
	next  int32  // the one behind it, -1 at the end
	count int32  // of values inside
}

func (n *jsonNode) scalar() bool { return n.kind < jsonArray }

// jsonDoc holds one document after the other; its memory is used again, so
// what is to live longer must be copied out.
type jsonDoc struct {
	text  string
	pos   int
	depth int
	nodes []jsonNode
	buf   []byte           // decoded strings and spelled numbers
	keys  map[string]int32 // of large objects
	// verbatim leaves numbers as they are written, of any size.
	verbatim bool
	// twice is a key that an object held more than once.
	twice    string
	hasTwice bool
}

// Jackson's limits.
const (
	jsonMaxDepth  = 1000
	jsonMaxDigits = 1000 // of a whole number
)

// read reads a document; its root is node 0. When it fails, why says where.
func (d *jsonDoc) read(text string) (ok bool) {
	d.text, d.pos, d.depth, d.hasTwice = text, 0, 0, false
	d.nodes, d.buf = d.nodes[:0], d.buf[:0]
	d.space()
	_, ok = d.value()
	return ok && d.ended()
}

// why tells the place where reading stopped.
func (d *jsonDoc) why() string {
	if d.pos >= len(d.text) {
		return "it ends too early"
	}
	r, _ := utf8.DecodeRuneInString(d.text[d.pos:])
	return "unexpected character " + strconv.QuoteRune(r) + " at position " + strconv.Itoa(utf8.RuneCountInString(d.text[:d.pos])+1)
}

// ended checks what follows a number at the root: nothing but white space.
func (d *jsonDoc) ended() bool {
	k := d.nodes[0].kind
	return d.pos >= len(d.text) || k != jsonWhole && k != jsonDecimal || isJSONSpace(d.text[d.pos])
}

func isJSONSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (d *jsonDoc) space() {
	for d.pos < len(d.text) && isJSONSpace(d.text[d.pos]) {
		d.pos++
	}
}

func (d *jsonDoc) add(n jsonNode) int32 {
	n.first, n.next = -1, -1
	d.nodes = append(d.nodes, n)
	return int32(len(d.nodes) - 1)
}

func (d *jsonDoc) value() (at int32, ok bool) {
	if d.pos >= len(d.text) {
		return -1, false
	}
	switch c := d.text[d.pos]; c {
	case '{', '[':
		return d.inside(c == '{')
	case '"':
		s, ok := d.str()
		return d.add(jsonNode{kind: jsonString, text: s}), ok
	case 't':
		return d.word("true", jsonTrue)
	case 'f':
		return d.word("false", jsonFalse)
	case 'n':
		return d.word("null", jsonNull)
	}
	return d.number()
}

// word reads a word, which must end there: "truex" is none.
func (d *jsonDoc) word(w string, k jsonKind) (int32, bool) {
	if !strings.HasPrefix(d.text[d.pos:], w) {
		return -1, false
	}
	if r, _ := utf8.DecodeRuneInString(d.text[d.pos+len(w):]); r >= '0' && r != utf8.RuneError && isJavaNamePart(r) {
		return -1, false
	}
	d.pos += len(w)
	return d.add(jsonNode{kind: k, text: w}), true
}

func isJavaNamePart(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nd, unicode.Nl, unicode.Sc, unicode.Pc, unicode.Mn, unicode.Mc, unicode.Cf) ||
		r >= 0x7f && r <= 0x9f
}

// inside reads an object or array.
func (d *jsonDoc) inside(object bool) (at int32, ok bool) {
	kind, end := jsonArray, byte(']')
	if object {
		kind, end = jsonObject, '}'
	}
	if d.depth++; d.depth > jsonMaxDepth {
		return -1, false
	}
	at, last := d.add(jsonNode{kind: kind}), int32(-1)
	d.pos++
	d.space()
	if d.pos < len(d.text) && d.text[d.pos] == end {
		d.pos++
		d.depth--
		return at, true
	}
	for {
		d.space()
		key := ""
		if object {
			if key, ok = d.key(); !ok {
				return -1, false
			}
		}
		kid, ok := d.value()
		if !ok {
			return -1, false
		}
		d.nodes[kid].key = key
		if last < 0 {
			d.nodes[at].first = kid
		} else {
			d.nodes[last].next = kid
		}
		last = kid
		d.nodes[at].count++
		if d.space(); d.pos >= len(d.text) {
			return -1, false
		}
		switch c := d.text[d.pos]; {
		case c == ',':
			d.pos++
		case c == end:
			d.pos++
			d.depth--
			if object {
				d.unify(at)
			}
			return at, true
		default:
			return -1, false
		}
	}
}

// key reads a key and its colon.
func (d *jsonDoc) key() (key string, ok bool) {
	if d.pos >= len(d.text) || d.text[d.pos] != '"' {
		return "", false
	}
	if key, ok = d.str(); !ok {
		return "", false
	}
	if d.space(); d.pos >= len(d.text) || d.text[d.pos] != ':' {
		return "", false
	}
	d.pos++
	d.space()
	return key, true
}

// unify leaves one member of each key in an object.
func (d *jsonDoc) unify(at int32) {
	o := &d.nodes[at]
	large := o.count > 16
	if large {
		if d.keys == nil {
			d.keys = map[string]int32{}
		}
		clear(d.keys)
	}
	last := int32(-1)
	for i := o.first; i >= 0; i = d.nodes[i].next {
		key, twin := d.nodes[i].key, int32(-1)
		if large {
			if j, ok := d.keys[key]; ok {
				twin = j
			} else {
				d.keys[key] = i
			}
		} else {
			for j := o.first; j != i && twin < 0; j = d.nodes[j].next {
				if d.nodes[j].key == key {
					twin = j
				}
			}
		}
		if twin < 0 {
			last = i
			continue
		}
		d.twice, d.hasTwice = key, true
		n := d.nodes[i]
		d.nodes[last].next = n.next
		n.next = d.nodes[twin].next
		d.nodes[twin] = n
		o.count--
		i = last
	}
}

// member finds a key in an object, -1 if it is not there.
func (d *jsonDoc) member(at int32, key string) int32 {
	for i := d.nodes[at].first; i >= 0; i = d.nodes[i].next {
		if d.nodes[i].key == key {
			return i
		}
	}
	return -1
}

// keep makes a string of what was appended to buf since from.
func (d *jsonDoc) keep(from int) string {
	if from == len(d.buf) {
		return ""
	}
	return unsafe.String(&d.buf[from], len(d.buf)-from)
}

// str reads a string, which begins at its quote.
func (d *jsonDoc) str() (s string, ok bool) {
	d.pos++
	from := d.pos
	for d.pos < len(d.text) {
		switch c := d.text[d.pos]; {
		case c == '"':
			d.pos++
			return d.text[from : d.pos-1], true
		case c == '\\':
			return d.escaped(from)
		case c < ' ':
			return "", false
		}
		d.pos++
	}
	return "", false
}

// escaped reads a string on from its first escape.
func (d *jsonDoc) escaped(from int) (s string, ok bool) {
	start := len(d.buf)
	d.buf = append(d.buf, d.text[from:d.pos]...)
	for d.pos < len(d.text) {
		c := d.text[d.pos]
		switch {
		case c == '"':
			d.pos++
			return d.keep(start), true
		case c < ' ':
			return "", false
		case c == '\\':
			var n int
			if d.buf, n = appendUnescaped(d.buf, d.text[d.pos:]); n == 0 {
				return "", false
			}
			d.pos += n
			continue
		}
		d.buf = append(d.buf, c)
		d.pos++
	}
	return "", false
}

// appendUnescaped appends the character of the escape that s begins with; n is
// the length of the escape, 0 for one that JSON does not have.
func appendUnescaped(dst []byte, s string) (_ []byte, n int) {
	const letters, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if len(s) < 2 {
		return dst, 0
	}
	if i := strings.IndexByte(letters, s[1]); i >= 0 {
		return append(dst, meant[i]), 2
	}
	if s[1] != 'u' {
		return dst, 0
	}
	r, ok := hex4(s, 2)
	if !ok {
		return dst, 0
	}
	n = 6
	if utf16.IsSurrogate(r) {
		low, ok := rune(0), false
		if strings.HasPrefix(s[6:], `\u`) {
			low, ok = hex4(s, 8)
		}
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			r, n = pair, 12
		} else {
			r = '?' // what Java makes of half a character in UTF-8
		}
	}
	return utf8.AppendRune(dst, r), n
}

func hex4(s string, at int) (rune, bool) {
	if at+4 > len(s) {
		return 0, false
	}
	for _, c := range []byte(s[at : at+4]) {
		if !isHex(c) {
			return 0, false
		}
	}
	n, _ := strconv.ParseUint(s[at:at+4], 16, 16)
	return rune(n), true
}

func (d *jsonDoc) digits() int {
	from := d.pos
	for d.pos < len(d.text) && d.text[d.pos] >= '0' && d.text[d.pos] <= '9' {
		d.pos++
	}
	return d.pos - from
}

func (d *jsonDoc) take(c byte) bool {
	if d.pos < len(d.text) && d.text[d.pos]|0x20 == c|0x20 {
		d.pos++
		return true
	}
	return false
}

// number reads a number; the text of a decimal one is spelled as BigDecimal
// does, whose fraction of zeros says something: 1.50, 1E+3.
func (d *jsonDoc) number() (int32, bool) {
	from := d.pos
	if d.text[d.pos] == '-' {
		d.pos++
	}
	start := d.pos
	n := d.digits()
	if n == 0 || n > 1 && d.text[start] == '0' {
		return -1, false
	}
	kind := jsonWhole
	if d.pos < len(d.text) && d.text[d.pos] == '.' {
		kind = jsonDecimal
		d.pos++
		if d.digits() == 0 {
			return -1, false
		}
	}
	if d.take('e') {
		kind = jsonDecimal
		if d.pos < len(d.text) && (d.text[d.pos] == '+' || d.text[d.pos] == '-') {
			d.pos++
		}
		if d.digits() == 0 {
			return -1, false
		}
	}
	text := d.text[from:d.pos]
	if kind == jsonWhole {
		if text == "-0" {
			text = "0"
		}
		return d.add(jsonNode{kind: kind, text: text}), n <= jsonMaxDigits
	}
	if d.verbatim || d.text[start] != '0' && strings.IndexByte(text, 'e') < 0 && strings.IndexByte(text, 'E') < 0 {
		// A number without exponent that does not begin with zero is spelled
		// so already.
		return d.add(jsonNode{kind: kind, text: text}), true
	}
	at := len(d.buf)
	var ok bool
	d.buf, ok = value.AppendBigDecimal(d.buf, text)
	return d.add(jsonNode{kind: kind, text: d.keep(at)}), ok
}
