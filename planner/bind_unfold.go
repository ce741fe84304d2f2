package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/planner/rules"
)

// unfolding makes one query for all rows around of one that stands for each of
// them: the values that its conditions compare become columns that are carried
// up, as further keys of what groups or ranks on the way.
type unfolding struct {
	*binder
	c  *correlation
	l  logical.Node // the rows around
	at diag.Span

	ground logical.Node // the rows of the block that reads around
	floor  logical.Node // what stands for them: ground, with more columns
	add    []expr.Node  // over floor: what is carried up
	on     []expr.Node  // over add and around
	// value tells where columns around are among add, if they are carried up
	// themselves.
	value map[int]int
}

// unfold takes a query apart whose columns are all of r's.
func (u *unfolding) unfold(r *result) (*lateral, error) {
	top, err := u.top(r.node)
	if err != nil {
		return nil, err
	}
	path, err := u.path(top)
	if err != nil {
		return nil, err
	}
	q := &lateral{read: map[int]expr.Node{}}
	if q.empty, err = u.overNothing(r.node); err != nil {
		return nil, err
	}
	q.first = u.ranking(r.node)
	if err := u.carried(path); err != nil {
		return nil, err
	}
	in, at, err := u.carry(top.Input)
	if err != nil {
		return nil, err
	}
	s := in.Schema()
	exprs := make([]expr.Node, len(top.Exprs))
	for i, e := range top.Exprs {
		if exprs[i] = e; readsAround(e) {
			exprs[i], q.read[i] = nullOf(e.Type()), e
		}
	}
	to := map[int]int{} // a column of in that a column of the row's own reads
	for i, e := range q.read {
		q.read[i] = logical.Rewrite(e, func(m expr.Node) expr.Node {
			c, ok := m.(*expr.Column)
			if !ok {
				return nil
			}
			if _, ok := to[c.Index]; !ok {
				to[c.Index] = len(exprs)
				exprs = append(exprs, c)
			}
			return expr.NewColumn(to[c.Index], c.Name, c.T)
		})
	}
	first := len(exprs)
	for _, c := range at {
		exprs = append(exprs, logical.Ref(s, c))
	}
	q.here = len(exprs)
	exprs = append(exprs, expr.Bool(true))
	names := append([]string(nil), logical.Names(top.Schema())...)
	for len(names) < len(exprs) {
		names = append(names, "$lateral")
	}
	q.node = logical.NewCalc(in, top.Cond, exprs, logical.UniqueNames(names))
	for _, c := range u.on {
		q.on = append(q.on, logical.Shift(c, first))
	}
	return q, nil
}

// top is the last projection of a query, with those below it that read around.
func (u *unfolding) top(n logical.Node) (*logical.Calc, error) {
	top, ok := n.(*logical.Calc)
	if _, ground := u.c.on[n]; !ok || ground {
		top = logical.NewCalc(n, nil, logical.Refs(n.Schema()), logical.Names(n.Schema()))
	}
	for {
		below, ok := top.Input.(*logical.Calc)
		if _, ground := u.c.on[top.Input]; !ok || ground || !anyReadsAround(below.Exprs) {
			return top, nil
		}
		exprs := make([]expr.Node, len(top.Exprs))
		for i, e := range top.Exprs {
			exprs[i] = logical.Substitute(e, below.Exprs)
		}
		conds := logical.Conjuncts(below.Cond)
		for _, c := range logical.Conjuncts(top.Cond) {
			conds = append(conds, logical.Substitute(c, below.Exprs))
		}
		cond, err := logical.And(u.env.Funcs, conds)
		if err != nil {
			return nil, err
		}
		top = logical.NewCalc(below.Input, cond, exprs, logical.Names(top.Schema()))
	}
}

func anyReadsAround(es []expr.Node) bool {
	for _, e := range es {
		if readsAround(e) {
			return true
		}
	}
	return false
}

// path are the nodes from the last projection down to the rows of the block
// that reads around, which becomes the ground.
func (u *unfolding) path(top *logical.Calc) ([]logical.Node, error) {
	var path []logical.Node
	n := top.Input
	for {
		_, found := u.c.on[n]
		// Without conditions only the select list reads around.
		if found || len(u.c.on) == 0 && anyReadsAround(top.Exprs) {
			u.ground, u.floor = n, n
			if u.below(n) {
				return nil, u.refused("at two levels")
			}
			return path, nil
		}
		path = append(path, n)
		switch m := n.(type) {
		case *logical.Calc, *logical.Aggregate, *logical.Over, *logical.Sort:
			n = n.Inputs()[0]
		case *logical.Union:
			if n = m.Repeated(); n == nil {
				return nil, u.refused("inside a set operation")
			}
		case *logical.Limit:
			return nil, diag.New(diag.NotSupported, u.at, "LIMIT in a query behind LATERAL needs ORDER BY").
				WithHint("say which rows are the first ones of each: ORDER BY .. LIMIT ..")
		default:
			return nil, u.refused("inside a join")
		}
	}
}

// below tells that something below n reads around.
func (u *unfolding) below(n logical.Node) bool {
	for _, in := range n.Inputs() {
		if _, ok := u.c.on[in]; ok || u.below(in) {
			return true
		}
		if c, ok := in.(*logical.Calc); ok && (anyReadsAround(c.Exprs) || readsAround(c.Cond)) {
			return true
		}
	}
	return false
}

