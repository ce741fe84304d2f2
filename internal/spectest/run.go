package spectest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"fsql/connector"
	"fsql/connector/feed"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/ftest"
	"fsql/internal/value"
	"fsql/session"
	"fsql/sql"
	"fsql/sql/ast"
	"fsql/types"
)

// run is one test in one variant: a session of its own, a clock that only the
// test moves, and jobs that are stepped on this goroutine.
type run struct {
	opts    *Options
	unit    *Unit
	variant Variant
	set     settings

	sess    *session.Session
	world   *feed.World
	spell   speller
	now     types.Time
	folder  *folder
	jobs    []*job
	outputs map[string]*output // by the name of a query, or the full name of a table
	mocked  map[string]bool    // tables of scripts that are fed by the test

	recovers  bool // jobs take checkpoints
	crashes   bool // at random
	wantsLate bool
	savepoint string     // that the jobs have stopped with
	rand      *rand.Rand // nil: steps in turn
	feeds     int

	result *Result
	// rewrites are new lines for directives whose statements fail or succeed
	// otherwise than written, by their lines; nil: such a directive fails.
	rewrites map[int]string
	refusal  string // what the directive refused last ought to be

	answer map[int][]string // for --update: what came, by the first line of a block
	file   *ftest.File      // that the record is in
}

// errSkip ends a test that says so.
var errSkip = errors.New("skip")

// execute runs a test in a variant.
func execute(ctx context.Context, o *Options, u *Unit, v Variant, update bool) *Result {
	r := newRun(o, u, v)
	if update {
		r.answer = map[int][]string{}
		if o.UpdateErrors {
			r.rewrites = map[int]string{}
		}
	}
	err := r.open()
	switch {
	case err != nil:
	case v.Batch:
		err = r.asBatch(ctx)
	default:
		for _, rec := range u.records {
			if err = r.step(ctx, rec); err != nil {
				break
			}
		}
	}
	r.close()
	if closeErr := r.folder.remove(); err == nil {
		err = closeErr
	}
	switch {
	case lacksCheckpoints(err):
		r.result.Skipped = diag.Of(err).Msg
	case err != nil && !errors.Is(err, errSkip) && !errors.Is(err, errReported):
		r.result.fail(&Failure{Line: 1, What: "the test", Message: err.Error()})
	}
	r.result.answer, r.result.rewrites = r.answer, r.rewrites
	return r.result
}

func newRun(o *Options, u *Unit, v Variant) *run {
	return &run{
		opts: o, unit: u, variant: v, set: u.settings, world: feed.New(), outputs: map[string]*output{}, mocked: map[string]bool{},
		result: &Result{Unit: u, Variant: v},
	}
}

// errReported ends a test whose failure is in the result.
var errReported = errors.New("reported")

func (r *run) open() error {
	zone, err := value.LoadZone(r.set.zone)
	if err != nil {
		return err
	}
	start, err := moment(r.set.clock)
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	r.now = types.Time(zone.UTC(int64(start)))
	r.spell = speller{zone: zone, digits: r.set.digits}
	for _, rec := range r.unit.records {
		switch rec.Record.(type) {
		case *ftest.Recovery:
			r.recovers = true
		case *ftest.Late:
			r.wantsLate = true
		}
	}
	r.recovers = r.recovers || r.variant.Restart != "none"
	r.crashes = strings.HasPrefix(r.variant.Restart, "random")
	seed := uint64(0)
	if r.crashes {
		_, _ = fmt.Sscanf(r.variant.Restart, "random(%d)", &seed)
	}
	if r.crashes || r.variant.Parallelism > 1 {
		r.rand = rand.New(rand.NewPCG(seed, uint64(r.variant.Parallelism)))
	}
	if r.folder == nil {
		if r.folder, err = layFolder(r.unit); err != nil {
			return err
		}
	}
	r.sess, err = session.New(session.Config{
		Dir: r.folder.dir, Out: r.trace(), Err: r.trace(), Seed: 1,
		Clock:      func() types.Time { return r.now },
		Connectors: []*connector.Connector{r.world.Connector()},
		Settings: map[string]string{
			"parallelism.default":   fmt.Sprint(r.variant.Parallelism),
			"table.local-time-zone": r.set.zone,
			// Every row moves event time at once: a test need not wait for the
			// timer that Flink emits the last step with.
			"pipeline.auto-watermark-interval": "0 ms",
		},
	})
	return err
}

