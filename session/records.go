package session

import (
	"context"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"fsql/internal/arrowio"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// RecordReader reads rows as Arrow record batches. It is an array.RecordReader,
// so that Arrow's writers take it as it is. It is used by one goroutine.
//
// The reader must be released: its job runs as long as it is read, waits while
// it is not, and Release ends it. A record may be kept: it stays as it is after
// the next Next and after Release. The garbage collector owns its memory, so
// Retain and Release of records are allowed and not needed.
type RecordReader struct {
	refs   atomic.Int64
	stream *stream
	schema *arrow.Schema
	op     bool

	rec   arrow.Record
	kinds []row.Kind
	err   error
}

var _ array.RecordReader = (*RecordReader)(nil)

// Records runs the query and returns its rows. Row kinds are at Kind; a result
// whose Kinds is row.InsertOnly needs none. It may be called once per result.
// ctx ends the query; Err is then the context's.
func (r *Result) Records(ctx context.Context) (*RecordReader, error) { return r.records(ctx, false) }

// Changes is Records with the row kind (+I, -U, +U, -D) as a first column of
// the name "op", for readers that see nothing but the records.
func (r *Result) Changes(ctx context.Context) (*RecordReader, error) { return r.records(ctx, true) }

func (r *Result) records(ctx context.Context, op bool) (*RecordReader, error) {
	if r.Schema == nil {
		return nil, diag.New(diag.Usage, diag.Span{}, "the statement gives no rows")
	}
	return newReader(r.Schema, op, func() (*stream, error) { return r.stream(ctx) })
}

// newReader opens the stream once the schema is known to be one that Arrow has.
func newReader(s *types.Schema, op bool, open func() (*stream, error)) (*RecordReader, error) {
	if op {
		s = arrowio.WithOp(s)
	}
	schema, err := arrowio.Schema(s)
	if err != nil {
		return nil, err
	}
	t, err := open()
	if err != nil {
		return nil, err
	}
	out := &RecordReader{stream: t, schema: schema, op: op}
	out.refs.Store(1)
	return out, nil
}

// stream starts the query; a result has one reader.
func (r *Result) stream(ctx context.Context) (*stream, error) {
	if r.read {
		return nil, diag.New(diag.Usage, diag.Span{}, "the result has been read: it is read once").WithHint("run the statement again")
	}
	r.read = true
	return r.session.pull(ctx, r.Each), nil
}

// Schema of the records: nullability, and the SQL type of each column in its
// metadata under "sql-type".
func (r *RecordReader) Schema() *arrow.Schema { return r.schema }

// Next waits for the next record and tells whether there is one. It never has
// no rows. When Next is false, the rows have ended if Err is nil.
func (r *RecordReader) Next() bool {
	if r.err != nil || r.refs.Load() <= 0 {
		return false
	}
	b := r.stream.next()
	if b == nil {
		r.rec, r.kinds, r.err = nil, nil, r.stream.err
		return false
	}
	r.kinds = b.Kinds
	if r.op {
		b = arrowio.AddOp(b)
	}
	if r.rec, r.err = arrowio.Record(r.schema, b); r.err != nil {
		r.rec = nil
		r.stream.close(errReleased)
		return false
	}
	return true
}

// Record is the record that Next has found.
func (r *RecordReader) Record() arrow.Record { return r.rec }

// Kind is the row kind of row i of the record.
func (r *RecordReader) Kind(i int) row.Kind {
	if r.kinds == nil {
		return row.Insert
	}
	return r.kinds[i]
}

// Err is why Next is false: nil at the end of the rows and after Release, an
// *Error, or that of the context.
func (r *RecordReader) Err() error { return r.err }

// Retain asks for one more Release.
func (r *RecordReader) Retain() { r.refs.Add(1) }

// Release ends the reader: when it returns (of several the last one), nothing
// of its job runs any more.
func (r *RecordReader) Release() {
	if r.refs.Add(-1) == 0 {
		r.stream.close(errReleased)
	}
}
