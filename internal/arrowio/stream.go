package arrowio

import (
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"fsql/row"
	"fsql/types"
)

// Stream writes a result as an Arrow IPC stream.
type Stream struct {
	schema *arrow.Schema
	out    *ipc.Writer
	op     bool
}

// NewStream begins a stream; with op the row kind is the first column.
func NewStream(w io.Writer, s *types.Schema, op bool) (*Stream, error) {
	if op {
		s = WithOp(s)
	}
	a, err := Schema(s)
	if err != nil {
		return nil, err
	}
	return &Stream{schema: a, out: ipc.NewWriter(w, ipc.WithSchema(a)), op: op}, nil
}

// Write writes the rows of a batch as one record batch.
func (s *Stream) Write(b *row.Batch) error {
	if b.Rows == 0 {
		return nil
	}
	if s.op {
		b = AddOp(b)
	}
	rec, err := Record(s.schema, b)
	if err != nil {
		return err
	}
	return s.out.Write(rec)
}

// Close ends the stream.
func (s *Stream) Close() error { return s.out.Close() }

// Read reads a stream back, for tests and for programs that have no Arrow
// library at hand: every record in order.
func Read(r io.Reader) ([]arrow.Record, error) {
	in, err := ipc.NewReader(r)
	if err != nil {
		return nil, err
	}
	var out []arrow.Record
	for in.Next() {
		rec := in.Record()
		rec.Retain()
		out = append(out, rec)
	}
	return out, in.Err()
}
