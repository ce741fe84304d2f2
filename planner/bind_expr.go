package planner

import (
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/types"
)

// exprs binds scalar expressions of one clause.
type exprs struct {
	*binder
	sc *scope
	// clause is its name in messages, "" for the select list.
	clause string
	// group collects the aggregates; nil where none may stand.
	group *grouping
	// overs collects the calls with OVER; nil where none may stand.
	overs *overs
	// named are expressions that a name means if it is no column: the aliases
	// of the select list, in QUALIFY.
	named map[string]expr.Node
	// inAgg is the name of the aggregate whose argument is being bound.
	inAgg string
	// quiet binders try what may work: errors are not worked on.
	quiet bool
	// match is what names mean inside MATCH_RECOGNIZE, nil outside; rows is the
	// function around an expression over the rows of one variable there.
	match *matchScope
	rows  *rowsOf
	// asks tells that subqueries may stand here: whoever makes a step of the
	// expressions joins them (answered, restricted).
	asks bool
	// around is the query around one behind LATERAL whose columns may be read;
	// nil: none.
	around *scope
	// corr collects what is read of the query around; nil: nothing may be.
	corr *outerValues
}

// bind binds an expression; a bare NULL must get its type from its operator.
func (x *exprs) bind(e ast.Expr) (expr.Node, error) {
	n, err := x.bindAny(e)
	if err != nil {
		return nil, place(x.advise(e, err), e.Span())
	}
	return n, nil
}

// value binds an expression that must have a type of its own.
func (x *exprs) value(e ast.Expr) (expr.Node, error) {
	n, err := x.bind(e)
	if err != nil {
		return nil, err
	}
	if n.Type().Kind == types.Null {
		return nil, bareNull(e)
	}
	return n, x.foldable(n, e)
}

// foldable computes the constant parts of n for the sake of their errors: here
// it is known where they stand. The rules fold again later.
func (x *exprs) foldable(n expr.Node, e ast.Expr) error {
	_, err := expr.Fold(n, x.zone)
	return place(err, e.Span())
}

func bareNull(e ast.Expr) error {
	return diag.New(diag.TypeMismatch, e.Span(), "a bare NULL has no type here").
		WithHint("give it one: CAST(NULL AS STRING)")
}

// condition binds an expression that must be BOOLEAN.
func (x *exprs) condition(e ast.Expr) (expr.Node, error) {
	n, err := x.bind(e)
	if err != nil {
		return nil, err
	}
	switch n.Type().Kind {
	case types.Boolean:
		return n, x.foldable(n, e)
	case types.Null:
		return expr.NullLiteral(types.Of(types.Boolean)), nil
	}
	return nil, diag.New(diag.TypeMismatch, e.Span(), "%s needs a condition (BOOLEAN), this is %s", x.clause, n.Type().Short()).
		WithHint("%s", needsCondition(e, n.Type()))
}

