package rules

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/planner/logical"
	"fsql/types"
	"fsql/window"
)

// prune drops the columns that nobody reads, down to the scanners, which then
// skip their fields. A node with several readers keeps what any of them reads.
func prune(roots []logical.Node) ([]logical.Node, error) {
	p := &pruning{need: map[logical.Node][]bool{}, done: map[logical.Node]pruned{}, kept: map[*logical.Over]bool{}}
	for _, n := range logical.Order(roots) {
		p.demand(n)
		p.keepOvers(n)
	}
	out := make([]logical.Node, len(roots))
	for i, r := range roots {
		out[i] = p.rebuild(r).node
	}
	return out, nil
}

type pruning struct {
	need map[logical.Node][]bool // per column of a node
	done map[logical.Node]pruned
	kept map[*logical.Over]bool // stay even if nobody reads their calls
}

// pruned is a node with fewer columns: at maps the old ones, -1 for one that
// is gone.
type pruned struct {
	node logical.Node
	at   []int
}

// of is the demand on a node, to be added to.
func (p *pruning) of(n logical.Node) []bool {
	d := p.need[n]
	if d == nil {
		d = make([]bool, len(n.Schema().Columns))
		p.need[n] = d
	}
	return d
}

// demand passes the demand on n to its inputs.
func (p *pruning) demand(n logical.Node) {
	mine := p.of(n)
	switch n := n.(type) {
	case *logical.Calc:
		in := p.of(n.Input)
		for i, e := range n.Exprs {
			if mine[i] {
				logical.MarkUsed(e, in)
			}
		}
		logical.MarkUsed(n.Cond, in)
	case *logical.Union:
		for _, u := range n.Ins {
			or(p.of(u), mine)
		}
	case *logical.Window:
		in := p.of(n.Input)
		or(in, mine[:len(in)])
		in[n.By.Time] = true
		mark(in, n.By.Keys)
	case *logical.Aggregate:
		in := p.of(n.Input)
		mark(in, n.Keys)
		p.calls(n.Calls, mine[len(n.Keys):], len(n.Keys) == 0, in)
	case *logical.WindowAggregate:
		in := p.of(n.Input)
		in[n.By.Time] = true
		mark(in, n.Keys)
		p.calls(n.Calls, mine[len(n.Keys):], false, in)
	case *logical.Sort:
		in := p.of(n.Input)
		or(in, mine)
		for _, k := range n.Keys {
			in[k.Col] = true
		}
		if n.Count >= 0 {
			all(in) // a row that is taken back is found by all columns, as in Flink
		}
	case *logical.Over:
		p.overDemand(n, mine)
	case *logical.Rank:
		p.rankDemand(n, mine)
	case *logical.Limit:
		all(p.of(n.Input)) // as for Sort
	case *logical.Normalize:
		in := p.of(n.Input)
		mark(mine, n.Key)
		logical.MarkUsed(n.Cond, mine)
		or(in, mine)
	case *logical.Join:
		p.joinDemand(n, mine)
	case *logical.Unnest:
		p.unnestDemand(n, mine)
	case *logical.Match:
		p.matchDemand(n)
	default: // sinks, and what keeps the columns of its inputs
		for _, in := range n.Inputs() {
			all(p.of(in))
		}
	}
}

// calls marks the columns of the calls somebody reads. A global aggregation
// keeps one call so that it has a column.
func (p *pruning) calls(calls []agg.Call, mine []bool, keepOne bool, in []bool) {
	any := false
	for i := range calls {
		any = any || mine[i]
	}
	if keepOne && !any && len(calls) > 0 {
		mine[0] = true
	}
	for i, c := range calls {
		if !mine[i] {
			continue
		}
		mark(in, c.Args)
		if c.Filter >= 0 {
			in[c.Filter] = true
		}
	}
}

func or(to, from []bool) {
	for i, b := range from {
		to[i] = to[i] || b
	}
}

func mark(to []bool, cols []int) {
	for _, c := range cols {
		to[c] = true
	}
}

func all(to []bool) {
	for i := range to {
		to[i] = true
	}
}

// rebuild returns n with the columns that are needed.
func (p *pruning) rebuild(n logical.Node) pruned {
	if d, ok := p.done[n]; ok {
		return d
	}
	d := p.narrow(n)
	p.done[n] = d
	return d
}

func (p *pruning) narrow(n logical.Node) pruned {
	mine := p.need[n]
	switch n := n.(type) {
	case *logical.Scan:
		if keep, at := kept(mine); len(keep) < len(mine) {
			return pruned{n.Keep(keep), at}
		}
	case *logical.Values:
		if keep, at := kept(mine); len(keep) < len(mine) && len(n.Rows) > 0 {
			return pruned{n.Keep(keep), at}
		}
	case *logical.Calc:
		return p.calc(n, mine)
	case *logical.Union:
		return p.union(n, mine)
	case *logical.Window:
		return p.window(n)
	case *logical.Aggregate:
		return p.aggregate(n, mine)
	case *logical.WindowAggregate:
		return p.windowAggregate(n, mine)
	case *logical.Sort:
		in := p.rebuild(n.Input)
		if in.node == n.Input {
			break
		}
		s := *n
		s.Input, s.Keys = in.node, nil
		for _, k := range n.Keys {
			k.Col = in.at[k.Col]
			s.Keys = append(s.Keys, k)
		}
		return pruned{&s, in.at}
	case *logical.Over:
		return p.over(n, mine)
	case *logical.Rank:
		return p.rank(n, mine)
	case *logical.Normalize:
		return p.normalize(n, mine)
	case *logical.Limit:
		in := p.rebuild(n.Input)
		if in.node == n.Input {
			break
		}
		return pruned{n.With([]logical.Node{in.node}), in.at}
	case *logical.Join:
		return p.join(n, mine)
	case *logical.Unnest:
		return p.unnest(n, mine)
	case *logical.Match:
		return p.match(n)
	default:
		ins, changed := n.Inputs(), false
		now := make([]logical.Node, len(ins))
		for i, in := range ins {
			now[i] = p.rebuild(in).node
			changed = changed || now[i] != in
		}
		if changed {
			return pruned{n.With(now), same(len(n.Schema().Columns))}
		}
	}
	return pruned{n, same(len(n.Schema().Columns))}
}

