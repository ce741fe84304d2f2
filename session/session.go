package session

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"fsql/connector"
	connectors "fsql/connector/all"
	"fsql/connector/feed"
	"fsql/expr"
	"fsql/expr/agg"
	aggbuiltin "fsql/expr/agg/builtin"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/planner"
	"fsql/sql/ast"
	"fsql/types"
)

// Config of a session. The zero value works: files relative to the current
// folder, output discarded, the machine's clock.
type Config struct {
	Dir string    // base of relative paths in options
	Out io.Writer // of the print connector
	Err io.Writer
	Log *slog.Logger
	// Settings are set before the first statement (-D key=value).
	Settings map[string]string
	// Clock gives processing time; nil: the machine's.
	Clock func() types.Time
	// Seed of RAND and UUID; the same seed gives the same values.
	Seed uint64
	// Connectors are offered besides those that are shipped.
	Connectors []*connector.Connector
	// Functions are offered besides the built-in ones.
	Functions []Function
}

// Session is the state between the statements of one client: catalog,
// settings, running jobs. It is used by one goroutine at a time.
type Session struct {
	cfg      Config
	catalog  *catalog.Catalog
	funcs    *expr.Registry
	aggs     *agg.Registry
	conns    *connector.Registry
	settings *settings
	dry      bool          // no job is started; see Check
	planned  *planner.Plan // of the last INSERT

	// Of the script that runs: its path, the jobs it has started, and the
	// names they were given. They make the identity of jobs (recovery.go).
	script  string
	inserts int
	names   map[string]int

	mu   sync.Mutex
	jobs []*Job
	runs []run

	// What joins the session with the program that embeds it.
	fed     *feed.World // nil: no Feed or ReadTable yet
	pipes   map[string]*pipe
	streams streams
}

// New starts a session.
func New(cfg Config) (*Session, error) {
	if cfg.Out == nil {
		cfg.Out = io.Discard
	}
	if cfg.Err == nil {
		cfg.Err = io.Discard
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Clock == nil {
		cfg.Clock = func() types.Time { return types.Time(time.Now().UnixMilli()) }
	}
	funcs, err := functions(cfg.Functions)
	if err != nil {
		return nil, err
	}
	s := &Session{
		cfg:      cfg,
		catalog:  catalog.New(),
		funcs:    funcs,
		aggs:     agg.NewRegistry(aggbuiltin.All()...),
		conns:    connectors.Registry(),
		settings: newSettings(),
		names:    map[string]int{},
	}
	s.conns.Connectors = append(s.conns.Connectors, cfg.Connectors...)
	for k, v := range cfg.Settings {
		if err := s.settings.put(option.Entry{Key: k, Value: v}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// env is what the planner may see, with the settings of this moment.
func (s *Session) env() (*planner.Env, error) {
	v, err := s.settings.values()
	if err != nil {
		return nil, err
	}
	return &planner.Env{
		Catalog: s.catalog, Funcs: s.funcs, Aggs: s.aggs, Connectors: s.conns,
		Settings: v, Dir: s.cfg.Dir, Out: s.cfg.Out, Err: s.cfg.Err, Clock: s.cfg.Clock,
	}, nil
}

// Execute runs one statement. DDL is done when it returns; of a query it
// returns a Result that runs when it is read; of an INSERT one whose Job was
// started. An error is a *diag.Error with a span into the text the statement
// was parsed from.
func (s *Session) Execute(ctx context.Context, stmt ast.Statement) (*Result, error) {
	if s.streams.over() {
		return nil, errClosed()
	}
	r, err := s.execute(ctx, stmt)
	if err != nil {
		return nil, diag.Of(err).At(stmt.Span())
	}
	return r, nil
}

func (s *Session) execute(ctx context.Context, stmt ast.Statement) (*Result, error) {
	switch st := stmt.(type) {
	case *ast.QueryStatement:
		return s.query(st.Query)
	case *ast.Insert:
		return s.insert(ctx, []*ast.Insert{st})
	case *ast.StatementSet:
		return s.insert(ctx, st.Inserts)
	case *ast.Explain:
		return s.explain(st)
	case *ast.CreateTable:
		return s.createTable(ctx, st)
	case *ast.CreateView:
		return s.createView(st)
	case *ast.CreateCatalog:
		return ok(s.catalog.CreateCatalog(st.Name.Text, st.Comment, entries(st.Options), st.IfNotExists))
	case *ast.CreateDatabase:
		p, err := s.databasePath(st.Name)
		if err != nil {
			return nil, err
		}
		return ok(s.catalog.CreateDatabase(p.Catalog, p.Name, st.Comment, entries(st.Options), st.IfNotExists))
	case *ast.Drop:
		return s.drop(st)
	case *ast.AlterTable:
		return s.alterTable(st)
	case *ast.Alter:
		return s.alter(st)
	case *ast.CreateFunction:
		return s.createFunction(st)
	case *ast.Module:
		return s.module(st)
	case *ast.Jar:
		return nil, diag.New(diag.NotSupported, st.Span(), "'%s' cannot be loaded: fsql has no Java virtual machine", st.Path).
			WithHint("functions of Java libraries need a Flink cluster")
	case *ast.CompilePlan:
		return s.compilePlan(st)
	case *ast.Use:
		return s.use(st)
	case *ast.Set:
		return s.set(st)
	case *ast.Reset:
		return s.reset(st)
	case *ast.Show:
		return s.show(st)
	case *ast.Describe:
		return s.describe(st)
	case *ast.Unsupported:
		if st.Lacking {
			return nil, diag.New(diag.NotImplemented, st.Span(), "%s is not implemented yet", st.What)
		}
		return nil, diag.New(diag.NotSupported, st.Span(), "%s is not supported in streaming mode", st.What).
			WithHint("streaming jobs change tables through INSERT INTO")
	case *ast.ClientCommand:
		return &Result{Quit: st.Word == "QUIT" || st.Word == "EXIT"}, nil
	}
	return nil, diag.New(diag.NotImplemented, stmt.Span(), "this statement is not implemented yet")
}

func entries(opts []ast.Option) []option.Entry {
	out := make([]option.Entry, len(opts))
	for i, o := range opts {
		out[i] = option.Entry{Key: o.Key, Value: o.Value, KeyPos: o.KeyPos.Pos, ValuePos: o.ValuePos.Pos}
	}
	return out
}

func ok(err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	return &Result{}, nil
}