func (x *exprs) all(es []ast.Expr) ([]expr.Node, error) {
	out := make([]expr.Node, len(es))
	for i, e := range es {
		n, err := x.bind(e)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// call binds operands and makes a call of a function or operator.
func (x *exprs) call(name string, es ...ast.Expr) (expr.Node, error) {
	args, err := x.all(es)
	if err != nil {
		return nil, err
	}
	return expr.NewCall(x.env.Funcs, name, args)
}

// not negates n when neg is set.
func (x *exprs) not(n expr.Node, err error, neg bool) (expr.Node, error) {
	if err != nil || !neg {
		return n, err
	}
	return expr.NewCall(x.env.Funcs, "NOT", []expr.Node{n})
}

func (x *exprs) bindAny(e ast.Expr) (expr.Node, error) {
	switch e := e.(type) {
	case *ast.Column:
		if x.match != nil {
			return x.match.column(x, e)
		}
		n, err := x.sc.column(e, x.clause)
		if err != nil {
			if n := x.named[e.Parts[0].Text]; n != nil && len(e.Parts) == 1 {
				return n, nil
			}
			if f := x.bareFunction(e); f != nil {
				return f, nil
			}
			if n := x.outer(e); n != nil {
				return n, nil
			}
			return nil, x.beyondReach(e, err)
		}
		x.remember(n, e.Pos)
		return n, nil
	case *ast.Literal:
		if e.Type.Kind == types.Null {
			return expr.NullLiteral(types.Of(types.Null)), nil
		}
		return expr.NewLiteral(e.Type, e.Text)
	case *ast.Unary:
		return x.call([...]string{ast.Neg: "NEG", ast.Plus: "POS", ast.Not: "NOT"}[e.Op], e.X)
	case *ast.Binary:
		return x.call(e.Op.String(), e.L, e.R)
	case *ast.Is:
		name := "IS " + e.What
		if e.Not {
			name = "IS NOT " + e.What
		}
		return x.call(name, e.X)
	case *ast.Between:
		name := "BETWEEN"
		if e.Symmetric {
			name = "BETWEEN SYMMETRIC"
		}
		n, err := x.call(name, e.X, e.Lo, e.Hi)
		return x.not(n, err, e.Not)
	case *ast.Like:
		name := "LIKE"
		if e.Similar {
			name = "SIMILAR TO"
		}
		n, err := x.call(name, present(e.X, e.Pattern, e.Escape)...)
		return x.not(n, err, e.Not)
	case *ast.In:
		if e.Query != nil {
			n, err := x.some(ast.Eq, e.X, e.Query, e.Span())
			return x.not(n, err, e.Not)
		}
		n, err := x.call("IN", append([]ast.Expr{e.X}, e.List...)...)
		return x.not(n, err, e.Not)
	case *ast.Case:
		return x.caseOf(e)
	case *ast.Cast:
		n, err := x.bind(e.X)
		if err != nil {
			return nil, err
		}
		if lit, ok := n.(*expr.Literal); ok && lit.T.IsExact() && isNumber(e.X) && e.To.Type.IsInterval() && !strings.Contains(e.To.Type.Unit, " ") {
			return expr.NewUnits(lit, e.To.Type)
		}
		return expr.NewCast(n, e.To.Type, e.Try)
	case *ast.Call:
		return x.function(e)
	case *ast.Interval:
		return x.interval(e)
	case *ast.Array:
		return x.call("ARRAY", e.Elems...)
	case *ast.Map:
		return x.call("MAP", e.Elems...)
	case *ast.Row:
		for _, f := range e.Elems {
			if isNull(f) {
				return nil, bareNull(f)
			}
		}
		return x.call("ROW", e.Elems...)
	case *ast.Index:
		return x.call("ITEM", e.X, e.I)
	case *ast.FieldOf:
		n, err := x.bind(e.X)
		if err != nil {
			return nil, err
		}
		return fieldOf(n, e.Field)
	case *ast.Overlaps:
		return x.call("OVERLAPS", append(elements(e.L), elements(e.R)...)...)
	case *ast.Exists:
		return x.exists(e)
	case *ast.Subquery:
		return x.scalar(e)
	case *ast.Quantified:
		switch {
		case e.Query == nil:
			return x.quantified(e)
		case e.All:
			return x.none(e.Op, e.X, e.Query, e.Span())
		}
		return x.some(e.Op, e.X, e.Query, e.Span())
	case *ast.Star:
		return nil, diag.New(diag.Syntax, e.Pos, "* is allowed in the select list and in COUNT(*) only")
	case *ast.Default:
		return nil, diag.New(diag.NotSupported, e.Pos, "DEFAULT has no meaning here")
	case *ast.Descriptor:
		return nil, diag.New(diag.WrongArguments, e.Pos, "DESCRIPTOR is an argument of table functions only")
	case *ast.TableArg:
		return nil, diag.New(diag.WrongArguments, e.Pos, "TABLE is an argument of table functions only")
	}
	return nil, diag.New(diag.Internal, e.Span(), "an expression of an unknown form")
}

// isNumber tells a number that is written, with or without a sign.
func isNumber(e ast.Expr) bool {
	if u, ok := e.(*ast.Unary); ok && u.Op != ast.Not {
		e = u.X
	}
	_, ok := e.(*ast.Literal)
	return ok
}

// bareFunction is PI without parentheses, which reads like a column.
func (x *exprs) bareFunction(c *ast.Column) expr.Node {
	if len(c.Parts) != 1 || c.Parts[0].Quoted || !strings.EqualFold(c.Parts[0].Text, "PI") {
		return nil
	}
	n, err := expr.NewCall(x.env.Funcs, "PI", nil)
	if err != nil {
		return nil
	}
	return n
}

// remember keeps the place of a column reference for errors found later.
func (x *exprs) remember(n expr.Node, at diag.Span) {
	if c, ok := n.(*expr.Column); ok {
		x.spans[c] = at
		return
	}
	for _, k := range n.Children() {
		x.remember(k, at)
	}
}

func elements(e ast.Expr) []ast.Expr {
	if r, ok := e.(*ast.Row); ok {
		return r.Elems
	}
	return []ast.Expr{e}
}

// caseOf binds both forms: CASE x WHEN a, b THEN is x = a OR x = b.
func (x *exprs) caseOf(c *ast.Case) (expr.Node, error) {
	var args []expr.Node
	for _, w := range c.Whens {
		var cond expr.Node
		for _, e := range w.Conds {
			var one expr.Node
			var err error
			if c.X == nil {
				one, err = x.in("WHEN").condition(e)
			} else {
				one, err = x.call("=", c.X, e)
			}
			if err != nil {
				return nil, place(err, e.Span())
			}
			if cond == nil {
				cond = one
			} else if cond, err = expr.NewCall(x.env.Funcs, "OR", []expr.Node{cond, one}); err != nil {
				return nil, err
			}
		}
		then, err := x.bind(w.Then)
		if err != nil {
			return nil, err
		}
		args = append(args, cond, then)
	}
	last := expr.Node(expr.NullLiteral(types.Of(types.Null)))
	if c.Else != nil {
		n, err := x.bind(c.Else)
		if err != nil {
			return nil, err
		}
		last = n
	}
	return expr.NewCall(x.env.Funcs, "CASE", append(args, last))
}

// in is the same binder under another clause name.
func (x *exprs) in(clause string) *exprs {
	y := *x
	y.clause = clause
	return &y
}

// quantified is x op ANY (list), an OR of comparisons, or ALL, an AND.
func (x *exprs) quantified(q *ast.Quantified) (expr.Node, error) {
	var out expr.Node
	for _, e := range q.List {
		one, err := x.call(q.Op.String(), q.X, e)
		if err != nil {
			return nil, place(err, e.Span())
		}
		if out == nil {
			out = one
			continue
		}
		op := "OR"
		if q.All {
			op = "AND"
		}
		if out, err = expr.NewCall(x.env.Funcs, op, []expr.Node{out, one}); err != nil {
			return nil, err
		}
	}
	return out, nil
}
