package lex

import (
	"strings"
	"unicode/utf8"

	"fsql/internal/diag"
)

// foreign are spellings of other dialects that Flink's lexer or grammar
// refuses, longest first, with what to write instead. `->`, `<<` and so on are
// never two operators in a row in a legal script.
var foreign = [...]struct{ text, hint string }{
	{"->>", "take a value out of JSON with JSON_VALUE(x, '$.key')"},
	{"!~*", "match a regular expression with NOT REGEXP(x, 'pattern')"},
	{"<=>", "write a IS NOT DISTINCT FROM b"},
	{"!=", "write <>"},
	{"==", "write ="},
	{"&&", "write AND"},
	{"::", "write CAST(x AS type)"},
	{":=", "write = to compare, => to name an argument"},
	{"->", "take a value out of JSON with JSON_VALUE(x, '$.key')"},
	{"!~", "match a regular expression with NOT REGEXP(x, 'pattern')"},
	{"<<", "Flink has no bit operators"},
	{"~*", "match a regular expression with REGEXP(x, 'pattern')"},
	{"!", "write NOT"},
	{"~", "match a regular expression with REGEXP(x, 'pattern')"},
	{"&", "write AND; Flink has no bit operators"},
	{"@", "Flink has no variables in SQL"},
	{"#", "start a comment with --"},
	{"\\", ""},
}

// symbols of two characters; `^`, `|`, `{`, `}`, `?` and `$` belong to the
// patterns of MATCH_RECOGNIZE.
var pairs = [...]string{"<>", "<=", ">=", "||", "=>"}

// symbol cuts an operator or punctuation.
func (l *lexer) symbol() {
	start, rest := l.pos, l.text[l.pos:]
	switch {
	case strings.HasPrefix(rest, "/*+"):
		l.pos += 3
		l.hint = true
		l.add(HintBegin, start, "/*+")
		return
	case strings.HasPrefix(rest, "*/") && l.hint:
		l.pos += 2
		l.hint = false
		l.add(HintEnd, start, "*/")
		return
	case strings.HasPrefix(rest, "*/"):
		// Flink's lexer takes the two characters as one token too.
		l.pos += 2
		l.bad(start, diag.New(diag.Syntax, diag.Span{}, "*/ closes no comment").
			WithHint("put a blank between * and a comment that follows"))
		return
	case rest[0] == '"':
		l.doubleQuotes()
		return
	}
	for _, f := range foreign {
		if strings.HasPrefix(rest, f.text) {
			l.pos += len(f.text)
			e := diag.New(diag.OtherDialect, diag.Span{}, "%s is no operator of Flink SQL", f.text).WithHint("%s", f.hint)
			if x, t := l.beside(start, f.text); f.text == "::" && x != "" && t != "" {
				e.WithHint("write CAST(%s AS %s)", x, Upper(t))
			}
			l.bad(start, e)
			return
		}
	}
	for _, p := range pairs {
		if strings.HasPrefix(rest, p) {
			l.pos += 2
			l.add(Symbol, start, p)
			return
		}
	}
	l.pos++
	if strings.IndexByte("()[]{},;.=<>+-*/%:?|^", rest[0]) < 0 {
		l.bad(start, diag.New(diag.Syntax, diag.Span{}, "unexpected character %q", rest[0]))
		return
	}
	l.add(Symbol, start, rest[:1])
}

// doubleQuotes refuses "text", which is a name or a text in other dialects.
func (l *lexer) doubleQuotes() {
	start := l.pos
	n := strings.IndexAny(l.text[start+1:], "\"\r\n")
	if n < 0 || l.text[start+1+n] != '"' {
		l.pos++
		l.bad(start, diag.New(diag.OtherDialect, diag.Span{}, "double quotes are no quotes in Flink SQL").
			WithHint("write text in single quotes, names in back-quotes"))
		return
	}
	l.pos = start + 1 + n + 1
	inside := l.text[start+1 : l.pos-1]
	l.bad(start, diag.New(diag.OtherDialect, diag.Span{}, "double quotes are no quotes in Flink SQL").
		WithHint("write '%s' for a text, `%s` for a name",
			strings.ReplaceAll(inside, "'", "''"), strings.ReplaceAll(inside, "`", "``")))
}

// foreignCharacter refuses a character beyond ASCII that belongs to no name.
func (l *lexer) foreignCharacter(r rune) {
	start := l.pos
	_, n := utf8.DecodeRuneInString(l.text[start:])
	l.pos += n
	switch {
	case r == utf8.RuneError && n == 1:
		l.bad(start, notUTF8())
	case strings.ContainsRune("‘’‚‛′", r):
		l.bad(start, diag.New(diag.Syntax, diag.Span{}, "%c is a typographic quote", r).WithHint("write the plain quote '"))
	case strings.ContainsRune("“”„‟″", r):
		l.bad(start, diag.New(diag.Syntax, diag.Span{}, "%c is a typographic quote", r).
			WithHint("write text in single quotes, names in back-quotes"))
	case r == 0xA0 || r >= 0x2000 && r <= 0x200F || r == 0x202F || r == 0x3000 || r == 0xFEFF:
		l.bad(start, diag.New(diag.Syntax, diag.Span{}, "the character U+%04X looks like a blank but is none", r).
			WithHint("write an ordinary blank"))
	case plain(r) != "":
		l.bad(start, diag.New(diag.Syntax, diag.Span{}, "%c is no character of SQL", r).WithHint("write %s", plain(r)))
	default:
		l.bad(start, diag.New(diag.Syntax, diag.Span{}, "unexpected character %q", r).
			WithHint("a name with this character needs back-quotes"))
	}
}

// plain is the ASCII spelling of a full-width or typographic character, "" for
// others.
func plain(r rune) string {
	if r > 0xFF00 && r < 0xFF5F {
		return string(r - 0xFF00 + ' ')
	}
	for _, p := range [...]struct{ from, to string }{
		{"、", ","}, {"。｡", "."}, {"‐‑‒–—―−", "-"}, {"×", "*"}, {"÷⁄∕", "/"}, {"≠", "<>"}, {"≤", "<="}, {"≥", ">="}, {"…", ".."},
		{"«»", "'"}, {"¦", "||"}, {"「」『』", "'"},
	} {
		if strings.ContainsRune(p.from, r) {
			return p.to
		}
	}
	return ""
}

func notUTF8() *diag.Error {
	return diag.New(diag.Syntax, diag.Span{}, "the text is not UTF-8 here").WithHint("save the script as UTF-8")
}

// beside is the name, number or text before a foreign operator and the word
// behind it, "" where something else stands there.
func (l *lexer) beside(start int, operator string) (before, behind string) {
	ts := l.src.Tokens
	n := len(ts) - 1
	for n >= 2 && ts[n].Kind == Word && ts[n-1].Is(".") {
		n -= 2
	}
	if last := len(ts) - 1; n >= 0 && ts[last].End == start && (ts[n].Kind == Word || ts[n].Kind == Number || ts[n].Kind == String) {
		before = l.text[ts[n].Start:start]
	}
	rest := l.text[start+len(operator):]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	})
	if end < 0 {
		end = len(rest)
	}
	return before, rest[:end]
}
