package cursor

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fsql/internal/diag"
	"fsql/sql/lex"
)

// Unexpected is the error that something else was expected at the next token.
// Expected are keywords in capitals, symbols in quotes, or descriptions.
func (c *Cursor) Unexpected(expected ...string) *diag.Error {
	t := c.Tok()
	if t.Kind == lex.Bad {
		return c.Src.Err(c.At)
	}
	if e := c.misspeltBefore(); e != nil {
		return e
	}
	listed := expected
	if len(listed) > 9 {
		listed = append(slices.Clone(listed[:8]), "others")
	}
	e := diag.New(diag.Syntax, c.place(), "found %s, expected %s", Describe(t), Either(listed))
	switch {
	case c.Prev().Kind == lex.String && c.Prev().End == t.Start && t.Kind != lex.Symbol:
		e.WithHint("a quote inside a text is written twice: 'it''s'")
	case t.Kind == lex.Word && t.Key == "" || t.Kind == lex.Word && !lex.IsReserved(t.Key):
		var keys []string
		for _, x := range expected {
			if key, _, _ := strings.Cut(x, " "); key != "" && key == strings.ToUpper(key) && key[0] != '\'' {
				keys = append(keys, key)
			}
		}
		near := diag.Nearest(t.Text, keys)
		if near == "" && t.Key == "" {
			near = diag.Nearest(t.Text, common[:])
		}
		if near != "" {
			e.WithLabel("did you mean %s?", near)
		}
	case c.Prev().Is(",") && t.Kind == lex.Word && lex.IsReserved(t.Key):
		e.WithHint("remove the comma before %s", t.Text)
	case c.Prev().Is(",") && t.Is(")"):
		e.WithHint("remove the comma before the parenthesis")
	case t.Kind == lex.Word && slices.Contains(starts[:], t.Key) && c.firstOnLine():
		e.WithHint("if a new statement begins here, end the one before with ';'")
	}
	if hint := c.habit(expected); hint != "" {
		e.WithHint("%s", hint).Label = ""
	}
	if e.Hint == "" && e.Label == "" && slices.Contains(expected, "')'") {
		c.openParenthesis(e)
	}
	return e
}

// openParenthesis says where the parenthesis that is missing was opened: when
// that is on another line, or when nothing closes it.
func (c *Cursor) openParenthesis(e *diag.Error) {
	open := 0
	for i := c.At - 1; i >= 0; i-- {
		switch t := c.Src.Tokens[i]; {
		case t.Is(";"):
			return
		case t.Is(")"):
			open++
		case t.Is("(") && open > 0:
			open--
		case t.Is("("):
			before := c.Src.Text[:t.Start]
			column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
			if strings.Contains(c.Src.Text[t.Start:c.Tok().Start], "\n") {
				e.WithHint("the parenthesis opened in line %d, column %d is not closed", strings.Count(before, "\n")+1, column)
			} else if c.Src.Match(i) == 0 {
				e.WithHint("the parenthesis opened in column %d is not closed", column)
			}
			return
		}
	}
}

// place is the span of the next token; at the end of the script it is empty
// and stands behind the last token.
func (c *Cursor) place() diag.Span {
	t := c.Tok()
	if t.Kind == lex.EOF && c.At > 0 {
		end := c.Prev().End
		return diag.Span{Start: end, End: end}
	}
	return t.Span()
}

// misspeltBefore finds the keyword with one mistake that was read as a name
// just before: SELECT a FORM t. Plurals are taken for names, as in orders.
func (c *Cursor) misspeltBefore() *diag.Error {
	word, t := c.Prev(), c.Tok()
	if word.Kind != lex.Word || word.Key != "" || len(word.Text) < 4 {
		return nil
	}
	switch {
	case t.Kind == lex.Symbol, t.Kind == lex.EOF:
		return nil
	case t.Kind == lex.Word && lex.IsReserved(t.Key):
		switch t.Key {
		case "BY", "ALL", "FOR", "SELECT", "TABLE":
		default:
			return nil
		}
	}
	for _, key := range common {
		if diag.OneMistake(word.Text, key) && lex.Upper(word.Text) != key+"S" {
			return diag.New(diag.Syntax, word.Span(), "'%s' is no keyword; read as a name, it cannot stand before %s",
				word.Text, Describe(t)).WithLabel("did you mean %s?", key)
		}
	}
	return nil
}

// firstOnLine tells whether the next token is the first one on its line.
func (c *Cursor) firstOnLine() bool {
	return c.At > 0 && strings.Contains(c.Src.Text[c.Prev().End:c.Tok().Start], "\n")
}

// Describe names a token as messages do.
func Describe(t lex.Token) string {
	switch t.Kind {
	case lex.EOF:
		return "the end of the script"
	case lex.Quoted:
		return "`" + t.Text + "`"
	case lex.Number:
		return "the number " + t.Text
	case lex.String:
		text := []rune(t.Text)
		if len(text) > 30 {
			text = append(text[:29], '…')
		}
		return "the text '" + string(text) + "'"
	case lex.Binary:
		return "a binary literal"
	default:
		return "'" + t.Text + "'"
	}
}

// Either joins alternatives: a, b or c.
func Either(words []string) string {
	switch n := len(words); n {
	case 0:
		return "the end"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}

// starts are the words a statement begins with.
var starts = [...]string{"SELECT", "INSERT", "CREATE", "DROP", "ALTER", "SHOW", "DESCRIBE", "EXPLAIN", "SET", "RESET", "USE",
	"WITH", "EXECUTE", "VALUES", "BEGIN", "UPDATE", "DELETE"}

// common are keywords that are often misspelt.
var common = [...]string{"SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FETCH", "UNION", "INTERSECT",
	"EXCEPT", "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL", "LATERAL", "USING", "QUALIFY", "WINDOW",
	"DISTINCT", "BETWEEN", "LIKE", "SIMILAR", "VALUES", "INSERT", "INTO", "CREATE", "TABLE", "VIEW", "TEMPORARY", "WATERMARK",
	"PRIMARY", "PARTITION", "PARTITIONED", "COMMENT", "MATCH_RECOGNIZE", "DESCRIPTOR", "INTERVAL", "CASE", "WHEN", "THEN", "ELSE",
	"ENFORCED", "METADATA", "VIRTUAL", "CONSTRAINT", "DATABASE", "CATALOG", "FUNCTION", "OVERWRITE", "EXPLAIN", "DESCRIBE"}
