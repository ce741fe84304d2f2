package planner

import (
	"strconv"
	"strings"

	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/relop/match"
	"fsql/sql/ast"
	"fsql/types"
)

// matchScope is what names mean inside MATCH_RECOGNIZE: A.x is the column of a row
// of variable A, x alone that of a row of any variable. What expressions read of
// a match are columns of their own (match.Read); inside FIRST, LAST and aggregates
// an expression is over single rows, that is over the input.
type matchScope struct {
	*binder
	in      *scope
	spec    *ast.MatchSpec
	vars    map[string]int
	time    int // column of the time attribute
	current int // the variable whose condition is bound

	reads  []match.Read
	readAt map[string]int
	calls  []match.Call
	callAt map[string]int
	args   columns
}

const (
	inMeasures = -2
	inUnused   = -3 // a variable that the pattern does not have
)

// rowsOf is the function around an expression over the rows of one variable.
type rowsOf struct {
	what  string
	v     int
	known bool
}

// use notes a variable inside the function; there must be one only.
func (r *rowsOf) use(v int, at diag.Span) error {
	if r.known && r.v != v {
		return diag.New(diag.NotSupported, at, "%s takes the rows of one variable, here are multiple variables", r.what).
			WithHint("a column without a variable stands for all rows of the match")
	}
	r.v, r.known = v, true
	return nil
}

// column binds a reference.
func (m *matchScope) column(x *exprs, c *ast.Column) (expr.Node, error) {
	v, parts := match.All, c.Parts
	if len(parts) > 1 {
		if at, ok := m.vars[parts[0].Text]; ok {
			v, parts = at, parts[1:]
		} else if len(m.in.find(nil, parts[0].Text)) == 0 {
			return nil, m.unknownVariable(parts[0])
		}
	}
	n, err := m.in.pick(&ast.Column{At: c.At, Parts: parts}, nil, 0, x.clause)
	if err != nil {
		return nil, err
	}
	if x.rows != nil {
		return n, x.rows.use(v, c.Pos)
	}
	return m.lift(n, v, match.Last, 0), nil
}

// navigation binds FIRST, LAST, PREV and NEXT.
func (m *matchScope) navigation(x *exprs, name string, c *ast.Call) (expr.Node, error) {
	if x.rows != nil && x.inAgg == "" {
		return nil, diag.New(diag.NotSupported, c.Pos, "%s cannot stand inside %s", name, x.rows.what)
	}
	if err := m.moment(c); err != nil {
		return nil, err
	}
	if len(c.Args) == 0 || len(c.Args) > 2 {
		return nil, diag.New(diag.WrongArguments, c.Pos, "%s takes a column and a number of rows", name).WithHint("write %s(A.x, 1)", name)
	}
	offset := 0
	if name == "PREV" || name == "NEXT" {
		offset = 1
		if m.current == inMeasures {
			return nil, diag.New(diag.NotSupported, c.Pos, "%s cannot be used in MEASURES", name).WithHint("LAST(A.x, 1) is the row before the last one of A")
		}
	}
	if len(c.Args) == 2 {
		l, ok := c.Args[1].(*ast.Literal)
		n, err := strconv.Atoi(literalText(l, ok))
		if err != nil || n < 0 {
			return nil, diag.New(diag.WrongArguments, c.Args[1].Span(), "the second operand of %s is a whole number of rows, 0 or above", name)
		}
		offset = n
	}
	if (name == "PREV" || name == "NEXT") && offset != 0 {
		return nil, diag.New(diag.NotSupported, c.Pos, "%s is not supported: Flink has no physical offsets within a partition", name).
			WithHint("LAST(A.x, 1) is the row before the last one that fits A")
	}
	if x.rows != nil {
		// An aggregate takes all rows: SUM(LAST(A.x)) is SUM(A.x), as in Flink.
		return x.bind(c.Args[0])
	}
	inner := *x
	inner.rows = &rowsOf{what: name}
	n, err := inner.bind(c.Args[0])
	if err != nil {
		return nil, err
	}
	if !inner.rows.known {
		inner.rows.v = match.All
	}
	kind := match.Last
	if name == "FIRST" {
		kind = match.First
	}
	return m.lift(n, inner.rows.v, kind, offset), nil
}

