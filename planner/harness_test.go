package planner

import (
	"context"
	"fmt"
	"io"
	"strings"

	"fsql/connector"
	connectors "fsql/connector/all"
	"fsql/connector/memory"
	"fsql/expr"
	"fsql/expr/agg"
	aggbuiltin "fsql/expr/agg/builtin"
	"fsql/expr/builtin"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/sql"
	"fsql/sql/ast"
)

// script runs the statements of a script as far as planning knows them and
// returns the plan of the last query or INSERT (nil if it ends otherwise).
type script struct {
	env  *Env
	set  *option.Set
	keys []option.Entry
	last catalog.Object // declared by the last CREATE
}

// shipped is what every script of a test may use; it is made once per test.
type shipped struct {
	funcs *expr.Registry
	aggs  *agg.Registry
	conns *connector.Registry
	keys  *option.Set
}

// newShipped replaces the source of files by one that reads nothing, so that
// no file has to be there.
func newShipped() *shipped {
	s := &shipped{funcs: builtin.All(), aggs: agg.NewRegistry(aggbuiltin.All()...), conns: connectors.Registry(), keys: option.SessionKeys()}
	for i, c := range s.conns.Connectors {
		if c.Name == "filesystem" {
			quiet := *c
			quiet.Source = func(t *connector.Table) (connector.Source, error) {
				return &unread{memory.New(t.Format.Kinds)}, nil
			}
			s.conns.Connectors[i] = &quiet
		}
	}
	s.conns.Connectors = append(s.conns.Connectors, &connector.Connector{
		Name: "upserts", Options: &option.Set{},
		Sink:   func(*connector.Table) (connector.Sink, error) { return kinds(row.Upserts), nil },
		Source: func(*connector.Table) (connector.Source, error) { return memory.New(row.Upserts), nil },
		Kinds:  func(*option.Values) row.Kinds { return row.Upserts },
	})
	return s
}

// unread is a source that several subtasks may read.
type unread struct{ connector.Source }

func (*unread) Readers(most int) int { return most }

func (w *shipped) script() *script {
	s := &script{set: w.keys, env: &Env{
		Catalog: catalog.New(), Funcs: w.funcs, Aggs: w.aggs, Connectors: w.conns,
		Dir: "nowhere", Out: io.Discard, Err: io.Discard,
	}}
	s.env.Settings = w.keys.None()
	return s
}

func (s *script) settings() error {
	v, err := option.Check(s.keys, option.Scope{Set: s.set, Owner: "the session"})
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
		return PlanQuery(s.env, st.Query, kinds(row.AllKinds))
	case *ast.Insert:
		return PlanInserts(s.env, []*ast.Insert{st})
	case *ast.StatementSet:
		return PlanInserts(s.env, st.Inserts)
	case *ast.Explain:
		return s.statement(st.Statement)
	case *ast.CreateCatalog:
		return nil, s.env.Catalog.CreateCatalog(st.Name.Text, "", entries(st.Options), st.IfNotExists)
	case *ast.AlterTable:
		return nil, diag.New(diag.NotImplemented, st.Pos, "ALTER TABLE")
	case *ast.Drop:
		if st.Object != "TABLE" && st.Object != "VIEW" {
			return nil, nil
		}
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

// kinds is a sink that takes these changes and writes nothing.
type kinds row.Kinds

func (k kinds) Accepts() row.Kinds { return row.Kinds(k) }

func (kinds) OpenWriter(context.Context, int) (connector.Writer, error) { return nil, io.EOF }

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
