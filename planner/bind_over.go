package planner

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

// over binds a call with OVER. It is computed by a step of its own below the
// SELECT: what stands here is a reference to its result.
func (x *exprs) over(name string, c *ast.Call) (expr.Node, error) {
	if x.overs == nil {
		where := x.clause
		if where == "" {
			where = "this place"
		}
		return nil, diag.New(diag.MisplacedAggregate, c.Pos, "%s(..) OVER is not allowed in %s", name, where).
			WithHint("filter it with QUALIFY, or put the query into FROM (SELECT ...) and filter there")
	}
	if err := overFunction(name, c); err != nil {
		return nil, err
	}
	inner := *x
	inner.overs, inner.asks, inner.clause = nil, false, "a window function"
	o, err := x.overWindow(c.Over)
	if err != nil {
		return nil, err
	}
	call := overCall{pos: c.Pos}
	if call.agg, err = inner.overArgs(name, c); err != nil {
		return nil, err
	}
	if call.partition, err = inner.all(o.PartitionBy); err != nil {
		return nil, err
	}
	order, err := inner.overOrder(name, o)
	if err != nil {
		return nil, err
	}
	for i, n := range order {
		call.order = append(call.order, orderExpr{n, o.OrderBy[i].Desc, nullsLast(o.OrderBy[i])})
	}
	if call.frame, err = inner.overFrame(name, o.Frame, order[0].Type()); err != nil {
		return nil, err
	}
	if ranking[name] {
		call.rank = name
	}
	return x.overs.add(call)
}

// overArgs binds the function and its arguments. The ranking functions count
// rows: what they do beyond that follows from their frames.
func (x *exprs) overArgs(name string, c *ast.Call) (call aggCall, err error) {
	call = aggCall{pos: c.Pos, opts: agg.Options{Over: true, Distinct: c.Distinct, Star: c.Star, IgnoreNulls: c.Nulls == "IGNORE", RespectNulls: c.Nulls == "RESPECT"}}
	call.fn = x.aggregate(name)
	switch {
	case ranking[name]:
		if len(c.Args) > 0 || c.Star {
			return call, diag.New(diag.WrongArguments, c.Pos, "%s takes no arguments", name).WithHint("write %s() OVER (..)", name)
		}
		call.fn, call.opts.Star = x.aggregate("COUNT"), true
		call.typ, call.text = types.Of(types.BigInt).NotNull(), name+"()"
		return call, nil
	case call.fn == nil:
		for _, f := range builtin.Over() {
			if f.Name == name {
				call.fn = f
			}
		}
	}
	if call.fn == nil {
		if x.env.Funcs.Lookup(name) == nil {
			return call, diag.New(diag.UnknownFunction, c.Func.Pos, "function '%s' does not exist", name)
		}
		return call, diag.New(diag.NotSupported, c.Pos, "OVER must follow an aggregate function, %s is none", name)
	}
	if err := checkStar(call.fn, c); err != nil {
		return call, err
	}
	for _, a := range c.Args {
		n, err := x.value(a)
		if err != nil {
			return call, err
		}
		call.args = append(call.args, n)
	}
	if err := call.oneColumn(c); err != nil {
		return call, err
	}
	// A frame always holds the row itself: no group is empty.
	y := *x
	y.group = &grouping{grouped: true}
	return call, place(y.typed(&call), c.Pos)
}

// overFunction refuses the functions and clauses that do not go with OVER.
func overFunction(name string, c *ast.Call) error {
	switch {
	case batchOnly[name]:
		return diag.New(diag.NotSupported, c.Pos, "%s works in batch mode only, not in streaming", name)
	case name == "JSON_ARRAYAGG" || name == "JSON_OBJECTAGG":
		return diag.New(diag.NotSupported, c.Pos, "%s is not supported with OVER", name)
	case c.Filter != nil:
		return diag.New(diag.NotSupported, c.Filter.Span(), "FILTER is not supported together with OVER").
			WithHint("write %s(CASE WHEN condition THEN x END) OVER (..)", name)
	}
	return nil
}

// overWindow is the definition of a window: written here, or by name.
func (x *exprs) overWindow(o *ast.Over) (*ast.Over, error) {
	if o.Name == "" {
		return o, nil
	}
	var names []string
	for i := range x.sc.windows {
		w := &x.sc.windows[i]
		if w.Name.Text == o.Name {
			return extended(w.Over, o), nil
		}
		names = append(names, w.Name.Text)
	}
	e := diag.New(diag.UnknownObject, o.Pos, "window '%s' does not exist", o.Name)
	if near := diag.Nearest(o.Name, names); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return nil, e.WithHint("declare it: WINDOW %s AS (PARTITION BY .. ORDER BY ..)", o.Name)
}

// extended is OVER (w ORDER BY ..): a named window with what it lacks.
func extended(base ast.Over, o *ast.Over) *ast.Over {
	base.At = o.At
	if len(o.PartitionBy) > 0 {
		base.PartitionBy = o.PartitionBy
	}
	if len(o.OrderBy) > 0 {
		base.OrderBy = o.OrderBy
	}
	if o.Frame != nil {
		base.Frame = o.Frame
	}
	return &base
}

