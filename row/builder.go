package row

import "fsql/types"

// Builder collects rows for one output batch after another. Columns are
// appended to directly (Vec.AppendGather, AppendRange, ...) by whoever fills
// the batch column by column; every column must have equal length at Flush.
type Builder struct {
	Schema *types.Schema
	Cols   []*Vec
	Kinds  []Kind // nil while all rows are inserts
	Marks  []Mark
	rows   int
}

// NewBuilder returns an empty builder.
func NewBuilder(s *types.Schema) *Builder {
	b := &Builder{Schema: s}
	b.fresh()
	return b
}

func (b *Builder) fresh() {
	b.Cols = make([]*Vec, len(b.Schema.Columns))
	for i := range b.Cols {
		b.Cols[i] = NewVec(b.Schema.Columns[i].Type, 0)
	}
	b.Kinds, b.Marks, b.rows = nil, nil, 0
}

// Len is the number of complete rows.
func (b *Builder) Len() int { return b.rows }

// Added records that n rows of kind k were appended to every column.
func (b *Builder) Added(n int, k Kind) {
	if k != Insert && b.Kinds == nil {
		b.Kinds = make([]Kind, b.rows, b.rows+n+16)
	}
	if b.Kinds != nil {
		for i := 0; i < n; i++ {
			b.Kinds = append(b.Kinds, k)
		}
	}
	b.rows += n
}

// Mark puts an event-time mark after the rows added so far. A mark at or below
// the last one is ignored.
func (b *Builder) Mark(t types.Time) {
	if n := len(b.Marks); n > 0 {
		if t <= b.Marks[n-1].Time {
			return
		}
		if b.Marks[n-1].Row == int32(b.rows) {
			b.Marks[n-1].Time = t
			return
		}
	}
	b.Marks = append(b.Marks, Mark{Row: int32(b.rows), Time: t})
}

// Empty tells that there is neither a row nor a mark.
func (b *Builder) Empty() bool { return b.rows == 0 && len(b.Marks) == 0 }

// Flush returns what was collected as a batch and starts anew; nil when Empty.
func (b *Builder) Flush() *Batch {
	if b.Empty() {
		return nil
	}
	out := &Batch{Schema: b.Schema, Rows: b.rows, Cols: b.Cols, Kinds: b.Kinds, Marks: b.Marks}
	b.fresh()
	return out
}
