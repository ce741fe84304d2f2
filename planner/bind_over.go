package planner

import (
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/types"
)

// over refuses OVER where it may not stand and in the forms that Flink
// refuses; the others are not built yet.
func (x *exprs) over(name string, c *ast.Call) error {
	switch x.clause {
	case "WHERE", "GROUP BY", "HAVING", "ON":
		return diag.New(diag.MisplacedAggregate, c.Pos, "%s(..) OVER is not allowed in %s", name, x.clause).
			WithHint("filter it with QUALIFY, or put the query into FROM (SELECT ...) and filter there")
	}
	if err := overFunction(name, c); err != nil {
		return err
	}
	if _, err := x.all(c.Args); err != nil {
		return err
	}
	o, err := x.overWindow(c.Over)
	if err != nil {
		return err
	}
	for _, e := range o.PartitionBy {
		if _, err := x.bind(e); err != nil {
			return err
		}
	}
	order, err := x.overOrder(name, o)
	if err != nil {
		return err
	}
	if err := x.overFrame(name, o.Frame, order); err != nil {
		return err
	}
	return notYet(overWindows, c.Pos)
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

// overFrame checks ROWS and RANGE: they end at the current row.
func (x *exprs) overFrame(name string, f *ast.Frame, order types.Type) error {
	switch {
	case f == nil:
		return nil
	case ranking[name] || name == "LAG":
		return diag.New(diag.NotSupported, f.Pos, "%s takes no frame (ROWS or RANGE clause)", name)
	case f.Hi.Kind == ast.Following || f.Hi.Kind == ast.UnboundedFollowing || f.Lo.Kind == ast.Following:
		return diag.New(diag.NotSupported, f.Pos, "OVER with FOLLOWING is not supported: a frame ends at CURRENT ROW, the future is not known")
	case f.Hi.Kind != ast.CurrentRow:
		return diag.New(diag.NotSupported, f.Pos, "a frame must end at CURRENT ROW, not at a row PRECEDING it")
	case f.Lo.Kind != ast.Preceding:
		return nil
	case order.Attr == types.NoAttr:
		return diag.New(diag.NotSupported, f.Pos, "OVER ordered by a column that is no time attribute works with UNBOUNDED PRECEDING only")
	}
	n, err := x.bind(f.Lo.X)
	if err == nil && !f.Rows && !n.Type().IsInterval() {
		return diag.New(diag.TypeMismatch, f.Lo.X.Span(), "RANGE over a time attribute needs an INTERVAL, this is %s", n.Type().Short()).
			WithHint("write RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW")
	}
	return err
}

// ranking functions order by anything: they are the Top-N pattern.
var ranking = map[string]bool{"ROW_NUMBER": true, "RANK": true, "DENSE_RANK": true}

// overOrder checks ORDER BY and gives the type of its column: one, ascending.
func (x *exprs) overOrder(name string, over *ast.Over) (first types.Type, err error) {
	if len(over.OrderBy) == 0 {
		return first, diag.New(diag.NotSupported, over.Pos, "OVER needs ORDER BY a time attribute: rows have no order without it").
			WithHint("write OVER (.. ORDER BY ts)")
	}
	for i, o := range over.OrderBy {
		n, err := x.bind(o.X)
		if err != nil {
			return first, err
		}
		switch {
		case i == 0:
			first = n.Type()
		case !ranking[name]:
			return first, diag.New(diag.NotSupported, o.X.Span(), "ORDER BY in OVER takes one column only")
		}
		if o.Desc && !ranking[name] {
			return first, diag.New(diag.NotSupported, o.X.Span(), "OVER can be ordered in ascending (ASC) order only")
		}
	}
	return first, nil
}

// checkOvers: all OVER windows of a SELECT must be the same (flink-sql 4.6).
func checkOvers(s *ast.Select) error {
	first := ""
	for _, it := range s.Items {
		e := find(it.X, func(e ast.Expr) bool {
			c, ok := e.(*ast.Call)
			return ok && c.Over != nil && c.Over.Name == "" && !ranking[functionName(c)]
		})
		if e == nil {
			continue
		}
		c := e.(*ast.Call)
		text, ok := overText(c.Over)
		if !ok {
			continue
		}
		if first != "" && text != first {
			return diag.New(diag.NotSupported, c.Over.Pos, "all OVER windows of a SELECT must be the same, this one differs from the first")
		}
		first = text
	}
	return nil
}

func overText(o *ast.Over) (string, bool) {
	var parts []string
	for _, e := range o.PartitionBy {
		s, ok := unparse(e)
		if !ok {
			return "", false
		}
		parts = append(parts, s)
	}
	parts = append(parts, "ORDER BY")
	for _, i := range o.OrderBy {
		s, ok := unparse(i.X)
		if !ok {
			return "", false
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", "), true
}
