package rules

import "fsql/planner/logical"

// matchDemand marks what a Match reads of its input.
func (p *pruning) matchDemand(n *logical.Match) {
	in := p.of(n.Input)
	n.Columns(n.Input.Schema(), func(c int) int {
		in[c] = true
		return c
	})
}

// match moves the columns of a Match to where they are now.
func (p *pruning) match(n *logical.Match) pruned {
	in := p.rebuild(n.Input)
	at := same(len(n.Schema().Columns))
	if in.node == n.Input {
		return pruned{n, at}
	}
	m := n.Columns(in.node.Schema(), func(c int) int { return in.at[c] })
	m.Input = in.node
	return pruned{m, at}
}
