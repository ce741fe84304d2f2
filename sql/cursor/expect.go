package cursor

import (
	"slices"
	"strings"

	"fsql/diag"
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
	e := diag.New(diag.Syntax, c.place(), "found %s, expected %s", Describe(t), Either(expected))
	switch {
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
	case t.Kind == lex.String && c.Prev().Kind == lex.String:
		e.WithHint("join two strings with ||, or write a quote inside a string twice")
	}
	return e
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

// misspeltBefore finds the keyword that was read as a name just before.
func (c *Cursor) misspeltBefore() *diag.Error {
	if c.Soft < 0 || c.Soft != c.At-1 {
		return nil
	}
	word := c.Prev()
	near := diag.Nearest(word.Text, common[:])
	if word.Kind != lex.Word || near == "" {
		return nil
	}
	return diag.New(diag.Syntax, word.Span(), "'%s' is no keyword; read as a name, it cannot stand before %s",
		word.Text, Describe(c.Tok())).WithLabel("did you mean %s?", near)
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
