package planner

import (
	"slices"

	"fsql/expr"
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/types"
)

// outerKey ties the rows of a subquery to the rows of the query around: column
// col equals the value number ref of its correlation.
type outerKey struct {
	ref, col int
	safe     bool // NULL equals NULL
}

func (k outerKey) equal(m *maker, a, b expr.Node) expr.Node {
	if k.safe {
		return m.call("IS NOT DISTINCT FROM", a, b)
	}
	return m.call("=", a, b)
}

// outerRows stands in a subquery for the different rows of the query around,
// of which it gives the values that it is asked for. When the subquery is
// joined to that query, its rows are put here.
type outerRows struct {
	corr   *outerValues
	refs   []int
	schema *types.Schema
}

// Schema implements logical.Node.
func (o *outerRows) Schema() *types.Schema { return o.schema }

// Inputs implements logical.Node.
func (o *outerRows) Inputs() []logical.Node { return nil }

// With implements logical.Node.
func (o *outerRows) With([]logical.Node) logical.Node { return o }

// String implements logical.Node.
func (o *outerRows) String() string { return "OuterRows" }

// brought makes the rows of a subquery independent of the query around: conds
// are applied, and what conds and exprs read of that query becomes columns of
// the rows, listed in keys. Where conditions equate a column with a value of the
// query around, the column is that value; else the rows are joined with the
// different values of the query around, as Flink does.
func (m *maker) brought(n logical.Node, conds, exprs []expr.Node, corr *outerValues) (_ logical.Node, _ []expr.Node, keys []outerKey, err error) {
	if keys = equated(conds); !covers(keys, conds) {
		keys = nil
	}
	var there []expr.Node // conditions that hold of values themselves
	if keys != nil || len(conds) == 0 {
		for _, k := range keys {
			if c := logical.Ref(n.Schema(), k.col); !k.safe && c.Type().Nullable {
				there = append(there, m.call("IS NOT NULL", c))
			}
		}
		conds = slices.DeleteFunc(slices.Clone(conds), func(c expr.Node) bool { _, ok := equation(c); return ok })
	} else if n, keys = m.withOuter(n, corr, keys, conds); m.err != nil {
		return nil, nil, nil, m.err
	}
	for _, c := range conds {
		there = append(there, inside(c, n, keys))
	}
	if len(there) > 0 {
		if n, err = m.b.restricted(n, there, nil); err != nil {
			return nil, nil, nil, err
		}
	}
	if n, keys = m.withOuter(n, corr, keys, exprs); m.err != nil {
		return nil, nil, nil, m.err
	}
	out := make([]expr.Node, len(exprs))
	for i, e := range exprs {
		out[i] = inside(retyped(e, n.Schema()), n, keys)
	}
	if m.err != nil {
		return nil, nil, nil, m.err
	}
	n, out, err = m.b.answered(n, out)
	return n, out, keys, err
}

// free makes a subquery independent of the query around.
func (m *maker) free(q *inner) (logical.Node, []expr.Node, []outerKey, error) {
	if len(q.conds) == 0 && covers(q.keys, q.items) {
		return q.node, q.items, q.keys, nil
	}
	return m.brought(q.node, q.conds, q.items, q.corr)
}

// equation recognises a condition that equates a column with a value of the
// query around.
func equation(n expr.Node) (outerKey, bool) {
	c, ok := n.(*expr.Call)
	if !ok || len(c.Args) != 2 || c.Fn.Name != "=" && c.Fn.Name != "IS NOT DISTINCT FROM" {
		return outerKey{}, false
	}
	a, b := c.Args[0], c.Args[1]
	if _, ok := a.(*outerRef); ok {
		a, b = b, a
	}
	r, ok := b.(*outerRef)
	col := logical.AsRef(a)
	if !ok || col < 0 || !a.Type().Plain().Same(r.t.Plain()) {
		return outerKey{}, false
	}
	return outerKey{r.i, col, c.Fn.Name != "="}, true
}

