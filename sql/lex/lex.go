package lex

import (
	"strings"
	"unicode/utf8"

	"fsql/internal/diag"
)

// Scan cuts a script into tokens.
func Scan(text string) *Source {
	l := lexer{text: text, src: &Source{Text: text}}
	l.src.Tokens = make([]Token, 0, len(text)/5+2)
	if strings.HasPrefix(text, "\uFEFF") { // a byte order mark is no character of the script
		l.pos = len("\uFEFF")
	}
	for l.next() {
	}
	l.add(EOF, len(text), "")
	l.src.pairUp()
	return l.src
}

type lexer struct {
	text string
	pos  int
	src  *Source
	hint bool // inside /*+ ... */
}

// next cuts one token and reports whether there was one.
func (l *lexer) next() bool {
	if !l.skipBlanks() {
		return l.pos < len(l.text)
	}
	start, c := l.pos, l.text[l.pos]
	switch {
	case c == '\'':
		l.plainString()
	case c == '`':
		l.quotedName()
	case isDigit(c) || c == '.' && isDigit(l.at(1)):
		l.number()
	case c < utf8.RuneSelf && !isLetter(rune(c)):
		l.symbol()
	default:
		if r, _ := utf8.DecodeRuneInString(l.text[start:]); !isLetter(r) {
			l.foreignCharacter(r)
			break
		}
		if !l.prefixedString() {
			l.word()
		}
	}
	return true
}

// at returns the byte n places ahead, 0 behind the end.
func (l *lexer) at(n int) byte {
	if l.pos+n < len(l.text) {
		return l.text[l.pos+n]
	}
	return 0
}

// add appends a token from start to the current position.
func (l *lexer) add(kind Kind, start int, text string) {
	l.src.Tokens = append(l.src.Tokens, Token{Kind: kind, Start: start, End: l.pos, Text: text})
}

// bad appends a Bad token from start to the current position.
func (l *lexer) bad(start int, e *diag.Error) {
	if l.src.errs == nil {
		l.src.errs = map[int]*diag.Error{}
	}
	l.src.errs[len(l.src.Tokens)] = e.At(diag.Span{Start: start, End: l.pos})
	l.add(Bad, start, l.text[start:l.pos])
}

// skipBlanks goes over blanks and comments. It reports whether a token starts
// at the current position; a comment that is not closed becomes a Bad token.
func (l *lexer) skipBlanks() bool {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			l.pos++
		case c == '-' && l.at(1) == '-', c == '/' && l.at(1) == '/':
			n := strings.IndexAny(l.text[l.pos:], "\r\n")
			if n < 0 {
				l.pos = len(l.text)
				return false
			}
			l.pos += n
		case c == '/' && l.at(1) == '*' && l.at(2) != '+':
			start := l.pos
			n := strings.Index(l.text[start+2:], "*/")
			if n < 0 {
				l.pos = len(l.text)
				l.bad(start, diag.New(diag.Syntax, diag.Span{Start: start, End: start + 2}, "the comment that starts here is not closed").
					WithHint("close it with */"))
				return false
			}
			l.pos = start + 2 + n + 2
		default:
			return true
		}
	}
	return false
}

// word cuts a bare name or keyword.
func (l *lexer) word() {
	start := l.pos
	for l.pos < len(l.text) {
		r, n := utf8.DecodeRuneInString(l.text[l.pos:])
		if !isLetter(r) && (r < '0' || r > '9') {
			break
		}
		l.pos += n
	}
	text := l.text[start:l.pos]
	l.add(Word, start, text)
	l.src.Tokens[len(l.src.Tokens)-1].Key = keyword(text)
}

// quotedName cuts `a name`, in which a doubled back-quote stands for one.
func (l *lexer) quotedName() {
	start := l.pos
	for l.pos++; l.pos < len(l.text); l.pos++ {
		switch l.text[l.pos] {
		case '\n', '\r':
			l.bad(start, diag.New(diag.Syntax, diag.Span{}, "a back-quoted name ends on its line").WithHint("close it with `"))
			return
		case '`':
			if l.at(1) == '`' {
				l.pos++
				continue
			}
			l.pos++
			name := strings.ReplaceAll(l.text[start+1:l.pos-1], "``", "`")
			switch {
			case name == "":
				l.bad(start, diag.New(diag.Syntax, diag.Span{}, "a back-quoted name is empty"))
			case !utf8.ValidString(name):
				l.bad(start, notUTF8())
			default:
				l.add(Quoted, start, name)
			}
			return
		}
	}
	l.bad(start, diag.New(diag.Syntax, diag.Span{}, "the back-quote that starts here is not closed").WithHint("close the name with `"))
}

// number cuts an unsigned number: digits with at most one point, and an
// exponent where digits follow the e.
func (l *lexer) number() {
	start := l.pos
	l.digits()
	if l.at(0) == '.' {
		l.pos++
		l.digits()
	}
	if c := l.at(0); c == 'e' || c == 'E' {
		n := 1
		if s := l.at(1); s == '+' || s == '-' {
			n = 2
		}
		if isDigit(l.at(n)) {
			l.pos += n
			l.digits()
		}
	}
	l.add(Number, start, l.text[start:l.pos])
}

func (l *lexer) digits() {
	for isDigit(l.at(0)) {
		l.pos++
	}
}

// pairUp finds for every opening parenthesis the one that closes it, within
// its statement.
func (s *Source) pairUp() {
	s.match = make([]int, len(s.Tokens))
	var open []int
	for i, t := range s.Tokens {
		if t.Kind != Symbol {
			continue
		}
		switch t.Text {
		case "(":
			open = append(open, i)
		case ")":
			if n := len(open); n > 0 {
				s.match[open[n-1]] = i
				open = open[:n-1]
			}
		case ";":
			open = open[:0]
		}
	}
}
