package sqlfmt

import (
	"slices"
	"unicode/utf8"
)

// flat is the width of nodes on one line behind the last token of p, or false
// if a comment forces a line end between them.
func (p *printer) flat(nodes []node) (int, bool) {
	var q printer
	q.last, q.named, q.col = p.last, p.named, 1
	ok := true
	var walk func(nodes []node, first, last bool)
	one := func(t *token, first, last bool) {
		c := *t
		if len(c.above) > 0 && !first {
			ok = false
		}
		for _, x := range c.after {
			if x.line() && !last {
				ok = false
			}
		}
		if c.above = nil; last {
			c.after = nil
		}
		q.token(&c)
	}
	walk = func(nodes []node, first, last bool) {
		for i := range nodes {
			n := &nodes[i]
			one(&n.token, first && i == 0, last && i == len(nodes)-1 && !n.group)
			if n.group {
				walk(n.kids, false, false)
				one(&n.end, false, last && i == len(nodes)-1)
			}
		}
	}
	walk(nodes, true, true)
	if !ok || len(nodes) == 0 {
		return 0, ok
	}
	for _, c := range q.String() {
		if c == '\n' { // of a literal or a comment: it cannot be helped
			return 0, false
		}
	}
	return utf8.RuneCountInString(q.String()), true
}

// fits says that nodes can follow on this line, with room for what must come
// directly behind them.
func (p *printer) fits(nodes []node, room int) bool {
	n, ok := p.flat(nodes)
	at := p.col
	if at == 0 {
		at = p.indent
	}
	return ok && !p.broken && at+n+room <= width
}

// run writes nodes one after another.
func (p *printer) run(nodes []node) {
	for i := range nodes {
		n := &nodes[i]
		p.token(&n.token)
		if n.group {
			p.run(n.kids)
			p.token(&n.end)
		}
	}
}

// inline writes nodes on the current line and breaks the groups that do not fit.
func (p *printer) inline(nodes []node) {
	for i := range nodes {
		n := &nodes[i]
		if !n.group || p.fits(nodes[i:i+1], 1) {
			p.run(nodes[i : i+1])
			continue
		}
		p.breakGroup(n, i > 0 && nodes[i-1].word == "MATCH_RECOGNIZE")
	}
}

// breakGroup writes a group over several lines.
func (p *printer) breakGroup(n *node, match bool) {
	if n.text == "/*+" || n.typed && n.Is("<") && len(split(n.kids)) < 2 {
		p.run([]node{*n})
		return
	}
	p.token(&n.token)
	indent := p.indent
	inside := indent + 2
	switch {
	case n.word == "CASE":
		p.cases(n.kids, inside)
	case match:
		p.clauses(n.kids, inside, matchClause)
	case n.query():
		p.block(n.kids, inside)
	default:
		pieces := split(n.kids)
		for _, piece := range pieces {
			p.line(inside)
			p.item(piece)
		}
	}
	p.line(indent)
	p.token(&n.end)
}

// cases writes what stands between CASE and END.
func (p *printer) cases(nodes []node, indent int) {
	from := 0
	for i := range nodes {
		if i == from || nodes[i].word != "WHEN" && nodes[i].word != "ELSE" {
			continue
		}
		p.arm(nodes[from:i], indent)
		from = i
	}
	p.arm(nodes[from:], indent)
}

func (p *printer) arm(nodes []node, indent int) {
	if len(nodes) == 0 {
		return
	}
	if w := nodes[0].word; w == "WHEN" || w == "ELSE" {
		p.line(indent)
	}
	p.item(nodes)
}

// item writes an element of a list: flat, or broken at AND and OR, or with its
// groups broken.
func (p *printer) item(nodes []node) {
	if p.fits(nodes, 1) {
		p.run(nodes)
		return
	}
	parts := conditions(nodes)
	if len(parts) == 1 {
		p.inline(nodes)
		return
	}
	indent := p.indent
	for i, part := range parts {
		if i > 0 {
			p.line(indent + 2)
		}
		p.inline(part)
	}
}

// block writes a query, or a statement that ends with one.
func (p *printer) block(nodes []node, indent int) {
	p.line(indent)
	if p.fits(nodes, 1) && simple(nodes) {
		p.run(nodes)
		return
	}
	p.clauses(nodes, indent, queryClause)
}

// simple says that a query may stand on one line if it fits.
func simple(nodes []node) bool {
	n := 0
	for i := range nodes {
		if queryClause(nodes, i) {
			n++
		}
	}
	return n <= 4
}

// clauses writes each clause on a line of its own.
func (p *printer) clauses(nodes []node, indent int, starts func(nodes []node, i int) bool) {
	from := 0
	for i := 1; i <= len(nodes); i++ {
		if i < len(nodes) && !starts(nodes, i) {
			continue
		}
		p.line(indent)
		p.clause(nodes[from:i], indent)
		from = i
	}
}

// clause writes one clause: its words, then its list or condition.
func (p *printer) clause(nodes []node, indent int) {
	if p.fits(nodes, 1) {
		p.run(nodes)
		return
	}
	head := heads(nodes)
	p.inline(nodes[:head])
	body := nodes[head:]
	switch nodes[0].word {
	case "SELECT", "GROUP", "VALUES", "MEASURES", "DEFINE", "SET":
		for _, piece := range split(body) {
			p.line(indent + 2)
			p.item(piece)
		}
	case "WITH":
		for i, piece := range split(body) {
			if i > 0 {
				p.line(indent)
			}
			p.inline(piece)
		}
	case "WHERE", "HAVING", "QUALIFY":
		p.item(body)
	default:
		p.join(body, indent)
	}
}

// join writes a table of FROM or JOIN, with ON on a line of its own if it does
// not fit.
func (p *printer) join(nodes []node, indent int) {
	on := slices.IndexFunc(nodes, func(n node) bool { return n.word == "ON" })
	if on < 0 || p.fits(nodes, 1) {
		p.inline(nodes)
		return
	}
	p.inline(nodes[:on])
	if !p.fits(nodes[on:], 1) || len(conditions(nodes[on:])) > 1 {
		p.line(indent + 2)
	}
	p.item(nodes[on:])
}
