package session

import (
	"context"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"fsql/connector/feed"
	"fsql/internal/arrowio"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/govalue"
	"fsql/row"
	"fsql/types"
)

// The connector of tables that a program feeds or reads. It is known to a
// session from the first Feed or ReadTable on.
const (
	programConnector = "program"
	// feedRows is how many rows (and watermarks) wait in a table that nobody
	// reads, or that is read slowly, before feeding it waits.
	feedRows = 1 << 16
)

// Feed is the writing end of a table that the program feeds. Its methods may be
// called by several goroutines.
//
// Rows wait in the table until a query reads them: at most 65,536, then
// feeding waits, too. Queries that run at the same time all get the rows that
// come while they run; one that begins later gets those that nobody has read
// yet.
type Feed struct {
	name    string
	schema  *types.Schema // of the columns that are fed
	arrow   *arrow.Schema
	table   *feed.Table
	instant bool // event time is that of a TIMESTAMP_LTZ
	kinds   row.Kinds
}

// Feed opens a table for writing. The table has been declared with
//
//	CREATE TABLE t (...) WITH ('connector' = 'program')
//
// Options: 'changelog-mode' is 'I' (rows are only added), 'I,UA,D' or
// 'I,UB,UA,D'; 'watermark' = 'manual' leaves event time to Watermark alone,
// otherwise it comes from the rows, by the table's WATERMARK clause, and from
// Watermark.
func (s *Session) Feed(table string) (*Feed, error) {
	t, world, err := s.programTable(table)
	if err != nil {
		return nil, err
	}
	f := &Feed{name: t.Path.String(), schema: &types.Schema{}, table: world.Table(t.Path.String()), kinds: row.InsertOnly}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Physical() {
			f.schema.Columns = append(f.schema.Columns, types.Column{Name: c.Name, Type: c.Type.Plain()})
		}
	}
	if w := t.Watermark; w != nil {
		c, _ := t.Column(w.Column)
		f.instant = c != nil && c.Type.Kind == types.TimestampLTZ
	}
	for _, o := range t.Options {
		if o.Key == "changelog-mode" && strings.Contains(o.Value, "D") {
			f.kinds = row.AllKinds
			if !strings.Contains(o.Value, "UB") {
				f.kinds = row.Upserts
			}
		}
	}
	f.arrow, err = arrowio.Schema(f.schema)
	return f, err
}

// Schema is the table's as Arrow has it: the columns to be fed, without the
// computed ones.
func (f *Feed) Schema() *arrow.Schema { return f.arrow }

// Append adds rows, each a value per column of Schema: the types of the package
// comment, and what converts without loss. It waits while the table is full. On
// an error none of the rows was added.
func (f *Feed) Append(ctx context.Context, rows ...[]any) error {
	b := row.NewBuilder(f.schema)
	for _, r := range rows {
		if err := f.put(b, row.Insert, r); err != nil {
			return err
		}
	}
	return f.send(ctx, b)
}

// Change is a row with its kind.
type Change struct {
	Kind row.Kind
	Row  []any
}

// AppendChanges adds changes, for tables with 'changelog-mode'.
func (f *Feed) AppendChanges(ctx context.Context, changes ...Change) error {
	b := row.NewBuilder(f.schema)
	for _, c := range changes {
		if err := f.put(b, c.Kind, c.Row); err != nil {
			return err
		}
	}
	return f.send(ctx, b)
}

// AppendRecord adds the rows of a record, whose columns are found by name and
// may be of the types of Schema, whole numbers of any width that fit, and times
// of any unit. A column "op" of the record that the table does not have is the
// row kind, as Changes gives it. The values are copied.
func (f *Feed) AppendRecord(ctx context.Context, rec arrow.Record) error {
	b, err := arrowio.Batch(f.schema, rec)
	if err == nil && f.schema.Index(arrowio.OpColumn) < 0 {
		b.Kinds, err = arrowio.Ops(rec)
	}
	if err != nil {
		return f.named(err)
	}
	for _, k := range b.Kinds {
		if !f.kinds.Has(k) {
			return f.refused(k)
		}
	}
	if b.Rows == 0 {
		return nil
	}
	return f.table.AppendRows(ctx, b)
}

// Watermark says that event time has reached t: a TIMESTAMP column counts by its
// wall clock, a TIMESTAMP_LTZ by the instant. It holds for rows that follow.
func (f *Feed) Watermark(ctx context.Context, t time.Time) error {
	ms := t.UnixMilli()
	if _, offset := t.Zone(); !f.instant {
		ms += int64(offset) * 1000
	}
	return f.table.AppendWatermark(ctx, types.Time(ms))
}

// Idle says that event time of other tables must not wait for this one until its
// next row.
func (f *Feed) Idle() error { return f.table.Idle() }

// End says that no row follows: queries over the table come to their end.
func (f *Feed) End() error { return f.table.End() }

func (f *Feed) put(b *row.Builder, k row.Kind, values []any) error {
	if len(values) != len(b.Cols) {
		return diag.New(diag.ColumnCount, diag.Span{}, "table '%s' takes %d values a row, not %d", f.name, len(b.Cols), len(values)).
			WithHint("computed columns are not fed")
	}
	if !f.kinds.Has(k) {
		return f.refused(k)
	}
	for i, x := range values {
		if err := govalue.Append(b.Cols[i], x); err != nil {
			e := diag.Of(err)
			e.Msg = "column '" + f.schema.Columns[i].Name + "': " + e.Msg
			return f.named(e)
		}
	}
	b.Added(1, k)
	return nil
}

func (f *Feed) refused(k row.Kind) error {
	return diag.New(diag.ChangelogMode, diag.Span{}, "table '%s' does not take the row kind %s", f.name, k).
		WithHint("declare it: WITH ('changelog-mode' = 'I,UB,UA,D')")
}

func (f *Feed) send(ctx context.Context, b *row.Builder) error {
	batch := b.Flush()
	if batch == nil {
		return nil
	}
	return f.table.AppendRows(ctx, batch)
}

func (f *Feed) named(err error) error {
	e := diag.Of(err)
	e.Msg = "table '" + f.name + "', " + e.Msg
	return e
}

// programTable finds a table that the program feeds or reads.
func (s *Session) programTable(name string) (*catalog.Table, *feed.World, error) {
	p := s.catalog.Qualify(strings.Split(strings.ReplaceAll(name, "`", ""), "."))
	t, ok := s.catalog.Lookup(p).(*catalog.Table)
	if !ok {
		return nil, nil, s.catalog.Missing(p)
	}
	found := false
	for _, o := range t.Options {
		found = found || o.Key == "connector" && o.Value == programConnector
		if o.Key == "splits" {
			return nil, nil, diag.New(diag.BadOption, diag.Span{}, "table '%s': the option 'splits' is for tables of fsql test", p)
		}
	}
	if found {
		return t, s.program(), nil
	}
	return nil, nil, diag.New(diag.Usage, diag.Span{}, "table '%s' is not one that the program feeds or reads", p).
		WithHint("declare it WITH ('connector' = '%s')", programConnector)
}

// program are the tables of the program; the connector is offered from the
// first one on.
func (s *Session) program() *feed.World {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fed == nil {
		s.fed = feed.Passing(programConnector, feedRows)
		c := s.fed.Connector()
		c.Sink = s.pipeSink
		s.conns.Connectors = append(s.conns.Connectors, c)
	}
	return s.fed
}
