package builtin

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"fsql/internal/value"
)

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
