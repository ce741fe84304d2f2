package planner

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/types"
)

// answered joins the queries that expressions over n ask to the rows of n, and
// puts their answers in their place. The columns of n stay where they are.
func (b *binder) answered(n logical.Node, exprs []expr.Node) (logical.Node, []expr.Node, error) {
	j := &answers{m: &maker{b: b}, base: n, n: n, done: map[string]expr.Node{}}
	out := make([]expr.Node, len(exprs))
	for i, e := range exprs {
		out[i] = j.in(e)
	}
	if j.m.err != nil {
		return nil, nil, j.m.err
	}
	if j.n == n {
		return n, exprs, nil
	}
	for i, e := range out {
		out[i] = retyped(e, j.n.Schema())
	}
	return j.n, out, nil
}

// answers joins subqueries to rows, one after another.
type answers struct {
	m       *maker
	base, n logical.Node
	done    map[string]expr.Node
}

// in puts answers in the place of the subqueries of an expression.
func (j *answers) in(e expr.Node) expr.Node {
	return logical.Rewrite(e, func(m expr.Node) expr.Node {
		if c, ok := m.(*expr.Call); ok && (c.Fn.Name == "IS TRUE" || c.Fn.Name == "IS NOT TRUE") {
			// Whether a NULL leaves it open is not asked.
			if s, ok := c.Args[0].(*subquery); ok && s.kind == inQuery && s.t.Nullable {
				known := *s
				known.t, known.text = s.t.NotNull(), s.text+" IS TRUE"
				return c.WithChildren([]expr.Node{j.in(&known)})
			}
		}
		s, ok := m.(*subquery)
		if !ok || j.m.err != nil || readsAround(s) {
			return nil
		}
		if n := j.done[s.String()]; n != nil {
			return n
		}
		asked := *s
		asked.x = make([]expr.Node, len(s.x))
		for i, x := range s.x {
			asked.x[i] = j.in(x)
		}
		n := j.answer(&asked)
		if j.m.err != nil {
			return m
		}
		j.done[s.String()] = n
		return n
	})
}

// answer joins a subquery and returns the expression that is its answer.
func (j *answers) answer(s *subquery) expr.Node {
	m := j.m
	n, items, keys, err := m.free(s.q)
	if m.err = err; err != nil {
		return nil
	}
	if n, m.err = placed(n, s.q.corr, j.base, s.outer); m.err != nil {
		return nil
	}
	r := &freeQuery{m: m, subquery: s, n: n, items: items, keys: keys}
	switch s.kind {
	case scalarQuery:
		return j.value(r)
	case existsQuery:
		return m.call("IS NOT NULL", j.left(r, r.different(nil), nil)(0))
	case inQuery:
		return j.found(r)
	}
	return j.compared(r)
}

// freeQuery is a subquery made independent of the query around.
type freeQuery struct {
	m *maker
	*subquery
	n     logical.Node
	items []expr.Node
	keys  []outerKey
}

// columns are the keys and the expressions.
func (r *freeQuery) columns(exprs ...expr.Node) logical.Node {
	if r.m.err != nil {
		return nil
	}
	var all []expr.Node
	var names []string
	for _, k := range r.keys {
		all, names = append(all, logical.Ref(r.n.Schema(), k.col)), append(names, r.n.Schema().Columns[k.col].Name)
	}
	for _, e := range exprs {
		name := "EXPR$0"
		if c, ok := e.(*expr.Column); ok {
			name = c.Name
		}
		all, names = append(all, e), append(names, name)
	}
	return logical.NewCalc(r.n, nil, all, logical.UniqueNames(names))
}

// different are the different values of the keys and the expressions, and TRUE
// behind them.
func (r *freeQuery) different(exprs []expr.Node) logical.Node {
	yes := r.m.lit(types.Boolean, "TRUE")
	if len(r.keys)+len(exprs) == 0 {
		return r.m.distinct(r.columns(yes))
	}
	d := r.m.distinct(r.columns(exprs...))
	if r.m.err != nil {
		return nil
	}
	s := d.Schema()
	return logical.NewCalc(d, nil, append(logical.Refs(s), yes), logical.UniqueNames(append(logical.Names(s), "i")))
}

