package builtin

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