func literalText(l *ast.Literal, ok bool) string {
	if !ok || !l.Type.IsInteger() {
		return ""
	}
	return l.Text
}

// moment refuses FINAL and RUNNING where Flink does: measures are about the whole
// match, conditions about what there is of it.
func (m *matchScope) moment(c *ast.Call) error {
	if len(c.Words) == 0 {
		return nil
	}
	switch {
	case m.current != inMeasures:
		return diag.New(diag.NotSupported, c.Pos, "%s cannot be used in DEFINE", c.Words[0]).WithHint("leave it out")
	case c.Words[0] == "RUNNING":
		return diag.New(diag.NotSupported, c.Pos, "RUNNING is not supported: measures are about the whole match (FINAL)").WithHint("leave it out")
	}
	return nil
}

// lift makes an expression over single rows one over a match: over the row of
// variable v that kind and offset say. Without such a row its columns are NULL.
func (m *matchScope) lift(n expr.Node, v int, kind match.ReadKind, offset int) expr.Node {
	return logical.Rewrite(n, func(k expr.Node) expr.Node {
		if c, ok := k.(*expr.Column); ok {
			return m.read(match.Read{Kind: kind, Var: v, Offset: offset, Index: c.Index, Type: c.T.Plain().OrNull(!m.sure(v, offset))}, c.Name)
		}
		return nil
	})
}

// sure tells that there is such a row of a variable whenever the expression at
// hand is evaluated. (Flink takes it for granted: values of NOT NULL columns are -1 or
// the like where there is none.)
func (m *matchScope) sure(v, offset int) bool {
	least := 0
	switch {
	case v == m.current || v == match.All && m.current != inMeasures:
		least = 1
	case m.current != inMeasures:
	case v == match.All:
		for _, t := range m.spec.Pattern {
			least += t.Min
		}
	case v >= 0:
		least = m.spec.Pattern[v].Min
	}
	return offset < least
}

// read makes a column of a read, once for each text and type.
func (m *matchScope) read(r match.Read, col string) expr.Node {
	r.Name = col
	if r.Var != match.All {
		r.Name = m.variable(r.Var) + "." + col
	}
	switch {
	case r.Kind == match.First:
		r.Name = "FIRST(" + r.Name + offsetText(r.Offset) + ")"
	case r.Offset > 0:
		r.Name = "LAST(" + r.Name + offsetText(r.Offset) + ")"
	}
	return m.addRead(r)
}

func (m *matchScope) addRead(r match.Read) expr.Node {
	key := r.Name + " " + r.Type.String()
	i, ok := m.readAt[key]
	if !ok {
		i = len(m.reads)
		m.readAt[key] = i
		m.reads = append(m.reads, r)
	}
	return expr.NewColumn(i, r.Name, m.reads[i].Type)
}

func offsetText(n int) string {
	if n == 0 {
		return ""
	}
	return ", " + strconv.Itoa(n)
}

func (m *matchScope) variable(v int) string {
	if v < 0 {
		return ""
	}
	return m.spec.Pattern[v].Var.Text
}

