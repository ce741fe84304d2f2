package shell

import (
	"strings"

	"fsql/sql/lex"
)

// follow are the words that come behind a word.
func follow(key string) []string {
	switch key {
	case "":
		return []string{"SELECT", "INSERT INTO", "CREATE", "DROP", "ALTER TABLE", "SHOW", "DESCRIBE", "EXPLAIN", "SET", "RESET", "USE",
			"WITH", "VALUES", "EXECUTE STATEMENT SET", "BEGIN STATEMENT SET", "STOP JOB", "HELP", "CLEAR", "QUIT", "EXIT"}
	case "CREATE":
		return []string{"TABLE", "TEMPORARY TABLE", "VIEW", "TEMPORARY VIEW", "CATALOG", "DATABASE", "FUNCTION"}
	case "TEMPORARY":
		return []string{"TABLE", "VIEW", "FUNCTION"}
	case "DROP":
		return []string{"TABLE", "TEMPORARY TABLE", "VIEW", "TEMPORARY VIEW", "CATALOG", "DATABASE", "FUNCTION"}
	case "ALTER":
		return []string{"TABLE", "VIEW", "DATABASE"}
	case "SHOW":
		return []string{"TABLES", "VIEWS", "CREATE TABLE", "CREATE VIEW", "COLUMNS FROM", "FUNCTIONS", "CATALOGS", "DATABASES",
			"CURRENT CATALOG", "CURRENT DATABASE", "JOBS", "MODULES", "FULL MODULES", "JARS"}
	case "INSERT":
		return []string{"INTO", "OVERWRITE"}
	case "EXPLAIN":
		return []string{"SELECT", "INSERT INTO", "CHANGELOG_MODE", "ESTIMATED_COST", "PLAN_ADVICE", "JSON_EXECUTION_PLAN", "STATEMENT SET"}
	case "EXECUTE", "BEGIN":
		return []string{"STATEMENT SET"}
	case "STATEMENT":
		return []string{"SET BEGIN"}
	case "GROUP", "ORDER", "PARTITION", "PARTITIONED", "DISTRIBUTED":
		return []string{"BY"}
	case "INNER", "CROSS", "OUTER", "SEMI", "ANTI":
		return []string{"JOIN"}
	case "LEFT", "RIGHT", "FULL":
		return []string{"JOIN", "OUTER JOIN"}
	case "IS":
		return []string{"NULL", "NOT NULL", "TRUE", "FALSE", "DISTINCT FROM", "NOT DISTINCT FROM"}
	case "UNION", "INTERSECT", "EXCEPT":
		return []string{"ALL", "SELECT"}
	case "PRIMARY":
		return []string{"KEY ("}
	case "FOR":
		return []string{"SYSTEM_TIME AS OF"}
	}
	return nil
}

func dataTypes() []string {
	return []string{"STRING", "INT", "BIGINT", "DOUBLE", "BOOLEAN", "DECIMAL(10, 2)", "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", "DATE", "TIME",
		"VARCHAR", "CHAR", "FLOAT", "SMALLINT", "TINYINT", "BYTES", "BINARY", "VARBINARY", "ARRAY<", "MAP<", "ROW<"}
}

