package session

import (
	"context"
	"errors"

	"fsql/row"
	"fsql/types"
)

// Result is what a statement gives: nothing (DDL), rows, or a running job.
type Result struct {
	// Schema of the rows; nil: the statement has none.
	Schema *types.Schema
	// Kinds the rows may carry: beyond +I the result changes over time.
	Kinds row.Kinds
	// Bounded results end by themselves.
	Bounded bool
	// Query tells rows of a query from those of SHOW and the like, which are
	// never shown with a row kind.
	Query bool
	// Job of an INSERT.
	Job *Job
	// Quit asks the client to leave.
	Quit bool

	session *Session   // of a query
	read    bool       // by a stream
	until   types.Time // of a query; types.MaxTime: its end
	live    *live      // of a query
	rows    *row.Batch
	run     func(ctx context.Context, each func(*row.Batch) error) error
}

// Each runs the query and hands over its batches in order, until the input has
// ended, each returns an error (which Each returns) or ctx is done. It is
// called once. Batches are immutable and may be kept. each is called by another
// goroutine than the caller's, one call at a time; the other ways to read a
// result are not.
func (r *Result) Each(ctx context.Context, each func(*row.Batch) error) error {
	if r.rows != nil && r.rows.Rows > 0 {
		return each(r.rows)
	}
	if r.run != nil {
		return r.run(ctx, each)
	}
	return nil
}

// ErrReached is what Each returns when event time has reached what Until says.
var ErrReached = errors.New("event time has reached the end that was asked for")

// Until ends a query when event time has reached t: its last rows are those in
// front of the watermark that did. It is called before Each.
func (r *Result) Until(t types.Time) { r.until = t }

// before is the part of a batch in front of the end of Until.
func (r *Result) before(b *row.Batch) (part *row.Batch, reached bool) {
	if r.until == types.MaxTime {
		return b, false
	}
	for _, m := range b.Marks {
		if m.Time >= r.until {
			return b.Slice(0, int(m.Row)), true
		}
	}
	return b, false
}

// listing makes a result of text rows: columns by name, cells row by row; a
// nil cell is NULL.
func listing(names []string, rows [][]*string) *Result {
	s := &types.Schema{}
	cols := make([]*row.Vec, len(names))
	for i, n := range names {
		s.Columns = append(s.Columns, types.Column{Name: n, Type: types.String()})
		cols[i] = row.NewVec(types.String(), len(rows))
		for r := range rows {
			if cell := rows[r][i]; cell != nil {
				cols[i].Str[r] = *cell
			} else {
				cols[i].SetNull(r)
			}
		}
	}
	return &Result{Schema: s, Kinds: row.InsertOnly, Bounded: true, rows: row.New(s, len(rows), cols, nil)}
}

// column makes a result of one text column.
func column(name string, cells []string) *Result {
	rows := make([][]*string, len(cells))
	for i := range cells {
		rows[i] = []*string{&cells[i]}
	}
	return listing([]string{name}, rows)
}
