package planner

import (
	"strings"

	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
)

// from binds an item of FROM: its rows and what its names mean.
func (b *binder) from(t ast.TableRef, outer *scope) (logical.Node, *scope, error) {
	switch t := t.(type) {
	case *ast.Table:
		return b.table(t)
	case *ast.Derived:
		var r *result
		var err error
		if s, ok := t.Query.(*ast.Select); ok {
			r, err = b.block(s, outer, b.within)
		} else {
			r, err = b.query(t.Query, outer)
		}
		if err != nil {
			return nil, nil, err
		}
		return b.aliased(r, t.Alias, nil, "")
	case *ast.TableFunc:
		return b.tableFunction(t)
	case *ast.Join:
		return b.join(t, outer)
	case *ast.Unnest:
		return b.elements(t, outer)
	case *ast.Match:
		return b.matchRecognize(t, outer)
	}
	return nil, nil, diag.New(diag.Internal, t.Span(), "an item of FROM of an unknown form")
}

// outerReference tells an error that a reference to the query around may
// explain.
func outerReference(err error) bool {
	d, ok := err.(*diag.Error)
	return ok && (d.Code == diag.UnknownColumn || d.Code == diag.UnknownTable)
}

// aliased makes the scope of one relation: under its alias, or under path.
func (b *binder) aliased(r *result, a ast.Alias, path []string, real string) (logical.Node, *scope, error) {
	if a.Name.Text != "" {
		path = []string{a.Name.Text}
		var err error
		if r, err = b.renamed(r, a.Columns, a.Name.Text); err != nil {
			return nil, nil, err
		}
	} else {
		real = ""
	}
	s := scopeOf(r.node, path, r.names)
	s.rels[0].real, s.keys = real, r.keys
	return r.node, s, nil
}

// table binds a name in FROM: a common table expression, a view or a table.
func (b *binder) table(t *ast.Table) (logical.Node, *scope, error) {
	if t.AsOf != nil {
		return nil, nil, timeTravel(t)
	}
	if len(t.Path.Parts) == 1 {
		for c := b.ctes; c != nil; c = c.next {
			if c.def.Name.Text == t.Path.Parts[0].Text {
				r, err := b.cteQuery(c)
				if err != nil {
					return nil, nil, err
				}
				return b.aliased(r, t.Alias, []string{c.def.Name.Text}, c.def.Name.Text)
			}
		}
	}
	path, o, err := b.lookup(&t.Path)
	if err != nil {
		if len(t.Path.Parts) == 1 && b.defining == path.Name {
			return nil, nil, diag.New(diag.NotSupported, t.Path.Pos, "'%s' refers to itself: recursive queries are not supported", path.Name)
		}
		return nil, nil, b.orCTE(t, err)
	}
	full := []string{path.Catalog, path.Database, path.Name}
	r := &result{}
	switch o := o.(type) {
	case *catalog.View:
		if r, err = b.view(o, t); err != nil {
			return nil, nil, err
		}
	case *catalog.Table:
		scan, err := b.scan(o, t)
		if err != nil {
			return nil, nil, place(err, t.Path.Pos)
		}
		r.node, r.names = scan, logical.Names(scan.Schema())
	}
	return b.aliased(r, t.Alias, full, path.Name)
}

// orCTE adds to the error of an unknown table the query of WITH that may be
// meant.
func (b *binder) orCTE(t *ast.Table, err error) error {
	d, ok := err.(*diag.Error)
	if !ok || len(t.Path.Parts) != 1 || b.ctes == nil {
		return err
	}
	var names []string
	for c := b.ctes; c != nil; c = c.next {
		names = append(names, c.def.Name.Text)
	}
	if near := diag.Nearest(t.Path.Parts[0].Text, names); near != "" {
		d.WithLabel("did you mean '%s'?", near)
	}
	return d.WithHint("WITH defines %s", join(names))
}

// timeTravel is FOR SYSTEM_TIME AS OF outside a join.
func timeTravel(t *ast.Table) error {
	if _, constant := t.AsOf.(*ast.Literal); constant {
		return diag.New(diag.NotSupported, t.AsOf.Span(), "FOR SYSTEM_TIME AS OF with a constant is time travel, which the catalog does not keep versions for")
	}
	return diag.New(diag.NotSupported, t.AsOf.Span(), "FOR SYSTEM_TIME AS OF stands at the right table of a JOIN, with an event-time column of the left one: elsewhere it would be time travel, which the catalog does not keep versions for").
		WithHint("FROM a JOIN b FOR SYSTEM_TIME AS OF a.ts ON a.key = b.key")
}

// lookup finds the table or view that a path names.
func (b *binder) lookup(p *ast.Path) (catalog.Path, catalog.Object, error) {
	parts := make([]string, len(p.Parts))
	for i, n := range p.Parts {
		parts[i] = n.Text
	}
	if len(parts) > 3 {
		return catalog.Path{}, nil, diag.New(diag.UnknownTable, p.Pos, "'%s' is no table: a name has at most three parts, catalog, database and table", strings.Join(parts, "."))
	}
	path := b.env.Catalog.Qualify(parts)
	o := b.env.Catalog.Lookup(path)
	if o == nil {
		if len(parts) > 1 {
			if err := b.env.Catalog.CheckDatabase(path.Catalog, path.Database); err != nil {
				return path, nil, place(err, p.Pos)
			}
		}
		return path, nil, b.env.Catalog.Missing(path).At(p.Parts[len(p.Parts)-1].Pos)
	}
	if b.qualify {
		name := p.Parts[len(p.Parts)-1]
		p.Parts = []ast.Name{quotedName(name.At, path.Catalog), quotedName(name.At, path.Database), quotedName(name.At, path.Name)}
	}
	return path, o, nil
}

// maxViews bounds views that contain views.
const maxViews = 64

// view binds a view's query at its use. Places inside the view mean nothing to
// the reader of this script: errors stand at the use.
func (b *binder) view(v *catalog.View, t *ast.Table) (*result, error) {
	if b.depth == maxViews {
		return nil, diag.New(diag.TooDeep, t.Path.Pos, "views are nested more than %d deep", maxViews)
	}
	if r := b.bound[v]; r != nil {
		return r, nil
	}
	inner := newBinder(b.env)
	inner.depth, inner.bound = b.depth+1, b.bound
	r, err := inner.query(v.Query, nil)
	if err != nil {
		if d, ok := err.(*diag.Error); ok {
			moved := *d
			moved.Span = t.Path.Pos
			moved.Msg = "in view " + v.Path.Name + ": " + d.Msg
			moved.Label = ""
			return nil, &moved
		}
		return nil, err
	}
	names := r.names
	if len(v.Columns) > 0 {
		names = v.Columns
	}
	b.bound[v] = &result{node: r.node, names: names}
	return b.bound[v], nil
}