// inText completes a word outside of strings.
func (c *completer) inText(p *place) {
	p1 := p.prev(1)
	create := p.prev(len(p.before)).Key == "CREATE"
	switch {
	case len(p.before) == 0:
		p.words(follow("")...)
	case p1.Is("."):
		c.behindDot(p)
	case p1.Is("(") && strings.EqualFold(p.prev(2).Text, "DESCRIPTOR"):
		c.columns(p, true)
	case p.enclosedBy("WITH") && len(p.typed) == 0 && (create || p.prev(len(p.before)).Key == "ALTER"):
		c.quoted(p, func(q *place) { c.inString(q) })
	case p1.Key == "SET" && len(p.before) == 1, p1.Key == "RESET", p1.Is("=") && p.prev(3).Key == "SET" && len(p.before) == 3:
		c.quoted(p, func(q *place) { c.inString(q) })
	case p1.Key == "TABLE" && create, p1.Key == "VIEW" && create:
		p.word("IF NOT EXISTS")
	case create && p.hasKey("TABLE") && !p.hasKey("AS", "SELECT"):
		c.inCreateTable(p)
	case p1.Key == "FROM" || p1.Key == "JOIN":
		c.tables(p)
		p.words("TABLE(TUMBLE(TABLE ", "TABLE(HOP(TABLE ", "TABLE(CUMULATE(TABLE ", "TABLE(SESSION(TABLE ")
	case p1.Key == "INTO", p1.Key == "TABLE", p1.Key == "DESCRIBE", p1.Key == "DESC", p1.Key == "VIEW",
		p1.Key == "EXISTS" && p.prev(2).Key == "IF":
		c.tables(p)
	case p1.Key == "USE":
		p.word("CATALOG")
		current, _ := c.session.Catalog().Current()
		if names, err := c.session.Catalog().Databases(current); err == nil {
			for _, n := range names {
				p.name(quotedName(n))
			}
		}
	case p1.Key == "CATALOG" && p.prev(2).Key != "CREATE":
		for _, n := range c.session.Catalog().Catalogs() {
			p.name(quotedName(n))
		}
	case p.enclosedBy("MATCH_RECOGNIZE"):
		c.inMatch(p)
	case p1.Key != "" && len(follow(p1.Key)) > 0:
		p.words(follow(p1.Key)...)
	case p.isOperand():
		p.words(clauses(p)...)
	default:
		c.expression(p)
	}
}

// quoted completes what stands in quotes when the opening one is not typed yet.
func (c *completer) quoted(p *place, inString func(*place)) {
	q := &place{before: p.before, all: p.all}
	inString(q)
	for _, i := range q.items {
		show := i.Show
		if show == "" {
			show = i.Text
		}
		p.add(Item{Text: "'" + i.Text, Show: show})
	}
}

// hasKey tells that the statement has a word in front of the cursor.
func (p *place) hasKey(keys ...string) bool {
	for _, k := range keys {
		found := false
		for _, t := range p.before {
			found = found || t.Key == k
		}
		if !found {
			return false
		}
	}
	return true
}

func (c *completer) inCreateTable(p *place) {
	p1, p2 := p.prev(1), p.prev(2)
	name := func(t lex.Token) bool { return t.Kind == lex.Quoted || t.Kind == lex.Word && !lex.IsReserved(t.Text) }
	switch {
	case p1.Is(")") && p.depth() == 0:
		p.words("WITH (", "COMMENT", "PARTITIONED BY (", "DISTRIBUTED BY (", "LIKE", "AS SELECT")
	case (p1.Is("(") || p1.Is(",")) && p.depth() == 1:
		p.words("WATERMARK FOR", "PRIMARY KEY (")
	case name(p1) && (p2.Is("(") || p2.Is(",")) && p.depth() == 1:
		p.words(dataTypes()...)
		p.words("AS", "METADATA")
	case p1.Key == "FOR" || p.depth() > 1 || p.hasKey("WATERMARK"):
		for _, n := range declared(p.all) {
			p.name(n)
		}
		if p1.Key != "FOR" {
			c.functions(p)
			p.words("INTERVAL", "AS")
		}
	case p1.Key == "LIKE":
		c.tables(p)
	default:
		p.words("NOT NULL", "METADATA", "FROM", "VIRTUAL", "AS", "COMMENT", "NOT ENFORCED")
	}
}

func (p *place) depth() int {
	d := 0
	for _, t := range p.before {
		if t.Is("(") {
			d++
		} else if t.Is(")") {
			d--
		}
	}
	return d
}

