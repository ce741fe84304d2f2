// Package output prints results: as CSV, as a table or as JSON lines, either
// every change as it comes (log) or the rows that are left at the end (final).
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
	CSV    Format = "csv"
	Table  Format = "table"
	NDJSON Format = "ndjson"
	Arrow  Format = "arrow" // an Arrow IPC stream
	Line   Format = "line"  // one line per column
)

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
		out.format = &tableFormat{}
	case NDJSON:
		out.format = &jsonFormat{}
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
	if err := s.start(); err != nil {
		return err
	}
	for r := 0; r < b.Rows; r++ {
		k := b.Kind(r)
		if !s.op && !k.Adds() {
			continue
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
	if t, ok := s.format.(*tableFormat); ok && s.rows > 0 && t.blocks == nil {
		t.rule(s)
	}
	return s.w.Flush()
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
