package planner

import (
	"strings"

	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

// grouping collects what one SELECT aggregates: its keys and calls, while the
// expressions above them are bound over the input. finish then moves these
// expressions on top of the aggregation.
type grouping struct {
	keys    []expr.Node    // over the input
	keyAt   map[string]int // by text
	grouped bool           // GROUP BY has keys: no group is ever empty
	calls   []aggCall
	callAt  map[string]int
	legacy  *legacyWindow
	sets    *groupingSets
	at      diag.Span // of the SELECT
}

// aggCall is an aggregate call over the input.
type aggCall struct {
	fn     *agg.Func
	args   []expr.Node
	filter expr.Node
	opts   agg.Options
	typ    types.Type
	text   string
	pos    diag.Span
	// several tells COUNT(a, b) of columns without NULL, which windows refuse.
	several bool
}

// later stands for a value that the aggregation will give: the result of a
// call, a property of a legacy window, or a GROUPING function.
type later struct {
	kind laterKind
	i    int
	t    types.Type
	text string
}

type laterKind uint8

const (
	laterCall laterKind = iota
	laterProp
	laterGrouping
)

func (l *later) Type() types.Type                   { return l.t }
func (l *later) String() string                     { return l.text }
func (l *later) Children() []expr.Node              { return nil }
func (l *later) WithChildren([]expr.Node) expr.Node { return l }

// aggregate finds an aggregate function.
func (x *exprs) aggregate(name string) *agg.Func { return x.env.Aggs.Lookup(name) }

// aggCall binds a call of an aggregate function.
func (x *exprs) aggCall(f *agg.Func, c *ast.Call) (expr.Node, error) {
	if x.inAgg != "" {
		return nil, diag.New(diag.MisplacedAggregate, c.Pos, "aggregates cannot be nested: %s stands inside %s", f.Name, x.inAgg).
			WithHint("aggregate in a subquery first, then aggregate its result")
	}
	if x.group == nil {
		where := x.clause
		if where == "" {
			where = "this place"
		}
		return nil, diag.New(diag.MisplacedAggregate, c.Pos, "the aggregate %s is not allowed in %s", f.Name, where).
			WithHint("filter aggregates with HAVING, or in a query around this one")
	}
	if len(c.Within) > 0 {
		return nil, diag.New(diag.NotSupported, c.Pos, "%s does not support WITHIN GROUP", f.Name)
	}
	if err := checkStar(f, c); err != nil {
		return nil, err
	}
	inner := *x
	inner.around = x.binder.around()
	inner.group, inner.overs, inner.inAgg, inner.clause = nil, nil, f.Name, "the argument of "+f.Name
	call := aggCall{fn: f, pos: c.Pos, opts: agg.Options{Distinct: c.Distinct, Star: c.Star, IgnoreNulls: c.Nulls == "IGNORE", RespectNulls: c.Nulls == "RESPECT"}}
	if c.JSON != nil {
		call.opts.OnNull = c.JSON.OnNull
	}
	for _, a := range c.Args {
		bind := inner.value
		if f.BareNull {
			bind = inner.bindAny
		}
		n, err := bind(a)
		if err != nil {
			return nil, err
		}
		call.args = append(call.args, n)
	}
	if c.JSON != nil && len(call.args) > 0 {
		// The last argument is the value.
		call.opts.RawJSON = expr.IsRawJSON(call.args[len(call.args)-1])
	}
	if err := call.oneColumn(c); err != nil {
		return nil, err
	}
	if c.Filter != nil {
		n, err := inner.in("FILTER").condition(c.Filter)
		if err != nil {
			return nil, err
		}
		call.filter = n
	}
	if err := x.typed(&call); err != nil {
		return nil, place(err, c.Pos)
	}
	return x.group.addCall(call), nil
}

func checkStar(f *agg.Func, c *ast.Call) error {
	if c.Star && f.Name != "COUNT" {
		return diag.New(diag.WrongArguments, c.Pos, "%s(*) does not exist, only COUNT(*) does", f.Name)
	}
	return nil
}

// oneColumn: COUNT takes one column. Several are accepted only where none of
// them can be NULL, because then COUNT(a, b) counts rows (flink-sql 5.8).
func (a *aggCall) oneColumn(c *ast.Call) error {
	if a.fn.Name != "COUNT" || len(a.args) < 2 {
		return nil
	}
	bad := a.opts.Distinct
	for _, n := range a.args {
		bad = bad || n.Type().Nullable
	}
	if bad {
		return severalColumns(c.Pos)
	}
	a.args, a.several = a.args[:1], true
	return nil
}

func severalColumns(at diag.Span) error {
	return diag.New(diag.NotSupported, at, "COUNT takes one column, not several").
		WithHint("count the rows of a subquery: SELECT COUNT(*) FROM (SELECT DISTINCT a, b FROM t)")
}

// typed casts the arguments to what the function takes and derives the result
// type.
func (x *exprs) typed(c *aggCall) error {
	ts := make([]types.Type, len(c.args))
	c.opts.Literals = make([]*row.Vec, len(c.args))
	for i, a := range c.args {
		ts[i] = a.Type().Plain()
		v, err := expr.Fold(a, x.zone)
		if err != nil {
			return err
		}
		if l, ok := expr.IsConst(v); ok {
			c.opts.Literals[i] = l.Value
		}
	}
	if c.fn.Args != nil {
		for i, want := range c.fn.Args(ts) {
			if !want.Same(ts[i]) {
				n, err := expr.Coerce(c.args[i], want)
				if err != nil {
					return err
				}
				c.args[i], ts[i] = n, n.Type()
			}
		}
	}
	t, err := c.fn.Returns(ts, c.opts)
	if err != nil {
		return err
	}
	// A result may be missing when no row was counted: over an empty input
	// without GROUP BY, and when FILTER lets nothing through. Functions that
	// have a value even then (COUNT) are not NULL for nullable arguments.
	if !t.Nullable && (!x.group.grouped || c.filter != nil) {
		nullable := make([]types.Type, len(ts))
		for i := range ts {
			nullable[i] = ts[i].AsNullable()
		}
		if u, err := c.fn.Returns(nullable, c.opts); err == nil {
			t = u
		}
	}
	c.typ, c.text = t, callText(c)
	return nil
}

func callText(c *aggCall) string {
	var b strings.Builder
	b.WriteString(c.fn.Name + "(")
	if c.opts.Star {
		b.WriteString("*")
	}
	if c.opts.Distinct {
		b.WriteString("DISTINCT ")
	}
	for i, a := range c.args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(a.String())
	}
	switch {
	case c.opts.IgnoreNulls:
		b.WriteString(" IGNORE NULLS")
	case c.opts.RespectNulls:
		b.WriteString(" RESPECT NULLS")
	case c.opts.OnNull != "":
		b.WriteString(" " + c.opts.OnNull + " ON NULL")
	}
	b.WriteString(")")
	if c.filter != nil {
		b.WriteString(" FILTER (" + c.filter.String() + ")")
	}
	return b.String()
}

