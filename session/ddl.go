package session

import (
	"context"

	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/planner"
	"fsql/sql/ast"
)

func (s *Session) createTable(ctx context.Context, st *ast.CreateTable) (*Result, error) {
	if st.As != nil {
		return s.createTableAs(ctx, st)
	}
	e, err := s.env()
	if err != nil {
		return nil, err
	}
	t, err := planner.ResolveTable(e, st)
	if err != nil {
		return nil, err
	}
	_, err = s.catalog.Create(t, st.IfNotExists)
	return ok(atName(err, st.Name))
}

func (s *Session) createView(st *ast.CreateView) (*Result, error) {
	e, err := s.env()
	if err != nil {
		return nil, err
	}
	v, err := planner.ResolveView(e, st)
	if err != nil {
		return nil, err
	}
	_, err = s.catalog.Create(v, st.IfNotExists)
	return ok(atName(err, st.Name))
}

// atName gives an error of the catalog the place of the name.
func atName(err error, name ast.Path) error {
	if err == nil {
		return nil
	}
	return diag.Of(err).At(name.Span())
}

func (s *Session) drop(st *ast.Drop) (*Result, error) {
	switch st.Object {
	case "TABLE", "VIEW":
		p, err := s.path(st.Name)
		if err != nil {
			return nil, err
		}
		return ok(atName(s.catalog.Drop(p, st.Object == "VIEW", st.Temporary, st.IfExists), st.Name))
	case "DATABASE":
		p, err := s.databasePath(st.Name)
		if err != nil {
			return nil, err
		}
		return ok(atName(s.catalog.DropDatabase(p.Catalog, p.Name, st.IfExists, st.Cascade), st.Name))
	case "CATALOG":
		return ok(atName(s.catalog.DropCatalog(text(st.Name)[0], st.IfExists), st.Name))
	}
	if st.Object == "FUNCTION" {
		p, err := s.path(st.Name)
		if err != nil {
			return nil, err
		}
		return ok(atName(s.catalog.DropFunction(p, st.System, st.IfExists), st.Name))
	}
	return nil, diag.New(diag.NotImplemented, st.Span(), "DROP %s is not implemented yet", st.Object)
}

func (s *Session) use(st *ast.Use) (*Result, error) {
	switch st.What {
	case "CATALOG":
		return ok(atName(s.catalog.UseCatalog(text(st.Name)[0]), st.Name))
	case "DATABASE":
		p, err := s.databasePath(st.Name)
		if err != nil {
			return nil, err
		}
		return ok(atName(s.catalog.UseDatabase(p.Catalog, p.Name), st.Name))
	}
	for _, n := range st.Names {
		if n.Text != "core" {
			return nil, diag.New(diag.UnknownObject, n.Span(), "module '%s' does not exist", n.Text).
				WithHint("the only module is 'core'")
		}
	}
	return &Result{}, nil
}

// text returns the parts of a path.
func text(p ast.Path) []string {
	out := make([]string, len(p.Parts))
	for i, n := range p.Parts {
		out[i] = n.Text
	}
	return out
}

// path completes a table's name.
func (s *Session) path(p ast.Path) (catalog.Path, error) {
	if len(p.Parts) > 3 {
		return catalog.Path{}, diag.New(diag.UnknownTable, p.Span(), "a table's name has at most three parts: catalog.database.table")
	}
	return s.catalog.Qualify(text(p)), nil
}

// databasePath completes a database's name; Path.Name is the database.
func (s *Session) databasePath(p ast.Path) (catalog.Path, error) {
	parts := text(p)
	switch len(parts) {
	case 1:
		c, _ := s.catalog.Current()
		return catalog.Path{Catalog: c, Name: parts[0]}, nil
	case 2:
		return catalog.Path{Catalog: parts[0], Name: parts[1]}, nil
	}
	return catalog.Path{}, diag.New(diag.UnknownObject, p.Span(), "a database's name has at most two parts: catalog.database")
}
