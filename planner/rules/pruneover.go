package rules

import (
	"slices"

	"fsql/planner/logical"
)

// over drops the calls nobody reads, and itself if there are no others. The input
// keeps its columns that are read by anybody.
func (p *pruning) over(n *logical.Over, mine []bool) pruned {
	in := p.rebuild(n.Input)
	k := len(n.Input.Schema().Columns)
	at := append(append([]int(nil), in.at...), gone(len(n.Calls))...)
	first := len(in.node.Schema().Columns)
	m := *n
	m.Calls, m.Partition, m.Keys = nil, moved(n.Partition, in.at), movedKeys(n.Keys, in.at)
	var names []string
	for i, c := range n.Calls {
		if !mine[k+i] {
			continue
		}
		c.Args = moved(c.Args, in.at)
		at[k+i] = first + len(m.Calls)
		m.Calls = append(m.Calls, c)
		names = append(names, n.Schema().Columns[k+i].Name)
	}
	if in.node == n.Input && len(m.Calls) == len(n.Calls) {
		return pruned{n, at}
	}
	if len(m.Calls) == 0 {
		return pruned{in.node, at}
	}
	return pruned{logical.NewOver(in.node, m, names), at}
}

func movedKeys(keys []logical.SortKey, at []int) []logical.SortKey {
	out := make([]logical.SortKey, len(keys))
	for i, k := range keys {
		k.Col = at[k.Col]
		out[i] = k
	}
	return out
}

// rank does not compute a rank that nobody reads.
func (p *pruning) rank(n *logical.Rank, mine []bool) pruned {
	in := p.rebuild(n.Input)
	k := len(n.Input.Schema().Columns)
	at := append([]int(nil), in.at...)
	m := *n
	m.Partition, m.Keys = moved(n.Partition, in.at), movedKeys(n.Keys, in.at)
	if m.EndCol >= 0 {
		m.EndCol = in.at[n.EndCol]
	}
	if m.Time >= 0 {
		m.Time = in.at[n.Time]
	}
	name := ""
	if n.WithRank {
		m.WithRank, name = mine[k], n.Schema().Columns[k].Name
		at = append(at, -1)
		if m.WithRank {
			at[k] = len(in.node.Schema().Columns)
		}
	}
	if in.node == n.Input && m.WithRank == n.WithRank {
		return pruned{n, at}
	}
	return pruned{logical.NewRank(in.node, m, name), at}
}

// keepOvers notes the Overs below n that stay although nobody reads their calls:
// they drop late rows. As in Flink only a projection or an aggregation right above
// them that has no use for the calls makes them go; a filter, a join or another
// operator keeps them.
func (p *pruning) keepOvers(n logical.Node) {
	for _, in := range n.Inputs() {
		over, ok := in.(*logical.Over)
		if !ok {
			continue
		}
		used := make([]bool, len(over.Schema().Columns))
		goes := true
		switch n := n.(type) {
		case *logical.Calc:
			for _, e := range n.Exprs {
				logical.MarkUsed(e, used)
			}
			goes = n.Cond == nil
		case *logical.Aggregate:
			mark(used, n.Keys)
			p.calls(n.Calls, slices.Repeat([]bool{true}, len(n.Calls)), false, used)
		default:
			goes = false
		}
		k := len(over.Input.Schema().Columns)
		goes = goes && slices.Contains(used[:k], true) && !slices.Contains(used[k:], true)
		p.kept[over] = p.kept[over] || !goes
	}
}

// overDemand marks what an Over reads of its input; rankDemand a Rank.
func (p *pruning) overDemand(n *logical.Over, mine []bool) {
	in := p.of(n.Input)
	if p.kept[n] && !slices.Contains(mine[len(in):], true) {
		mine[len(in)] = true
	}
	or(in, mine[:len(in)])
	mark(in, n.Partition)
	for _, k := range n.Keys {
		in[k.Col] = true
	}
	for i, c := range n.Calls {
		if mine[len(in)+i] {
			mark(in, c.Args)
		}
	}
}

func (p *pruning) rankDemand(n *logical.Rank, mine []bool) {
	in := p.of(n.Input)
	or(in, mine[:len(in)])
	mark(in, n.Partition)
	for _, k := range n.Keys {
		in[k.Col] = true
	}
	for _, c := range []int{n.EndCol, n.Time} {
		if c >= 0 {
			in[c] = true
		}
	}
}