func (m *maker) distinct(n logical.Node) logical.Node {
	if m.err != nil {
		return nil
	}
	d, err := distinct(n)
	m.err = err
	return d
}

// left joins a side that has the keys of r first; on are further conditions over
// both sides. It returns the columns behind the keys.
func (j *answers) left(r *freeQuery, side logical.Node, on func(col func(int) expr.Node) []expr.Node) func(int) expr.Node {
	return j.joined(joinop.LeftOuter, r, side, on)
}

func (j *answers) joined(kind joinop.Kind, r *freeQuery, side logical.Node, on func(col func(int) expr.Node) []expr.Node) func(int) expr.Node {
	m := j.m
	if m.err != nil {
		return func(int) expr.Node { return nil }
	}
	width := len(j.n.Schema().Columns)
	both := func(i int) expr.Node {
		c := side.Schema().Columns[i]
		return expr.NewColumn(width+i, c.Name, c.Type)
	}
	var conds []expr.Node
	for i, k := range r.keys {
		conds = append(conds, k.equal(m, retyped(r.outer[k.ref], j.n.Schema()), both(i)))
	}
	if on != nil {
		conds = append(conds, on(func(i int) expr.Node { return both(len(r.keys) + i) })...)
	}
	cond := m.and(conds...)
	if m.err != nil {
		return func(int) expr.Node { return nil }
	}
	joined := logical.NewJoin(logical.Join{L: j.n, R: side, Kind: kind, Cond: cond, Pos: r.pos})
	j.n = joined
	return func(i int) expr.Node { return logical.Ref(joined.Schema(), width+len(r.keys)+i) }
}

// aggregated groups columns (the keys first) by the keys.
func (r *freeQuery) aggregated(n logical.Node, calls ...agg.Call) logical.Node {
	if r.m.err != nil {
		return nil
	}
	keys := make([]int, len(r.keys))
	names := make([]string, 0, len(keys)+len(calls))
	for i := range keys {
		keys[i] = i
		names = append(names, n.Schema().Columns[i].Name)
	}
	for range calls {
		names = append(names, "$a")
	}
	return logical.NewAggregate(n, keys, calls, logical.UniqueNames(names), nil)
}

// value is the one value of a query; NULL if it has no row. A second row fails
// the job.
func (j *answers) value(r *freeQuery) expr.Node {
	m := j.m
	item := r.items[0]
	exprs := []expr.Node{item}
	var none expr.Node // what an aggregation is worth where nothing was aggregated
	if r.q.none != nil && len(r.keys) > 0 {
		if l, ok := expr.IsConst(r.q.none[0]); !ok || !l.IsNull() {
			none = r.q.none[0]
		}
	}
	if none != nil && item.Type().Nullable {
		exprs = append(exprs, m.lit(types.Boolean, "TRUE"))
	}
	side := r.columns(exprs...)
	if m.err == nil && !r.q.one && !oneRow(r.n) {
		side = r.aggregated(side, m.agg("SINGLE_VALUE", side.Schema(), len(r.keys), true))
	}
	at := j.left(r, side, nil)
	if none == nil || m.err != nil {
		return at(0)
	}
	return m.call("CASE", m.call("IS NULL", at(len(exprs)-1)), none, at(0))
}

// oneRow tells a query of one constant row.
func oneRow(n logical.Node) bool {
	v, ok := n.(*logical.Values)
	return ok && len(v.Rows) == 1
}

