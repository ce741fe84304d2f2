package lex

import (
	"strings"
	"unicode/utf8"

	"fsql/internal/diag"
)

// plainString cuts 'text' and the pieces that continue it on later lines.
func (l *lexer) plainString() {
	start := l.pos
	text, ok := l.quoted(start)
	if !ok {
		return
	}
	if text, ok = l.continued(start, text); !ok {
		return
	}
	if !utf8.ValidString(text) {
		l.bad(start, notUTF8())
		return
	}
	l.add(String, start, text)
}

// prefixedString cuts a string with a mark in front: x'..', N'..', U&'..',
// e'..', _utf8'..'. It reports false where none stands.
func (l *lexer) prefixedString() bool {
	start := l.pos
	switch c := l.at(0); {
	case l.at(1) == '\'' && (c == 'x' || c == 'X'):
		l.pos++
		l.binary(start)
	case l.at(1) == '\'' && (c == 'e' || c == 'E'):
		l.pos++
		l.escaped(start)
	case l.at(1) == '\'' && (c == 'n' || c == 'N'):
		l.pos++
		l.plainString()
		l.src.Tokens[len(l.src.Tokens)-1].Start = start
	case l.at(1) == '&' && l.at(2) == '\'' && (c == 'u' || c == 'U'):
		l.pos += 2
		l.unicode(start)
	case c == '_':
		return l.charset(start)
	default:
		return false
	}
	return true
}

// quoted reads '..' with doubled quotes at the current position. When it does
// not end, a Bad token from start is added.
func (l *lexer) quoted(start int) (string, bool) {
	from := l.pos + 1
	for at := from; ; {
		n := strings.IndexByte(l.text[at:], '\'')
		if n < 0 {
			l.open(start)
			return "", false
		}
		at += n + 1
		if at < len(l.text) && l.text[at] == '\'' {
			at++
			continue
		}
		l.pos = at
		return strings.ReplaceAll(l.text[from:at-1], "''", "'"), true
	}
}

// open refuses a string that does not end. The place is its first line, the
// token takes the rest of the script: what follows is text.
func (l *lexer) open(start int) {
	end := len(l.text)
	if n := strings.IndexAny(l.text[start:], "\r\n"); n > 0 {
		end = start + n
	}
	l.pos = len(l.text)
	l.bad(start, diag.New(diag.Syntax, diag.Span{Start: start, End: end}, "the string that starts here is not closed").
		WithHint("close it with a single quote; a quote inside the text is written twice"))
}

// continued reads the strings that follow after a line break: they are one
// string, as in the SQL standard. On one line Flink refuses them.
func (l *lexer) continued(start int, text string) (string, bool) {
	for {
		back, tokens := l.pos, len(l.src.Tokens)
		if !l.skipBlanks() || l.at(0) != '\'' {
			// Nothing follows; a comment left open is met again.
			l.pos = back
			l.src.Tokens = l.src.Tokens[:tokens]
			return text, true
		}
		if !strings.ContainsAny(l.text[back:l.pos], "\r\n") {
			more := l.pos
			if _, ok := l.quoted(more); ok {
				l.bad(start, diag.New(diag.Syntax, diag.Span{Start: more, End: l.pos}, "two strings follow each other on one line").
					WithHint("something is missing between them, such as a comma, = or ||; a quote inside a text is written twice"))
			}
			return "", false
		}
		more, ok := l.quoted(l.pos)
		if !ok {
			return "", false
		}
		text += more
	}
}

// binary cuts x'0aff', behind the mark.
func (l *lexer) binary(start int) {
	text, ok := l.quoted(start)
	if ok {
		text, ok = l.continued(start, text)
	}
	if !ok {
		return
	}
	for i := 0; i < len(text); i++ {
		if !isHex(text[i]) {
			l.bad(start, diag.New(diag.BadLiteral, diag.Span{}, "binary literal %s holds a character that is no hex digit", l.text[start:l.pos]).
				WithHint("write two of 0-9 and A-F for each byte"))
			return
		}
	}
	if len(text)%2 != 0 {
		l.bad(start, diag.New(diag.BadLiteral, diag.Span{}, "binary literal %s has an odd number of hex digits", l.text[start:l.pos]).
			WithHint("write two hex digits for each byte"))
		return
	}
	l.add(Binary, start, text)
}

// charset cuts _utf8'text'. The text is characters in any case, so the name
// only has to be one Flink knows and to hold the text.
func (l *lexer) charset(start int) bool {
	end := start + 1
	for end < len(l.text) && (isDigit(l.text[end]) || l.text[end] < utf8.RuneSelf && isLetter(rune(l.text[end])) && l.text[end] != '$' ||
		strings.IndexByte(":.-", l.text[end]) >= 0) {
		end++
	}
	if end == start+1 || end >= len(l.text) || l.text[end] != '\'' {
		return false
	}
	name := l.text[start+1 : end]
	limit := rune(utf8.MaxRune)
	switch strings.ToLower(strings.ReplaceAll(name, "-", "")) {
	case "utf8", "utf16", "utf16le", "utf16be", "utf32", "gbk", "gb18030":
	case "latin1", "iso88591", "iso8859_1":
		limit = 0xFF
	default:
		l.pos = end
		if _, ok := l.quoted(start); ok {
			l.bad(start, diag.New(diag.BadLiteral, diag.Span{}, "character set %q is unknown", name).
				WithHint("leave out the character set: text is Unicode"))
		}
		return true
	}
	l.pos = end
	text, ok := l.quoted(start)
	if ok {
		text, ok = l.continued(start, text)
	}
	if !ok {
		return true
	}
	for _, r := range text {
		if r > limit {
			l.bad(start, diag.New(diag.BadLiteral, diag.Span{}, "character set %q has no %q", name, r).
				WithHint("leave out the character set: text is Unicode"))
			return true
		}
	}
	if !utf8.ValidString(text) {
		l.bad(start, notUTF8())
		return true
	}
	l.add(String, start, text)
	return true
}
