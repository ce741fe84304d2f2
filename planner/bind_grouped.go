package planner

import (
	"strconv"

	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
	"fsql/window"
)

// grouped binds a SELECT with GROUP BY, HAVING or aggregates: a projection of
// keys, arguments and filters, the aggregation, then HAVING and the select
// list over its output.
// conds are conditions of a subquery that read the query around.
func (x *exprs) grouped(s *ast.Select, in logical.Node, conds []expr.Node) (*result, error) {
	g := &grouping{keyAt: map[string]int{}, callAt: map[string]int{}, at: s.Pos}
	x.around = nil // an aggregation behind LATERAL reads it in WHERE and in arguments only
	keys := x.in("GROUP BY")
	keys.overs = nil
	if err := keys.groupBy(s, g); err != nil {
		return nil, err
	}
	x.group = g
	items, err := x.items(s.Items)
	if err != nil {
		return nil, err
	}
	qualify, err := x.qualified(s, items)
	if err != nil {
		return nil, err
	}
	var having expr.Node
	if s.Having != nil {
		y := x.in("HAVING")
		y.overs = nil
		if having, err = y.condition(s.Having); err != nil {
			return nil, err
		}
	}
	b, out := x.binder, &result{}
	if x.corr != nil {
		if in, items, err = x.freed(g, in, conds, items, out); err != nil {
			return nil, err
		}
	}
	node, err := b.aggregation(g, in, items)
	if err != nil {
		return nil, err
	}
	if a, ok := node.(*logical.Aggregate); ok {
		a.TTL = stateTTL(s, s.From)
	}
	if having != nil {
		if having, err = b.above(g, having, node); err != nil {
			return nil, err
		}
	}
	for i := range items {
		if items[i].node, err = b.above(g, items[i].node, node); err != nil {
			return nil, err
		}
	}
	above := func(n expr.Node) (expr.Node, error) { return b.above(g, n, node) }
	if err := x.overs.each(above); err != nil {
		return nil, err
	}
	if qualify != nil {
		if qualify, err = above(qualify); err != nil {
			return nil, err
		}
	}
	if having != nil {
		if node, err = b.restricted(node, logical.Conjuncts(having), nil); err != nil {
			return nil, err
		}
	}
	r, err := x.finish(node, items, qualify)
	if err != nil {
		return nil, err
	}
	r.names, r.keys, r.none = r.names[:len(items)-len(out.keys)], out.keys, out.none
	return r, nil
}

// freed makes an aggregation in a subquery independent of the query around: it
// groups by what it reads of it as well.
func (x *exprs) freed(g *grouping, in logical.Node, conds []expr.Node, items []item, out *result) (logical.Node, []item, error) {
	m := &maker{b: x.binder}
	var args []expr.Node
	for i := range g.calls {
		args = append(append(args, g.calls[i].args...), g.calls[i].filter)
	}
	in, args, keys, err := m.brought(in, conds, args, x.corr)
	if err != nil {
		return nil, nil, err
	}
	if len(keys) > 0 && (g.sets != nil || g.legacy != nil) {
		return nil, nil, diag.New(diag.NotSupported, g.at, "a subquery with grouping sets or group windows cannot read the query around")
	}
	for i := range g.calls {
		n := copy(g.calls[i].args, args)
		g.calls[i].filter, args = args[n], args[n+1:]
	}
	if !g.grouped {
		for _, it := range items {
			n, err := g.ofNothing(it.node)
			if err != nil {
				return nil, nil, err
			}
			if n, err = expr.Fold(n, x.zone); err != nil {
				return nil, nil, err
			}
			out.none = append(out.none, n)
		}
	}
	for i := range g.keys {
		g.keys[i] = retyped(g.keys[i], in.Schema())
	}
	items, out.keys = withKeys(items, keys, in)
	for _, k := range keys {
		g.addKey(logical.Ref(in.Schema(), k.col))
	}
	return in, items, nil
}

// ofNothing is an item of an aggregation where no rows are aggregated.
func (g *grouping) ofNothing(n expr.Node) (expr.Node, error) {
	var failed error
	return logical.Rewrite(n, func(m expr.Node) expr.Node {
		l, ok := m.(*later)
		if !ok || l.kind != laterCall {
			return nil
		}
		c := g.calls[l.i]
		ts := make([]types.Type, len(c.args))
		for i, a := range c.args {
			ts[i] = a.Type()
		}
		v, err := agg.Call{Fn: c.fn, Opts: c.opts, Type: c.typ}.OfNothing(ts)
		if err != nil {
			failed = err
			return m
		}
		return &expr.Literal{T: c.typ, Value: v}
	}), failed
}

// columns collects the expressions that an aggregation needs of its input,
// each once.
type columns struct {
	exprs []expr.Node
	names []string
	at    map[string]int
}

func (c *columns) add(n expr.Node) int {
	text := n.String() + " " + n.Type().String()
	if i, ok := c.at[text]; ok && !logical.Volatile(n) {
		return i
	}
	i := len(c.exprs)
	name := "$f" + strconv.Itoa(i)
	if col, ok := n.(*expr.Column); ok {
		name = col.Name
	}
	c.at[text] = i
	c.exprs, c.names = append(c.exprs, n), append(c.names, name)
	return i
}

