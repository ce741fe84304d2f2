package sim

import (
	"context"
	"encoding/binary"
	"strconv"

	"fsql/connector"
	"fsql/expr"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// Source is a table in memory; each part is a split.
type Source struct {
	Schema *types.Schema
	Parts  []*row.Batch
	// Pause is asked at every poll whether there is nothing to read now; nil:
	// never.
	Pause func() bool
	// Hold is asked when nothing is left whether the source does not end yet;
	// nil: it ends.
	Hold func() bool
	// Endless sources never end; they have nothing more to read.
	Endless bool
	// Closed counts the readers that were closed.
	Closed int
}

// Splits lists the parts.
func (s *Source) Splits(context.Context) ([]connector.Split, error) {
	out := make([]connector.Split, len(s.Parts))
	for i := range out {
		out[i].ID = strconv.Itoa(i)
	}
	return out, nil
}

// Open returns a reader of the given parts.
func (s *Source) Open(_ context.Context, own []connector.Split) (connector.Reader, error) {
	r := &reader{source: s}
	for _, o := range own {
		i, err := strconv.Atoi(o.ID)
		if err != nil {
			return nil, err
		}
		from := 0
		if len(o.Offset) == 8 {
			from = int(binary.BigEndian.Uint64(o.Offset))
		}
		r.ids, r.parts, r.from = append(r.ids, o.ID), append(r.parts, s.Parts[i]), append(r.from, from)
	}
	return r, nil
}

// Bounded tells that the source ends.
func (s *Source) Bounded() bool { return !s.Endless }

// Kinds are those of the parts.
func (s *Source) Kinds() row.Kinds {
	for _, p := range s.Parts {
		if p.Kinds != nil {
			return row.AllKinds
		}
	}
	return row.InsertOnly
}

type reader struct {
	source *Source
	ids    []string
	parts  []*row.Batch
	from   []int // per part: rows that were read
}

func (r *reader) Poll(out *row.Builder, most int) (connector.Status, error) {
	if r.source.Pause != nil && r.source.Pause() {
		return connector.Waiting, nil
	}
	if len(r.parts) == 0 {
		if r.source.Endless || r.source.Hold != nil && r.source.Hold() {
			return connector.Waiting, nil
		}
		return connector.Ended, nil
	}
	p := r.parts[0]
	at := r.from[0]
	n := min(most, p.Rows-at)
	for i, c := range out.Cols {
		c.AppendRange(p.Cols[i], at, at+n)
	}
	for i := at; i < at+n; i++ {
		out.Added(1, p.Kind(i))
	}
	if r.from[0] += n; r.from[0] == p.Rows {
		r.ids, r.parts, r.from = r.ids[1:], r.parts[1:], r.from[1:]
	}
	return connector.Progressed, nil
}

// Positions are the parts that are not read to their ends.
func (r *reader) Positions() []connector.Split {
	out := make([]connector.Split, len(r.ids))
	for i, id := range r.ids {
		out[i] = connector.Split{ID: id, Offset: binary.BigEndian.AppendUint64(nil, uint64(r.from[i]))}
	}
	return out
}

func (r *reader) Wake() <-chan struct{} { return nil }
func (r *reader) Skipped() int64        { return 0 }
func (r *reader) Close() error          { r.source.Closed++; return nil }

// Scan is the plan node of the table, giving all its columns. rowtime and
// watermark are columns, or -1 for a table without event time: what the
// watermark expression would compute is a column of the table.
func (s *Source) Scan(name string, rowtime, watermark int, interval types.Time) *physical.Node {
	src := &physical.Source{
		Name: name, Source: s, Interval: interval,
		Table: &connector.Table{Name: name, Schema: s.Schema},
	}
	column := func(i int) expr.Node {
		c := s.Schema.Columns[i]
		return &expr.Column{Index: i, Name: c.Name, T: c.Type}
	}
	for i := range s.Schema.Columns {
		src.Project = append(src.Project, column(i))
	}
	if rowtime >= 0 {
		src.Rowtime, src.Watermark = column(rowtime), column(watermark)
	}
	return &physical.Node{Source: src, Schema: s.Schema, Kinds: s.Kinds()}
}
