package spectest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fsql/internal/ftest"
	printer "fsql/internal/output"
	"fsql/planner"
	"fsql/row"
	"fsql/sql/ast"
)

// onFlink runs a test on a Flink cluster, through its SQL gateway: what a test
// feeds becomes a file per table, which the cluster must see; the tables that
// are looked at behind the last feed are compared with what the query gives
// there. Whatever needs the test's clock or its watermarks is left out. fsql
// plans the same statements, for the names and types of columns.
type onFlink struct {
	*run
	gate    *gateway
	dir     string
	line    int
	queries map[string]flinkQuery // by the name of a query, or of a table that is written to
	rows    map[string]*bytes.Buffer
}

// flinkQuery is a query and what fsql says about it.
type flinkQuery struct {
	sql  string
	plan *planner.Plan
}

// flinkPatience is how long a statement may take there.
const flinkPatience = 90 * time.Second

// executeOnFlink runs a test on the gateway of the options.
func executeOnFlink(ctx context.Context, o *Options, u *Unit) *Result {
	v := Variant{Parallelism: 1, Restart: "none", Flink: true}
	f := &onFlink{run: newRun(o, u, v), queries: map[string]flinkQuery{}, rows: map[string]*bytes.Buffer{}}
	err := f.test(ctx)
	f.close()
	if e := f.folder.remove(); err == nil {
		err = e
	}
	if err != nil && !errors.Is(err, errSkip) {
		var s *sqlError
		detail := ""
		if errors.As(err, &s) {
			detail = strings.TrimSpace(s.text)
		}
		f.result.fail(&Failure{File: u.File, Line: max(1, f.line), What: "on Flink", Message: err.Error(), Detail: detail})
	}
	return f.result
}

func (f *onFlink) test(ctx context.Context) error {
	last := -1
	for i, u := range f.unit.records {
		switch rec := u.Record.(type) {
		case *ftest.Feed:
			if last = i; rec.Op || rec.Split != "" {
				return f.skip("%s is fed row kinds or splits", rec.Table)
			}
		case *ftest.Advance:
			return f.skip("the clock is moved")
		case *ftest.Time:
			if last = i; rec.What != "end" {
				return f.skip("%s %s", rec.What, rec.Table)
			}
		case *ftest.Query:
			if rec.Script != "" {
				return f.skip("it tests a script")
			}
		case *ftest.Condition:
			if rec.What != "only" || rec.Engine != "flink" {
				return f.skip("%s %s%s", rec.What, rec.Engine, rec.Reason)
			}
		}
	}
	if err := f.open(); err != nil {
		return err
	}
	var err error
	if f.dir, err = os.MkdirTemp("", "fsql-flink-"); err != nil {
		return err
	}
	defer os.RemoveAll(f.dir)
	if err := os.Chmod(f.dir, 0o755); err != nil { // the cluster is somebody else
		return err
	}
	f.gate, err = openGateway(ctx, f.opts.Endpoint, map[string]string{
		"execution.runtime-mode": "streaming", "parallelism.default": "1", "table.local-time-zone": f.set.zone,
		"pipeline.auto-watermark-interval": "0 ms",
	})
	if err != nil {
		return err
	}
	defer f.gate.close(context.WithoutCancel(ctx))
	for i, u := range f.unit.records {
		f.file, f.line = u.file, u.line()
		if err := f.record(ctx, u, i > last); err != nil {
			return err
		}
	}
	return nil
}

func (f *onFlink) skip(format string, args ...any) error {
	f.result.Skipped = "not for Flink: " + fmt.Sprintf(format, args...)
	return errSkip
}

// record does what there is to do there of a record; over: nothing is fed
// behind it.
func (f *onFlink) record(ctx context.Context, u unitRecord, over bool) error {
	switch rec := u.Record.(type) {
	case *ftest.Exec:
		return f.statements(ctx, rec.SQL, func(s ast.Statement) error { return f.exec(ctx, s, rec.SQL) })
	case *ftest.Query:
		return f.statements(ctx, rec.SQL, func(s ast.Statement) error { return f.query(ctx, rec.Name, s, rec.SQL) })
	case *ftest.Feed:
		return f.feed(rec)
	case *ftest.Table:
		if q, ok := f.queries[rec.Name]; ok && over {
			f.result.Checks++
			return f.look(ctx, rec, q, rec.Key)
		}
	}
	return nil
}

