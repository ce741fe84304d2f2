package shell

import (
	"strings"

	"fsql/sql/lex"
)

// Styles, as parameters of SGR. They are of the sixteen colours that every
// theme of a terminal makes readable.
const (
	styleKeyword = "1;34"
	styleString  = "32"
	styleNumber  = "36"
	styleComment = "2"
	styleMeta    = "35"
	styleBad     = "31"
	styleMatch   = "1;4"
	styleBreak   = "2"
)

// painter colours SQL by its tokens. known tells a function's name.
func painter(known func(name string) bool) Painter {
	return func(text string, cursor int) []Paint {
		if head := strings.TrimSpace(text); isMeta(head) && !strings.Contains(head, "\n") {
			end := strings.IndexAny(head, " \t")
			if end < 0 {
				end = len(head)
			}
			at := strings.Index(text, head)
			return []Paint{{at, at + end, styleMeta}}
		}
		src := lex.Scan(text)
		var out []Paint
		at := 0
		for i, t := range src.Tokens {
			out = comments(out, text, at, t.Start)
			at = t.End
			if s := tokenStyle(src, i, known); s != "" && t.End > t.Start {
				out = append(out, Paint{t.Start, t.End, s})
			}
		}
		return matching(out, src, cursor)
	}
}

func tokenStyle(src *lex.Source, i int, known func(string) bool) string {
	t := src.Tokens[i]
	called := i+1 < len(src.Tokens) && src.Tokens[i+1].Is("(") && src.Tokens[i+1].Start == t.End
	switch t.Kind {
	case lex.String, lex.Binary:
		return styleString
	case lex.Number:
		return styleNumber
	case lex.HintBegin, lex.HintEnd:
		return styleComment
	case lex.Bad:
		if unclosed(src) == openString && i == len(src.Tokens)-2 {
			return styleString
		}
		if unclosed(src) == openComment && i == len(src.Tokens)-2 {
			return styleComment
		}
		return styleBad
	case lex.Word:
		if i > 0 && src.Tokens[i-1].Is(".") {
			return ""
		}
		switch {
		case called && t.Key == "" && !known(t.Text) && !named(src.Tokens, i):
			return styleBad
		case t.Key != "" && (lex.IsReserved(t.Key) || startsStatement(src.Tokens, i)):
			return styleKeyword
		}
	}
	return ""
}

// named tells that the word in front of a parenthesis is a name of something
// else than a function: CREATE TABLE t(..), INSERT INTO t(..), AS t(..), x IN ...
func named(tokens []lex.Token, i int) bool {
	if i == 0 {
		return false
	}
	switch tokens[i-1].Key {
	case "TABLE", "INTO", "AS", "WITH", "VIEW", "EXISTS", "OVERWRITE":
		return true
	}
	// A comma or an operator may stand before a call; a name may not.
	return tokens[i-1].Is(".") || tokens[i-1].Is(")") || tokens[i-1].Kind == lex.Word && tokens[i-1].Key == ""
}

func startsStatement(tokens []lex.Token, i int) bool { return i == 0 || tokens[i-1].Is(";") }

// comments paints the comments between two tokens.
func comments(out []Paint, text string, from, to int) []Paint {
	for i := from; i+1 < to; i++ {
		end := to
		switch text[i : i+2] {
		case "--", "//":
			if n := strings.IndexByte(text[i:to], '\n'); n >= 0 {
				end = i + n
			}
		case "/*":
			if n := strings.Index(text[i:to], "*/"); n >= 0 {
				end = i + n + 2
			}
		default:
			continue
		}
		out = append(out, Paint{i, end, styleComment})
		i = end - 1
	}
	return out
}

// matching marks the two parentheses of which one is at the cursor.
func matching(out []Paint, src *lex.Source, cursor int) []Paint {
	for i, t := range src.Tokens {
		j := src.Match(i)
		if j == 0 || !t.Is("(") {
			continue
		}
		if c := src.Tokens[j]; t.Start == cursor || c.End == cursor {
			return insert(insert(out, Paint{t.Start, t.End, styleMatch}), Paint{c.Start, c.End, styleMatch})
		}
	}
	return out
}

func insert(out []Paint, p Paint) []Paint {
	for i := range out {
		if out[i].Start > p.Start {
			return append(out[:i:i], append([]Paint{p}, out[i:]...)...)
		}
	}
	return append(out, p)
}
