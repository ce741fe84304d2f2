package shell

import (
	"strings"

	"fsql/sql/lex"
)

// The prompts. They have one width, so that the lines of a statement stand
// below one another.
const (
	promptFirst   = "fsql> "
	promptMore    = "   -> "
	promptString  = "   '> "
	promptComment = "   *> "
	promptSet     = "fsql(set)> "
)

// look tells whether the lines are a whole statement, and the prompt of the
// next line when they are not.
func look(text string) Look {
	head := strings.TrimSpace(text)
	switch {
	case head == "":
		return Look{Prompt: promptFirst}
	case isMeta(head) && !strings.Contains(head, "\n"), bareWord(head) != "":
		return Look{Done: true, Prompt: promptMore}
	}
	if cmd, _ := bufferCommand(text); cmd != "" {
		return Look{Done: true, Prompt: promptMore}
	}
	if sql, end := terminator(text); end != "" && !isUnclosed(lex.Scan(sql)) {
		return Look{Done: true, Prompt: promptMore}
	}
	src := lex.Scan(text)
	switch unclosed(src) {
	case openString:
		return Look{Prompt: promptString}
	case openComment:
		return Look{Prompt: promptComment}
	}
	n := len(src.Tokens) - 1 // EOF
	if n == 0 {              // nothing but comments
		return Look{Prompt: promptMore}
	}
	if inSet(src.Tokens[:n]) {
		return Look{Prompt: promptSet}
	}
	return Look{Done: src.Tokens[n-1].Is(";"), Prompt: promptMore}
}

// isMeta tells a line that is a command of the shell and no SQL.
func isMeta(line string) bool {
	return len(line) > 1 && (line[0] == '\\' || line[0] == '.' && !(line[1] >= '0' && line[1] <= '9'))
}

// bareWord is the word of Flink's client that stands alone on a line, with or
// without a semicolon: QUIT, EXIT, HELP or CLEAR.
func bareWord(line string) string {
	w := lex.Upper(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), ";")))
	switch w {
	case "QUIT", "EXIT", "HELP", "CLEAR":
		return w
	}
	return ""
}

// bufferCommand finds a command about the statement being typed on the last of
// its lines: \p, \r, \e. It returns the lines above it.
func bufferCommand(text string) (cmd, above string) {
	i := strings.LastIndexByte(text, '\n')
	if i < 0 {
		return "", text
	}
	switch line := strings.TrimSpace(text[i+1:]); line {
	case `\p`, `\r`, `\e`, ".print", ".reset", ".edit":
		if !isUnclosed(lex.Scan(text[:i])) {
			return line, text[:i]
		}
	}
	return "", text
}

// terminator splits off \g, \G or \gx, which end a statement like a semicolon:
// the last two show rows as blocks of lines.
func terminator(text string) (sql, end string) {
	t := strings.TrimRight(text, " \t\n;")
	for _, e := range []string{`\gx`, `\g`, `\G`} {
		if s, ok := strings.CutSuffix(t, e); ok && strings.TrimSpace(s) != "" {
			return s, e
		}
	}
	return text, ""
}

// What a text may end inside of.
const (
	openNothing = iota
	openString
	openComment
)

// unclosed tells what a text ends inside of.
func unclosed(src *lex.Source) int {
	i := len(src.Tokens) - 2
	if i < 0 || src.Tokens[i].Kind != lex.Bad || src.Tokens[i].End != len(src.Text) ||
		!strings.Contains(src.Err(i).Msg, "not closed") || src.Text[src.Tokens[i].Start] == '`' {
		return openNothing
	}
	if strings.HasPrefix(src.Text[src.Tokens[i].Start:], "/*") {
		return openComment
	}
	return openString
}

func isUnclosed(src *lex.Source) bool { return unclosed(src) != openNothing }

// statements cuts a text at the semicolons that end its statements.
func statements(text string) []string {
	src := lex.Scan(text)
	tokens := src.Tokens[:len(src.Tokens)-1]
	var out []string
	from, first := 0, 0
	for i, t := range tokens {
		if t.Is(";") && !inSet(tokens[first:i+1]) {
			out = append(out, text[from:t.End])
			from, first = t.End, i+1
		}
	}
	if rest := text[from:]; first < len(tokens) || len(out) == 0 {
		out = append(out, rest)
	}
	for i := 1; i < len(out); i++ {
		out[i] = strings.TrimLeft(out[i], " \t\n")
	}
	return out
}

// inSet tells that a statement set has begun and not ended: the semicolons
// inside it end nothing.
func inSet(tokens []lex.Token) bool {
	set, start := false, 0
	for i, t := range tokens {
		if i == start {
			set = words(tokens[i:], "EXECUTE", "STATEMENT", "SET") || words(tokens[i:], "BEGIN", "STATEMENT", "SET")
		}
		if t.Is(";") && (!set || i > 0 && tokens[i-1].Key == "END") {
			set, start = false, i+1
		}
	}
	return set
}

func words(tokens []lex.Token, keys ...string) bool {
	if len(tokens) < len(keys) {
		return false
	}
	for i, k := range keys {
		if tokens[i].Key != k {
			return false
		}
	}
	return true
}
