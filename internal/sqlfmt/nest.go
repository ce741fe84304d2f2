package sqlfmt

import "fsql/sql/lex"

// node is a token, or a group of them between an opening and a closing one:
// parentheses, brackets, the <> of a type, CASE and END, a hint.
type node struct {
	token
	group bool
	kids  []node
	end   token
}

// nest finds the groups. What is never closed, which no statement that parses
// has, stays a token.
func nest(toks []token) []node {
	type level struct {
		open  token
		close string
		nodes []node
	}
	stack := []level{{}}
	for _, t := range toks {
		top := &stack[len(stack)-1]
		if len(stack) > 1 && closes(t, top.close) {
			g := node{token: top.open, group: true, kids: top.nodes, end: t}
			stack = stack[:len(stack)-1]
			top = &stack[len(stack)-1]
			top.nodes = append(top.nodes, g)
			continue
		}
		if end := closing(t); end != "" {
			stack = append(stack, level{open: t, close: end})
			continue
		}
		top.nodes = append(top.nodes, node{token: t})
	}
	for len(stack) > 1 {
		last := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		top := &stack[len(stack)-1]
		top.nodes = append(append(top.nodes, node{token: last.open}), last.nodes...)
	}
	return stack[0].nodes
}

func closing(t token) string {
	switch {
	case t.Is("("):
		return ")"
	case t.Is("["):
		return "]"
	case t.typed && t.Is("<"):
		return ">"
	case t.word == "CASE":
		return "END"
	case t.Kind == lex.HintBegin:
		return "*/"
	}
	return ""
}

func closes(t token, with string) bool {
	switch with {
	case "END":
		return t.word == "END"
	case "*/":
		return t.Kind == lex.HintEnd
	}
	return t.Is(with)
}

// query says that a group holds a query.
func (n *node) query() bool {
	return n.Is("(") && len(n.kids) > 0 && startsQuery(n.kids)
}

func startsQuery(nodes []node) bool {
	switch nodes[0].word {
	case "SELECT", "WITH", "VALUES":
		return true
	}
	return nodes[0].query() && len(nodes) > 1
}

// split cuts nodes at commas; each piece ends with its comma.
func split(nodes []node) [][]node {
	var out [][]node
	from := 0
	for i := range nodes {
		if nodes[i].Is(",") {
			out = append(out, nodes[from:i+1])
			from = i + 1
		}
	}
	if from < len(nodes) {
		out = append(out, nodes[from:])
	}
	return out
}

// conditions cuts nodes before AND and OR, but not before the AND of BETWEEN.
func conditions(nodes []node) [][]node {
	var out [][]node
	from, between := 0, false
	for i := range nodes {
		switch nodes[i].word {
		case "BETWEEN":
			between = true
			continue
		case "AND":
			if between {
				between = false
				continue
			}
		case "OR":
		default:
			continue
		}
		if i > from {
			out = append(out, nodes[from:i])
			from = i
		}
	}
	return append(out, nodes[from:])
}
