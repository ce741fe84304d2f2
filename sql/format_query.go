package sql

import (
	"strconv"

	"fsql/sql/ast"
	"fsql/sql/lex"
)

func (f *formatter) query(q ast.Query) {
	switch q := q.(type) {
	case *ast.Select:
		f.selectBlock(q)
	case *ast.SetOp:
		f.operandQuery(q.L)
		f.put(" ", [...]string{"UNION", "INTERSECT", "EXCEPT"}[q.Op])
		if q.All {
			f.put(" ALL")
		}
		f.put(" ")
		f.operandQuery(q.R)
	case *ast.Values:
		f.put("VALUES ")
		each(f, q.Rows, ", ", func(row []ast.Expr) { f.listed(func() { f.exprs(row) }) })
	case *ast.With:
		f.put("WITH ")
		each(f, q.CTEs, ", ", func(c ast.CTE) {
			f.name(c.Name)
			if c.Columns != nil {
				f.put(" ")
				f.names(c.Columns)
			}
			f.put(" AS (")
			f.query(c.Query)
			f.put(")")
		})
		f.put(" ")
		switch q.Body.(type) {
		case *ast.With, *ast.Ordered:
			f.listed(func() { f.query(q.Body) })
		default:
			f.query(q.Body)
		}
	case *ast.Ordered:
		if _, again := q.Body.(*ast.Ordered); again {
			f.listed(func() { f.query(q.Body) })
		} else {
			f.query(q.Body)
		}
		if q.OrderBy != nil {
			f.put(" ORDER BY ")
			f.orderItems(q.OrderBy)
		}
		if q.Limit != nil {
			f.put(" LIMIT ")
			f.expr(q.Limit)
		}
		if q.Offset != nil {
			f.put(" OFFSET ")
			f.expr(q.Offset)
		}
	}
}

// operandQuery writes a side of a set operation.
func (f *formatter) operandQuery(q ast.Query) {
	if _, plain := q.(*ast.Select); plain {
		f.query(q)
		return
	}
	f.listed(func() { f.query(q) })
}

func (f *formatter) selectBlock(s *ast.Select) {
	f.put("SELECT ")
	if s.Hints != nil {
		f.hints(s.Hints)
		f.put(" ")
	}
	if s.Distinct {
		f.put("DISTINCT ")
	}
	each(f, s.Items, ", ", f.selectItem)
	if s.From != nil {
		f.put(" FROM ")
		f.tableRef(s.From)
	}
	if s.Where != nil {
		f.put(" WHERE ")
		f.expr(s.Where)
	}
	if s.Grouped {
		f.put(" GROUP BY ")
		each(f, s.GroupBy, ", ", f.groupItem)
	}
	if s.Having != nil {
		f.put(" HAVING ")
		f.expr(s.Having)
	}
	if s.Windows != nil {
		f.put(" WINDOW ")
		each(f, s.Windows, ", ", func(w ast.NamedWindow) {
			f.name(w.Name)
			f.put(" AS ")
			if o := w.Over; o.Name != "" && o.PartitionBy == nil && o.OrderBy == nil && o.Frame == nil {
				f.listed(func() { f.ident(o.Name) })
				return
			}
			f.over(&w.Over)
		})
	}
	if s.Qualify != nil {
		f.put(" QUALIFY ")
		f.expr(s.Qualify)
	}
}

func (f *formatter) selectItem(item ast.SelectItem) {
	f.expr(item.X)
	if item.Alias.Text != "" {
		f.put(" AS ")
		f.name(item.Alias)
	}
}

func (f *formatter) groupItem(g ast.GroupItem) {
	set := func(s []ast.Expr) {
		if len(s) == 1 {
			f.expr(s[0])
			return
		}
		f.listed(func() { f.exprs(s) })
	}
	switch g.Kind {
	case ast.GroupExpr:
		set(g.Sets[0])
		return
	case ast.GroupingSets:
		f.put("GROUPING SETS (")
	case ast.Rollup:
		f.put("ROLLUP (")
	case ast.Cube:
		f.put("CUBE (")
	}
	each(f, g.Sets, ", ", set)
	if g.Sets != nil && g.Nested != nil {
		f.put(", ")
	}
	each(f, g.Nested, ", ", f.groupItem)
	f.put(")")
}

func (f *formatter) hints(list []ast.Hint) {
	f.put("/*+ ")
	each(f, list, ", ", func(h ast.Hint) {
		f.hintWord(h.Name)
		if h.Args == nil {
			return
		}
		f.listed(func() {
			each(f, h.Args, ", ", func(a ast.HintArg) {
				if a.Pair {
					f.quote(a.Key)
					f.put(" = ")
					f.quote(a.Value)
					return
				}
				f.hintWord(a.Value)
			})
		})
	})
	f.put(" */")
}

