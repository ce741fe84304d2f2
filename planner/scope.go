package planner

import (
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// relation is one item of FROM as names see it: columns [start, start+len) of
// the scope's row.
type relation struct {
	path  []string // catalog, database, name; or the alias alone; nil: no name
	real  string   // the table's own name behind an alias
	names []string // as written: the same name may stand twice
	start int
}

// scope is what the names of one SELECT mean.
type scope struct {
	rels   []relation
	schema *types.Schema // of the input, names unique
	// outer is the scope around a subquery, for messages only: correlation is
	// not possible there.
	outer *scope
	// lateral tells the scope around a query behind LATERAL.
	lateral bool
	// asked are the subqueries in the expressions of the SELECT.
	asked []askedQuery
	// keys are columns behind those with a name that tie queries in FROM to the
	// query around a subquery.
	keys []outerKey
	// aliases of the select list, for messages.
	aliases []string
	// windows of the WINDOW clause.
	windows []ast.NamedWindow
	// shared are the columns of USING and NATURAL joins.
	shared []sharedColumn
}

// sharedColumn is one column for several of that name: without a qualifier the
// name means node, and * gives it once.
type sharedColumn struct {
	name string
	node expr.Node
	of   []int // the columns it stands for
}

// hidden tells that column c of the scope's row is seen only with a qualifier.
func (s *scope) hidden(c int) bool {
	for i := range s.shared {
		for _, h := range s.shared[i].of {
			if h == c {
				return true
			}
		}
	}
	return false
}

// unqualified are the names that can be written without a qualifier.
func (s *scope) unqualified() []string {
	var out []string
	for i := range s.shared {
		out = append(out, s.shared[i].name)
	}
	for i := range s.rels {
		for j, n := range s.rels[i].names {
			if !s.hidden(s.rels[i].start + j) {
				out = append(out, n)
			}
		}
	}
	return out
}

// scopeOf makes the scope of a single relation.
func scopeOf(n logical.Node, path []string, names []string) *scope {
	return &scope{schema: n.Schema(), rels: []relation{{path: path, names: names}}}
}

// named tells whether parts name the relation: a suffix of its full path.
func (r *relation) named(parts []ast.Name) bool {
	if len(parts) > len(r.path) {
		return false
	}
	at := len(r.path) - len(parts)
	for i, p := range parts {
		if r.path[at+i] != p.Text {
			return false
		}
	}
	return true
}

func (r *relation) name() string {
	if len(r.path) == 0 {
		return ""
	}
	return r.path[len(r.path)-1]
}

// relation finds the relation that a qualifier names.
func (s *scope) relation(parts []ast.Name) *relation {
	for i := range s.rels {
		if s.rels[i].named(parts) {
			return &s.rels[i]
		}
	}
	return nil
}

// find returns the columns of that name, in all relations or in one.
func (s *scope) find(r *relation, name string) []int {
	var found []int
	for i := range s.rels {
		if r != nil && r != &s.rels[i] {
			continue
		}
		for j, n := range s.rels[i].names {
			if n == name && (r != nil || !s.hidden(s.rels[i].start+j)) {
				found = append(found, s.rels[i].start+j)
			}
		}
	}
	return found
}

// column resolves a reference: the longest qualifier that names a relation
// wins, what follows the column are fields of a ROW.
func (s *scope) column(c *ast.Column, clause string) (expr.Node, error) {
	parts := c.Parts
	for n := len(parts) - 1; n >= 1; n-- {
		if r := s.relation(parts[:n]); r != nil {
			return s.pick(c, r, n, clause)
		}
	}
	return s.pick(c, nil, 0, clause)
}

// pick resolves parts[at] as a column of r (nil: of any relation).
func (s *scope) pick(c *ast.Column, r *relation, at int, clause string) (expr.Node, error) {
	name := c.Parts[at]
	var all []expr.Node
	for _, f := range s.find(r, name.Text) {
		all = append(all, logical.Ref(s.schema, f))
	}
	for i := range s.shared {
		if r == nil && s.shared[i].name == name.Text {
			all = append(all, s.shared[i].node)
		}
	}
	switch len(all) {
	case 0:
		return nil, s.unknown(c, r, at, clause)
	case 1:
	default:
		return nil, s.ambiguous(name)
	}
	n := all[0]
	for _, f := range c.Parts[at+1:] {
		var err error
		if n, err = fieldOf(n, f); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (s *scope) ambiguous(name ast.Name) error {
	var in []string
	for i := range s.rels {
		for _, n := range s.rels[i].names {
			if n == name.Text && s.rels[i].name() != "" {
				in = append(in, s.rels[i].name()+"."+n)
			}
		}
	}
	e := diag.New(diag.AmbiguousColumn, name.Pos, "column '%s' is ambiguous: %s", name.Text, "more than one column has that name")
	if len(in) > 1 && in[0] != in[1] {
		e.WithHint("write %s", strings.Join(in, " or "))
	} else {
		e.WithHint("give the columns different names with AS where they come from")
	}
	return e
}

// unknown explains why parts[at] is no column here.
func (s *scope) unknown(c *ast.Column, r *relation, at int, clause string) error {
	name := c.Parts[at]
	if r == nil && len(c.Parts) > 1 {
		return s.unknownRelation(c)
	}
	if r == nil && contains(s.aliases, name.Text) {
		if clause == "" {
			clause = "the select list"
		}
		return diag.New(diag.UnknownColumn, name.Pos, "column '%s' does not exist: %s cannot see aliases of the select list", name.Text, clause).
			WithHint("repeat the expression in %s, or put the query into FROM (SELECT ...) and use the alias there", clause)
	}
	where := ""
	if r != nil {
		where = " in " + r.name()
	}
	e := diag.New(diag.UnknownColumn, name.Pos, "column '%s' does not exist%s", name.Text, where)
	if r == nil && s.outer != nil && len(s.outer.find(nil, name.Text)) > 0 {
		if s.outer.lateral {
			return s.outer.aside(c)
		}
		return e.WithHint("a subquery in FROM cannot see the columns of the query around it; write LATERAL or a join")
	}
	all := s.visible(r)
	if near := diag.Nearest(name.Text, all); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	} else if at := s.timeAttribute(); at != "" && contains(logical.WindowColumns[:], name.Text) && len(s.rels) == 1 {
		return e.WithHint("windows give it: FROM TUMBLE(TABLE %s, DESCRIPTOR(%s), INTERVAL '1' MINUTE)", s.rels[0].name(), at)
	}
	return e.WithHint("%s", s.columnsHint(r))
}

func (s *scope) unknownRelation(c *ast.Column) error {
	q := c.Parts[0]
	for i := range s.rels {
		if s.rels[i].real == q.Text {
			e := diag.New(diag.UnknownTable, q.Pos, "table '%s' is hidden by its alias '%s' here", q.Text, s.rels[i].name())
			if len(c.Parts) > 1 {
				e.WithHint("write %s.%s", s.rels[i].name(), c.Parts[1].Text)
			}
			return e
		}
	}
	if s.outer != nil && s.outer.relation(c.Parts[:1]) != nil {
		if s.outer.lateral {
			return s.outer.aside(c)
		}
		return diag.New(diag.UnknownTable, c.Pos, "table or alias '%s' is not visible in this subquery", q.Text).
			WithHint("write LATERAL before the subquery to let it see '%s'", q.Text)
	}
	var names []string
	for i := range s.rels {
		if n := s.rels[i].name(); n != "" {
			names = append(names, n)
		}
	}
	e := diag.New(diag.UnknownTable, q.Pos, "there is no column, table or alias '%s' here", q.Text)
	if near := diag.Nearest(q.Text, append(names, s.visible(nil)...)); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	if len(names) > 0 {
		e.WithHint("tables here: %s", strings.Join(names, ", "))
	}
	return e
}

// aside is the error for a column to the left of LATERAL in a place that cannot
// read it; it may not exist either.
func (s *scope) aside(c *ast.Column) error {
	if _, err := s.column(c, ""); err != nil {
		return err
	}
	return diag.New(diag.NotSupported, c.Pos, "a query behind LATERAL reads the rows to its left in WHERE and in the select list of a plain SELECT only")
}

func (s *scope) visible(r *relation) []string {
	var all []string
	for i := range s.rels {
		if r == nil || r == &s.rels[i] {
			all = append(all, s.rels[i].names...)
		}
	}
	return all
}

// columnsHint lists the candidates, relation by relation.
func (s *scope) columnsHint(r *relation) string {
	var parts []string
	for i := range s.rels {
		if r != nil && r != &s.rels[i] {
			continue
		}
		text := strings.Join(s.rels[i].names, ", ")
		if n := s.rels[i].name(); n != "" {
			text = "columns of " + n + ": " + text
		} else {
			text = "columns here: " + text
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "this query has no FROM"
	}
	return strings.Join(parts, "; ")
}

// fieldOf reads field f of a ROW.
func fieldOf(x expr.Node, f ast.Name) (expr.Node, error) {
	t := x.Type()
	if t.Kind != types.Row {
		return nil, diag.New(diag.UnknownColumn, f.Pos, "column '%s' does not exist: %s has the type %s, which has no fields", f.Text, x, t.Short())
	}
	names := make([]string, len(t.Fields))
	for i, g := range t.Fields {
		names[i] = g.Name
		if g.Name == f.Text {
			return expr.NewField(x, i), nil
		}
	}
	e := diag.New(diag.UnknownColumn, f.Pos, "field '%s' does not exist in column %s", f.Text, x)
	if near := diag.Nearest(f.Text, names); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return nil, e.WithHint("fields of %s: %s", x, strings.Join(names, ", "))
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
