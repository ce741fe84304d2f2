package planner

import (
	"slices"
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/relop/match"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

// matchRecognize binds a table with MATCH_RECOGNIZE (..).
func (b *binder) matchRecognize(t *ast.Match, outer *scope) (logical.Node, *scope, error) {
	in, sc, err := b.from(t.Input, outer)
	if err != nil {
		return nil, nil, err
	}
	m := &matchScope{binder: b, in: sc, spec: &t.Spec, readAt: map[string]int{}, callAt: map[string]int{}, args: columns{at: map[string]int{}}}
	out := logical.Match{Pos: t.Spec.Pos}
	names, err := m.bind(&out)
	if err != nil {
		return nil, nil, err
	}
	n := logical.NewMatch(in, out, names)
	return b.aliased(&result{node: n, names: names}, t.Alias, nil, "")
}

// bind binds all clauses; the names are those of the output.
func (m *matchScope) bind(out *logical.Match) (names []string, err error) {
	s := m.spec
	by := &out.By
	if s.AllRows {
		return nil, diag.New(diag.NotSupported, s.Pos, "ALL ROWS PER MATCH is not supported, only ONE ROW PER MATCH is")
	}
	if by.Vars, err = m.pattern(); err != nil {
		return nil, err
	}
	if by.Partition, names, err = m.partition(); err != nil {
		return nil, err
	}
	if err := m.order(out); err != nil {
		return nil, err
	}
	if by.Within, err = m.within(); err != nil {
		return nil, err
	}
	if by.Skip, err = m.skip(); err != nil {
		return nil, err
	}
	if err := m.define(by.Vars); err != nil {
		return nil, err
	}
	if len(s.Measures) == 0 {
		return nil, diag.New(diag.NotSupported, s.Pos, "MATCH_RECOGNIZE without MEASURES gives nothing of a match, which Flink refuses").
			WithHint("write MEASURES A.x AS x, .. before PATTERN")
	}
	m.current = inMeasures
	for _, i := range s.Measures {
		n, err := m.exprs("MEASURES").value(i.X)
		if err != nil {
			return nil, err
		}
		if n, err = expr.Fold(n, m.zone); err != nil {
			return nil, place(err, i.X.Span())
		}
		if contains(names, i.Alias.Text) {
			return nil, diag.New(diag.DuplicateName, i.Alias.Pos, "the result has two columns '%s'", i.Alias.Text).
				WithHint("its columns are those of PARTITION BY and the measures: give the measure another name")
		}
		by.Measures, names = append(by.Measures, n), append(names, i.Alias.Text)
	}
	by.Reads, by.Calls, by.Args = m.reads, m.calls, m.args.exprs
	return names, nil
}

func (m *matchScope) exprs(clause string) *exprs {
	return &exprs{binder: m.binder, sc: m.in, clause: clause, match: m}
}

// pattern are the variables of PATTERN. The anchors ^ and $ mean nothing, as in
// Flink.
func (m *matchScope) pattern() ([]match.Var, error) {
	m.vars = map[string]int{}
	var vars []match.Var
	for i, t := range m.spec.Pattern {
		vars = append(vars, match.Var{Name: t.Var.Text, Min: t.Min, Max: t.Max, Reluctant: t.Reluctant})
		m.vars[t.Var.Text] = i
	}
	if err := match.Check(vars, func(v int) diag.Span { return m.spec.Pattern[v].Pos }); err != nil {
		return nil, err
	}
	return vars, nil
}

// partition are the columns of PARTITION BY.
func (m *matchScope) partition() (cols []int, names []string, err error) {
	for _, e := range m.spec.PartitionBy {
		c, err := m.inputColumn("PARTITION BY", e)
		if err != nil {
			return nil, nil, err
		}
		name := m.in.schema.Columns[c].Name
		if contains(names, name) {
			return nil, nil, diag.New(diag.AmbiguousColumn, e.Span(), "column '%s' stands in PARTITION BY twice", name)
		}
		cols, names = append(cols, c), append(names, name)
	}
	return m.valuesInOrder(cols), names, nil
}

// valuesInOrder puts partition columns in the order of the table. Flink names the
// result's columns as PARTITION BY does and gives their values in the order of the
// table; where the types do not allow that it fails, and the columns stay as
// written.
func (m *matchScope) valuesInOrder(cols []int) []int {
	sorted := slices.Sorted(slices.Values(cols))
	for i, c := range sorted {
		if m.in.schema.Columns[c].Type.Kind != m.in.schema.Columns[cols[i]].Type.Kind {
			return cols
		}
	}
	return sorted
}

// inputColumn is a column of the input.
func (m *matchScope) inputColumn(clause string, e ast.Expr) (int, error) {
	n, err := (&exprs{binder: m.binder, sc: m.in, clause: clause}).bind(e)
	if err != nil {
		return 0, err
	}
	c := logical.AsRef(n)
	if c < 0 {
		return 0, diag.New(diag.NotSupported, e.Span(), "%s in MATCH_RECOGNIZE takes columns only", clause).
			WithHint("compute the value in a query before: (SELECT *, .. AS x FROM t) MATCH_RECOGNIZE (.. %s x ..)", clause)
	}
	return c, nil
}

// order binds ORDER BY: first a time attribute, then any columns.
func (m *matchScope) order(out *logical.Match) error {
	need := func(at diag.Span, text string) error {
		e := diag.New(diag.BadTimeColumn, at, "ORDER BY in MATCH_RECOGNIZE must begin with a time attribute (event time or processing time)%s", text)
		if ts := m.in.timeAttribute(); ts != "" {
			return e.WithHint("write ORDER BY %s", ts)
		}
		return e.WithHint("declare one in CREATE TABLE: WATERMARK FOR ts AS ts - INTERVAL '5' SECOND")
	}
	if len(m.spec.OrderBy) == 0 {
		return need(m.spec.Pos, "; it is missing")
	}
	for i, o := range m.spec.OrderBy {
		c, err := m.inputColumn("ORDER BY", o.X)
		if err != nil {
			return err
		}
		t := m.in.schema.Columns[c].Type
		switch {
		case i > 0 && !row.Orderable(t):
			return diag.New(diag.NotSupported, o.X.Span(), "rows cannot be ordered by a value of type %s", t.Short())
		case i > 0:
			out.Keys = append(out.Keys, logical.SortKey{Col: c, Desc: o.Desc, NullsLast: nullsLast(o)})
		case t.Attr == types.NoAttr:
			return need(o.X.Span(), ", '"+m.in.schema.Columns[c].Name+"' is a plain "+t.Short())
		case o.Desc:
			return diag.New(diag.NotSupported, o.X.Span(), "ORDER BY in MATCH_RECOGNIZE must be ascending in its time attribute, DESC is not supported there")
		default:
			out.By.Time, out.By.Proctime = c, t.Attr == types.Proctime
			m.time = c
		}
	}
	return nil
}

// within is the longest span of a match. Flink takes one that is not above 0 as
// no limit.
func (m *matchScope) within() (types.Time, error) {
	e := m.spec.Within
	if e == nil {
		return 0, nil
	}
	n, err := (&exprs{binder: m.binder, sc: m.in, clause: "WITHIN"}).bind(e)
	if err != nil {
		return 0, err
	}
	n, err = expr.Fold(n, m.zone)
	if err != nil {
		return 0, place(err, e.Span())
	}
	l, ok := expr.IsConst(n)
	if !ok || l.T.Kind != types.IntervalMillis || l.IsNull() {
		return 0, diag.New(diag.BadWindow, e.Span(), "WITHIN needs a constant interval of days to seconds, a fixed length; this is %s", strings.ToUpper(n.Type().Short())).
			WithHint("for instance WITHIN INTERVAL '30' DAY: a MONTH has no fixed length")
	}
	return max(types.Time(l.Value.I64[0]), 0), nil
}

// skip binds AFTER MATCH SKIP. Flink's default is not that of the SQL standard.
func (m *matchScope) skip() (match.Skip, error) {
	s := m.spec
	switch s.AfterMatch {
	case "", "TO NEXT ROW":
		return match.Skip{To: match.ToNext}, nil
	case "PAST LAST ROW":
		return match.Skip{To: match.PastLast}, nil
	}
	v, ok := m.vars[s.AfterVar.Text]
	if !ok {
		return match.Skip{}, m.unknownVariable(s.AfterVar)
	}
	if s.AfterMatch == "TO FIRST" {
		return match.Skip{To: match.ToFirst, Var: v}, nil
	}
	return match.Skip{To: match.ToLast, Var: v}, nil
}

func (m *matchScope) unknownVariable(n ast.Name) *diag.Error {
	e := diag.New(diag.UnknownObject, n.Pos, "the pattern has no variable '%s': such a variable does not exist", n.Text)
	var names []string
	for _, s := range m.spec.Subsets {
		if s.Text == n.Text {
			return diag.New(diag.NotSupported, n.Pos, "values of a SUBSET are not supported: Flink gives NULL for those of '%s'", n.Text).
				WithHint("a column without a variable stands for the rows of all variables")
		}
	}
	for _, t := range m.spec.Pattern {
		names = append(names, t.Var.Text)
	}
	if near := diag.Nearest(n.Text, names); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e.WithHint("variables of the pattern: %s", join(names))
}

// define binds DEFINE. The condition of a variable that the pattern does not use
// is only checked.
func (m *matchScope) define(vars []match.Var) error {
	seen := map[string]bool{}
	for _, d := range m.spec.Define {
		name := d.Alias.Text
		if seen[name] {
			return diag.New(diag.DuplicateName, d.Alias.Pos, "the variable '%s' is defined twice", name)
		}
		seen[name] = true
		v, used := m.vars[name]
		if !used {
			v = inUnused
			m.vars[name] = v
		}
		reads, calls, args := len(m.reads), len(m.calls), len(m.args.exprs)
		m.current = v
		if isNull(d.X) {
			return bareNull(d.X)
		}
		n, err := m.exprs("DEFINE").condition(d.X)
		if err != nil {
			return err
		}
		if used {
			if n, err = expr.Fold(n, m.zone); err != nil {
				return place(err, d.X.Span())
			}
			if l, ok := expr.IsConst(n); !ok || l.IsNull() || !l.Value.Bool[0] {
				vars[v].Cond = n
			}
			continue
		}
		delete(m.vars, name)
		m.forget(reads, calls, args)
	}
	return nil
}
