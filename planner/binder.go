package planner

import (
	"errors"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/planner/logical"
	"fsql/sql/ast"
)

// binder turns syntax into logical nodes: it knows what names mean, derives
// types and refuses what has none.
type binder struct {
	env  *Env
	zone expr.Zone
	ctes *cte
	// spans are the places of column references, for errors found later.
	spans map[expr.Node]diag.Span
	// bound holds the bound queries of CTEs and views, which several uses
	// share: binding each anew would cost 2^n for n that build on one another.
	bound map[any]*result
	// defining is the name of the common table expression being bound.
	defining string
	// depth counts the views being expanded.
	depth int
	// correlation is the query behind LATERAL that is being bound, nil outside.
	correlation *correlation
	// queries counts the subqueries in expressions. beyond is the query around the
	// one being bound, for messages.
	queries int
	beyond  *exprs
	// within is what queries in the FROM being bound may read of the query
	// around; nil: nothing.
	within *outerValues
	// qualify makes table names in the tree fully qualified: a view means the
	// same table wherever it is used.
	qualify bool
}

func newBinder(e *Env) *binder {
	b := &binder{env: e, spans: map[expr.Node]diag.Span{}, bound: map[any]*result{}}
	var err error
	if b.zone, err = e.zone(); err != nil {
		b.zone = value.UTC() // a bad zone is refused when the plan is made
	}
	return b
}

// cte is one common table expression in sight; the next ones are further out.
type cte struct {
	def  *ast.CTE
	next *cte
}

// result is a bound query: its rows, and the column names as a query around it
// sees them, where one name may stand twice.
type result struct {
	node  logical.Node
	names []string
	// from is the scope of a SELECT's own FROM: ORDER BY may name columns
	// that are not selected.
	from *scope
	// keys are columns behind those with a name that tie the rows of a subquery
	// to the query around. none are the values of an aggregation without GROUP
	// BY of which there are no rows.
	keys []outerKey
	none []expr.Node
}

// query binds any query. outer is the scope around it, for messages.
func (b *binder) query(q ast.Query, outer *scope) (*result, error) {
	switch q := q.(type) {
	case *ast.Select:
		return b.selectBlock(q, outer)
	case *ast.SetOp:
		return b.setOp(q, outer)
	case *ast.Values:
		return b.values(q)
	case *ast.With:
		return b.with(q, outer)
	case *ast.Ordered:
		return b.ordered(q, outer, false)
	}
	return nil, diag.New(diag.Internal, q.Span(), "a query of an unknown form")
}

// topQuery binds a query whose order the user sees.
func (b *binder) topQuery(q ast.Query) (*result, error) {
	if w, ok := q.(*ast.With); ok {
		if o, ok := w.Body.(*ast.Ordered); ok {
			defer func(saved *cte) { b.ctes = saved }(b.ctes)
			if err := b.addCTEs(w); err != nil {
				return nil, err
			}
			return b.ordered(o, nil, true)
		}
	}
	if o, ok := q.(*ast.Ordered); ok {
		return b.ordered(o, nil, true)
	}
	return b.query(q, nil)
}

func (b *binder) with(w *ast.With, outer *scope) (*result, error) {
	defer func(saved *cte) { b.ctes = saved }(b.ctes)
	if err := b.addCTEs(w); err != nil {
		return nil, err
	}
	return b.query(w.Body, outer)
}

// addCTEs brings the expressions of a WITH into sight; each sees those before
// it. They are bound here so that a faulty one is refused even if unused.
func (b *binder) addCTEs(w *ast.With) error {
	for i := range w.CTEs {
		c := &w.CTEs[i]
		if _, err := b.cteQuery(&cte{def: c, next: b.ctes}); err != nil {
			return err
		}
		b.ctes = &cte{def: c, next: b.ctes}
	}
	return nil
}

func (b *binder) cteQuery(c *cte) (*result, error) {
	if r := b.bound[c.def]; r != nil {
		return r, nil
	}
	defer func(saved *cte, name string) { b.ctes, b.defining = saved, name }(b.ctes, b.defining)
	b.ctes, b.defining = c.next, c.def.Name.Text
	r, err := b.query(c.def.Query, nil)
	if err != nil {
		return nil, err
	}
	if r, err = b.renamed(r, c.def.Columns, c.def.Name.Text); err != nil {
		return nil, err
	}
	b.bound[c.def] = r
	return r, nil
}

// renamed gives a result the names of a column list.
func (b *binder) renamed(r *result, cols []ast.Name, what string) (*result, error) {
	if len(cols) == 0 {
		return r, nil
	}
	if len(cols) != len(r.names) {
		return nil, diag.New(diag.ColumnCount, cols[0].Pos.Join(cols[len(cols)-1].Pos),
			"%s has %s, but the list of column names has %d", what, columnsCount(len(r.names)), len(cols)).
			WithHint("name all of them: %s", join(r.names))
	}
	names := make([]string, len(cols))
	for i, c := range cols {
		if contains(names[:i], c.Text) {
			return nil, diag.New(diag.DuplicateName, c.Pos, "the list of column names has '%s' twice", c.Text)
		}
		names[i] = c.Text
	}
	return &result{node: r.node, names: names, keys: r.keys}, nil
}

// place sets the span of an error that has none.
func place(err error, at diag.Span) error {
	var d *diag.Error
	if errors.As(err, &d) {
		d.At(at)
		return err
	}
	if err != nil {
		return &diag.Error{Code: diag.Internal, Span: at, Msg: "planning failed", Cause: err}
	}
	return nil
}