// counted joins the number of rows of a query, and aggregates of its item. Without
// keys there is always a result: a row that does not count is added, because an
// aggregation of no rows gives none, and the rows that ask would be lost.
func (j *answers) counted(r *freeQuery, different bool, calls ...string) func(int) expr.Node {
	m, k := j.m, len(r.keys)
	yes := m.lit(types.Boolean, "TRUE")
	side := r.columns(r.items[0], yes)
	kind := joinop.LeftOuter
	if k == 0 && m.err == nil {
		kind = joinop.Inner
		side = m.withRow(side)
	}
	if different && k == 0 {
		side = m.distinct(side)
	}
	if m.err != nil {
		return func(int) expr.Node { return nil }
	}
	all := []agg.Call{m.agg("COUNT", side.Schema(), k+1, false)}
	for _, c := range calls {
		all = append(all, m.agg(c, side.Schema(), k, c != "COUNT"))
	}
	return j.joined(kind, r, r.aggregated(side, all...), nil)
}

// withRow adds a row of NULLs.
func (m *maker) withRow(n logical.Node) logical.Node {
	s := n.Schema()
	ts, nulls := make([]types.Type, len(s.Columns)), make([]*expr.Literal, len(s.Columns))
	for i, c := range s.Columns {
		ts[i] = c.Type.Plain().AsNullable()
		nulls[i] = expr.NullLiteral(ts[i]).(*expr.Literal)
	}
	all := schemaOf(logical.Names(s), ts)
	return logical.NewUnion([]logical.Node{n, logical.NewValues([][]*expr.Literal{nulls}, all)}, all)
}

// noRows tells that a query has no rows, by their number.
func (r *freeQuery) noRows(count expr.Node) expr.Node {
	if len(r.keys) > 0 {
		return r.m.call("IS NULL", count)
	}
	return r.m.call("=", count, r.m.lit(types.BigInt, "0"))
}

// found is the answer of x IN (query): TRUE, FALSE or, where a NULL leaves it
// open, NULL.
func (j *answers) found(r *freeQuery) expr.Node {
	m := j.m
	var count, known expr.Node
	if r.t.Nullable {
		if len(r.x) > 1 {
			m.err = diag.New(diag.NotSupported, r.pos, "IN of several columns is a value only where none of them can be NULL").
				WithHint("use it as a condition of WHERE that stands alone, or with EXISTS")
			return nil
		}
		at := j.counted(r, false, "COUNT")
		count, known = at(0), at(1)
	}
	at := j.left(r, r.different(r.items), func(col func(int) expr.Node) []expr.Node {
		var on []expr.Node
		for i, x := range r.x {
			on = append(on, m.call("=", retyped(x, j.n.Schema()), col(i)))
		}
		return on
	})
	hit := m.call("IS NOT NULL", at(len(r.items)))
	if count == nil {
		return hit
	}
	yes, no, open := m.lit(types.Boolean, "TRUE"), m.lit(types.Boolean, "FALSE"), expr.NullLiteral(types.Of(types.Boolean))
	return m.call("CASE",
		r.noRows(count), no,
		m.call("IS NULL", r.x[0]), open,
		hit, yes,
		m.call("<", known, count), open,
		no)
}

// compared is the answer of x op ANY (query). An order is decided by the least
// or the greatest value; <> by the number of different values.
func (j *answers) compared(r *freeQuery) expr.Node {
	m := j.m
	differ := r.op == "<>"
	best := "MAX"
	if r.op == ">" || r.op == ">=" {
		best = "MIN"
	}
	at := j.counted(r, differ, "COUNT", best, "MIN")
	count, known, end := at(0), at(1), at(2)
	yes, no, open := m.lit(types.Boolean, "TRUE"), m.lit(types.Boolean, "FALSE"), expr.NullLiteral(types.Of(types.Boolean))
	holds := m.call(r.op, r.x[0], end)
	if differ {
		// One that differs from the least or from the greatest value differs
		// from some value.
		holds = m.call("OR", holds, m.call(r.op, r.x[0], at(3)))
	}
	return m.call("CASE",
		r.noRows(count), no,
		m.call("IS TRUE", holds), yes,
		m.call("<", known, count), open,
		holds)
}