// exec makes tables there and here; an INSERT into a test table is a query
// under the table's name.
func (f *onFlink) exec(ctx context.Context, stmt ast.Statement, text string) error {
	sql := text[stmt.Span().Start:stmt.Span().End]
	switch s := stmt.(type) {
	case *ast.Insert:
		name := s.Table.Parts[len(s.Table.Parts)-1].Text
		if _, _, err := f.testTable(name); err != nil || len(s.Columns) > 0 || s.Partition != nil {
			return f.skip("it writes to %s", name)
		}
		return f.query(ctx, name, &ast.QueryStatement{At: ast.At{Pos: s.Query.Span()}, Query: s.Query}, text)
	case *ast.StatementSet, *ast.QueryStatement, *ast.ClientCommand:
		return f.skip("it holds more than tables and settings")
	case *ast.CreateTable:
		if n := len(s.Options); n > 0 && isTest(s) {
			for _, o := range s.Options {
				if o.Key != "connector" && o.Key != "bounded" {
					return f.skip("a table has '%s'", o.Key)
				}
			}
			name := s.Name.Parts[len(s.Name.Parts)-1].Text
			file := filepath.Join(f.dir, name+".json")
			f.rows[name] = &bytes.Buffer{}
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				return err
			}
			sql = text[stmt.Span().Start:s.Options[0].KeyPos.Pos.Start] +
				"'connector' = 'filesystem', 'path' = 'file://" + filepath.ToSlash(file) + "', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601'" +
				text[s.Options[n-1].ValuePos.Pos.End:stmt.Span().End]
		}
	}
	if _, err := f.sess.Execute(ctx, stmt); err != nil {
		return err
	}
	_, err := f.ask(ctx, sql)
	return err
}

func isTest(c *ast.CreateTable) bool {
	for _, o := range c.Options {
		if o.Key == "connector" && o.Value == "test" {
			return true
		}
	}
	return false
}

// ask runs a statement there.
func (f *onFlink) ask(ctx context.Context, sql string) ([]answered, error) {
	ctx, stop := context.WithTimeout(ctx, flinkPatience)
	defer stop()
	f.tracef("flink: %s", sql)
	return f.gate.run(ctx, sql)
}

func (f *onFlink) query(ctx context.Context, name string, stmt ast.Statement, text string) error {
	plan, err := f.sess.Prepare(ctx, stmt, discard{})
	if err != nil {
		return err
	}
	f.queries[name] = flinkQuery{text[stmt.Span().Start:stmt.Span().End], plan}
	return nil
}

// feed appends rows to the file of a table.
func (f *onFlink) feed(rec *ftest.Feed) error {
	t, _, err := f.testTable(rec.Table)
	if err != nil {
		return err
	}
	file := f.rows[rec.Table]
	if file == nil {
		return f.skip("%s is fed and was not made by CREATE TABLE with options", rec.Table)
	}
	b, err := f.fedBatch(t, rec)
	if err != nil {
		return err
	}
	p := printer.New(file, b.Schema, row.InsertOnly, printer.Options{Mode: printer.Final, Format: printer.NDJSON, Zone: f.spell.zone})
	if err := p.Print(b); err != nil {
		return err
	}
	if err := p.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(f.dir, rec.Table+".json"), file.Bytes(), 0o644)
}

// look compares the rows that are left at the end of a query.
func (f *onFlink) look(ctx context.Context, rec *ftest.Table, q flinkQuery, key []string) error {
	rows, err := f.ask(ctx, q.sql)
	if err != nil {
		return err
	}
	o := &output{name: rec.Name, spell: f.spell, schema: q.plan.Schema, kinds: row.AllKinds}
	for _, a := range rows {
		if len(a.cells) != len(o.schema.Columns) {
			return fmt.Errorf("the answer of Flink has %d columns, that of fsql %d", len(a.cells), len(o.schema.Columns))
		}
		c := change{kind: a.kind}
		for i, text := range a.cells {
			cell := ftest.Cell{Null: text == nil}
			if text != nil {
				cell.Text, cell.Quoted = *text, true
			}
			spelled, err := f.spell.expected(cell, o.schema.Columns[i].Type.Plain())
			if err != nil {
				return fmt.Errorf("column %s: %w", o.schema.Columns[i].Name, err)
			}
			c.cells = append(c.cells, spelled)
		}
		o.changes = append(o.changes, c)
	}
	columns, err := o.columns(key)
	if err != nil {
		return err
	}
	left, bad := o.content(columns)
	if bad != "" {
		return fmt.Errorf("%s takes back a row that is not there", bad)
	}
	s := sides{actual: lines(left, false), ordered: q.plan.Ordered && !rec.Sort}
	if s.expected, s.head, _, err = f.expected(rec.Expected, o.schema, false); err != nil {
		return err
	}
	f.compare(rec, rec.Line, &rec.Expected, s, nil, nil)
	return nil
}
