package output

import (
	"fsql/internal/arrowio"
	"fsql/row"
)

// arrowFormat collects rows into records of an Arrow IPC stream.
type arrowFormat struct {
	out     *arrowio.Stream
	pending *row.Builder
}

// rowsPerRecord bounds a record.
const rowsPerRecord = 4096

func (f *arrowFormat) begin(s *sink) (err error) {
	f.pending = row.NewBuilder(s.schema)
	f.out, err = arrowio.NewStream(s.w, s.schema, s.op)
	return err
}

func (f *arrowFormat) row(s *sink, k row.Kind, b *row.Batch, r int) error {
	for i, c := range b.Cols {
		f.pending.Cols[i].AppendRange(c, r, r+1)
	}
	f.pending.Added(1, k)
	if f.pending.Len() < rowsPerRecord && s.opts.Mode == Final {
		return nil
	}
	return f.flush()
}

func (f *arrowFormat) flush() error {
	if b := f.pending.Flush(); b != nil {
		return f.out.Write(b)
	}
	return nil
}

func (f *arrowFormat) end(*sink) error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.out.Close()
}
