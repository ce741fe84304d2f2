// Package connector is the contract of sources and sinks and the registry of
// them.
package connector

import (
	"context"
	"io"

	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Connector is one registered kind of table.
type Connector struct {
	Name    string
	Options *option.Set
	// Formatted connectors take 'format' and the format's own options.
	Formatted bool
	// Keys tells whether tables have keys besides values, in a format of theirs:
	// 'key.format' and 'value.format'.
	Keys Keys
	// Metadata columns offered: key and type.
	Metadata []types.Column
	// Kinds are those that the rows of a source with these options may carry; nil:
	// those of the format, or inserts alone.
	Kinds func(o *option.Values) row.Kinds
	// Source and Sink; nil: the connector is not one.
	Source func(t *Table) (Source, error)
	Sink   func(t *Table) (Sink, error)
}

// Keys tells what a connector has beside the values of messages.
type Keys uint8

// The kinds of connectors.
const (
	NoKeys Keys = iota
	MayHaveKeys
	MustHaveKeys
)

// Table is what a connector is told about a table in use.
type Table struct {
	Name string // full name, for messages
	// Schema holds the physical and the used metadata columns, in order of
	// declaration.
	Schema *types.Schema
	// Metadata[i] is the metadata key of column i, "" for a physical column.
	Metadata []string
	// Wanted[i] tells whether a source's column i is read by somebody.
	Wanted     []bool
	PrimaryKey []int
	Options    *option.Values
	Format     *format.Format
	FormatOpts *option.Values
	// KeyFormat is that of the keys; nil: they are not looked at.
	KeyFormat     *format.Format
	KeyFormatOpts *option.Values
	Dir           string // base of relative paths
	Zone          string // session time zone
	Parallel      int
	Limit         int64 // rows after which the source may end, -1: none
	// Clock is processing time in milliseconds; nil: the system's.
	Clock func() types.Time
	// Out and Err are the standard streams of the print connector.
	Out, Err io.Writer
	// Partitions are the columns of PARTITIONED BY.
	Partitions []string
}

// Source finds splits once (and again on refresh, later) and opens readers.
type Source interface {
	// Splits lists the splits in the order in which one reader would read them.
	Splits(ctx context.Context) ([]Split, error)
	// Open returns a reader that reads the given splits one after another.
	Open(ctx context.Context, own []Split) (Reader, error)
	// Bounded tells that the source ends.
	Bounded() bool
	// Kinds the rows may carry.
	Kinds() row.Kinds
}

// Split is a part of a source. Offset is where to go on; only the connector
// reads it, nil is the beginning. (Messages show its first eight bytes as the
// big-endian number that they are in most connectors.)
type Split struct {
	ID     string
	Offset []byte
}

// Reader gives rows of its splits. It never blocks for long: a connector that
// needs goroutines keeps them behind Poll.
type Reader interface {
	// Poll appends at most max rows of one split to out: to the wanted
	// columns only (the others stay empty). out has no marks.
	Poll(out *row.Builder, max int) (Status, error)
	// Wake is signalled when Poll may have news after Waiting; nil if Poll
	// never answers Waiting.
	Wake() <-chan struct{}
	// Positions tells where to resume after the rows polled so far: all that is
	// left to read, and whatever else the connector has to know then. A job
	// that resumes opens the source with them and does not ask for Splits; if
	// its parallelism changed, they are dealt out anew.
	Positions() []Split
	// Counters of the reader, for metrics ("numRecordsInErrors").
	Skipped() int64
	Close() error
}

// Status of a poll.
type Status uint8

// The answers of Poll.
const (
	Progressed Status = iota // rows were added, or at least bytes were read
	Waiting                  // nothing now
	Ended                    // no row will ever follow
)

// Sink writes rows: one Writer per subtask.
type Sink interface {
	OpenWriter(ctx context.Context, subtask int) (Writer, error)
	// Accepts tells the kinds the sink takes. A sink that takes UpdateAfter and
	// not UpdateBefore is spared the old rows where the plan can leave them out;
	// behind a filter over updates it gets them and must take them for deletes.
	Accepts() row.Kinds
}

// Adaptive is an optional part of a Sink that takes old rows and can do without
// them: whether it finds a row by its primary key or by the old one is up to the
// plan. Other sinks that take old rows always get them.
type Adaptive interface{ Adaptive() }

// Writer of one subtask.
type Writer interface {
	Write(ctx context.Context, b *row.Batch) error
	// Flush makes what was written visible as far as the sink promises; it is
	// called at barriers and at the end of input.
	Flush(ctx context.Context) error
	Close() error
}

// Registry of connectors and formats, in the order they are documented.
type Registry struct {
	Connectors []*Connector
	Formats    []*format.Format
}

// Connector returns the connector of that name, or nil.
func (r *Registry) Connector(name string) *Connector {
	for _, c := range r.Connectors {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Format returns the format of that name, or nil.
func (r *Registry) Format(name string) *format.Format {
	for _, f := range r.Formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Parallel is an optional part of a Source that several subtasks may read at
// once. Sources without it are read by one subtask, and so are those whose
// order matters: with a watermark, or with updates.
type Parallel interface {
	// Readers tells how many readers have something to do, at most most.
	Readers(most int) int
}

// Parted is an optional part of a Reader whose splits are read side by side and
// have event time each of their own, as the partitions of a topic have: that of
// the source is the least of those that are neither idle nor ended.
type Parted interface {
	// Part is the split of the rows of the last Poll: its place among the Parts.
	Part() int
	// Parts are the splits known so far, ended ones too. The list only grows.
	Parts() []PartState
}

// PartState is a split as a Parted reader knows it.
type PartState struct {
	ID    string // of the split
	Ended bool
}

// Timed is an optional part of a Source in whose place Flink has one generator
// of watermarks per split: event time starts below all times.
type Timed interface{ PerSplit() bool }

// Acknowledged is an optional part of a Reader that wants to know which
// positions will never be gone back behind: those of the newest durable
// checkpoint. It is called by another goroutine than the one that polls and must
// not wait.
type Acknowledged interface{ Durable(positions []Split) }

// Described is an optional part of a Source that has something to say about how
// it reads, for EXPLAIN: "monitor=[1000 ms]".
type Described interface{ Describe() string }

// Pruned is an optional part of a Source whose splits hold columns that are the
// same in all their rows: the columns of PARTITIONED BY.
type Pruned interface {
	// Prune drops splits that cannot have a row that is wanted. keep is given a
	// batch with a row per split, in the layout of the table, of which the
	// partition columns are filled, and tells which splits to keep. A split whose
	// name is no value of the column's type is kept, so that reading it says so.
	Prune(keep func(parts *row.Batch) ([]bool, error)) error
}
