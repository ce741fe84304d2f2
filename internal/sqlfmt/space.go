package sqlfmt

import (
	"slices"
	"strings"

	"fsql/sql/lex"
)

// apart lists the keywords that are never written together with a parenthesis;
// others may be names of functions or types, and keep what was written.
var apart = []string{"ALL", "AND", "ANY", "AS", "BY", "DEFINE", "DISTINCT", "ELSE", "EXCEPT", "EXISTS", "FROM", "HAVING", "IN", "INTERSECT",
	"JOIN", "KEY", "NOT", "ON", "OR", "OVER", "PARTITION", "PATTERN", "QUALIFY", "SELECT", "SETS", "THEN", "UNION", "USING", "VALUES",
	"WHEN", "WHERE", "WITH", "MATCH_RECOGNIZE", "WITHIN", "FILTER"}

// operands are keywords after which + and - are between two operands.
var operands = []string{"END", "NULL", "TRUE", "FALSE", "UNKNOWN", "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND",
	"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"}

// blank says whether a blank stands between two tokens of one line. named tells
// that b opens the columns of a table that a or a name before it names.
func blank(a, b *token, named bool) bool {
	switch {
	case a.Kind == lex.HintBegin, b.Kind == lex.HintEnd, a.Kind == lex.HintEnd:
		return true
	case joins(a.text, b.text):
		return true
	case b.kept:
		return !b.glued
	case b.typed && (b.Is("<") || b.Is(">")), a.typed && a.Is("<"):
		return false
	case a.Is("("), a.Is("["), a.Is("."), b.Is("."), b.Is(")"), b.Is("]"), b.Is(","), b.Is(";"):
		return false
	case b.Is("["):
		return a.Kind == lex.Symbol && !a.Is(")") && !a.Is("]")
	case b.Is("("):
		switch {
		case named:
			return true
		case a.Kind == lex.Word && !slices.Contains(apart, a.word), a.Kind == lex.Quoted, a.typed:
			return !b.glued
		}
		return true
	case a.Is("?"), a.Is("^"), a.Is("{"), a.Is("}"), b.Is("?"), b.Is("^"), b.Is("{"), b.Is("}"), a.Is(":"), b.Is(":"):
		return !b.glued
	case a.Is("-"), a.Is("+"):
		return !b.glued || !a.sign()
	}
	return true
}

// joins says that two tokens would become another one, or a comment.
func joins(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	switch pair := a[len(a)-1:] + b[:1]; pair {
	case "--", "//", "/*", "*/", "<>", "<=", ">=", "||", "=>":
		return true
	}
	return false
}

// sign says that + or - may stand before an operand; see markSigns.
func (t *token) sign() bool { return t.Key == "sign" }

// markSigns finds the + and - that are no operators between two operands.
func markSigns(toks []token) {
	for i := range toks {
		if !toks[i].Is("-") && !toks[i].Is("+") {
			continue
		}
		if i == 0 {
			toks[i].Key = "sign"
			continue
		}
		a := &toks[i-1]
		switch {
		case a.Kind == lex.Symbol && !strings.Contains(")]", a.text), a.word != "" && !slices.Contains(operands, a.word), a.sign():
			toks[i].Key = "sign"
		}
	}
}

// markPatterns finds the tokens of row patterns, A+ B*?, which keep their blanks.
func markPatterns(toks []token) {
	depth := 0
	for i := range toks {
		switch t := &toks[i]; {
		case depth == 0 && i > 0 && toks[i-1].word == "PATTERN" && t.Is("("):
			depth = 1
		case depth > 0 && t.Is("("):
			t.kept, depth = true, depth+1
		case depth > 0 && t.Is(")"):
			depth--
		case depth > 0:
			t.kept = true
		}
	}
}
