package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/planner/rules"
	"fsql/sql/ast"
	"fsql/types"
)

// correlation is what the query behind LATERAL reads of the rows to its left:
// per block whose WHERE does so its rows and the conditions, over them and
// around.
type correlation struct {
	around *scope
	on     map[logical.Node][]expr.Node
}

// block notes that a block whose rows are n reads what is around. The rows get a
// node of their own, by which they are found again.
func (c *correlation) block(n logical.Node, on []expr.Node) logical.Node {
	own := logical.NewCalc(n, nil, logical.Refs(n.Schema()), logical.Names(n.Schema()))
	c.on[own] = on
	return own
}

// around is the scope whose columns the query at work may read besides its own.
func (b *binder) around() *scope {
	if b.correlation == nil {
		return nil
	}
	return b.correlation.around
}

// lateral is a query behind LATERAL, for all rows to its left at once.
type lateral struct {
	node  logical.Node
	name  string
	names []string    // of its columns, the first ones of node
	on    []expr.Node // over node and around: what belongs to a row
	// read are the columns that read the row itself, over node and around; node
	// has NULL in their place.
	read map[int]expr.Node
	// empty is what the columns are over no rows, where that is a row (an
	// aggregation without GROUP BY); nil: nothing.
	empty  []expr.Node
	here   int     // a column that is never NULL
	spread *spread // it has no node then
	// first is the whole join, if Flink makes a ranking of it.
	first logical.Node
}

// lateral binds a query behind LATERAL on the right of a join; nil: it is none,
// or reads nothing to its left.
func (b *binder) lateral(j *ast.Join, l logical.Node, ls *scope) (*lateral, error) {
	t, ok := j.R.(*ast.Derived)
	if !ok || !t.Lateral {
		return nil, nil
	}
	around := *ls
	around.lateral = true
	if _, err := b.query(t.Query, nil); err == nil || !outerReference(err) {
		return nil, err
	}
	if j.Kind == ast.Right || j.Kind == ast.Full {
		return nil, onlyBeside(j, "a query that reads the rows to its left").
			WithHint("write CROSS JOIN LATERAL (..), or LEFT JOIN LATERAL (..) ON TRUE to keep rows without partners")
	}
	if s, ok := t.Query.(*ast.Select); ok {
		q, err := b.spread(s, l, &around)
		if q != nil && err == nil && t.Alias.Name.Text != "" {
			var r *result
			if r, err = b.renamed(&result{names: q.names}, t.Alias.Columns, t.Alias.Name.Text); err == nil {
				q.names, q.name = r.names, t.Alias.Name.Text
			}
		}
		if q != nil || err != nil {
			return q, err
		}
	}
	defer func(saved *correlation) { b.correlation = saved }(b.correlation)
	c := &correlation{around: &around, on: map[logical.Node][]expr.Node{}}
	b.correlation = c
	r, err := b.query(t.Query, &around)
	if err != nil {
		return nil, err
	}
	u := &unfolding{binder: b, c: c, l: l, at: t.Query.Span()}
	out, err := u.unfold(r)
	if err != nil {
		return nil, err
	}
	if t.Alias.Name.Text != "" {
		if r, err = b.renamed(r, t.Alias.Columns, t.Alias.Name.Text); err != nil {
			return nil, err
		}
	}
	out.names, out.name = r.names, t.Alias.Name.Text
	return out, nil
}

// scope has the columns of the query; the others of its node have no name.
func (q *lateral) scope() *scope {
	s := &scope{rels: []relation{{names: q.names}}}
	if q.spread != nil {
		ts := make([]types.Type, len(q.names))
		for i, e := range q.spread.items {
			ts[i] = e.Type()
		}
		s.schema = schemaOf(logical.UniqueNames(q.names), ts)
	} else {
		s.schema = q.node.Schema()
	}
	if q.name != "" {
		s.rels[0].path = []string{q.name}
	}
	return s
}

// beside moves an expression over a right side and around to the columns of
// both sides of a join.
func beside(e expr.Node, l logical.Node) expr.Node {
	left := l.Schema()
	return logical.Rewrite(e, func(m expr.Node) expr.Node {
		switch m := m.(type) {
		case around:
			return logical.Ref(left, m.Index)
		case *expr.Column:
			return expr.NewColumn(m.Index+len(left.Columns), m.Name, m.T)
		}
		return nil
	})
}