// overFrame binds ROWS and RANGE: they end at the current row.
func (x *exprs) overFrame(name string, f *ast.Frame, order types.Type) (logical.Frame, error) {
	none := logical.Frame{Preceding: -1}
	switch {
	case f == nil:
		// ROW_NUMBER tells peers apart, all others take them together.
		none.Rows = name == "ROW_NUMBER"
		return none, nil
	case ranking[name] || name == "LAG":
		return none, diag.New(diag.NotSupported, f.Pos, "%s takes no frame (ROWS or RANGE clause)", name)
	case f.Hi.Kind == ast.Following || f.Hi.Kind == ast.UnboundedFollowing || f.Lo.Kind == ast.Following:
		return none, diag.New(diag.NotSupported, f.Pos, "OVER with FOLLOWING is not supported: a frame ends at CURRENT ROW, the future is not known")
	case f.Lo.Kind == ast.CurrentRow:
		return none, diag.New(diag.NotSupported, f.Pos, "a frame must begin before CURRENT ROW").
			WithHint("RANGE BETWEEN INTERVAL '0' SECOND PRECEDING AND CURRENT ROW holds the rows of the same time")
	case f.Hi.Kind != ast.CurrentRow:
		return none, diag.New(diag.NotSupported, f.Pos, "a frame must end at CURRENT ROW, not at a row PRECEDING it")
	}
	out := logical.Frame{Rows: f.Rows, Preceding: -1}
	if f.Lo.Kind == ast.UnboundedPreceding {
		return out, nil
	}
	if order.Attr == types.NoAttr {
		return none, diag.New(diag.NotSupported, f.Pos, "OVER ordered by a column that is no time attribute works with UNBOUNDED PRECEDING only")
	}
	n, err := x.bind(f.Lo.X)
	if err != nil {
		return none, err
	}
	if !f.Rows && !n.Type().IsInterval() {
		return none, diag.New(diag.TypeMismatch, f.Lo.X.Span(), "RANGE over a time attribute needs an INTERVAL, this is %s", n.Type().Short()).
			WithHint("write RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW")
	}
	out.Preceding, err = x.preceding(f, n)
	return out, err
}

// preceding is the constant before PRECEDING.
func (x *exprs) preceding(f *ast.Frame, n expr.Node) (int64, error) {
	at := f.Lo.X.Span()
	folded, err := expr.Fold(n, x.zone)
	if err != nil {
		return 0, place(err, at)
	}
	l, ok := expr.IsConst(folded)
	if !ok || l.IsNull() || f.Rows && !l.T.IsInteger() || l.T.Kind == types.IntervalMonths {
		what := "a constant whole number of rows"
		if !f.Rows {
			what = "a constant interval of days to seconds"
		}
		return 0, diag.New(diag.NotSupported, at, "PRECEDING needs %s", what)
	}
	v := int64(0)
	if l.Value.Type.Layout() == types.LayoutI32 {
		v = int64(l.Value.I32[0])
	} else {
		v = l.Value.I64[0]
	}
	if v < 0 {
		return 0, diag.New(diag.NotSupported, at, "PRECEDING needs a number that is not negative")
	}
	return v, nil
}

// ranking functions order by anything: they are the Top-N pattern.
var ranking = map[string]bool{"ROW_NUMBER": true, "RANK": true, "DENSE_RANK": true}

// overOrder binds ORDER BY: one column, ascending, but for ranking functions,
// of which it is not known yet whether they are a Top-N.
func (x *exprs) overOrder(name string, over *ast.Over) (keys []expr.Node, err error) {
	if len(over.OrderBy) == 0 {
		e := diag.New(diag.NotSupported, over.Pos, "OVER needs ORDER BY a time attribute: rows have no order without it")
		if ranking[name] {
			e.Msg = name + "() needs ORDER BY in its OVER clause: rows have no rank without an order"
		}
		return nil, e.WithHint("write OVER (.. ORDER BY ts)")
	}
	for i, o := range over.OrderBy {
		n, err := x.value(o.X)
		if err != nil {
			return nil, err
		}
		if _, fixed := expr.IsConst(n); fixed {
			return nil, diag.New(diag.NotSupported, o.X.Span(), "%s() OVER needs ORDER BY a column: all rows are equal in the order of a constant", name)
		}
		if i > 0 && !ranking[name] {
			return nil, severalOrders(o.X.Span())
		}
		if o.Desc && !ranking[name] {
			return nil, descending(o.X.Span())
		}
		if !row.Orderable(n.Type()) {
			return nil, diag.New(diag.NotSupported, o.X.Span(), "rows cannot be ordered by a value of type %s", n.Type().Short())
		}
		keys = append(keys, n)
	}
	return keys, nil
}

func severalOrders(at diag.Span) *diag.Error {
	return diag.New(diag.NotSupported, at, "ORDER BY in OVER takes one column only")
}

func descending(at diag.Span) *diag.Error {
	return diag.New(diag.NotSupported, at, "OVER can be ordered in ascending (ASC) order only")
}
