package planner

import (
	"strconv"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// subKind is what an expression asks a query.
type subKind uint8

const (
	scalarQuery subKind = iota // its value
	existsQuery                // whether it has a row
	inQuery                    // whether it has this row: IN, = ANY
	someQuery                  // whether the comparison holds for one of its rows: > ANY
)

// subquery is a query inside an expression. It stands there from binding until
// the step that evaluates the expression is made; then the query is joined to
// the rows below and a column takes its place (answers), or a whole condition
// becomes a semi or anti join (restricted).
type subquery struct {
	kind subKind
	op   string // of a someQuery
	q    *inner
	// x are the operands: what IN and comparisons look for. outer are the
	// values that q reads of the query around, by number (outerRef). Both are
	// expressions of the query around, so that they move with it.
	x, outer []expr.Node
	t        types.Type
	text     string
	pos      diag.Span
}

// Type implements expr.Node.
func (s *subquery) Type() types.Type { return s.t }

// String implements expr.Node: two subqueries of one text are the same.
func (s *subquery) String() string {
	text := s.text
	for _, e := range s.x {
		text += " " + e.String()
	}
	return text
}

// Children implements expr.Node.
func (s *subquery) Children() []expr.Node {
	return append(append([]expr.Node(nil), s.x...), s.outer...)
}

// WithChildren implements expr.Node.
func (s *subquery) WithChildren(kids []expr.Node) expr.Node {
	m := *s
	m.x, m.outer = kids[:len(s.x):len(s.x)], kids[len(s.x):]
	return &m
}

// outerValues are what a subquery reads of the query around: expressions over
// the columns of that query, by number.
type outerValues struct {
	around *exprs
	refs   []expr.Node
}

// value is the value number i.
func (c *outerValues) value(i int) *outerRef { return &outerRef{of: c, i: i, t: c.refs[i].Type()} }

// outerRef is a value of the query around, in the expressions of a subquery.
type outerRef struct {
	of *outerValues
	i  int
	t  types.Type
	at diag.Span
}

// Type implements expr.Node.
func (r *outerRef) Type() types.Type { return r.t }

// String implements expr.Node.
func (r *outerRef) String() string { return r.of.refs[r.i].String() + " of the query around" }

// Children implements expr.Node.
func (r *outerRef) Children() []expr.Node { return nil }

// WithChildren implements expr.Node.
func (r *outerRef) WithChildren([]expr.Node) expr.Node { return r }

// around is a column of the query around one behind LATERAL.
type around struct{ *expr.Column }

// WithChildren returns the column itself.
func (a around) WithChildren([]expr.Node) expr.Node { return a }

func readsAround(n expr.Node) bool {
	return logical.Any(n, func(m expr.Node) bool {
		switch m.(type) {
		case *outerRef, around:
			return true
		}
		return false
	})
}

func hasSubquery(n expr.Node) bool {
	return logical.Any(n, func(m expr.Node) bool { _, ok := m.(*subquery); return ok })
}

// outer resolves a name in the queries around, the nearest first.
func (x *exprs) outer(c *ast.Column) expr.Node {
	if x.corr == nil {
		return x.lateral(c)
	}
	y := x.corr.around
	n, err := y.sc.column(c, "")
	if err != nil {
		if y.corr == nil {
			return nil
		}
		if n = y.outer(c); n == nil {
			return nil
		}
	} else {
		y.remember(n, c.Pos)
	}
	for i, r := range x.corr.refs {
		if r.String() == n.String() {
			return &outerRef{x.corr, i, n.Type(), c.Pos}
		}
	}
	x.corr.refs = append(x.corr.refs, n)
	return &outerRef{x.corr, len(x.corr.refs) - 1, n.Type(), c.Pos}
}

// beyondReach says of an unknown column that it is one of the query around,
// if so: the place is one that cannot be made independent of it.
func (x *exprs) beyondReach(c *ast.Column, err error) error {
	if y := x.beyond; y != nil {
		if _, e := y.sc.column(c, ""); e == nil {
			return diag.New(diag.NotSupported, c.Span(), "this part of a subquery cannot read '%s' of the query around it", c.Parts[len(c.Parts)-1].Text).
				WithHint("a subquery may read the query around in WHERE, the select list and the arguments of aggregates, but not with LIMIT, in a UNION, in ON or below an outer join")
		}
	}
	return err
}

// unreachable is the error for a value that is read below an outer join.
func (c *outerValues) unreachable(ref int, at diag.Span) error {
	return diag.New(diag.NotSupported, at, "a query below an outer join cannot read %s of the query around it", c.refs[ref]).
		WithHint("compare with it in WHERE, above the join")
}

// lateral resolves a name in the query around one behind LATERAL.
func (x *exprs) lateral(c *ast.Column) expr.Node {
	if x.around == nil {
		return nil
	}
	n, err := x.around.column(c, "")
	if err != nil {
		return nil
	}
	return logical.Rewrite(n, func(m expr.Node) expr.Node {
		if col, ok := m.(*expr.Column); ok {
			return around{col}
		}
		return nil
	})
}

// inner is the bound query of a subquery: its rows, what it selects and the
// conditions that read the query around, both over the columns of node. keys
// are what such conditions have become already, of an aggregation.
type inner struct {
	node  logical.Node
	items []expr.Node
	conds []expr.Node
	keys  []outerKey
	corr  *outerValues
	// one tells an aggregation without GROUP BY: there is a row for every row
	// of the query around. none are the items of such a row where nothing was
	// aggregated.
	one  bool
	none []expr.Node
	// counted are the rows that it does nothing with but count.
	counted *inner
}

// askedQuery is a subquery as written. One that is written twice in a SELECT is
// asked once.
type askedQuery struct {
	ast ast.Query
	q   *inner
	id  string
}

// inner binds the query of a subquery. exists: only whether there are rows
// matters, not how many.
func (x *exprs) inner(q ast.Query, exists bool) (*askedQuery, error) {
	if x.match != nil {
		return nil, diag.New(diag.NotSupported, q.Span(), "a subquery cannot stand inside MATCH_RECOGNIZE")
	}
	if !x.asks {
		where := x.clause
		if where == "" {
			where = "this place"
		}
		return nil, diag.New(diag.NotSupported, q.Span(), "a subquery is not allowed in %s", where).
			WithHint("compute it in a query around or below this one, or join")
	}
	if o, ok := q.(*ast.Ordered); ok && exists && o.Offset == nil && positive(o.Limit) {
		q = o.Body
	}
	for i, a := range x.sc.asked {
		if sameSyntax(a.ast, q) {
			return &x.sc.asked[i], nil
		}
	}
	defer func(saved *exprs, ctes *cte) { x.beyond, x.ctes = saved, ctes }(x.beyond, x.ctes)
	x.beyond = x
	defer func(saved *correlation) { x.correlation = saved }(x.correlation)
	x.correlation = nil
	body := q
	if w, ok := q.(*ast.With); ok {
		if err := x.addCTEs(w); err != nil {
			return nil, err
		}
		body = w.Body
	}
	var in *inner
	s, ok := body.(*ast.Select)
	if ok {
		var err error
		if in, err = x.correlated(s, &outerValues{around: x}); err != nil {
			return nil, err
		}
	} else {
		r, err := x.query(body, x.sc)
		if err != nil {
			return nil, err
		}
		in = &inner{node: r.node, items: logical.Refs(r.node.Schema()), corr: &outerValues{around: x}}
	}
	x.queries++
	x.sc.asked = append(x.sc.asked, askedQuery{q, in, "$subquery" + strconv.Itoa(x.queries)})
	return &x.sc.asked[len(x.sc.asked)-1], nil
}

// belowCount are the rows of SELECT COUNT(*) before they are counted; nil: it is
// something else.
func (q *inner) belowCount() *inner {
	c, ok := q.node.(*logical.Calc)
	if !ok {
		return nil
	}
	a, ok := c.Input.(*logical.Aggregate)
	if !ok {
		return nil
	}
	call := logical.AsRef(c.Exprs[0]) - len(a.Keys)
	if call < 0 || a.Calls[call].Fn.Name != "COUNT" || !a.Calls[call].Opts.Star || a.Calls[call].Filter >= 0 {
		return nil
	}
	rows := &inner{node: a.Input, corr: q.corr}
	for _, k := range q.keys {
		rows.keys = append(rows.keys, outerKey{k.ref, a.Keys[logical.AsRef(c.Exprs[k.col])], k.safe})
	}
	return rows
}

// positive tells a limit that lets a row through, or none.
func positive(limit ast.Expr) bool {
	l, ok := limit.(*ast.Literal)
	return limit == nil || ok && l.Type.IsInteger() && l.Text != "0"
}

// correlated binds a SELECT that may read the query around. Where it does not
// aggregate, the columns of its FROM stay beside what it selects and the
// conditions that read the query around stay apart: a semi join takes them as
// they are.
func (x *exprs) correlated(s *ast.Select, corr *outerValues) (*inner, error) {
	grouped := x.aggregates(s)
	over := func(e ast.Expr) bool { c, ok := e.(*ast.Call); return ok && c.Over != nil }
	plain := !grouped && !s.Distinct && s.Qualify == nil
	for _, it := range s.Items {
		plain = plain && find(it.X, over) == nil
	}
	if !plain {
		r, err := x.block(s, x.sc, corr)
		if err != nil {
			return nil, err
		}
		in := &inner{node: r.node, items: logical.Refs(r.node.Schema())[:len(r.names)], keys: r.keys, corr: corr,
			one: grouped && !s.Grouped && s.Having == nil, none: r.none}
		if in.one && len(in.items) == 1 {
			in.counted = in.belowCount()
		}
		return in, nil
	}
	n, y, err := x.binder.rows(s, x.sc, corr)
	if err != nil {
		return nil, err
	}
	n, conds, err := y.where(n, s.Where)
	if err != nil {
		return nil, err
	}
	items, err := y.in("").items(s.Items)
	if err != nil {
		return nil, err
	}
	var nodes []expr.Node
	for _, it := range items {
		nodes = append(nodes, it.node)
	}
	if n, nodes, err = x.answered(n, nodes); err != nil {
		return nil, err
	}
	for i, c := range conds {
		conds[i] = retyped(c, n.Schema())
	}
	out := &inner{node: n, conds: conds, corr: corr}
	exprs, names := logical.Refs(n.Schema()), logical.Names(n.Schema())
	for i, e := range nodes {
		if readsAround(e) || logical.AsRef(e) >= 0 {
			out.items = append(out.items, e)
			continue
		}
		out.items = append(out.items, expr.NewColumn(len(exprs), items[i].name, e.Type()))
		exprs, names = append(exprs, e), append(names, items[i].name)
	}
	if len(exprs) > len(n.Schema().Columns) {
		out.node = logical.NewCalc(n, nil, exprs, logical.UniqueNames(names))
	}
	return out, nil
}

// scalar binds (query) as a value.
func (x *exprs) scalar(e *ast.Subquery) (expr.Node, error) {
	a, err := x.inner(e.Query, false)
	if err != nil {
		return nil, err
	}
	if n := len(a.q.items); n != 1 {
		return nil, diag.New(diag.ColumnCount, e.Query.Span(), "a subquery that is a value must give exactly one column, this one gives %d", n)
	}
	s := x.asking(scalarQuery, a, nil, e.Span())
	s.t = a.q.items[0].Type().Plain().AsNullable()
	return s, nil
}

// exists binds EXISTS (query).
func (x *exprs) exists(e *ast.Exists) (expr.Node, error) {
	a, err := x.inner(e.Query, true)
	if err != nil {
		return nil, err
	}
	if a.q.one {
		return expr.NewLiteral(types.Of(types.Boolean), "TRUE")
	}
	s := x.asking(existsQuery, a, nil, e.Span())
	s.t = types.Of(types.Boolean).NotNull()
	return s, nil
}

// some binds x op ANY (query); IN is = ANY.
func (x *exprs) some(op ast.BinaryOp, look ast.Expr, q ast.Query, at diag.Span) (expr.Node, error) {
	a, err := x.inner(q, false)
	if err != nil {
		return nil, err
	}
	es := elements(look)
	if len(es) != len(a.q.items) {
		return nil, diag.New(diag.ColumnCount, q.Span(), "IN looks for %d value(s), but the query gives %d columns: the numbers must match", len(es), len(a.q.items))
	}
	kind := inQuery
	if op != ast.Eq {
		kind = someQuery
	}
	if kind == someQuery && len(es) > 1 {
		return nil, diag.New(diag.NotSupported, at, "%s ANY and ALL compare one value, not rows", op)
	}
	values := make([]expr.Node, len(es))
	nullable := kind == someQuery
	for i, e := range es {
		if values[i], err = x.value(e); err != nil {
			return nil, err
		}
		if _, err := expr.NewCall(x.env.Funcs, op.String(), []expr.Node{values[i], a.q.items[i]}); err != nil {
			return nil, place(err, e.Span())
		}
		nullable = nullable || values[i].Type().Nullable || a.q.items[i].Type().Nullable
	}
	s := x.asking(kind, a, values, at)
	s.op, s.text = op.String(), s.text+" "+op.String()
	s.t = types.Of(types.Boolean).NotNull().OrNull(nullable)
	return s, nil
}

// none binds x op ALL (query): there is no row for which the opposite holds.
func (x *exprs) none(op ast.BinaryOp, look ast.Expr, q ast.Query, at diag.Span) (expr.Node, error) {
	opposite := map[ast.BinaryOp]ast.BinaryOp{ast.Eq: ast.Ne, ast.Ne: ast.Eq, ast.Lt: ast.Ge, ast.Ge: ast.Lt, ast.Gt: ast.Le, ast.Le: ast.Gt}
	n, err := x.some(opposite[op], look, q, at)
	return x.not(n, err, true)
}

func (x *exprs) asking(kind subKind, a *askedQuery, operands []expr.Node, at diag.Span) *subquery {
	return &subquery{kind: kind, q: a.q, x: operands, outer: append([]expr.Node(nil), a.q.corr.refs...),
		text: a.id + [...]string{"", " EXISTS", " IN", " SOME"}[kind], pos: at}
}