// beside joins the rows to the left with the query. cond is the condition of the
// join, over the columns of both.
func (b *binder) beside(j *ast.Join, l logical.Node, q *lateral, cond expr.Node) (logical.Node, error) {
	if q.spread != nil {
		return b.withItems(j, q.spread, cond)
	}
	left := len(l.Schema().Columns)
	if q.first != nil && joinKinds[j.Kind] == joinop.Inner {
		if cond == nil {
			return q.first, nil
		}
		return logical.NewFilter(q.first, cond), nil
	}
	n := logical.Join{L: l, R: q.node, Kind: joinKinds[j.Kind], Timed: true, Pos: j.Pos}
	var conds []expr.Node
	for _, on := range q.on {
		conds = append(conds, beside(on, l))
	}
	if cond != nil {
		conds = append(conds, logical.Rewrite(cond, func(m expr.Node) expr.Node {
			if c := logical.AsRef(m); c >= left && q.read[c-left] != nil {
				return beside(q.read[c-left], l)
			}
			return nil
		}))
	}
	var err error
	if n.Cond, err = logical.And(b.env.Funcs, conds); err != nil {
		return nil, err
	}
	joined := logical.NewJoin(n)
	empty := q.empty
	if j.Kind != ast.Left {
		empty = nil // as in Flink: a row without partners is lost
	} else if empty != nil && cond != nil {
		switch passes, known := b.passes(cond, left, empty); {
		case !known, passes && !alwaysTrue(cond):
			return nil, diag.New(diag.NotSupported, j.On.Span(), "this condition may hold where the aggregation has no rows, which LEFT JOIN LATERAL cannot tell from one that does not hold").
				WithHint("put the condition into WHERE, or into HAVING of the query")
		case !passes:
			empty = nil
		}
	}
	if len(q.read) == 0 && empty == nil {
		return joined, nil
	}
	return b.replaced(j, joined, l, q, empty)
}

// passes tells whether a condition over both sides is TRUE where the right one
// is what an aggregation gives of no rows, and whether that is the same for all
// rows.
func (b *binder) passes(cond expr.Node, left int, empty []expr.Node) (passes, known bool) {
	f, err := expr.Fold(logical.Rewrite(cond, func(m expr.Node) expr.Node {
		if c := logical.AsRef(m); c >= left && c-left < len(empty) {
			return empty[c-left]
		}
		return nil
	}), b.zone)
	if err != nil {
		return false, false
	}
	l, ok := expr.IsConst(f)
	return ok && !l.IsNull() && l.Value.Bool[0], ok
}

func alwaysTrue(cond expr.Node) bool {
	l, ok := expr.IsConst(cond)
	return ok && !l.IsNull() && l.Value.Bool[0]
}

// replaced puts the columns over a join that it cannot give itself: those that
// read the row to the left, and the values of aggregates over no rows.
func (b *binder) replaced(j *ast.Join, n logical.Node, l logical.Node, q *lateral, empty []expr.Node) (logical.Node, error) {
	c := rules.Context{Funcs: b.env.Funcs, Zone: b.zone}
	n, err := c.FilterJoin(n, nil)
	if err != nil {
		return nil, err
	}
	if n, err = settle(c, n); err != nil {
		return nil, err
	}
	left := len(l.Schema().Columns)
	exprs := logical.Refs(n.Schema())
	missing, err := expr.NewCall(b.env.Funcs, "IS NULL", []expr.Node{exprs[left+q.here]})
	if err != nil {
		return nil, err
	}
	for i := range q.names {
		x := exprs[left+i]
		if r := q.read[i]; r != nil {
			x = beside(r, l)
		}
		var or expr.Node
		switch {
		case empty != nil:
			or = beside(empty[i], l)
		case q.read[i] != nil && j.Kind == ast.Left:
			or = nullOf(x.Type())
		}
		if or != nil {
			if x, err = expr.NewCall(b.env.Funcs, "CASE", []expr.Node{missing, or, x}); err != nil {
				return nil, err
			}
		}
		exprs[left+i] = x
	}
	return logical.NewCalc(n, nil, exprs, logical.Names(n.Schema())), nil
}

// onlyBeside is the error for a join that would give what stands beside a row
// without the row.
func onlyBeside(j *ast.Join, what string) *diag.Error {
	kind := map[ast.JoinKind]string{ast.Right: "RIGHT", ast.Full: "FULL"}[j.Kind]
	return diag.New(diag.NotSupported, j.Pos, "a %s JOIN with %s is not possible: without a row on the left there is nothing on the right", kind, what)
}

func nullOf(t types.Type) expr.Node { return expr.NullLiteral(t.Plain().AsNullable()) }
