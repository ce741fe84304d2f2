package planner

import (
	"fsql/expr"
	"fsql/expr/agg"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/types"
)

// having is INTERSECT and EXCEPT: the different rows of l that r has, or has not.
// Duplicates go after the join, as in Flink, unless l has none.
func (m *maker) having(l, r logical.Node, not bool) (logical.Node, error) {
	left := len(l.Schema().Columns)
	var conds []expr.Node
	for i := range l.Schema().Columns {
		other := r.Schema().Columns[i]
		conds = append(conds, m.call("IS NOT DISTINCT FROM", logical.Ref(l.Schema(), i), expr.NewColumn(left+i, other.Name, other.Type)))
	}
	j := logical.Join{L: l, R: r, Kind: joinop.Semi, Cond: m.and(conds...)}
	if not {
		j.Kind = joinop.Anti
	}
	if m.err != nil {
		return nil, m.err
	}
	n := logical.NewJoin(j)
	if logical.UpsertKey(l) != nil {
		return n, nil
	}
	return distinct(n)
}

// intersectAll gives a row as often as the side that has fewer of it.
func (m *maker) intersectAll(l, r logical.Node, s *types.Schema) (logical.Node, error) {
	yes, no := m.lit(types.Boolean, "TRUE"), expr.NullLiteral(types.Of(types.Boolean))
	g := m.counted(s, []string{"COUNT", "COUNT"}, marked(l, s, yes, no), marked(r, s, no, yes))
	if m.err != nil {
		return nil, m.err
	}
	n, one := len(s.Columns), m.lit(types.BigInt, "1")
	inL, inR := logical.Ref(g.Schema(), n), logical.Ref(g.Schema(), n+1)
	both := m.call("AND", m.call(">=", inL, one), m.call(">=", inR, one))
	return m.replicated(g, both, m.call("IF", m.call(">", inL, inR), inR, inL), s)
}

// exceptAll gives a row as often as the left side has more of it.
func (m *maker) exceptAll(l, r logical.Node, s *types.Schema) (logical.Node, error) {
	g := m.counted(s, []string{"SUM"}, marked(l, s, m.lit(types.BigInt, "1")), marked(r, s, m.lit(types.BigInt, "-1")))
	if m.err != nil {
		return nil, m.err
	}
	more := logical.Ref(g.Schema(), len(s.Columns))
	return m.replicated(g, m.call(">", more, m.lit(types.BigInt, "0")), more, s)
}

// marked adds constants to the rows of a side.
func marked(n logical.Node, s *types.Schema, marks ...expr.Node) logical.Node {
	names := logical.Names(s)
	for range marks {
		names = append(names, "$mark")
	}
	return logical.NewCalc(n, nil, append(logical.Refs(n.Schema()), marks...), logical.UniqueNames(names))
}

// counted groups the rows of both sides by the columns of s and aggregates the
// marks that stand behind them.
func (m *maker) counted(s *types.Schema, funcs []string, l, r logical.Node) logical.Node {
	if m.err != nil {
		return nil
	}
	n := len(s.Columns)
	names, ts := logical.Names(l.Schema()), typesOf(s)
	for i := range funcs {
		mark := l.Schema().Columns[n+i].Type
		ts = append(ts, mark.OrNull(r.Schema().Columns[n+i].Type.Nullable))
	}
	u := logical.NewUnion([]logical.Node{l, r}, schemaOf(names, ts))
	keys := make([]int, n)
	for i := range keys {
		keys[i] = i
	}
	var calls []agg.Call
	for i, f := range funcs {
		calls = append(calls, m.agg(f, u.Schema(), n+i, false))
	}
	if m.err != nil {
		return nil
	}
	return logical.NewAggregate(u, keys, calls, names, nil)
}

// replicated gives the groups for which cond holds, each as often as times says.
func (m *maker) replicated(g logical.Node, cond, times expr.Node, s *types.Schema) (logical.Node, error) {
	if m.err != nil {
		return nil, m.err
	}
	names := append([]string{"$times"}, logical.Names(s)...)
	exprs := append([]expr.Node{times}, logical.Refs(g.Schema())[:len(s.Columns)]...)
	return logical.NewReplicate(logical.NewCalc(g, cond, exprs, logical.UniqueNames(names)), 0), nil
}