func (u *unfolding) refused(where string) error {
	return diag.New(diag.NotSupported, u.at, "a query behind LATERAL cannot read the rows to its left %s", where).
		WithHint("read them in the WHERE of a plain SELECT, or write a join")
}

// carried finds out what to carry up. Conditions that only projections are above
// carry the columns that they read. Above a grouping or a ranking they must be
// equalities, whose own sides become keys; for others the values around are
// joined in below, each once, and become the keys.
func (u *unfolding) carried(path []logical.Node) error {
	conds := u.c.on[u.ground]
	plain := true
	for _, n := range path {
		c, calc := n.(*logical.Calc)
		plain = plain && calc
		if calc && anyReadsAround(c.Exprs) {
			return u.values(conds, path)
		}
	}
	if plain {
		for _, c := range conds {
			u.on = append(u.on, logical.Rewrite(c, func(m expr.Node) expr.Node {
				if c, ok := m.(*expr.Column); ok {
					return u.column(c)
				}
				return nil
			}))
		}
		return nil
	}
	for _, c := range conds {
		if !u.equality(c) {
			return u.values(conds, path)
		}
	}
	return nil
}

// column carries an expression over the ground.
func (u *unfolding) column(e expr.Node) expr.Node {
	for i, a := range u.add {
		if a.String() == e.String() && a.Type().Equal(e.Type()) {
			return expr.NewColumn(i, "$lateral", e.Type())
		}
	}
	u.add = append(u.add, e)
	return expr.NewColumn(len(u.add)-1, "$lateral", e.Type())
}

// equality carries the own side of an equality with something around.
func (u *unfolding) equality(n expr.Node) bool {
	c, ok := n.(*expr.Call)
	if !ok || len(c.Args) != 2 || c.Fn.Name != "=" && c.Fn.Name != "IS NOT DISTINCT FROM" || logical.Volatile(n) {
		return false
	}
	for i, own := range c.Args {
		other := c.Args[1-i]
		reads := logical.Any(other, func(m expr.Node) bool { _, ok := m.(*expr.Column); return ok })
		if readsAround(own) || reads {
			continue
		}
		args := []expr.Node{u.column(own), other}
		u.on = append(u.on, c.WithChildren(args))
		return true
	}
	return false
}

// values joins the ground with the values around that the conditions, and the
// steps above, read.
func (u *unfolding) values(conds []expr.Node, path []logical.Node) error {
	u.add, u.on, u.value = nil, nil, map[int]int{}
	var cols []int
	left := len(u.ground.Schema().Columns)
	read := func(e expr.Node) expr.Node {
		return logical.Rewrite(e, func(m expr.Node) expr.Node {
			a, ok := m.(around)
			if !ok {
				return nil
			}
			if _, ok := u.value[a.Index]; !ok {
				u.value[a.Index] = len(cols)
				cols = append(cols, a.Index)
			}
			return expr.NewColumn(left+u.value[a.Index], a.Name, a.T.Plain())
		})
	}
	over := make([]expr.Node, len(conds))
	for i, c := range conds {
		over[i] = read(c)
	}
	for _, n := range path {
		if c, ok := n.(*logical.Calc); ok {
			for _, e := range c.Exprs {
				read(e)
			}
		}
	}
	s := u.l.Schema()
	exprs, names := make([]expr.Node, len(cols)), make([]string, len(cols))
	for i, c := range cols {
		exprs[i], names[i] = logical.Ref(s, c), s.Columns[c].Name
	}
	once, err := distinct(logical.NewCalc(u.l, nil, exprs, logical.UniqueNames(names)))
	if err != nil {
		return err
	}
	j := logical.Join{L: u.ground, R: once, Kind: joinop.Inner, Pos: u.at}
	if j.Cond, err = logical.And(u.env.Funcs, over); err != nil {
		return err
	}
	n := logical.NewJoin(j)
	for i, c := range cols {
		own := u.column(logical.Ref(n.Schema(), left+i))
		same, err := expr.NewCall(u.env.Funcs, "IS NOT DISTINCT FROM", []expr.Node{own, around{logical.Ref(s, c).(*expr.Column)}})
		if err != nil {
			return err
		}
		u.on = append(u.on, same)
	}
	u.floor = n
	return nil
}

// overNothing is what a query gives of no rows, over around; nil: no row.
func (u *unfolding) overNothing(n logical.Node) ([]expr.Node, error) {
	switch n := n.(type) {
	case *logical.Aggregate:
		if len(n.Keys) > 0 {
			return nil, nil
		}
		v, err := rules.OfNothing(n)
		if err != nil {
			return nil, err
		}
		var out []expr.Node
		for _, l := range v.Rows[0] {
			out = append(out, l)
		}
		return out, nil
	case *logical.Calc:
		in, err := u.overNothing(n.Input)
		if in == nil || err != nil {
			return nil, err
		}
		if n.Cond != nil {
			cond, err := expr.Fold(logical.Substitute(n.Cond, in), u.zone)
			if err != nil {
				return nil, err
			}
			if l, ok := expr.IsConst(cond); !ok || l.IsNull() || !l.Value.Bool[0] {
				return nil, nil
			}
		}
		out := make([]expr.Node, len(n.Exprs))
		for i, e := range n.Exprs {
			out[i] = logical.Substitute(e, in)
		}
		return out, nil
	}
	return nil, nil
}