// declared are the columns of a CREATE TABLE that is being written.
func declared(tokens []lex.Token) []string {
	var names []string
	depth := 0
	for i, t := range tokens {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
			if depth == 0 {
				return names
			}
		}
		if depth == 1 && (t.Is("(") || t.Is(",")) && i+1 < len(tokens) {
			if n := tokens[i+1]; n.Kind == lex.Quoted || n.Kind == lex.Word && n.Key != "WATERMARK" && n.Key != "PRIMARY" {
				names = append(names, quotedName(n.Text))
			}
		}
	}
	return names
}

// isOperand tells that the word follows something complete: a name, a literal,
// a closing parenthesis. What may follow is a keyword.
func (p *place) isOperand() bool {
	t := p.prev(1)
	switch t.Kind {
	case lex.Quoted, lex.Number, lex.String:
		return true
	case lex.Word:
		switch t.Key {
		case "END", "NULL", "TRUE", "FALSE", "OVERWRITE":
			return true
		}
		return !lex.IsReserved(t.Text)
	}
	return t.Is(")") || t.Is("*") && (p.prev(2).Key == "SELECT" || p.prev(2).Is(","))
}

// clauses are the keywords behind something complete, by the clause.
func clauses(p *place) []string {
	where := ""
	depth := 0
	for i := len(p.before) - 1; i >= 0 && where == ""; i-- {
		switch t := p.before[i]; {
		case t.Is(")"):
			depth++
		case t.Is("("):
			depth--
		case depth <= 0:
			switch t.Key {
			case "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "JOIN", "ON", "INTO", "SHOW", "CASE", "DESCRIBE":
				where = t.Key
			}
		}
	}
	operators := []string{"AND", "OR", "IN (", "BETWEEN", "LIKE", "IS NULL", "IS NOT NULL", "NOT"}
	switch where {
	case "SELECT":
		return []string{"FROM", "AS", "OVER (", "FILTER (WHERE "}
	case "FROM", "JOIN":
		return []string{"WHERE", "GROUP BY", "JOIN", "LEFT JOIN", "ON", "AS", "UNION ALL", "ORDER BY", "LIMIT", "FOR SYSTEM_TIME AS OF", "HAVING", "MATCH_RECOGNIZE ("}
	case "ON":
		return append(operators, "WHERE", "GROUP BY", "JOIN", "LEFT JOIN")
	case "WHERE":
		return append(operators, "GROUP BY", "ORDER BY", "UNION ALL", "LIMIT")
	case "GROUP":
		return []string{"HAVING", "ORDER BY", "UNION ALL", "LIMIT"}
	case "HAVING":
		return append(operators, "ORDER BY", "LIMIT")
	case "ORDER":
		return []string{"ASC", "DESC", "LIMIT", "NULLS FIRST", "NULLS LAST"}
	case "INTO":
		return []string{"SELECT", "VALUES"}
	case "SHOW":
		return []string{"LIKE", "FROM", "IN"}
	case "CASE":
		return append(operators, "WHEN", "THEN", "ELSE", "END")
	}
	return []string{"AND", "OR", "AS", "WITH ("}
}

// expression completes where a value may stand: columns first; functions and
// words of the language once a letter of them is there.
func (c *completer) expression(p *place) {
	c.columns(p, false)
	if p.typed == "" && len(p.items) > 0 {
		return
	}
	c.functions(p)
	p.words("CASE", "CAST(", "TRY_CAST(", "NOT", "NULL", "TRUE", "FALSE", "INTERVAL", "TIMESTAMP", "DATE", "EXISTS (", "DISTINCT", "DESCRIPTOR(")
	if p.prev(1).Is("(") || p.prev(1).Key == "AS" {
		p.word("SELECT")
	}
}

func (c *completer) functions(p *place) {
	for _, n := range c.session.Functions().Names() {
		p.function(n, c.session.Functions().Lookup(n).Syntax)
	}
	for _, n := range c.session.Aggregates().Names() {
		p.function(n, c.session.Aggregates().Lookup(n).Syntax)
	}
}