// addCall keeps one call per text.
func (g *grouping) addCall(c aggCall) expr.Node {
	key := c.text + " " + c.typ.String()
	i, ok := g.callAt[key]
	if !ok {
		i = len(g.calls)
		g.callAt[key] = i
		g.calls = append(g.calls, c)
	}
	return &later{kind: laterCall, i: i, t: c.typ, text: c.text}
}

// addKey keeps one key per text and returns its number.
func (g *grouping) addKey(n expr.Node) int {
	text := n.String()
	i, ok := g.keyAt[text]
	if !ok {
		i = len(g.keys)
		g.keyAt[text] = i
		g.keys = append(g.keys, n)
	}
	return i
}

// above moves an expression on top of the aggregation agged, whose output is
// keys, calls, props: parts equal to a key become its column; a column that is
// left is not grouped.
func (b *binder) above(g *grouping, n expr.Node, agged logical.Node) (expr.Node, error) {
	var failed error
	s := agged.Schema()
	out := logical.Rewrite(n, func(m expr.Node) expr.Node {
		if l, ok := m.(*later); ok {
			return logical.Ref(s, g.columnOf(l))
		}
		if k, ok := g.keyAt[m.String()]; ok {
			if _, constant := m.(*expr.Literal); !constant {
				return logical.Ref(s, k)
			}
		}
		if r, ok := m.(*outerRef); ok && failed == nil {
			failed = unplaced(r)
			return m
		}
		if c, ok := m.(*expr.Column); ok && failed == nil {
			e := diag.New(diag.NotGrouped, b.spans[c], "column '%s' is neither grouped nor inside an aggregate function", c.Name).
				WithHint("add it to GROUP BY, or take one of its values with MAX(%s)", c.Name)
			if n := g.position(); n != "" {
				e.WithHint("GROUP BY %s groups by a number, not by a position: write GROUP BY %s", n, c.Name)
			}
			failed = e
			return m
		}
		return nil
	})
	return out, failed
}

// columnOf is the output column of a later value. The output is the keys, what
// grouping sets add to them, the calls, the properties of a legacy window.
func (g *grouping) columnOf(l *later) int {
	switch l.kind {
	case laterGrouping:
		return len(g.keys) + 1 + l.i
	case laterProp:
		return len(g.keys) + len(g.calls) + l.i
	}
	return len(g.keys) + g.sets.extra() + l.i
}

// position is a whole number that stands in GROUP BY, which other dialects read
// as the position of a column in the select list; "" if there is none.
func (g *grouping) position() string {
	for _, k := range g.keys {
		if l, ok := expr.IsConst(k); ok && l.T.IsInteger() && !l.IsNull() {
			return l.String()
		}
	}
	return ""
}
