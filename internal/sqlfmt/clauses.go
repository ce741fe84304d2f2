package sqlfmt

// queryClause says that a clause of a query begins at node i.
func queryClause(nodes []node, i int) bool {
	next := func(n int) string {
		if i+n < len(nodes) {
			return nodes[i+n].word
		}
		return ""
	}
	before := ""
	if i > 0 {
		before = nodes[i-1].word
	}
	switch nodes[i].word {
	case "SELECT":
		return true
	case "FROM":
		return before != "DISTINCT" || i < 2 || nodes[i-2].word != "IS" && nodes[i-2].word != "NOT"
	case "WHERE", "HAVING", "QUALIFY", "LIMIT", "OFFSET", "FETCH", "UNION", "INTERSECT", "EXCEPT", "VALUES":
		return true
	case "WINDOW":
		return i+2 < len(nodes) && next(2) == "AS"
	case "GROUP", "ORDER":
		return next(1) == "BY"
	case "WITH":
		return startsTables(nodes, i)
	case "JOIN":
		return !joinWord(before)
	case "NATURAL", "LEFT", "RIGHT", "FULL", "INNER", "CROSS":
		return !joinWord(before) && (next(1) == "JOIN" || joinWord(next(1)))
	case "ON":
		return next(1) == "CONFLICT"
	}
	return nodes[i].query() && i > 0 && setWord(before)
}

// startsTables tells the WITH of named queries from that of options.
func startsTables(nodes []node, i int) bool {
	for j := i + 1; j < len(nodes) && j < i+4; j++ {
		if nodes[j].word == "AS" {
			return true
		}
	}
	return false
}

func joinWord(w string) bool {
	switch w {
	case "NATURAL", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "OUTER":
		return true
	}
	return false
}

func setWord(w string) bool {
	switch w {
	case "UNION", "INTERSECT", "EXCEPT", "ALL", "DISTINCT":
		return true
	}
	return false
}

// matchClause says that a clause of MATCH_RECOGNIZE begins at node i.
func matchClause(nodes []node, i int) bool {
	before := ""
	if i > 0 {
		before = nodes[i-1].word
	}
	switch nodes[i].word {
	case "PARTITION", "ORDER", "MEASURES", "PATTERN", "WITHIN", "SUBSET", "DEFINE":
		return true
	case "ONE", "ALL":
		return i+1 < len(nodes) && (nodes[i+1].word == "ROW" || nodes[i+1].word == "ROWS")
	case "AFTER":
		return before != "AFTER"
	}
	return false
}

// heads is the number of words that open a clause.
func heads(nodes []node) int {
	n := 1
	for n < len(nodes) {
		switch w := nodes[n].word; {
		case w == "BY", w == "DISTINCT" && n == 1, w == "ALL" && n == 1, w == "JOIN", joinWord(w), nodes[n].text == "/*+" && nodes[n].group:
			n++
			continue
		}
		break
	}
	return n
}

// statement writes a whole statement without its semicolon.
func (p *printer) statement(nodes []node) {
	if p.fits(nodes, 1) && simple(nodes) && !compound(nodes) {
		p.run(nodes)
		return
	}
	if compound(nodes) {
		p.set(nodes)
		return
	}
	// What stands before the query, then the query.
	at := 0
	if !startsQuery(nodes) {
		for at < len(nodes) && !queryClause(nodes, at) && !(at > 0 && nodes[at].query()) {
			at++
		}
	}
	if at > 0 {
		p.declaration(nodes[:at])
	}
	if at < len(nodes) {
		p.block(nodes[at:], p.indent)
	}
}

// declaration writes CREATE TABLE and the like: one line, of which lists that
// have several elements are broken if it does not fit.
func (p *printer) declaration(nodes []node) {
	if p.fits(nodes, 1) {
		p.run(nodes)
		return
	}
	for i := range nodes {
		n := &nodes[i]
		if n.Is("(") && n.group && (len(split(n.kids)) > 1 || !p.fits(nodes[i:i+1], 1)) {
			p.breakGroup(n, false)
			continue
		}
		p.inline(nodes[i : i+1])
	}
}

// compound says that a statement holds others: a statement set.
func compound(nodes []node) bool {
	for i := range nodes {
		if nodes[i].word == "BEGIN" {
			return true
		}
	}
	return false
}

// set writes EXECUTE STATEMENT SET BEGIN .. END.
func (p *printer) set(nodes []node) {
	indent := p.indent
	from := 0
	for i := range nodes {
		switch {
		case nodes[i].word == "BEGIN":
			p.run(nodes[from : i+1])
			from = i + 1
		case nodes[i].Is(";"):
			p.line(indent + 2)
			p.statement(nodes[from:i])
			p.token(&nodes[i].token)
			from = i + 1
		}
	}
	p.line(indent)
	p.run(nodes[from:])
}
