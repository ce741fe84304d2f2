package rules

import "fsql/planner/logical"

// joinDemand passes the demand on a join to its inputs.
func (p *pruning) joinDemand(n *logical.Join, mine []bool) {
	l, r := p.of(n.L), p.of(n.R)
	both := make([]bool, len(l)+len(r))
	for i, c := range n.Cols {
		both[c] = both[c] || mine[i]
	}
	logical.MarkUsed(n.Cond, both)
	for _, k := range n.Keys {
		both[k.L], both[len(l)+k.R] = true, true
	}
	if n.Interval != nil {
		both[n.Interval.L], both[len(l)+n.Interval.R] = true, true
	}
	if n.Windows != nil {
		both[n.Windows.L], both[len(l)+n.Windows.R] = true, true
	}
	if n.Temporal != nil {
		both[n.Temporal.L], both[len(l)+n.Temporal.R] = true, true
	}
	or(l, both[:len(l)])
	or(r, both[len(l):])
}

func (p *pruning) join(n *logical.Join, mine []bool) pruned {
	l, r := p.rebuild(n.L), p.rebuild(n.R)
	keep, at := kept(mine)
	if l.node == n.L && r.node == n.R && len(keep) == len(mine) {
		return pruned{n, at}
	}
	return pruned{n.Narrow([]logical.Node{l.node, r.node}, l.at, r.at, keep), at}
}