// aggregation builds the node that groups.
func (b *binder) aggregation(g *grouping, in logical.Node, items []item) (logical.Node, error) {
	cols := &columns{at: map[string]int{}}
	keys := make([]int, len(g.keys))
	for i, k := range g.keys {
		keys[i] = cols.add(k)
	}
	calls := make([]agg.Call, len(g.calls))
	for i, c := range g.calls {
		call := agg.Call{Fn: c.fn, Filter: -1, Opts: c.opts, Type: c.typ, Name: c.text}
		for _, a := range c.args {
			call.Args = append(call.Args, cols.add(a))
		}
		if c.filter != nil {
			call.Filter = cols.add(c.filter)
		}
		calls[i] = call
	}
	by := logical.Windowing{}
	if g.legacy != nil {
		by = g.legacy.by
		by.Time = cols.add(g.legacy.time)
	}
	cols.names = logical.UniqueNames(cols.names)
	in, computed, err := b.answered(in, cols.exprs)
	if err != nil {
		return nil, err
	}
	var node logical.Node = logical.NewCalc(in, nil, computed, cols.names)
	if g.sets != nil {
		node, keys, calls = expand(g, node, keys, calls)
	}
	names := b.aggNames(g, node, keys, items)
	if g.legacy != nil {
		if err := windowable(g, by.Kind); err != nil {
			return nil, err
		}
		return logical.NewWindowAggregate(node, by, keys, calls, g.legacy.props, names), nil
	}
	bounds := logical.BoundsOf(node)
	if !bounds.Windowed(keys) {
		return logical.NewAggregate(node, keys, calls, names, nil), nil
	}
	if err := bounds.By.Check(true); err != nil {
		return nil, err.At(bounds.By.Pos)
	}
	if err := windowable(g, bounds.By.Kind); err != nil {
		return nil, err
	}
	return logical.NewAggregate(node, keys, calls, names, bounds), nil
}

// windowable refuses the aggregates that windows cannot have: those that Flink
// cannot merge, where windows share their partial results.
func windowable(g *grouping, k window.Kind) error {
	for _, c := range g.calls {
		if c.several {
			return severalColumns(c.pos)
		}
		var bad bool
		switch c.fn.Name {
		case "JSON_ARRAYAGG":
			bad = k == window.Session || k == window.Hop
		case "FIRST_VALUE", "LAST_VALUE":
			bad = k == window.Hop || k == window.Cumulate || k == window.Session && g.legacy == nil
		}
		if bad {
			return diag.New(diag.NotSupported, c.pos, "%s is not supported over %s windows: its partial results cannot be merged", c.fn.Name, k)
		}
	}
	return nil
}

// aggNames names the output of an aggregation: keys as below, calls as the
// select list does where it can be told.
func (b *binder) aggNames(g *grouping, in logical.Node, keys []int, items []item) []string {
	var names []string
	for _, k := range keys {
		names = append(names, in.Schema().Columns[k].Name)
	}
	for i := range g.calls {
		name := "$a" + strconv.Itoa(i)
		for _, it := range items {
			if l, ok := it.node.(*later); ok && l.kind == laterCall && l.i == i {
				name = it.name
				break
			}
		}
		names = append(names, name)
	}
	if g.legacy != nil {
		for _, p := range g.legacy.props {
			names = append(names, logical.WindowColumns[p])
		}
	}
	return logical.UniqueNames(names)
}

// expand repeats the input once per grouping set, and tells where keys and calls
// are in what it makes.
func expand(g *grouping, in logical.Node, keys []int, calls []agg.Call) (logical.Node, []int, []agg.Call) {
	shift := len(keys) + g.sets.extra()
	out := make([]int, shift)
	for i := range out {
		out[i] = i
	}
	moved := make([]agg.Call, len(calls))
	for i, c := range calls {
		c.Args = append([]int(nil), c.Args...)
		for j := range c.Args {
			c.Args[j] += shift
		}
		if c.Filter >= 0 {
			c.Filter += shift
		}
		moved[i] = c
	}
	if n, ok := repeatSessions(g, in, keys); ok {
		return n, out, moved
	}
	return repeat(g, in, keys), out, moved
}

// repeat gives the rows of in once per grouping set: the keys, those that the
// set lacks NULL, the number of the set and the GROUPING functions, which are
// constants, then the row. A key that is -1 is left out.
func repeat(g *grouping, in logical.Node, keys []int) logical.Node {
	s := in.Schema()
	most := len(keys) + g.sets.extra() + len(s.Columns)
	names, ts := make([]string, 0, most), make([]types.Type, 0, most)
	bigint := types.Of(types.BigInt).NotNull()
	for i, c := range keys {
		if c < 0 {
			continue
		}
		t := s.Columns[c].Type
		for _, set := range g.sets.sets {
			t = t.OrNull(!has(set, i))
		}
		names, ts = append(names, s.Columns[c].Name), append(ts, t)
	}
	for i := range g.sets.extra() {
		names, ts = append(names, "$e"+strconv.Itoa(i)), append(ts, bigint)
	}
	for _, c := range s.Columns {
		names, ts = append(names, c.Name), append(ts, c.Type)
	}
	names = logical.UniqueNames(names)
	number := func(v int64) expr.Node {
		return &expr.Literal{T: bigint, Value: &row.Vec{Type: bigint, Len: 1, I64: []int64{v}}}
	}
	var branches []logical.Node
	for i, set := range g.sets.sets {
		var out []expr.Node
		for j, c := range keys {
			switch {
			case c < 0:
			case has(set, j):
				out = append(out, logical.Ref(s, c))
			default:
				out = append(out, expr.NullLiteral(ts[len(out)]))
			}
		}
		out = append(out, number(int64(i)))
		for _, f := range g.sets.funcs {
			out = append(out, number(g.sets.value(f, i)))
		}
		branches = append(branches, logical.NewCalc(in, nil, append(out, logical.Refs(s)...), names))
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return logical.NewUnion(branches, schemaOf(names, ts))
}
