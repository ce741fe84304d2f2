// Package feed is the connector 'test': tables whose rows, watermarks and end
// come from Go code. A table is a log: whoever reads it starts at its beginning
// or where a checkpoint says, and waits at its end for more. As a sink it keeps
// the changes that are written to it.
package feed

import (
	"context"
	"sync"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// World holds the tables of one session by their full names. It may be used
// from several goroutines.
type World struct {
	mu     sync.Mutex
	tables map[string]*Table
	sinks  map[string]func(*row.Batch)
}

// New returns a world without tables.
func New() *World { return &World{tables: map[string]*Table{}, sinks: map[string]func(*row.Batch){}} }

// Connector returns the connector 'test' over the tables of the world.
func (w *World) Connector() *connector.Connector {
	return &connector.Connector{
		Name: "test",
		Options: &option.Set{Defs: []option.Def{
			{Key: "watermark", Type: option.Enum, Choices: []string{"row", "manual"}, Default: "row",
				Doc: "Whether the table's watermark expression decides about event time, or only what the test says."},
			{Key: "changelog-mode", Type: option.Enum, Choices: []string{"I", "I,UA,D", "I,UB,UA,D"}, Default: "I",
				Doc: "The row kinds that are fed."},
			{Key: "bounded", Type: option.Bool, Default: "false", Doc: "Whether the table is sure to end."},
		}},
		Source: func(t *connector.Table) (connector.Source, error) {
			s := &source{table: w.Table(t.Name), schema: t.Schema, wanted: t.Wanted, kinds: row.InsertOnly}
			s.manual = t.Options.String("watermark") == "manual"
			s.bounded = t.Options.Bool("bounded")
			switch t.Options.String("changelog-mode") {
			case "I,UA,D":
				s.kinds = row.Upserts
			case "I,UB,UA,D":
				s.kinds = row.AllKinds
			}
			return s, nil
		},
		Sink: func(t *connector.Table) (connector.Sink, error) { return &sink{w, t.Name}, nil },
	}
}

// Table returns the table of a full name; it is made when first asked for.
func (w *World) Table(name string) *Table {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tables[name]
	if t == nil {
		t = &Table{}
		w.tables[name] = t
	}
	return t
}

// OnWrite sets who gets the batches that are written to a table; without it
// they are dropped. It is called by the goroutine of the sink.
func (w *World) OnWrite(name string, to func(*row.Batch)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sinks[name] = to
}

// Table is the log of what was fed to a table.
type Table struct {
	mu      sync.Mutex
	log     []entry
	readers []*reader
}

// entry is one thing that was fed.
type entry struct {
	rows *row.Batch // nil: none
	what what
	time types.Time // of a mark
}

type what uint8

const (
	rows what = iota
	mark
	idle
	active
	end
)

// Rows appends rows. The batch has the columns of the table that are neither
// computed nor metadata, found by name.
func (t *Table) Rows(b *row.Batch) error { return t.add(entry{rows: b}) }

// Watermark says that event time has reached w. It never goes back: what is not
// later than an earlier one changes nothing.
func (t *Table) Watermark(w types.Time) error { return t.add(entry{what: mark, time: w}) }

// Idle says that event time must not wait for the table until its next row, or
// until Active.
func (t *Table) Idle() error { return t.add(entry{what: idle}) }

// Active takes Idle back.
func (t *Table) Active() error { return t.add(entry{what: active}) }

// End says that nothing will follow.
func (t *Table) End() error { return t.add(entry{what: end}) }

// Ended tells that End was called.
func (t *Table) Ended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended()
}

func (t *Table) ended() bool { return len(t.log) > 0 && t.log[len(t.log)-1].what == end }

func (t *Table) add(e entry) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended() {
		return diag.New(diag.NotSupported, diag.Span{}, "the table has ended, nothing can follow")
	}
	t.log = append(t.log, e)
	for _, r := range t.readers {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
	return nil
}

func (t *Table) at(i int) (entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i < len(t.log) {
		return t.log[i], true
	}
	return entry{}, false
}

// sink hands what is written to whoever asked for it.
type sink struct {
	world *World
	name  string
}

func (s *sink) OpenWriter(context.Context, int) (connector.Writer, error) { return s, nil }

// Accepts every kind.
func (s *sink) Accepts() row.Kinds { return row.AllKinds }

func (s *sink) Write(_ context.Context, b *row.Batch) error {
	s.world.mu.Lock()
	to := s.world.sinks[s.name]
	s.world.mu.Unlock()
	if to != nil {
		to(b)
	}
	return nil
}

func (s *sink) Flush(context.Context) error { return nil }
func (s *sink) Close() error                { return nil }
