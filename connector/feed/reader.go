package feed

import (
	"context"
	"encoding/binary"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// source is a table as one query reads it.
type source struct {
	name    string
	table   *Table
	schema  *types.Schema
	wanted  []bool
	kinds   row.Kinds
	manual  bool
	bounded bool
	splits  int
}

func (s *source) Splits(context.Context) ([]connector.Split, error) {
	return []connector.Split{{ID: "test"}}, nil
}

func (s *source) Open(_ context.Context, own []connector.Split) (connector.Reader, error) {
	r := &reader{source: s, time: types.MinTime, wake: make(chan struct{}, 1)}
	if len(own) > 0 && len(own[0].Offset) == 16 {
		if s.table.most > 0 {
			return nil, diag.New(diag.NotSupported, diag.Span{}, "the job cannot go on: the program's rows of table '%s' cannot be read again", s.name).
				WithHint("let jobs that must survive failures read files")
		}
		r.resume(own[0].Offset)
	}
	s.table.enter(r)
	return r, nil
}

func (s *source) Bounded() bool { return s.bounded }

// Live implements connector.Live: what a test says comes in the order in which it
// is said.
func (s *source) Live() bool { return true }

func (s *source) Kinds() row.Kinds { return s.kinds }

// reader walks over the log; row counts within an entry.
type reader struct {
	*source
	entry, row int
	time       types.Time
	idle       bool
	parts      []part // of a table with several splits
	wake       chan struct{}
}

// resume goes to an offset; watermarks before it hold again.
func (r *reader) resume(offset []byte) {
	to := int(binary.BigEndian.Uint64(offset))
	for r.entry < to {
		e, ok := r.table.at(r.entry)
		if !ok {
			break
		}
		r.take(e)
		r.entry++
	}
	r.row = int(binary.BigEndian.Uint64(offset[8:]))
}

// take notes what an entry says about event time.
func (r *reader) take(e entry) {
	if r.splits > 1 {
		r.split(e)
		return
	}
	switch e.what {
	case mark:
		r.time = max(r.time, e.time)
	case idle:
		r.idle = true
	case rows, active:
		r.idle = false
	}
}

// Poll gives rows of one entry, or takes one that has none: its caller must see
// every watermark where it stands.
func (r *reader) Poll(out *row.Builder, most int) (connector.Status, error) {
	e, ok := r.table.at(r.entry)
	switch {
	case !ok:
		return connector.Waiting, nil
	case e.what == end:
		return connector.Ended, nil
	}
	r.take(e)
	if e.what == rows {
		n := min(most, e.rows.Rows-r.row)
		if err := r.copy(out, e.rows, r.row, r.row+n); err != nil {
			return connector.Progressed, err
		}
		if r.row += n; r.row < e.rows.Rows {
			return connector.Progressed, nil
		}
	}
	r.table.passed(r)
	return connector.Progressed, nil
}

// copy appends rows, the wanted columns of them.
func (r *reader) copy(out *row.Builder, b *row.Batch, from, to int) error {
	for i, c := range r.schema.Columns {
		if r.wanted != nil && !r.wanted[i] {
			continue
		}
		at := b.Schema.Index(c.Name)
		if at < 0 {
			return diag.New(diag.UnknownColumn, diag.Span{}, "the rows that were fed have no column '%s'", c.Name)
		}
		out.Cols[i].AppendRange(b.Cols[at], from, to)
	}
	for from < to {
		k, end := b.Kind(from), from+1
		for end < to && b.Kind(end) == k {
			end++
		}
		if !r.kinds.Has(k) {
			return diag.New(diag.ChangelogMode, diag.Span{}, "a row of the kind %s was fed to a table that does not declare it", k).
				WithHint("WITH ('changelog-mode' = 'I,UB,UA,D') takes all kinds")
		}
		out.Added(end-from, k)
		from = end
	}
	return nil
}

// Watermark, Replaces and Idle implement connector.Clocked.
func (r *reader) Watermark() types.Time { return r.time }

// Replaces tells that the option 'watermark' is 'manual'.
func (r *reader) Replaces() bool { return r.manual }

// Idle tells that Table.Idle was called.
func (r *reader) Idle() bool { return r.idle }

func (r *reader) Wake() <-chan struct{} { return r.wake }

func (r *reader) Positions() []connector.Split {
	offset := binary.BigEndian.AppendUint64(nil, uint64(r.entry))
	return []connector.Split{{ID: "test", Offset: binary.BigEndian.AppendUint64(offset, uint64(r.row))}}
}

func (r *reader) Skipped() int64 { return 0 }

func (r *reader) Close() error {
	r.table.leave(r)
	return nil
}

// Of is the table that a source reads, nil if it is none of this connector.
func Of(s connector.Source) *Table {
	if f, ok := s.(*source); ok {
		return f.table
	}
	return nil
}
