package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/types"
)

// carry is n with the carried columns behind its own, and where these are.
func (u *unfolding) carry(n logical.Node) (logical.Node, []int, error) {
	width := len(n.Schema().Columns)
	if n == u.ground {
		s := u.floor.Schema()
		exprs, names := logical.Refs(s)[:width], logical.Names(s)[:width]
		for range u.add {
			names = append(names, "$lateral")
		}
		out := logical.NewCalc(u.floor, nil, append(exprs, u.add...), logical.UniqueNames(names))
		return out, numbered(width, len(u.add)), nil
	}
	below := n.Inputs()[0]
	if r, ok := n.(*logical.Union); ok {
		below = r.Repeated()
	}
	in, at, err := u.carry(below)
	if err != nil {
		return nil, nil, err
	}
	s := in.Schema()
	switch n := n.(type) {
	case *logical.Calc:
		return u.beyond(n, in, at), numbered(width, len(at)), nil
	case *logical.Union:
		var branches []logical.Node
		for _, b := range n.Ins {
			c, ok := b.(*logical.Calc)
			if !ok || b == n.Repeated() {
				c = logical.NewCalc(b, nil, logical.Refs(b.Schema()), logical.Names(b.Schema()))
			}
			branches = append(branches, u.beyond(c, in, at))
		}
		all := &types.Schema{Columns: append([]types.Column(nil), n.Schema().Columns...)}
		all.Columns = append(all.Columns, branches[0].Schema().Columns[width:]...)
		return logical.NewUnion(branches, all), numbered(width, len(at)), nil
	case *logical.Aggregate:
		k := len(n.Keys)
		names := logical.Names(n.Schema())
		all := append([]string(nil), names[:k]...)
		for _, c := range at {
			all = append(all, s.Columns[c].Name)
		}
		all = logical.UniqueNames(append(all, names[k:]...))
		keys, bounds := append(append([]int(nil), n.Keys...), at...), n.Bounds
		if !bounds.Windowed(keys) {
			bounds = nil // sessions have the keys of their window function and no others
		}
		a := logical.NewAggregate(in, keys, n.Calls, all, bounds)
		a.TTL = n.TTL
		return behind(a, k, len(at)), numbered(width, len(at)), nil
	case *logical.Over:
		o := *n
		o.Partition = append(append([]int(nil), n.Partition...), at...)
		first := width - len(n.Calls)
		names := logical.UniqueNames(append(logical.Names(s), logical.Names(n.Schema())[first:]...))
		return behind(logical.NewOver(in, o, names[len(s.Columns):]), first, len(at)), numbered(width, len(at)), nil
	case *logical.Sort:
		if n.Count == 0 {
			return logical.NewValues(nil, s), at, nil
		}
		r := logical.Rank{Partition: at, Keys: n.Keys, Start: n.Offset + 1, End: n.Offset + n.Count, EndCol: -1, Time: -1, Pos: n.Pos}
		return logical.NewRank(in, r, ""), at, nil
	}
	return nil, nil, diag.New(diag.Internal, u.at, "nothing is known of what to carry through %s", n)
}

// beyond is a calc over an input with carried columns, which it passes on.
func (u *unfolding) beyond(c *logical.Calc, in logical.Node, at []int) logical.Node {
	s := in.Schema()
	exprs, names := make([]expr.Node, len(c.Exprs)), append([]string(nil), logical.Names(c.Schema())...)
	for i, e := range c.Exprs {
		exprs[i] = logical.Rewrite(e, func(m expr.Node) expr.Node {
			if a, ok := m.(around); ok {
				return logical.Ref(s, at[u.value[a.Index]])
			}
			return nil
		})
	}
	for _, k := range at {
		exprs, names = append(exprs, logical.Ref(s, k)), append(names, s.Columns[k].Name)
	}
	return logical.NewCalc(in, c.Cond, exprs, logical.UniqueNames(names))
}

// numbered are n numbers from first on.
func numbered(first, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}

// behind moves n columns, which begin at first, behind the others.
func behind(in logical.Node, first, n int) logical.Node {
	s := in.Schema()
	refs, names := logical.Refs(s), logical.Names(s)
	exprs := append(append(append([]expr.Node(nil), refs[:first]...), refs[first+n:]...), refs[first:first+n]...)
	moved := append(append(append([]string(nil), names[:first]...), names[first+n:]...), names[first:first+n]...)
	return logical.NewCalc(in, nil, exprs, moved)
}