// kept lists the needed columns and where each old one went.
func kept(mine []bool) (keep, at []int) {
	at = make([]int, len(mine))
	for i, b := range mine {
		at[i] = -1
		if b {
			at[i] = len(keep)
			keep = append(keep, i)
		}
	}
	return keep, at
}

func same(n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	return at
}

func (p *pruning) calc(n *logical.Calc, mine []bool) pruned {
	in := p.rebuild(n.Input)
	keep, at := kept(mine)
	if in.node == n.Input && len(keep) == len(mine) {
		return pruned{n, at}
	}
	s := in.node.Schema()
	exprs, names := make([]expr.Node, len(keep)), make([]string, len(keep))
	for i, c := range keep {
		exprs[i], names[i] = logical.Remap(n.Exprs[c], in.at, s), n.Schema().Columns[c].Name
	}
	var cond expr.Node
	if n.Cond != nil {
		cond = logical.Remap(n.Cond, in.at, s)
	}
	return pruned{logical.NewCalc(in.node, cond, exprs, names), at}
}

// union brings the branches to the same columns: a branch with other readers
// may have more.
func (p *pruning) union(n *logical.Union, mine []bool) pruned {
	keep, at := kept(mine)
	changed := len(keep) < len(mine)
	ins := make([]logical.Node, len(n.Ins))
	for i, u := range n.Ins {
		ins[i] = p.only(u, keep)
		changed = changed || ins[i] != u
	}
	if !changed {
		return pruned{n, at}
	}
	s := &types.Schema{}
	for _, c := range keep {
		s.Columns = append(s.Columns, n.Schema().Columns[c])
	}
	return pruned{logical.NewUnion(ins, s), at}
}

// only is n with the columns keep and no others, also if another reader needs
// more of it.
func (p *pruning) only(n logical.Node, keep []int) logical.Node {
	in := p.rebuild(n)
	s := in.node.Schema()
	if len(s.Columns) == len(keep) {
		return in.node
	}
	exprs, names := make([]expr.Node, len(keep)), make([]string, len(keep))
	for i, c := range keep {
		exprs[i], names[i] = logical.Ref(s, in.at[c]), s.Columns[in.at[c]].Name
	}
	return logical.NewCalc(in.node, nil, exprs, names)
}

func (p *pruning) window(n *logical.Window) pruned {
	in := p.rebuild(n.Input)
	if in.node == n.Input {
		return pruned{n, same(len(n.Schema().Columns))}
	}
	by := n.By
	by.Time = in.at[by.Time]
	by.Keys = moved(by.Keys, in.at)
	w := logical.NewWindow(in.node, by)
	at := append([]int(nil), in.at...)
	k := len(in.node.Schema().Columns)
	return pruned{w, append(at, k, k+1, k+2)}
}

func moved(cols, at []int) []int {
	out := make([]int, len(cols))
	for i, c := range cols {
		out[i] = at[c]
	}
	return out
}

// movedCalls keeps the needed calls over the new columns.
func movedCalls(calls []agg.Call, mine []bool, in []int) (out []agg.Call, keep []int) {
	for i, c := range calls {
		if !mine[i] {
			continue
		}
		c.Args = moved(c.Args, in)
		if c.Filter >= 0 {
			c.Filter = in[c.Filter]
		}
		out, keep = append(out, c), append(keep, i)
	}
	return out, keep
}

func (p *pruning) aggregate(n *logical.Aggregate, mine []bool) pruned {
	in := p.rebuild(n.Input)
	k := len(n.Keys)
	calls, keep := movedCalls(n.Calls, mine[k:], in.at)
	if in.node == n.Input && len(keep) == len(n.Calls) {
		return pruned{n, same(len(mine))}
	}
	at := gone(len(mine))
	var names []string
	for i := 0; i < k; i++ {
		at[i] = i
		names = append(names, n.Schema().Columns[i].Name)
	}
	for i, c := range keep {
		at[k+c] = k + i
		names = append(names, n.Schema().Columns[k+c].Name)
	}
	a := logical.NewAggregate(in.node, moved(n.Keys, in.at), calls, names, nil)
	a.TTL = n.TTL
	return pruned{a, at}
}

func gone(n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = -1
	}
	return at
}

func (p *pruning) windowAggregate(n *logical.WindowAggregate, mine []bool) pruned {
	in := p.rebuild(n.Input)
	k := len(n.Keys)
	calls, keep := movedCalls(n.Calls, mine[k:], in.at)
	at := gone(len(mine))
	var names []string
	column := func(old int) {
		at[old] = len(names)
		names = append(names, n.Schema().Columns[old].Name)
	}
	for i := 0; i < k; i++ {
		column(i)
	}
	for _, c := range keep {
		column(k + c)
	}
	var props []window.Prop
	for i, q := range n.Props {
		if old := k + len(n.Calls) + i; mine[old] {
			column(old)
			props = append(props, q)
		}
	}
	if in.node == n.Input && len(names) == len(mine) {
		return pruned{n, at}
	}
	by := n.By
	by.Time = in.at[by.Time]
	return pruned{logical.NewWindowAggregate(in.node, by, moved(n.Keys, in.at), calls, props, names), at}
}