// aggregate binds an aggregate over the rows of one variable.
func (m *matchScope) aggregate(x *exprs, f *agg.Func, c *ast.Call) (expr.Node, error) {
	switch {
	case x.rows != nil && x.inAgg == "":
		return nil, diag.New(diag.MisplacedAggregate, c.Pos, "the aggregate %s cannot stand inside %s", f.Name, x.rows.what)
	case c.Distinct:
		return nil, diag.New(diag.NotSupported, c.Pos, "%s(DISTINCT ..) is not supported in MATCH_RECOGNIZE", f.Name)
	case c.Filter != nil:
		return nil, diag.New(diag.NotSupported, c.Filter.Span(), "FILTER is not supported in MATCH_RECOGNIZE").
			WithHint("write %s(CASE WHEN condition THEN A.x END)", f.Name)
	}
	if err := m.moment(c); err != nil {
		return nil, err
	}
	of := &rowsOf{what: f.Name, v: match.All}
	y := *x
	y.rows, y.group = of, &grouping{callAt: map[string]int{}}
	plain := *c
	plain.Words = nil
	if _, err := y.aggCall(f, &plain); err != nil {
		return nil, err
	}
	bound := y.group.calls[0]
	call := match.Call{Var: of.v}
	call.Call = agg.Call{Fn: bound.fn, Filter: -1, Opts: bound.opts, Type: bound.typ}
	for _, a := range bound.args {
		call.Args = append(call.Args, m.args.add(a))
	}
	call.Name = bound.text
	if of.v != match.All {
		call.Name = strings.Replace(bound.text, "(", "("+m.variable(of.v)+": ", 1)
	}
	i, ok := m.callAt[call.Name]
	if !ok {
		i = len(m.calls)
		m.callAt[call.Name] = i
		m.calls = append(m.calls, call)
	}
	return m.addRead(match.Read{Kind: match.Aggregate, Index: i, Name: call.Name, Type: bound.typ}), nil
}

// function binds the functions that exist in MATCH_RECOGNIZE only.
func (m *matchScope) function(x *exprs, name string, c *ast.Call) (n expr.Node, done bool, err error) {
	switch name {
	case "FIRST", "LAST", "PREV", "NEXT":
		n, err = m.navigation(x, name, c)
	case "MATCH_ROWTIME":
		n, err = m.rowtime(c)
	case "MATCH_PROCTIME":
		if len(c.Args) > 0 {
			return nil, true, diag.New(diag.WrongArguments, c.Pos, "MATCH_PROCTIME takes no arguments")
		}
		t := types.TimestampLTZOf(3).NotNull()
		t.Attr = types.Proctime
		n = m.addRead(match.Read{Kind: match.Proctime, Name: "MATCH_PROCTIME()", Type: t})
	case "CLASSIFIER", "MATCH_NUMBER":
		err = diag.New(diag.NotSupported, c.Pos, "%s() is not supported in MATCH_RECOGNIZE", name)
	default:
		return nil, false, nil
	}
	return n, true, err
}

// rowtime binds MATCH_ROWTIME. Without an operand it is a TIMESTAMP.
func (m *matchScope) rowtime(c *ast.Call) (expr.Node, error) {
	t, operand := types.TimestampOf(3).NotNull(), ""
	t.Attr = types.Rowtime
	switch {
	case len(c.Args) > 1:
		return nil, diag.New(diag.WrongArguments, c.Pos, "MATCH_ROWTIME takes one column at most")
	case len(c.Args) == 1:
		n, err := (&exprs{binder: m.binder, sc: m.in, clause: "MATCH_ROWTIME"}).bind(c.Args[0])
		if err != nil {
			return nil, err
		}
		operand = n.String()
		if t = n.Type(); t.Attr != types.Rowtime {
			return nil, diag.New(diag.BadTimeColumn, c.Args[0].Span(), "MATCH_ROWTIME needs an event time attribute, this is %s", t.Short())
		}
	}
	return m.addRead(match.Read{Kind: match.Rowtime, Name: "MATCH_ROWTIME(" + operand + ")", Type: t}), nil
}

// forget drops what the condition of a variable that is not used has read.
func (m *matchScope) forget(reads, calls, args int) {
	for _, r := range m.reads[reads:] {
		delete(m.readAt, r.Name+" "+r.Type.String())
	}
	for _, c := range m.calls[calls:] {
		delete(m.callAt, c.Name)
	}
	for _, a := range m.args.exprs[args:] {
		delete(m.args.at, a.String()+" "+a.Type().String())
	}
	m.reads, m.calls, m.args.exprs, m.args.names = m.reads[:reads], m.calls[:calls], m.args.exprs[:args], m.args.names[:args]
}
