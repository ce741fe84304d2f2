package cursor

import "fsql/sql/lex"

// LooksQuery tells whether a query begins here: at one of its keywords, or at
// a parenthesis that holds a query and nothing else, as `((SELECT 1) UNION
// SELECT 2)` does and `((SELECT 1) + 2)` does not.
func (c *Cursor) LooksQuery() bool { return c.queryAt(c.At) }

func (c *Cursor) queryAt(at int) bool {
	t := c.Src.Tokens[at]
	if !t.Is("(") {
		return t.Key == "SELECT" || t.Key == "WITH" || t.Key == "VALUES" || t.Key == "TABLE" ||
			t.Key == "VALUE" && c.Src.Tokens[min(at+1, len(c.Src.Tokens)-1)].Is("(")
	}
	// Go down to the innermost parenthesis, then up again.
	depth := at
	for c.Src.Tokens[depth].Is("(") {
		depth++
	}
	if !c.queryAt(depth) {
		return false
	}
	for depth--; depth > at; depth-- {
		end := c.Src.Match(depth)
		if end == 0 {
			return true // not closed: the query reader will say so
		}
		if next := c.Src.Tokens[end+1]; !next.Is(")") && !queryGoesOn(next) {
			return false
		}
	}
	return true
}

// queryGoesOn tells whether a token may follow a query inside the parentheses
// of a larger one.
func queryGoesOn(t lex.Token) bool {
	switch t.Key {
	case "UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "LIMIT", "OFFSET", "FETCH":
		return true
	}
	return false
}
