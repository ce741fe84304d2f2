package session

import (
	"context"

	"fsql/exec"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/planner"
	"fsql/sql/ast"
	"fsql/types"
)

// createTableAs makes a table with the columns of a query and starts the job
// that fills it: CREATE TABLE ... AS and [CREATE OR] REPLACE TABLE ... AS. The
// files of a replaced table stay, as in Flink.
func (s *Session) createTableAs(ctx context.Context, st *ast.CreateTable) (*Result, error) {
	if st.Temporary {
		return nil, diag.New(diag.NotSupported, st.Span(), "CREATE TABLE ... AS does not support TEMPORARY").
			WithHint("leave out TEMPORARY, or create the table first and INSERT INTO it")
	}
	e, err := s.env()
	if err != nil {
		return nil, err
	}
	q, err := planner.PlanQuery(e, st.As, &exec.Collect{})
	if err != nil {
		return nil, err
	}
	ct := *st
	ct.As = nil
	if ct.Columns, err = columnsAs(st, q.Schema); err != nil {
		return nil, err
	}
	t, err := planner.ResolveTable(e, &ct)
	if err != nil {
		return nil, err
	}
	if st.Replace || st.OrReplace {
		if err := s.dropReplaced(st, t.Path); err != nil {
			return nil, err
		}
	}
	created, err := s.catalog.Create(t, st.IfNotExists)
	if err != nil {
		return nil, atName(err, st.Name)
	}
	if !created {
		return &Result{}, nil
	}
	ins := &ast.Insert{At: st.At, Table: st.Name, Query: st.As}
	for _, c := range q.Schema.Columns {
		ins.Columns = append(ins.Columns, ast.Path{Parts: names([]string{c.Name})})
	}
	r, err := s.insert(ctx, []*ast.Insert{ins})
	if err != nil {
		// No job, no table.
		_ = s.catalog.Drop(t.Path, false, false, true)
	}
	return r, err
}

func (s *Session) dropReplaced(st *ast.CreateTable, p catalog.Path) error {
	if s.catalog.Lookup(p) == nil {
		if st.OrReplace {
			return nil
		}
		return diag.New(diag.UnknownTable, st.Name.Span(), "the table '%s' to be replaced does not exist", p).
			WithHint("write CREATE OR REPLACE TABLE")
	}
	return atName(s.catalog.Drop(p, false, false, false), st.Name)
}

// columnsAs merges the columns of the CREATE part with those of the query: new
// ones of the CREATE part come first, one that is in both keeps its place in the
// query with the declared type, and a bare list of names orders the query's.
func columnsAs(st *ast.CreateTable, q *types.Schema) ([]ast.ColumnDef, error) {
	if len(st.NameList) > 0 {
		return reordered(st, q)
	}
	var out []ast.ColumnDef
	declared := map[string]ast.ColumnDef{}
	for _, c := range st.Columns {
		if q.Index(c.Name.Text) >= 0 && c.As == nil && !c.Metadata {
			declared[c.Name.Text] = c
		} else {
			out = append(out, c)
		}
	}
	for _, c := range q.Columns {
		if d, ok := declared[c.Name]; ok {
			out = append(out, d)
		} else {
			out = append(out, ofQuery(c))
		}
	}
	return out, nil
}

func ofQuery(c types.Column) ast.ColumnDef {
	return ast.ColumnDef{Name: ast.Name{Text: c.Name}, Type: ast.TypeName{Type: c.Type.Plain().AsNullable()}, NotNull: !c.Type.Nullable}
}

func reordered(st *ast.CreateTable, q *types.Schema) ([]ast.ColumnDef, error) {
	if len(st.NameList) != len(q.Columns) {
		return nil, diag.New(diag.ColumnCount, st.NameList[0].Span(), "the list names %d columns, the query has %d", len(st.NameList), len(q.Columns)).
			WithHint("a list of names without types orders all columns of the query")
	}
	var out []ast.ColumnDef
	for _, n := range st.NameList {
		i := q.Index(n.Text)
		if i < 0 {
			return nil, diag.New(diag.UnknownColumn, n.Span(), "the query has no column '%s'", n.Text)
		}
		out = append(out, ofQuery(q.Columns[i]))
	}
	return out, nil
}
