// Package row holds the unit of data that travels between operators: a Batch
// of typed columns with row kinds and event-time marks inside.
package row

import "fsql/types"

// Kind says what a row does to the table its stream describes: +I -U +U -D.
type Kind uint8

// The row kinds.
const (
	Insert Kind = iota
	UpdateBefore
	UpdateAfter
	Delete
)

// String is Flink's short form.
func (k Kind) String() string { return [...]string{"+I", "-U", "+U", "-D"}[k&3] }

// Adds tells +I and +U; the others take a row away.
func (k Kind) Adds() bool { return k == Insert || k == UpdateAfter }

// Kinds is a set of Kind: what a stream may carry, what a sink accepts.
type Kinds uint8

// Sets of kinds.
const (
	InsertOnly Kinds = 1 << Insert
	Upserts    Kinds = 1<<Insert | 1<<UpdateAfter | 1<<Delete
	AllKinds   Kinds = 1<<Insert | 1<<UpdateBefore | 1<<UpdateAfter | 1<<Delete
)

// Has tells whether k is in the set.
func (s Kinds) Has(k Kind) bool { return s&(1<<k) != 0 }

// Mark says: after the first Row rows of its batch, event time has reached
// Time, i.e. no row with a time at or below it is expected any more. Marks are
// Flink's watermarks, carried inside the batch so that no answer depends on
// where a batch was cut.
type Mark struct {
	Row  int32
	Time types.Time
}

// Batch is an immutable run of rows with the marks between them. Rows may be
// zero when there is at least one mark. Marks are sorted by Row and by Time,
// both ascending (Time strictly). Kinds nil means that every row is an Insert.
//
// A batch may be shared by several readers and kept as long as needed; nobody
// changes it once it was emitted.
type Batch struct {
	Schema *types.Schema
	Rows   int
	Cols   []*Vec
	Kinds  []Kind
	Marks  []Mark
}

// New makes a batch without marks from columns of equal length.
func New(s *types.Schema, rows int, cols []*Vec, kinds []Kind) *Batch {
	return &Batch{Schema: s, Rows: rows, Cols: cols, Kinds: kinds}
}

// Watermark makes a batch without rows that carries one mark.
func Watermark(s *types.Schema, t types.Time) *Batch {
	cols := make([]*Vec, len(s.Columns))
	for i := range cols {
		cols[i] = NewVec(s.Columns[i].Type, 0)
	}
	return &Batch{Schema: s, Cols: cols, Marks: []Mark{{Time: t}}}
}

// Kind returns the kind of row r.
func (b *Batch) Kind(r int) Kind {
	if b.Kinds == nil {
		return Insert
	}
	return b.Kinds[r]
}

// Slice returns the rows [from, to) without marks, sharing memory.
func (b *Batch) Slice(from, to int) *Batch {
	s := &Batch{Schema: b.Schema, Rows: to - from, Cols: make([]*Vec, len(b.Cols))}
	for i, c := range b.Cols {
		s.Cols[i] = c.Slice(from, to)
	}
	if b.Kinds != nil {
		s.Kinds = b.Kinds[from:to]
	}
	return s
}

// Part returns the rows [from, to) with the marks that belong to them when the
// batch is cut into parts: those after the first of them, and all at the
// beginning of the batch.
func (b *Batch) Part(from, to int) *Batch {
	s := b.Slice(from, to)
	for _, m := range b.Marks {
		if at := int(m.Row); (at > from || from == 0) && at <= to {
			s.Marks = append(s.Marks, Mark{Row: m.Row - int32(from), Time: m.Time})
		}
	}
	return s
}

// Gather returns the rows sel, ascending, keeping the marks at their places
// between the rows that are left.
func (b *Batch) Gather(sel []int32) *Batch {
	s := &Batch{Schema: b.Schema, Rows: len(sel), Cols: make([]*Vec, len(b.Cols)), Marks: GatherMarks(b.Marks, sel)}
	for i, c := range b.Cols {
		s.Cols[i] = c.Gather(sel)
	}
	if b.Kinds != nil {
		s.Kinds = gather(b.Kinds, sel)
	}
	return s
}

// GatherMarks moves marks to their places among the selected rows (ascending):
// a mark stands after the selected rows that stood before it. Of several marks
// at one place the last one holds.
func GatherMarks(marks []Mark, sel []int32) []Mark {
	if len(marks) == 0 {
		return nil
	}
	out := make([]Mark, 0, len(marks))
	at := 0
	for _, m := range marks {
		for at < len(sel) && sel[at] < m.Row {
			at++
		}
		if n := len(out); n > 0 && out[n-1].Row == int32(at) {
			out[n-1].Time = m.Time
			continue
		}
		out = append(out, Mark{Row: int32(at), Time: m.Time})
	}
	return out
}

// Bytes estimates the memory that the batch holds, for the job's account.
func (b *Batch) Bytes() int64 {
	n := int64(len(b.Kinds)) + int64(len(b.Marks))*16
	for _, c := range b.Cols {
		n += c.Bytes()
	}
	return n
}

// Bytes estimates the memory that the column holds.
func (v *Vec) Bytes() int64 {
	n := int64(len(v.Bool)) + 4*int64(len(v.I32)+len(v.F32)+len(v.Nano)+len(v.Off)+len(v.Size)) +
		8*int64(len(v.I64)+len(v.F64)+len(v.Valid)) + 16*int64(len(v.Dec)+len(v.Str))
	for _, s := range v.Str {
		n += int64(len(s))
	}
	for _, k := range v.Kids {
		n += k.Bytes()
	}
	return n
}