// hintWord writes a name bare where it can be: that is how hints are written.
func (f *formatter) hintWord(s string) {
	if lex.IsBareName(s) {
		f.put(s)
		return
	}
	f.ident(s)
}

func (f *formatter) alias(a ast.Alias) {
	if a.Name.Text == "" {
		return
	}
	f.put(" AS ")
	f.name(a.Name)
	if a.Columns != nil {
		f.put(" ")
		f.names(a.Columns)
	}
}

func (f *formatter) asOf(x ast.Expr) {
	if x != nil {
		f.put(" FOR SYSTEM_TIME AS OF ")
		f.expr(x)
	}
}

func (f *formatter) tableRef(r ast.TableRef) {
	lateral := func(on bool) {
		if on {
			f.put("LATERAL ")
		}
	}
	switch r := r.(type) {
	case *ast.Table:
		f.path(r.Path)
		if r.Hints != nil {
			f.put(" ")
			f.hints(r.Hints)
		}
		f.asOf(r.AsOf)
		f.alias(r.Alias)
	case *ast.Derived:
		lateral(r.Lateral)
		f.listed(func() { f.query(r.Query) })
		f.alias(r.Alias)
	case *ast.TableFunc:
		lateral(r.Lateral)
		if r.Wrapped {
			f.put("TABLE(")
		}
		f.call(r.Call)
		if r.Wrapped {
			f.put(")")
		}
		f.asOf(r.AsOf)
		f.alias(r.Alias)
	case *ast.Unnest:
		f.put("UNNEST(")
		f.expr(r.X)
		f.put(")")
		if r.Ordinality {
			f.put(" WITH ORDINALITY")
		}
		f.alias(r.Alias)
	case *ast.Join:
		f.join(r)
	case *ast.Match:
		f.tableRef(r.Input)
		f.put(" MATCH_RECOGNIZE (")
		f.matchSpec(&r.Spec)
		f.put(")")
		f.alias(r.Alias)
	}
}

func (f *formatter) join(j *ast.Join) {
	f.tableRef(j.L)
	f.put(" ")
	if j.Natural {
		f.put("NATURAL ")
	}
	f.put([...]string{"JOIN ", "LEFT JOIN ", "RIGHT JOIN ", "FULL JOIN ", "CROSS JOIN "}[j.Kind])
	if _, nested := j.R.(*ast.Join); nested {
		f.listed(func() { f.tableRef(j.R) })
	} else {
		f.tableRef(j.R)
	}
	if j.On != nil {
		f.put(" ON ")
		f.expr(j.On)
	}
	if j.Using != nil {
		f.put(" USING ")
		f.names(j.Using)
	}
}

func (f *formatter) matchSpec(s *ast.MatchSpec) {
	if s.PartitionBy != nil {
		f.put("PARTITION BY ")
		f.exprs(s.PartitionBy)
		f.put(" ")
	}
	if s.OrderBy != nil {
		f.put("ORDER BY ")
		f.orderItems(s.OrderBy)
		f.put(" ")
	}
	if s.Measures != nil {
		f.put("MEASURES ")
		each(f, s.Measures, ", ", f.selectItem)
		f.put(" ")
	}
	if s.AllRows {
		f.put("ALL ROWS PER MATCH ")
	}
	if s.AfterMatch != "" {
		f.put("AFTER MATCH SKIP ", s.AfterMatch, " ")
		if s.AfterVar.Text != "" {
			f.name(s.AfterVar)
			f.put(" ")
		}
	}
	f.put("PATTERN (")
	if s.FromStart {
		f.put("^ ")
	}
	each(f, s.Pattern, " ", f.patternTerm)
	if s.ToEnd {
		f.put(" $")
	}
	f.put(")")
	if s.Within != nil {
		f.put(" WITHIN ")
		f.expr(s.Within)
	}
	if s.Subsets != nil {
		f.put(" SUBSET ")
		each(f, s.Subsets, ", ", func(n ast.Name) {
			f.name(n)
			f.put(" = (")
			f.name(s.Pattern[0].Var)
			f.put(")")
		})
	}
	f.put(" DEFINE ")
	each(f, s.Define, ", ", func(d ast.SelectItem) {
		f.name(d.Alias)
		f.put(" AS ")
		f.expr(d.X)
	})
}

func (f *formatter) patternTerm(t ast.PatternTerm) {
	f.name(t.Var)
	num := strconv.Itoa
	switch {
	case t.Min == 1 && t.Max == 1:
		return
	case t.Min == 0 && t.Max == 1:
		f.put("?")
	case t.Min == 0 && t.Max < 0:
		f.put("*")
	case t.Min == 1 && t.Max < 0:
		f.put("+")
	case t.Max < 0:
		f.put("{", num(t.Min), ",}")
	case t.Min == t.Max:
		f.put("{", num(t.Min), "}")
	default:
		f.put("{", num(t.Min), ",", num(t.Max), "}")
	}
	if t.Reluctant {
		f.put("?")
	}
}
