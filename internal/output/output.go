// Package output prints results in one of several formats, either every change
// as it comes (log) or the rows that are left at the end (final).
package output

import (
	"io"

	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

// Mode says how a changing result is shown.
type Mode string

// The modes.
const (
	Final Mode = "final" // the rows that are left when the input has ended
	Log   Mode = "log"   // one line per change
)

// Format is how rows are spelled.
type Format string

// The formats.
const (
	Table    Format = "table"    // Flink's tableau
	Box      Format = "box"      // a table in drawn lines
	Markdown Format = "markdown" // a table for documents
	CSV      Format = "csv"
	TSV      Format = "tsv"      // parted by tabs
	JSON     Format = "json"     // one array
	NDJSON   Format = "ndjson"   // one object per line
	Debezium Format = "debezium" // before, after and op of every change
	Line     Format = "line"     // one line per column
	Arrow    Format = "arrow"    // an Arrow IPC stream
)

// TextFormats are the formats that a person can read, in the order they are
// documented.
func TextFormats() []string {
	return []string{string(Table), string(Box), string(Markdown), string(CSV), string(TSV), string(JSON), string(NDJSON), string(Debezium), string(Line)}
}

// OpColumn says when the row kind is shown.
type OpColumn string

// The choices: auto shows it when the query can update.
const (
	OpAuto   OpColumn = "auto"
	OpAlways OpColumn = "always"
	OpNever  OpColumn = "never"
)

// Options of a printed result.
type Options struct {
	Mode   Mode
	Format Format
	Op     OpColumn
	Zone   expr.Zone // for TIMESTAMP_LTZ
	// MaxWidth cuts the cells of tables (table.display.max-column-width).
	MaxWidth int
	// Width of the screen that tables are made to fit; 0: any.
	Width int
	// Blocks shows a table that cannot be made to fit as Line does.
	Blocks bool
	// Null is the text of NULL in formats for people and in csv and tsv; nil: as
	// the format has it.
	Null *string
	// NoHeader leaves the line with the names of columns out.
	NoHeader bool
	// Color tells the kinds of changes apart in the log of a table.
	Color bool
}

// Printer takes the batches of one result.
type Printer interface {
	// Print takes a batch; it does not keep it in Log mode.
	Print(b *row.Batch) error
	// Close prints what is still to come and flushes.
	Close() error
}

// New returns the printer of a result. kinds are what the query may emit.
func New(w io.Writer, s *types.Schema, kinds row.Kinds, o Options) Printer {
	if o.MaxWidth <= 0 {
		o.MaxWidth = 30
	}
	out := &sink{w: &rowBuffer{to: w}, schema: s, opts: o}
	out.op = o.Mode == Log && (o.Op == OpAlways || o.Op == OpAuto && kinds != row.InsertOnly)
	switch o.Format {
	case Arrow:
		out.format = &arrowFormat{}
	case Table:
		out.format = &tableFormat{look: tableau()}
	case Box:
		out.format = &tableFormat{look: boxed()}
	case Markdown:
		out.format = markdownFormat{}
	case TSV:
		out.format = tsvFormat{}
	case JSON:
		out.format = &jsonFormat{array: true}
	case NDJSON:
		out.format = &jsonFormat{}
	case Debezium:
		// Every change says what it is; nothing is left out.
		out.format, out.op = &jsonFormat{debezium: true}, o.Mode == Log && o.Op != OpNever
	case Line:
		out.format = &lineFormat{}
	default:
		out.format = &csvFormat{}
	}
	if o.Mode == Final && kinds != row.InsertOnly {
		return newFolder(out)
	}
	return out
}

// rowFormat spells rows in one format.
type rowFormat interface {
	begin(s *sink) error
	row(s *sink, k row.Kind, b *row.Batch, r int) error
	end(s *sink) error
}

// sink writes rows in the order they come.
type sink struct {
	w       *rowBuffer
	schema  *types.Schema
	opts    Options
	op      bool // the row kind is shown
	format  rowFormat
	started bool
	rows    int64
	cell    []byte
}

// null is the text of NULL.
func (s *sink) null(usual string) string {
	if s.opts.Null != nil {
		return *s.opts.Null
	}
	return usual
}

func (s *sink) start() error {
	if s.started {
		return nil
	}
	s.started = true
	return s.format.begin(s)
}

// Print writes the rows of b. Without an op column in log mode (--op never) the
// rows that take something away are left out.
func (s *sink) Print(b *row.Batch) error {
	for r := 0; r < b.Rows; r++ {
		k := b.Kind(r)
		if !s.op && !k.Adds() {
			continue
		}
		if err := s.start(); err != nil {
			return err
		}
		s.rows++
		if err := s.format.row(s, k, b, r); err != nil {
			return err
		}
		if err := s.w.rowEnds(); err != nil {
			return err
		}
	}
	if s.opts.Mode == Log {
		return s.w.Flush()
	}
	return nil
}

// Cut ends a result that somebody cancelled, without a count of its rows, which
// is not the result's.
func Cut(p Printer) error {
	s, log := p.(*sink)
	if !log || s.opts.Mode != Log {
		return p.Close()
	}
	if t, ok := s.format.(*tableFormat); ok && s.w.passed && t.blocks == nil {
		t.rule(s, t.look.bottom)
	}
	return s.w.Flush()
}

// Fail ends a result whose query has failed. What was printed stays; what would
// pass for a result is left out: a head without rows, a count, and the rows of
// formats that show them at the end.
func Fail(p Printer) error {
	s, streams := p.(*sink)
	if !streams || s.rows == 0 {
		return nil
	}
	if _, ok := s.format.(*tableFormat); !ok {
		return p.Close()
	}
	if s.opts.Mode == Log {
		return Cut(p)
	}
	return nil
}

// Close ends the result.
func (s *sink) Close() error {
	if err := s.start(); err != nil {
		return err
	}
	if err := s.format.end(s); err != nil {
		return err
	}
	return s.w.Flush()
}
