// Package memory is a source over batches that are already there: VALUES, and
// tables that a test or an embedding program feeds.
package memory

import (
	"context"
	"encoding/binary"

	"fsql/connector"
	"fsql/row"
)

// New returns a bounded source of one split that gives the batches in order.
// Their columns are those of the table; kinds are what they carry.
func New(kinds row.Kinds, batches ...*row.Batch) connector.Source {
	return &source{kinds: kinds, batches: batches}
}

type source struct {
	kinds   row.Kinds
	batches []*row.Batch
}

func (s *source) Splits(context.Context) ([]connector.Split, error) {
	return []connector.Split{{ID: "memory"}}, nil
}

func (s *source) Open(_ context.Context, own []connector.Split) (connector.Reader, error) {
	r := &reader{own: len(own) > 0, batches: s.batches}
	if r.own && len(own[0].Offset) == 8 {
		r.skip(int64(binary.BigEndian.Uint64(own[0].Offset)))
	}
	return r, nil
}

func (s *source) Bounded() bool { return true }

func (s *source) Kinds() row.Kinds { return s.kinds }

// reader walks over the rows; done counts those given so far.
type reader struct {
	own     bool
	batches []*row.Batch
	at      int // row within batches[0]
	done    int64
}

func (r *reader) skip(rows int64) {
	r.done = rows
	for len(r.batches) > 0 && rows >= int64(r.batches[0].Rows) {
		rows -= int64(r.batches[0].Rows)
		r.batches = r.batches[1:]
	}
	r.at = int(rows)
}

// Poll gives the next rows of one batch.
func (r *reader) Poll(out *row.Builder, most int) (connector.Status, error) {
	if !r.own || len(r.batches) == 0 {
		return connector.Ended, nil
	}
	b := r.batches[0]
	n := min(most, b.Rows-r.at)
	for i, c := range b.Cols {
		out.Cols[i].AppendRange(c, r.at, r.at+n)
	}
	// Runs of equal kinds are added together.
	for from := r.at; from < r.at+n; {
		to := from + 1
		for to < r.at+n && b.Kind(to) == b.Kind(from) {
			to++
		}
		out.Added(to-from, b.Kind(from))
		from = to
	}
	r.at += n
	r.done += int64(n)
	if r.at == b.Rows {
		r.batches, r.at = r.batches[1:], 0
	}
	return connector.Progressed, nil
}

func (r *reader) Wake() <-chan struct{} { return nil }

func (r *reader) Positions() []connector.Split {
	if !r.own {
		return nil
	}
	return []connector.Split{{ID: "memory", Offset: binary.BigEndian.AppendUint64(nil, uint64(r.done))}}
}

func (r *reader) Skipped() int64 { return 0 }

func (r *reader) Close() error { return nil }