// equated are the values of the query around that conditions equate with
// columns, each once.
func equated(conds []expr.Node) []outerKey {
	var keys []outerKey
	for _, c := range conds {
		if k, ok := equation(c); ok && keyFor(keys, k.ref) < 0 {
			keys = append(keys, k)
		} else if ok {
			return nil // two columns for one value: it is compared
		}
	}
	return keys
}

func keyFor(keys []outerKey, ref int) int {
	return slices.IndexFunc(keys, func(k outerKey) bool { return k.ref == ref })
}

// covers tells that the keys are all that the expressions read of the query
// around.
func covers(keys []outerKey, exprs []expr.Node) bool {
	return len(missing(keys, exprs)) == 0
}

// missing lists what the expressions read of the query around besides the keys.
func missing(keys []outerKey, exprs []expr.Node) (refs []int) {
	for _, e := range exprs {
		logical.Any(e, func(n expr.Node) bool {
			if r, ok := n.(*outerRef); ok && keyFor(keys, r.i) < 0 && !slices.Contains(refs, r.i) {
				refs = append(refs, r.i)
			}
			return false
		})
	}
	slices.Sort(refs)
	return refs
}

// withOuter joins the rows with the values of the query around that the
// expressions read besides the keys.
func (m *maker) withOuter(n logical.Node, corr *outerValues, keys []outerKey, exprs []expr.Node) (logical.Node, []outerKey) {
	refs := missing(keys, exprs)
	if len(refs) == 0 || m.err != nil {
		return n, keys
	}
	width := len(n.Schema().Columns)
	names, ts := make([]string, len(refs)), make([]types.Type, len(refs))
	keys = slices.Clone(keys)
	for i, r := range refs {
		names[i], ts[i] = "$outer", corr.refs[r].Type().Plain()
		keys = append(keys, outerKey{r, width + i, ts[i].Nullable})
	}
	o := &outerRows{corr, refs, schemaOf(logical.UniqueNames(names), ts)}
	return logical.NewJoin(logical.Join{L: n, R: o, Kind: joinop.Inner}), keys
}

// inside puts the columns of n that are keys in the place of values of the query
// around.
func inside(e expr.Node, n logical.Node, keys []outerKey) expr.Node {
	return logical.Rewrite(e, func(x expr.Node) expr.Node {
		switch x := x.(type) {
		case *outerRef:
			if k := keyFor(keys, x.i); k >= 0 {
				return logical.Ref(n.Schema(), keys[k].col)
			}
		case *expr.Column:
			return logical.Ref(n.Schema(), x.Index)
		}
		return nil
	})
}

// placed puts the different rows of the query around, over whose columns the
// values outer are, into a subquery.
func placed(q logical.Node, corr *outerValues, around logical.Node, outer []expr.Node) (logical.Node, error) {
	r := logical.Each("", func(n logical.Node) (logical.Node, error) {
		o, ok := n.(*outerRows)
		if !ok || o.corr != corr {
			return n, nil
		}
		exprs := make([]expr.Node, len(o.refs))
		for i, ref := range o.refs {
			exprs[i] = outer[ref]
		}
		return distinct(logical.NewCalc(around, nil, exprs, logical.Names(o.schema)))
	})
	out, err := r.Apply([]logical.Node{q})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// unplaced is the error for a value of the query around that is read where it
// cannot be made a column.
func unplaced(e expr.Node) error {
	var at diag.Span
	var what string
	logical.Any(e, func(n expr.Node) bool {
		r, ok := n.(*outerRef)
		if ok {
			at, what = r.at, r.of.refs[r.i].String()
		}
		return ok
	})
	return diag.New(diag.NotGrouped, at, "'%s' of the query around is neither grouped nor inside an aggregate function", what).
		WithHint("use it in the query around: select the aggregate alone, and compute with it there")
}
