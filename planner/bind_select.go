package planner

import (
	"strconv"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// item is one bound expression of a select list.
type item struct {
	ast  ast.Expr // of a column of a star: a reference to it
	node expr.Node
	name string
}

// rows binds the FROM of a SELECT, and makes the binder of the expressions over
// its rows.
// They may read the query around (corr, nil: they may not).
func (b *binder) rows(s *ast.Select, outer *scope, corr *outerValues) (logical.Node, *exprs, error) {
	if err := b.checkHints(s); err != nil {
		return nil, nil, err
	}
	saved := b.within
	b.within = corr
	in, sc, err := b.source(s, outer)
	b.within = saved
	if err != nil {
		return nil, nil, err
	}
	sc.outer = outer
	if b.qualify {
		if err := b.freeze(s, sc); err != nil {
			return nil, nil, err
		}
	}
	for _, it := range s.Items {
		if it.Alias.Text != "" {
			sc.aliases = append(sc.aliases, it.Alias.Text)
		}
	}
	sc.windows = s.Windows
	x := &exprs{binder: b, sc: sc, clause: "WHERE", asks: true, corr: corr}
	if corr == nil {
		x.around = b.around()
	}
	return in, x, nil
}

// selectBlock binds SELECT .. FROM .. WHERE .. GROUP BY .. HAVING.
func (b *binder) selectBlock(s *ast.Select, outer *scope) (*result, error) {
	return b.block(s, outer, nil)
}

// block binds a SELECT that may read the query around (corr, nil: it may not).
func (b *binder) block(s *ast.Select, outer *scope, corr *outerValues) (*result, error) {
	in, x, err := b.rows(s, outer, corr)
	if err != nil {
		return nil, err
	}
	in, conds, err := x.where(in, s.Where)
	if err != nil {
		return nil, err
	}
	if corr == nil && len(conds) > 0 {
		in = b.correlation.block(in, conds)
	}
	x.clause, x.overs = "", &overs{}
	var r *result
	if b.aggregates(s) {
		r, err = x.grouped(s, in, conds)
	} else {
		r, err = x.projected(s, in, conds)
	}
	if err != nil {
		return nil, err
	}
	r.from = x.sc
	if s.Distinct {
		d, err := distinct(r.node)
		if err != nil {
			return nil, err
		}
		d.TTL = stateTTL(s, s.From)
		r.node = d
	}
	return r, nil
}

// freeze puts columns in the place of stars: a view keeps the columns it had
// when it was created.
func (b *binder) freeze(s *ast.Select, sc *scope) error {
	x := &exprs{binder: b, sc: sc}
	var out []ast.SelectItem
	taken := map[string]bool{}
	for _, it := range s.Items {
		star, ok := it.X.(*ast.Star)
		if !ok {
			name := it.Alias.Text
			if name == "" {
				name = derivedName(it.X, len(out))
			}
			taken[name] = true
			out = append(out, it)
			continue
		}
		cols, err := x.star(star)
		if err != nil {
			return err
		}
		for _, c := range cols {
			name := logical.UniqueName(c.name, taken)
			taken[name] = true
			out = append(out, ast.SelectItem{At: it.At, X: c.ast, Alias: ast.Name{At: it.At, Text: name, Quoted: true}})
		}
	}
	s.Items = out
	return nil
}

// source binds FROM; without one there is a single row without columns of use.
func (b *binder) source(s *ast.Select, outer *scope) (logical.Node, *scope, error) {
	if s.From != nil {
		n, sc, err := b.from(s.From, outer)
		if err == nil {
			retain(s, s.From, n)
		}
		return n, sc, err
	}
	zero, err := expr.NewLiteral(types.Of(types.Int), "0")
	if err != nil {
		return nil, nil, err
	}
	row := [][]*expr.Literal{{zero.(*expr.Literal)}}
	n := logical.NewValues(row, schemaOf([]string{"ZERO"}, []types.Type{zero.Type()}))
	return n, &scope{schema: n.Schema()}, nil
}

// aggregates tells whether a SELECT is grouped.
func (b *binder) aggregates(s *ast.Select) bool {
	if s.Grouped || s.Having != nil {
		return true
	}
	for _, it := range s.Items {
		if find(it.X, b.isAggregate) != nil {
			return true
		}
	}
	return false
}

func (b *binder) isAggregate(e ast.Expr) bool {
	c, ok := e.(*ast.Call)
	return ok && c.Over == nil && b.env.Aggs.Lookup(functionName(c)) != nil
}

// projected is a SELECT without grouping.
func (x *exprs) projected(s *ast.Select, in logical.Node, conds []expr.Node) (*result, error) {
	items, err := x.items(s.Items)
	if err != nil {
		return nil, err
	}
	x.around = nil
	qualify, err := x.qualified(s, items)
	if err != nil {
		return nil, err
	}
	if x.corr == nil {
		return x.finish(in, items, qualify)
	}
	m := &maker{b: x.binder}
	nodes := make([]expr.Node, len(items))
	for i, it := range items {
		nodes[i] = it.node
	}
	in, nodes, keys, err := m.brought(in, conds, nodes, x.corr)
	if err != nil {
		return nil, err
	}
	for i := range items {
		items[i].node = nodes[i]
	}
	keyed, keys := withKeys(items, keys, in)
	r, err := x.finish(in, keyed, qualify)
	if err != nil {
		return nil, err
	}
	r.names, r.keys = r.names[:len(items)], keys
	return r, nil
}

// withKeys adds the columns to a select list that tie a subquery to the query
// around.
func withKeys(items []item, keys []outerKey, in logical.Node) ([]item, []outerKey) {
	out := append([]item(nil), items...)
	var moved []outerKey
	for _, k := range keys {
		moved = append(moved, outerKey{k.ref, len(out), k.safe})
		out = append(out, item{name: "$outer", node: logical.Ref(in.Schema(), k.col)})
	}
	return out, moved
}

func (b *binder) project(in logical.Node, items []item) (*result, error) {
	names, nodes := make([]string, len(items)), make([]expr.Node, len(items))
	for i, it := range items {
		names[i], nodes[i] = it.name, it.node
	}
	in, nodes, err := b.answered(in, nodes)
	if err != nil {
		return nil, err
	}
	return &result{node: logical.NewCalc(in, nil, nodes, logical.UniqueNames(names)), names: names}, nil
}

// distinct keeps the first of equal rows: GROUP BY all columns, of the window
// if its bounds are among them.
func distinct(in logical.Node) (*logical.Aggregate, error) {
	keys := make([]int, len(in.Schema().Columns))
	for i := range keys {
		keys[i] = i
	}
	bounds := logical.BoundsOf(in)
	if !bounds.Windowed(keys) {
		bounds = nil
	} else if err := bounds.By.Check(true); err != nil {
		return nil, err.At(bounds.By.Pos)
	}
	return logical.NewAggregate(in, keys, nil, logical.Names(in.Schema()), bounds), nil
}

// items binds a select list.
func (x *exprs) items(list []ast.SelectItem) ([]item, error) {
	var out []item
	taken := map[string]bool{}
	add := func(it item) {
		taken[it.name] = true
		out = append(out, it)
	}
	for _, s := range list {
		if star, ok := s.X.(*ast.Star); ok {
			cols, err := x.star(star)
			if err != nil {
				return nil, err
			}
			for _, c := range cols {
				// Calcite numbers the columns of a star at once, those that
				// are written at the end (a.id, b.id of a join: id, id0).
				c.name = logical.UniqueName(c.name, taken)
				add(c)
			}
			continue
		}
		n, err := x.value(s.X)
		if err != nil {
			return nil, err
		}
		name := s.Alias.Text
		if name == "" {
			name = derivedName(s.X, len(out))
		}
		add(item{ast: s.X, node: n, name: name})
	}
	return out, nil
}

// derivedName is the name of a select item without AS.
func derivedName(e ast.Expr, pos int) string {
	switch e := e.(type) {
	case *ast.Column:
		return e.Parts[len(e.Parts)-1].Text
	case *ast.Call:
		// CURRENT_DATE and PI without parentheses are identifiers to Calcite.
		if e.NoParens && len(e.Func.Parts) > 0 {
			return e.Func.Parts[len(e.Func.Parts)-1].Text
		}
	}
	return "EXPR$" + strconv.Itoa(pos)
}

// star expands *, t.* and r.* (the fields of a ROW column).
func (x *exprs) star(s *ast.Star) ([]item, error) {
	if len(s.Qualifier) == 0 {
		if len(x.sc.rels) == 0 {
			return nil, diag.New(diag.Syntax, s.Pos, "SELECT * needs a FROM")
		}
		var out []item
		for _, c := range x.sc.shared {
			x.remember(c.node, s.Pos)
			out = append(out, item{ast: &ast.Column{At: s.At, Parts: []ast.Name{quotedName(s.At, c.name)}}, node: c.node, name: c.name})
		}
		for i := range x.sc.rels {
			cols, err := x.relationColumns(&x.sc.rels[i], s)
			if err != nil {
				return nil, err
			}
			for j, c := range cols {
				if !x.sc.hidden(x.sc.rels[i].start + j) {
					out = append(out, c)
				}
			}
		}
		return out, nil
	}
	if r := x.sc.relation(s.Qualifier); r != nil {
		return x.relationColumns(r, s)
	}
	c := &ast.Column{At: s.At, Parts: s.Qualifier}
	if len(s.Qualifier) == 1 && len(x.sc.find(nil, s.Qualifier[0].Text)) == 0 {
		return nil, x.sc.unknownRelation(c)
	}
	n, err := x.sc.column(c, x.clause)
	if err != nil {
		return nil, err
	}
	if n.Type().Kind != types.Row {
		return nil, diag.New(diag.TypeMismatch, s.Pos, "%s is %s: only the fields of a ROW can be spread with .*", n, n.Type().Short())
	}
	x.remember(n, s.Pos)
	var out []item
	for i, f := range n.Type().Fields {
		field := &ast.Column{At: s.At, Parts: append(append([]ast.Name(nil), s.Qualifier...), quotedName(s.At, f.Name))}
		out = append(out, item{ast: field, node: expr.NewField(n, i), name: f.Name})
	}
	return out, nil
}

func (x *exprs) relationColumns(r *relation, s *ast.Star) ([]item, error) {
	var out []item
	seen := map[string]bool{}
	for i, name := range r.names {
		if seen[name] {
			return nil, x.sc.ambiguous(ast.Name{At: s.At, Text: name})
		}
		seen[name] = true
		n := logical.Ref(x.sc.schema, r.start+i)
		x.remember(n, s.Pos)
		ref := &ast.Column{At: s.At}
		for _, p := range r.path {
			ref.Parts = append(ref.Parts, quotedName(s.At, p))
		}
		ref.Parts = append(ref.Parts, quotedName(s.At, name))
		out = append(out, item{ast: ref, node: n, name: name})
	}
	return out, nil
}

func quotedName(at ast.At, text string) ast.Name { return ast.Name{At: at, Text: text, Quoted: true} }

func schemaOf(names []string, ts []types.Type) *types.Schema {
	s := &types.Schema{Columns: make([]types.Column, len(names))}
	for i := range names {
		s.Columns[i] = types.Column{Name: names[i], Type: ts[i]}
	}
	return s
}

func typesOf(s *types.Schema) []types.Type {
	out := make([]types.Type, len(s.Columns))
	for i := range out {
		out[i] = s.Columns[i].Type
	}
	return out
}
