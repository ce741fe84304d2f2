// Package feed is the connector of tables whose rows, watermarks and end come
// from Go code. A table is a log: whoever reads it waits at its end for more. The
// tables of fsql test keep everything: a reader starts at the beginning or where
// a checkpoint says. Those of a program that embeds fsql hold what somebody has
// still to read, and who feeds them waits while that is much.
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
	name   string // of the connector
	most   int    // see Table.most
	mu     sync.Mutex
	tables map[string]*Table
	sinks  map[string]func(*row.Batch)
}

// New returns a world without tables. Its connector is 'test', its tables keep
// what they were fed.
func New() *World { return newWorld("test", 0) }

// Passing returns a world whose connector has the given name and whose tables
// forget rows that were read; most rows may wait in each.
func Passing(name string, most int) *World { return newWorld(name, most) }

func newWorld(name string, most int) *World {
	return &World{name: name, most: most, tables: map[string]*Table{}, sinks: map[string]func(*row.Batch){}}
}

// Connector returns the connector of the world's tables.
func (w *World) Connector() *connector.Connector {
	return &connector.Connector{
		Name: w.name,
		Options: &option.Set{Defs: []option.Def{
			{Key: "watermark", Type: option.Enum, Choices: []string{"row", "manual"}, Default: "row",
				Doc: "Whether the table's watermark expression decides about event time, or only what is said beside the rows."},
			{Key: "changelog-mode", Type: option.Enum, Choices: []string{"I", "I,UA,D", "I,UB,UA,D"}, Default: "I",
				Doc: "The row kinds that are fed."},
			{Key: "splits", Type: option.Int, Default: "1", Doc: "How many splits the table has, which are idle and have event time one by one."},
			{Key: "bounded", Type: option.Bool, Default: "false", Doc: "Whether the table is sure to end."},
		}},
		Kinds: kinds,
		Source: func(t *connector.Table) (connector.Source, error) {
			s := &source{name: t.Name, table: w.Table(t.Name), schema: t.Schema, wanted: t.Wanted, kinds: kinds(t.Options)}
			s.manual = t.Options.String("watermark") == "manual"
			s.bounded = t.Options.Bool("bounded")
			if s.splits = int(t.Options.Int("splits")); s.splits > 1 && !s.manual || s.splits < 1 {
				return nil, diag.New(diag.NotSupported, diag.Span{}, "'splits' = '%d' needs 'watermark' = 'manual'", s.splits).
					WithHint("each split is told its event time: watermark TABLE TIME split=0")
			}
			return s, nil
		},
		Sink: func(t *connector.Table) (connector.Sink, error) { return &sink{w, t.Name}, nil },
	}
}

// kinds are those that are fed.
func kinds(o *option.Values) row.Kinds {
	switch o.String("changelog-mode") {
	case "I,UA,D":
		return row.Upserts
	case "I,UB,UA,D":
		return row.AllKinds
	}
	return row.InsertOnly
}

// Table returns the table of a full name; it is made when first asked for.
func (w *World) Table(name string) *Table {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tables[name]
	if t == nil {
		t = &Table{most: w.most, time: types.MinTime}
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

	// most is how much may wait in the log; 0: everything is kept. See bound.go
	// for the rest.
	most    int
	first   int           // number of the entry log[0]
	waiting int           // what the entries of the log weigh
	room    chan struct{} // closed when the log has become shorter; nil: nobody waits
	closed  error         // what feeding says from now on; nil: it goes on
	time    types.Time    // event time and idleness before log[0]
	idle    bool
}

// entry is one thing that was fed.
type entry struct {
	rows *row.Batch // nil: none
	what what
	time types.Time // of a mark
	// split is what the entry is about, counted from 1; 0: all of them.
	split int
}

type what uint8

const (
	rows what = iota
	mark
	idle
	active
	splitEnd // of one split
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

func (t *Table) add(e entry) error { return t.put(context.Background(), e) }

func (t *Table) at(i int) (entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i -= t.first; i < len(t.log) {
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

// Adaptive implements connector.Adaptive.
func (s *sink) Adaptive() {}

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