// trace is where -v writes to.
func (r *run) trace() io.Writer {
	if r.opts.Trace == nil {
		return io.Discard
	}
	return &r.result.trace
}

func (r *run) tracef(format string, args ...any) {
	if r.opts.Trace != nil {
		fmt.Fprintf(&r.result.trace, "  "+r.clock()+"  "+format+"\n", args...)
	}
}

func (r *run) clock() string {
	return string(value.AppendTimestampNano(nil, r.spell.zone.Local(int64(r.now)), 0, 3))
}

// step does what a record says. An error ends the test; a failed check does not.
func (r *run) step(ctx context.Context, u unitRecord) error {
	r.file = u.file
	fail := func(what string, err error) error {
		if err == nil || errors.Is(err, errSkip) || errors.Is(err, errReported) || lacksCheckpoints(err) {
			return err
		}
		r.result.fail(&Failure{File: u.file.Name, Line: u.line(), What: what, Message: err.Error(), Detail: detail(err, u), Notes: r.notes(nil)})
		return errReported
	}
	switch rec := u.Record.(type) {
	case *ftest.Exec:
		err := r.exec(ctx, rec.SQL)
		if err != nil && r.rewrites != nil && !lacksCheckpoints(err) {
			r.rewrite(u, errorDirective(&ftest.Refused{}, err, rec.SQL))
			return nil
		}
		return fail("exec", err)
	case *ftest.Refused:
		r.result.Checks++
		if f := r.refused(ctx, rec); f != nil {
			if r.rewrites != nil {
				r.rewrite(u, r.refusal)
				return nil
			}
			f.File, f.Line, f.What = u.file.Name, rec.Line, "exec error"
			r.result.fail(f)
			if r.answer != nil {
				r.result.broken = "an exec error does not fail as it should"
			}
		}
		return nil
	case *ftest.Query:
		return fail("query "+rec.Name, r.query(ctx, rec))
	case *ftest.Feed:
		if err := fail("feed "+rec.Table, r.feed(ctx, rec)); err != nil {
			return err
		}
		if err := fail("feed "+rec.Table, r.work(ctx)); err != nil {
			return err
		}
		return fail("restart behind feed "+rec.Table, r.afterFeed(ctx))
	case *ftest.Time:
		return fail(rec.What+" "+rec.Table, r.eventTime(ctx, rec))
	case *ftest.Advance:
		return fail("advance", r.advanceTo(ctx, rec))
	case *ftest.Recovery:
		return fail(rec.What, r.recovery(ctx, rec))
	case *ftest.Condition:
		return r.condition(rec)
	case *ftest.Input, *ftest.Let, *ftest.Note, *ftest.Subtest:
		return nil
	}
	r.result.Checks++
	err := r.check(ctx, u.Record)
	var job *failedJob
	if reported := fail(checkName(u.Record), err); !errors.Is(reported, errReported) || errors.As(err, &job) {
		return reported
	}
	return nil // what follows is checked all the same
}

func (r *run) condition(c *ftest.Condition) error {
	switch {
	case c.What == "only" && c.Engine == "fsql", c.What == "require" && c.Reason == "fsql":
		return nil
	case c.What == "only":
		r.result.Skipped = "only for the engine " + c.Engine + c.Reason
	case c.What == "require":
		r.result.Skipped = c.Reason + " is not there"
	default:
		r.result.Skipped = c.Reason
	}
	return errSkip
}

// exec runs statements. Jobs that end are run to their end, others go on beside
// what follows.
func (r *run) exec(ctx context.Context, text string) error {
	return r.statements(ctx, text, func(stmt ast.Statement) error {
		if q, ok := stmt.(*ast.QueryStatement); ok {
			return r.look(ctx, q)
		}
		j, err := r.start(ctx, "the job of this exec", r.mock(stmt), nil)
		if err != nil || j == nil {
			return err
		}
		j.name = j.plan.Name
		r.tracef("start %s", j.name)
		return r.quiesce(ctx, 0)
	})
}

// look runs a query of an exec that ends, for its errors.
func (r *run) look(ctx context.Context, q *ast.QueryStatement) error {
	_, err := r.once(ctx, q)
	return err
}

