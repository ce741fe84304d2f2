package planner

import (
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

// lowering turns logical nodes into operator specs and connects them. A node
// with several readers becomes one step. Which changes a step sends follows
// from its inputs, bottom-up.
type lowering struct {
	env  *Env
	plan *physical.Plan
	done map[logical.Node]int
	// old are the nodes whose readers need the old rows of updates.
	old map[logical.Node]bool
	// lone are the nodes that run in one subtask (alone); one: the node at work
	// is one of them.
	lone map[logical.Node]bool
	one  bool
	uses timeUse
	// at is the place of the statement, for errors of steps.
	at diag.Span
}

func lower(e *Env, roots []logical.Node) (*physical.Plan, error) {
	l := &lowering{env: e, plan: &physical.Plan{Bounded: true}, done: map[logical.Node]int{}, old: map[logical.Node]bool{}, lone: alone(roots), uses: timeUses(roots)}
	if err := l.demand(roots); err != nil {
		return nil, err
	}
	for _, r := range roots {
		s := r.(*logical.Sink)
		l.at = s.Pos
		if err := l.sink(s); err != nil {
			return nil, place(err, s.Pos)
		}
		if e.Settings.String(keyDeterminism) == "TRY_RESOLVE" {
			if err := l.determinism(s); err != nil {
				return nil, place(err, s.Pos)
			}
		}
	}
	nameStates(l.plan)
	return l.plan, nil
}

// node lowers n and what it reads, once.
func (l *lowering) node(n logical.Node) (int, error) {
	if id, ok := l.done[n]; ok {
		return id, nil
	}
	outer := l.one
	l.one = l.lone[n]
	id, err := l.step(n)
	l.one = outer
	if err != nil {
		return 0, err
	}
	l.done[n] = id
	return id, nil
}

func (l *lowering) step(n logical.Node) (int, error) {
	switch n := n.(type) {
	case *logical.Scan:
		return l.scan(n)
	case *logical.Values:
		return l.values(n)
	case *logical.Normalize:
		return l.normalize(n)
	case *logical.Union:
		if in := n.Repeated(); in != nil {
			return l.expand(n, in)
		}
	}
	ins := make([]int, len(n.Inputs()))
	for i, in := range n.Inputs() {
		id, err := l.node(in)
		if err != nil {
			return 0, err
		}
		ins[i] = id
	}
	if byArrival(n) && l.plan.Nodes[ins[0]].Kinds == row.InsertOnly {
		return ins[0], nil
	}
	spec, err := l.spec(n, ins)
	if err != nil {
		return 0, err
	}
	return l.add(spec, ins...)
}

// spec chooses the operator of a logical node.
func (l *lowering) spec(n logical.Node, ins []int) (op.Spec, error) {
	in := l.plan.Nodes[ins[0]]
	switch n := n.(type) {
	case *logical.Calc:
		return &relop.CalcSpec{In: in.Schema, Where: n.Cond, Project: n.Exprs, Out: n.Schema(), ByKey: logical.ByKey(n.Cond, n.Input)}, nil
	case *logical.Union:
		return &relop.UnionSpec{Out: n.Schema(), Inputs: len(ins)}, nil
	case *logical.Aggregate:
		return l.groupAgg(n, in)
	case *logical.Window:
		return l.assign(n, in)
	case *logical.WindowAggregate:
		return l.windowAgg(n, in)
	case *logical.Replicate:
		return &relop.ReplicateSpec{In: in.Schema, Count: n.Count, Out: n.Schema()}, nil
	case *logical.Limit:
		return l.limit(n, in), nil
	case *logical.Sort:
		return l.sort(n, in)
	case *logical.Rank:
		return l.rank(n, in)
	case *logical.Over:
		return l.over(n, in)
	case *logical.Join:
		return l.join(n, ins)
	case *logical.Unnest:
		return &relop.UnnestSpec{In: in.Schema, Of: logical.AsRef(n.X), Outer: n.Outer, Ordinality: n.Ordinality, Cond: n.Cond, Cols: n.Cols, Out: n.Schema()}, nil
	case *logical.ToChangelog:
		return &relop.ToChangelogSpec{In: in.Schema, Codes: n.Codes, Out: n.Schema()}, nil
	case *logical.FromChangelog:
		return l.fromChangelog(n, in)
	case *logical.Match:
		return l.match(n, in)
	}
	return nil, diag.New(diag.Internal, l.at, "no operator for %s", n)
}

// expand makes one step of a union over one input: the repetition for grouping
// sets, branches that read one table. Taken apart, the branches would reach the gate of a union one batch after another, with the
// event time of the one that is behind: whether a late row counts would depend
// on how large a batch is.
func (l *lowering) expand(n *logical.Union, in logical.Node) (int, error) {
	id, err := l.node(in)
	if err != nil {
		return 0, err
	}
	s := &relop.ExpandSpec{In: l.plan.Nodes[id].Schema, Out: n.Schema()}
	for _, branch := range n.Ins {
		b := relop.Branch{Project: logical.Refs(in.Schema())}
		if c, ok := branch.(*logical.Calc); ok && branch != in {
			b = relop.Branch{Where: c.Cond, Project: c.Exprs}
		}
		s.Branches = append(s.Branches, b)
	}
	return l.add(s, id)
}

// add appends a step that reads ins: it places the exchanges that the
// operator asks for and derives the changes it sends.
func (l *lowering) add(spec op.Spec, ins ...int) (int, error) {
	kinds := make([]row.Kinds, len(ins))
	for i, in := range ins {
		kinds[i] = l.plan.Nodes[in].Kinds
	}
	out, err := spec.Emits(kinds)
	if err != nil {
		return 0, place(err, l.at)
	}
	n := &physical.Node{ID: len(l.plan.Nodes), Spec: spec, Schema: spec.Output(), Kinds: out, Parallel: l.parallel(spec, ins)}
	for i, in := range ins {
		n.Inputs = append(n.Inputs, l.edge(in, n.Parallel, spec.Require(i)))
	}
	n.Chained = len(ins) == 1 && n.Inputs[0].Ship == physical.Forward && !spec.MayPause()
	l.plan.Nodes = append(l.plan.Nodes, n)
	return n.ID, nil
}

// parallel is the number of subtasks of an operator: one where it needs to see
// everything, the session's for keyed ones, else that of its inputs.
func (l *lowering) parallel(spec op.Spec, ins []int) int {
	if l.one {
		return 1
	}
	keyed := false
	for i := range ins {
		d := spec.Require(i)
		if d.Single {
			return 1
		}
		keyed = keyed || d.Keys != nil
	}
	if keyed {
		return l.env.parallelism()
	}
	p := l.plan.Nodes[ins[0]].Parallel
	for _, in := range ins[1:] {
		if l.plan.Nodes[in].Parallel != p {
			// Rows of one key must stay in order: spreading one input over the
			// subtasks of another would let an update overtake its old row.
			return 1
		}
	}
	return p
}

// edge connects producer in to p subtasks.
func (l *lowering) edge(in, p int, d op.Distribution) physical.Edge {
	e := physical.Edge{From: in, Ship: physical.Forward}
	from := l.plan.Nodes[in].Parallel
	switch {
	case p == 1 && from == 1:
	case p == 1:
		e.Ship = physical.Single
	case d.Keys != nil:
		e.Ship, e.Keys = physical.Hash, d.Keys
	case from != p:
		e.Ship = physical.Rebalance
	}
	return e
}

// notNull are the columns that must not be NULL. They are checked even where the
// planner knows that no NULL can come: a file may lack what its table promises.
func notNull(s *types.Schema) []int {
	var out []int
	for i, c := range s.Columns {
		if !c.Type.Nullable {
			out = append(out, i)
		}
	}
	return out
}
