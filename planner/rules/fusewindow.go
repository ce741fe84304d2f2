package rules

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/planner/logical"
	"fsql/types"
	"fsql/window"
)

// fuse makes a window aggregation of GROUP BY window_start, window_end over a
// window function: the rows are not repeated once per window, they are counted
// in slices. What stands between the two moves below the window function, as
// far as it does not compute with the window's bounds.
func fuse(roots []logical.Node) ([]logical.Node, error) {
	return logical.Each("", func(n logical.Node) (logical.Node, error) {
		a, ok := n.(*logical.Aggregate)
		if !ok || a.Bounds == nil {
			return n, nil
		}
		u, ok := pullUp(a.Input)
		if !ok || u.reads(a.Calls) {
			return n, nil
		}
		return fused(a, u), nil
	}).Apply(roots)
}

// unwindowed is an input without its window function: the rows before it. at
// maps the columns, -1 for a bound; prop says which bound.
type unwindowed struct {
	node logical.Node
	by   logical.Windowing // Time and Keys are columns of node
	at   []int
	prop map[int]window.Prop
}

// reads tells that an aggregate call reads a bound.
func (u *unwindowed) reads(calls []agg.Call) bool {
	for _, c := range calls {
		for _, a := range c.Args {
			if u.at[a] < 0 {
				return true
			}
		}
		if c.Filter >= 0 && u.at[c.Filter] < 0 {
			return true
		}
	}
	return false
}

// BelowWindow takes the window function out from below n: the rows that it
// reads, the windowing over their columns, and which of these the columns of n
// are; -1 minus the number of a property of the window.
func BelowWindow(n logical.Node) (below logical.Node, by logical.Windowing, at []int, ok bool) {
	u, ok := pullUp(n)
	if !ok {
		return nil, by, nil, false
	}
	for i, c := range u.at {
		if c < 0 {
			c = -1 - int(u.prop[i])
		}
		at = append(at, c)
	}
	return u.node, u.by, at, true
}

// pullUp takes the window function out from below n.
func pullUp(n logical.Node) (*unwindowed, bool) {
	switch n := n.(type) {
	case *logical.Window:
		u := &unwindowed{node: n.Input, by: n.By, prop: map[int]window.Prop{}}
		k := len(n.Input.Schema().Columns)
		for i := range n.Schema().Columns {
			if i < k {
				u.at = append(u.at, i)
				continue
			}
			u.at = append(u.at, -1)
			u.prop[i] = window.Prop(i - k)
		}
		return u, true
	case *logical.Calc:
		return pullUpCalc(n)
	case *logical.Union:
		return pullUpUnion(n)
	}
	return nil, false
}

func pullUpCalc(c *logical.Calc) (*unwindowed, bool) {
	in, ok := pullUp(c.Input)
	if !ok {
		return nil, false
	}
	bounded := func(e expr.Node) bool {
		return logical.Any(e, func(m expr.Node) bool {
			col := logical.AsRef(m)
			return col >= 0 && in.at[col] < 0
		})
	}
	s := in.node.Schema()
	cond := c.Cond
	if cond != nil {
		if bounded(cond) {
			return nil, false
		}
		cond = logical.Remap(cond, in.at, s)
	}
	u := &unwindowed{by: in.by, prop: map[int]window.Prop{}}
	var exprs []expr.Node
	var names []string
	for i, e := range c.Exprs {
		if col := logical.AsRef(e); col >= 0 && in.at[col] < 0 {
			u.at, u.prop[i] = append(u.at, -1), in.prop[col]
			continue
		}
		if bounded(e) {
			return nil, false
		}
		u.at = append(u.at, len(exprs))
		exprs, names = append(exprs, logical.Remap(e, in.at, s)), append(names, c.Schema().Columns[i].Name)
	}
	add := func(col int) int {
		exprs, names = append(exprs, logical.Ref(s, col)), append(names, s.Columns[col].Name)
		return len(exprs) - 1
	}
	u.by.Time = add(in.by.Time)
	u.by.Keys = make([]int, len(in.by.Keys))
	for i, k := range in.by.Keys {
		u.by.Keys[i] = add(k)
	}
	names = logical.UniqueNames(names)
	u.node = logical.NewCalc(in.node, cond, exprs, names)
	return u, true
}

// pullUpUnion handles the repeated inputs of grouping sets: all branches stand
// on one window function.
func pullUpUnion(n *logical.Union) (*unwindowed, bool) {
	var first *unwindowed
	var ins []logical.Node
	for _, in := range n.Ins {
		u, ok := pullUp(in)
		if !ok {
			return nil, false
		}
		if first == nil {
			first = u
		} else if !first.like(u) {
			return nil, false
		}
		ins = append(ins, u.node)
	}
	s := &types.Schema{Columns: append([]types.Column(nil), first.node.Schema().Columns...)}
	for i, c := range first.at {
		if c >= 0 {
			s.Columns[c].Type = n.Schema().Columns[i].Type
		}
	}
	first.node = logical.NewUnion(ins, s)
	return first, true
}

func (u *unwindowed) like(v *unwindowed) bool {
	if u.by.Window != v.by.Window || len(u.at) != len(v.at) {
		return false
	}
	for i := range u.at {
		if u.at[i] != v.at[i] || u.prop[i] != v.prop[i] {
			return false
		}
	}
	return true
}

// fused builds the window aggregation and puts its columns into the order of
// the aggregate.
func fused(a *logical.Aggregate, u *unwindowed) logical.Node {
	var keys []int
	var names []string
	var props []window.Prop
	from := make([]int, len(a.Keys)) // key number, or -1 - property number
	for i, k := range a.Keys {
		if u.at[k] >= 0 {
			from[i] = len(keys)
			keys, names = append(keys, u.at[k]), append(names, a.Schema().Columns[i].Name)
			continue
		}
		at := len(props)
		for j, p := range props {
			if p == u.prop[k] {
				at = j
			}
		}
		if at == len(props) {
			props = append(props, u.prop[k])
		}
		from[i] = -1 - at
	}
	calls := make([]agg.Call, len(a.Calls))
	for i, c := range a.Calls {
		c.Args = append([]int(nil), c.Args...)
		for j := range c.Args {
			c.Args[j] = u.at[c.Args[j]]
		}
		if c.Filter >= 0 {
			c.Filter = u.at[c.Filter]
		}
		calls[i] = c
		names = append(names, a.Schema().Columns[len(a.Keys)+i].Name)
	}
	for _, p := range props {
		names = append(names, logical.WindowColumns[p])
	}
	u.by.Keys = nil // the group keys, from here on
	w := logical.NewWindowAggregate(u.node, u.by, keys, calls, props, logical.UniqueNames(names))
	exprs := make([]expr.Node, 0, len(a.Schema().Columns))
	for _, f := range from {
		if f < 0 {
			f = len(keys) + len(calls) + (-1 - f)
		}
		exprs = append(exprs, logical.Ref(w.Schema(), f))
	}
	for i := range calls {
		exprs = append(exprs, logical.Ref(w.Schema(), len(keys)+i))
	}
	return logical.NewCalc(w, nil, exprs, logical.Names(a.Schema()))
}