// statements reads SQL and does one after another; the place of an error is in
// the text.
func (r *run) statements(ctx context.Context, text string, do func(ast.Statement) error) error {
	for in := sql.NewReader(text); ; {
		stmt, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(stmt)
		}
		if err != nil {
			return &sqlError{err, text}
		}
	}
}

// sqlError is an error with the SQL that its place is in.
type sqlError struct {
	err  error
	text string
}

func (e *sqlError) Error() string { return diag.Of(e.err).Error() }
func (e *sqlError) Unwrap() error { return e.err }

// detail is the line of SQL with the place underlined, and the hint.
func detail(err error, u unitRecord) string {
	var s *sqlError
	if !errors.As(err, &s) {
		if d := diag.Of(err); d.Hint != "" {
			return "hint: " + d.Hint
		}
		return ""
	}
	// The SQL begins below the directive: its lines are those of the file.
	text := strings.Repeat("\n", u.line()) + s.text
	d := *diag.Of(s.err)
	if d.Span != (diag.Span{}) {
		d.Span.Start += u.line()
		d.Span.End += u.line()
	}
	_, rest, _ := strings.Cut(strings.TrimRight(diag.Render(&d, diag.Source{Name: u.file.Name, Text: text}), "\n"), "\n")
	return rest
}

// query starts a query, or the jobs of a script.
func (r *run) query(ctx context.Context, q *ftest.Query) error {
	if r.outputs[q.Name] != nil {
		return fmt.Errorf("there is a query %s already", q.Name)
	}
	if q.Script != "" {
		return r.script(ctx, q)
	}
	n := 0
	err := r.statements(ctx, q.SQL, func(stmt ast.Statement) error {
		if _, ok := stmt.(*ast.QueryStatement); !ok || n > 0 {
			return diag.New(diag.NotSupported, stmt.Span(), "query takes one SELECT; other statements belong into exec")
		}
		n++
		o := &output{name: q.Name, spell: r.spell}
		if _, err := r.start(ctx, q.Name, stmt, o); err != nil {
			return err
		}
		r.outputs[q.Name] = o
		return nil
	})
	if err != nil {
		return err
	}
	r.tracef("start %s", q.Name)
	return r.quiesce(ctx, 0)
}

// script runs the statements of a file; the tables that the test feeds or looks
// at become test tables.
func (r *run) script(ctx context.Context, q *ftest.Query) error {
	text, err := r.folder.read(q.Script)
	if err != nil {
		return err
	}
	r.mocked[q.Sink] = true
	for _, u := range r.unit.records {
		switch rec := u.Record.(type) {
		case *ftest.Feed:
			r.mocked[rec.Table] = true
		case *ftest.Time:
			r.mocked[rec.Table] = true
		}
	}
	if err := r.exec(ctx, string(text)); err != nil {
		return err
	}
	o := r.outputs[r.path(q.Sink).String()]
	if o == nil {
		return fmt.Errorf("%s writes nothing to %s", q.Script, q.Sink)
	}
	r.outputs[q.Name] = o
	return nil
}

// mock gives tables of a script that the test feeds the connector 'test'.
func (r *run) mock(stmt ast.Statement) ast.Statement {
	c, ok := stmt.(*ast.CreateTable)
	if !ok || c.Like != nil || !r.mocked[c.Name.Parts[len(c.Name.Parts)-1].Text] {
		if r.variant.Batch {
			return timeless(stmt)
		}
		return stmt
	}
	m := *c
	m.Options = []ast.Option{{Key: "connector", Value: "test"}}
	if r.variant.Batch {
		return timeless(&m)
	}
	return &m
}

// path is the full name of a table.
func (r *run) path(name string) catalog.Path {
	return r.sess.Catalog().Qualify(strings.Split(strings.ReplaceAll(name, "`", ""), "."))
}

// output finds what a look is about: a query, or a table that is written to.
func (r *run) output(name string) (*output, error) {
	if o := r.outputs[name]; o != nil {
		return o, nil
	}
	if o := r.outputs[r.path(name).String()]; o != nil {
		return o, nil
	}
	return nil, fmt.Errorf("there is no query %s, and no test table of that name is written to", name)
}
