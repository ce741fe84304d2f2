package lex

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"fsql/internal/diag"
)

// unicode cuts U&'\00e4' [UESCAPE 'c'], behind the mark. Four hex digits stand
// for a UTF-16 unit, a doubled escape character for itself.
func (l *lexer) unicode(start int) {
	raw, ok := l.quoted(start)
	if ok {
		raw, ok = l.continued(start, raw)
	}
	if !ok {
		return
	}
	escape, end := byte('\\'), l.pos
	if c, ok := l.uescape(); ok {
		switch {
		case len(c) != 1:
			l.bad(start, diag.New(diag.BadLiteral, diag.Span{}, "UESCAPE '%s' is not one character", c))
			return
		case isHex(c[0]) || strings.IndexByte(" \t\n\r\f+\"", c[0]) >= 0:
			l.bad(start, diag.New(diag.BadLiteral, diag.Span{},
				"UESCAPE '%s' is a hex digit, a blank, a plus sign or a double quote", c).WithHint("take a character such as '!'"))
			return
		}
		escape, end = c[0], l.pos
	}
	l.pos = end
	var units utf16Text
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] != escape:
			units.byte(raw[i])
		case i+1 < len(raw) && raw[i+1] == escape:
			i++
			units.byte(escape)
		case i+4 < len(raw) && (allHex(raw[i+1:i+5]) || isSign(raw[i+1]) && allHex(raw[i+2:i+5])):
			// A sign may take the place of the first digit: Flink reads \+000042
			// as the character 0 and the text 042.
			v, _ := strconv.ParseInt(raw[i+1:i+5], 16, 32)
			units.unit(rune(uint16(v)))
			i += 4
		default:
			l.bad(start, diag.New(diag.BadLiteral, diag.Span{}, "after %c in a U& string stand exactly four hex digits", escape).
				WithHint("write %c%c for the character itself", escape, escape))
			return
		}
	}
	l.finish(start, units.String())
}

// uescape reads UESCAPE 'c' if it follows; otherwise the position stays.
func (l *lexer) uescape() (string, bool) {
	back, tokens := l.pos, len(l.src.Tokens)
	const word = "UESCAPE"
	if l.skipBlanks() && len(l.text)-l.pos >= len(word) && Upper(l.text[l.pos:l.pos+len(word)]) == word {
		l.pos += len(word)
		if l.skipBlanks() && l.at(0) == '\'' {
			if c, ok := l.quoted(l.pos); ok {
				return c, true
			}
		}
	}
	l.pos = back
	l.src.Tokens = l.src.Tokens[:tokens]
	return "", false
}

// escaped cuts e'a\tb', behind the mark: C-style escapes. A back-slash before
// a character that means nothing stays, as in Flink.
func (l *lexer) escaped(start int) {
	from := l.pos + 1
	end := -1
	for at := from; at < len(l.text) && end < 0; at++ {
		switch {
		case l.text[at] == '\\':
			at++
		case l.text[at] == '\'' && at+1 < len(l.text) && l.text[at+1] == '\'':
			at++
		case l.text[at] == '\'':
			end = at
		}
	}
	if end < 0 {
		l.open(start)
		return
	}
	raw := l.text[from:end]
	l.pos = end + 1
	var units utf16Text
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\'' { // doubled
			i++
			units.byte('\'')
			continue
		}
		if raw[i] != '\\' {
			units.byte(raw[i])
			continue
		}
		i++
		switch c := raw[i]; c {
		case 'b', 'f', 'n', 'r', 't', '\\', '\'':
			units.byte("\b\f\n\r\t\\'"[strings.IndexByte("bfnrt\\'", c)])
		case 'x':
			n := 0
			for n < 2 && i+1+n < len(raw) && isHex(raw[i+1+n]) {
				n++
			}
			if n == 0 {
				units.byte('x')
				break
			}
			v, _ := strconv.ParseUint(raw[i+1:i+1+n], 16, 16)
			units.unit(rune(v))
			i += n
		case '0', '1', '2', '3': // up to three octal digits
			n := 1
			for n < 3 && i+n < len(raw) && raw[i+n] >= '0' && raw[i+n] <= '7' {
				n++
			}
			v, _ := strconv.ParseUint(raw[i:i+n], 8, 16)
			units.unit(rune(v))
			i += n - 1
		case 'u', 'U':
			n := 4
			if c == 'U' {
				n = 8
			}
			if i+n >= len(raw) || !allHex(raw[i+1:i+1+n]) {
				l.bad(start, diag.New(diag.BadLiteral, diag.Span{}, "after \\%c in an e'..' string stand exactly %d hex digits", c, n))
				return
			}
			v, _ := strconv.ParseUint(raw[i+1:i+1+n], 16, 32)
			if v > utf8.MaxRune {
				l.bad(start, diag.New(diag.BadLiteral, diag.Span{}, "\\%c%s is no Unicode character", c, raw[i+1:i+1+n]))
				return
			}
			units.unit(rune(v))
			i += n
		default:
			units.byte('\\')
			units.byte(c)
		}
	}
	l.finish(start, units.String())
}

// finish adds the token of a decoded string.
func (l *lexer) finish(start int, text string) {
	if !utf8.ValidString(text) {
		l.bad(start, notUTF8())
		return
	}
	l.add(String, start, text)
}

func isSign(c byte) bool { return c == '+' || c == '-' }

func allHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

// utf16Text builds text from UTF-8 bytes and from escapes, which are UTF-16
// units: two of them may be one character. A half of a pair that stands alone
// becomes a question mark, as when Java writes it.
type utf16Text struct {
	strings.Builder
	high rune // the first half of a pair, 0: none
}

func (t *utf16Text) byte(c byte) {
	t.flush()
	t.WriteByte(c)
}

func (t *utf16Text) unit(r rune) {
	if t.high != 0 {
		if pair := utf16.DecodeRune(t.high, r); pair != utf8.RuneError {
			t.high = 0
			t.WriteRune(pair)
			return
		}
	}
	t.flush()
	switch {
	case r >= 0xD800 && r < 0xDC00:
		t.high = r
	case utf16.IsSurrogate(r):
		t.WriteByte('?')
	default:
		t.WriteRune(r)
	}
}

func (t *utf16Text) flush() {
	if t.high != 0 {
		t.high = 0
		t.WriteByte('?')
	}
}

func (t *utf16Text) String() string {
	t.flush()
	return t.Builder.String()
}
