package planner

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"fsql/agg"
	aggbuiltin "fsql/agg/builtin"
	"fsql/catalog"
	"fsql/connector"
	connectors "fsql/connector/all"
	"fsql/diag"
	"fsql/expr/builtin"
	"fsql/option"
	"fsql/row"
	"fsql/sql"
	"fsql/sql/ast"
)

// script runs the statements of a script as far as planning knows them and
// returns the plan of the last query or INSERT (nil if it ends otherwise).
type script struct {
	env  *Env
	keys []option.Entry
	last catalog.Object // declared by the last CREATE
}

func newScript(t *testing.T) *script {
	t.Helper()
	s := &script{env: &Env{
		Catalog: catalog.New(), Funcs: builtin.All(), Aggs: agg.NewRegistry(aggbuiltin.All()...), Connectors: connectors.Registry(),
		Dir: t.TempDir(), Out: io.Discard, Err: io.Discard,
	}}
	if err := s.settings(); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *script) settings() error {
	v, err := option.Check(s.keys, option.Scope{Set: option.SessionKeys(), Owner: "the session"})
	if err == nil {
		s.env.Settings = v[0]
	}
	return err
}

func (s *script) run(text string) (*Plan, error) {
	tree, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	var last *Plan
	for _, st := range tree.Statements {
		p, err := s.statement(st)
		if err != nil {
			return nil, diag.Of(err).At(st.Span())
		}
		last = p
	}
	return last, nil
}

func (s *script) statement(st ast.Statement) (*Plan, error) {
	switch st := st.(type) {
	case *ast.CreateTable:
		if st.As != nil {
			return nil, diag.New(diag.NotImplemented, st.Pos, "CREATE TABLE AS")
		}
		t, err := ResolveTable(s.env, st)
		if err == nil {
			s.last = t
			_, err = s.env.Catalog.Create(t, st.IfNotExists)
		}
		return nil, err
	case *ast.CreateView:
		v, err := ResolveView(s.env, st)
		if err == nil {
			s.last = v
			_, err = s.env.Catalog.Create(v, st.IfNotExists)
		}
		return nil, err
	case *ast.CreateDatabase:
		current, _ := s.env.Catalog.Current()
		if len(st.Name.Parts) > 1 {
			current = st.Name.Parts[0].Text
		}
		return nil, s.env.Catalog.CreateDatabase(current, st.Name.Parts[len(st.Name.Parts)-1].Text, "", nil, st.IfNotExists)
	case *ast.Set:
		s.keys = append(s.keys, option.Entry{Key: st.Key, Value: st.Value})
		return nil, s.settings()
	case *ast.QueryStatement:
		return PlanQuery(s.env, st.Query, everything{})
	case *ast.Insert:
		return PlanInserts(s.env, []*ast.Insert{st})
	case *ast.StatementSet:
		return PlanInserts(s.env, st.Inserts)
	case *ast.Explain:
		return s.statement(st.Statement)
	case *ast.CreateCatalog:
		return nil, s.env.Catalog.CreateCatalog(st.Name.Text, "", entries(st.Options), st.IfNotExists)
	case *ast.Drop:
		p := s.env.Catalog.Qualify(partsOf(st.Name))
		return nil, s.env.Catalog.Drop(p, st.Object == "VIEW", st.Temporary, st.IfExists)
	case *ast.Use:
		if len(st.Name.Parts) == 0 {
			return nil, nil
		}
		last := st.Name.Parts[len(st.Name.Parts)-1].Text
		if st.What == "CATALOG" {
			return nil, s.env.Catalog.UseCatalog(last)
		}
		current, _ := s.env.Catalog.Current()
		if len(st.Name.Parts) > 1 {
			current = st.Name.Parts[0].Text
		}
		return nil, s.env.Catalog.UseDatabase(current, last)
	}
	return nil, nil
}

// everything is the client's sink: it takes all changes.
type everything struct{}

func (everything) Accepts() row.Kinds { return row.AllKinds }

func (everything) OpenWriter(context.Context, int) (connector.Writer, error) { return nil, io.EOF }

// declared prints the last declared object as DESCRIBE would.
func (s *script) declared() string {
	var b strings.Builder
	switch o := s.last.(type) {
	case *catalog.View:
		for _, c := range o.Schema.Columns {
			fmt.Fprintf(&b, "%s %s\n", c.Name, c.Type)
		}
	case *catalog.Table:
		for _, c := range o.Columns {
			fmt.Fprintf(&b, "%s %s", c.Name, c.Type)
			if c.As != nil {
				b.WriteString(" AS " + c.AsText)
			}
			if c.Metadata != "" {
				fmt.Fprintf(&b, " METADATA FROM '%s' virtual=%t", c.Metadata, c.Virtual)
			}
			b.WriteString("\n")
		}
		if o.KeyName != "" {
			fmt.Fprintf(&b, "%s PRIMARY KEY (%s)\n", o.KeyName, strings.Join(o.PrimaryKey, ", "))
		}
		if o.Watermark != nil {
			fmt.Fprintf(&b, "WATERMARK FOR %s AS %s\n", o.Watermark.Column, o.Watermark.Text)
		}
		for _, e := range o.Options {
			fmt.Fprintf(&b, "'%s' = '%s'\n", e.Key, e.Value)
		}
	}
	return b.String()
}
