package session

import (
	"os"

	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/planner"
	"fsql/sql"
	"fsql/sql/ast"
)

// alter changes a view, database, catalog or function.
func (s *Session) alter(st *ast.Alter) (*Result, error) {
	switch st.Object {
	case "VIEW":
		return s.alterView(st)
	case "DATABASE":
		p, err := s.databasePath(st.Name)
		if err != nil {
			return nil, err
		}
		return ok(atName(s.catalog.AlterDatabase(p.Catalog, p.Name, entries(st.Set)), st.Name))
	case "CATALOG":
		var comment *string
		if len(st.Set) == 0 && len(st.Reset) == 0 {
			comment = &st.Comment
		}
		return ok(atName(s.catalog.AlterCatalog(text(st.Name)[0], entries(st.Set), st.Reset, comment), st.Name))
	}
	p, err := s.path(st.Name)
	if err != nil {
		return nil, err
	}
	return ok(atName(s.catalog.AlterFunction(p, st.System, st.IfExists, st.Identifier, st.Language), st.Name))
}

func (s *Session) alterView(st *ast.Alter) (*Result, error) {
	p, err := s.path(st.Name)
	if err != nil {
		return nil, err
	}
	v, isView := s.catalog.Lookup(p).(*catalog.View)
	if !isView {
		if s.catalog.Lookup(p) != nil {
			return nil, diag.New(diag.UnknownObject, st.Name.Span(), "'%s' is a table, not a view", p).WithHint("write ALTER TABLE")
		}
		return nil, diag.New(diag.UnknownObject, st.Name.Span(), "view '%s' does not exist", p)
	}
	if len(st.RenameTo.Parts) > 0 {
		renamed := *v
		if renamed.Path, err = s.path(st.RenameTo); err != nil {
			return nil, err
		}
		if _, err := s.catalog.Create(&renamed, false); err != nil {
			return nil, atName(err, st.RenameTo)
		}
		return ok(s.catalog.Drop(p, true, v.Temporary, false))
	}
	e, err := s.env()
	if err != nil {
		return nil, err
	}
	changed, err := planner.ResolveView(e, &ast.CreateView{At: st.At, Name: pathOf(p), Temporary: v.Temporary, Comment: v.Comment, Query: st.Query, Text: sql.FormatQuery(st.Query)})
	if err != nil {
		return nil, err
	}
	return ok(s.catalog.Replace(changed))
}

// createFunction registers a class by name. Flink loads the class of a temporary
// function at once and that of a permanent one when it is used; fsql has no Java
// virtual machine, so it fails at the same moments.
func (s *Session) createFunction(st *ast.CreateFunction) (*Result, error) {
	p, err := s.path(st.Name)
	if err != nil {
		return nil, err
	}
	if st.Temporary {
		return nil, diag.New(diag.NotSupported, st.Name.Span(), "function '%s': the class '%s' cannot be loaded, fsql has no Java virtual machine", p.Name, st.Identifier).
			WithHint("SHOW FUNCTIONS lists what is built in")
	}
	f := catalog.Function{Path: p, Identifier: st.Identifier, Language: st.Language, System: st.System}
	return ok(atName(s.catalog.CreateFunction(f, st.IfNotExists), st.Name))
}

// module answers LOAD and UNLOAD MODULE. The functions of the standard stay
// when core is unloaded (flink-sql 1.6), so nothing changes.
func (s *Session) module(st *ast.Module) (*Result, error) {
	if st.Name.Text != "core" {
		return nil, diag.New(diag.UnknownObject, st.Name.Span(), "module '%s' does not exist", st.Name.Text).WithHint("the only module is 'core'")
	}
	if !st.Unload {
		return nil, diag.New(diag.AlreadyExists, st.Name.Span(), "module 'core' is already loaded")
	}
	return &Result{}, nil
}

func (s *Session) compilePlan(st *ast.CompilePlan) (*Result, error) {
	if _, err := os.Stat(st.File); st.Execute && !st.Compile && err != nil {
		return nil, diag.New(diag.NoSuchFile, st.Span(), "there is no plan file '%s'", st.File)
	}
	return nil, diag.New(diag.NotImplemented, st.Span(), "compiled plans are not implemented yet").
		WithHint("run the INSERT itself")
}
