package relop

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// stored collects the output of operators that send rows that they have stored
// (row.Form), with columns of their own behind those of the input.
type stored struct {
	in, out *types.Schema
	form    *row.Form
	most    int // rows of a batch
	none    []*row.Vec

	rows  [][]byte
	kinds []row.Kind
	ranks []int64   // if the output has one more column, a BIGINT
	tail  *row.Form // of the columns behind those of the input; nil: a rank, or none
	tails [][]byte
	marks []row.Mark
	flags bool // a kind is not +I
}

func newStored(in, out *types.Schema, most int) *stored {
	return &stored{in: in, out: out, form: row.NewForm(in), most: max(most, 1), none: noRows(out)}
}

// add notes a row, which must stay as it is until flush.
func (s *stored) add(k row.Kind, r []byte, rank int64) {
	s.rows, s.kinds, s.ranks = append(s.rows, r), append(s.kinds, k), append(s.ranks, rank)
	s.flags = s.flags || k != row.Insert
}

// addTail notes a row and the values of its further columns.
func (s *stored) addTail(k row.Kind, r, tail []byte) {
	s.add(k, r, 0)
	s.tails = append(s.tails, tail)
}

// mark notes that event time has moved.
func (s *stored) mark(t types.Time) {
	at := int32(len(s.rows))
	if n := len(s.marks); n > 0 && s.marks[n-1].Row == at {
		s.marks[n-1].Time = t
		return
	}
	s.marks = append(s.marks, row.Mark{Row: at, Time: t})
}

// full tells that there are rows for a batch.
func (s *stored) full() bool { return len(s.rows) >= s.most }

// flush sends what was noted.
func (s *stored) flush(out op.Emitter) error {
	marks := s.marks
	for from := 0; from < len(s.rows) || len(marks) > 0; from += s.most {
		to := min(from+s.most, len(s.rows))
		b := &row.Batch{Schema: s.out, Rows: to - from, Cols: s.none}
		if to > from {
			b.Cols = s.columns(from, to)
			if s.flags {
				b.Kinds = append([]row.Kind(nil), s.kinds[from:to]...)
			}
		}
		for len(marks) > 0 && int(marks[0].Row) <= to {
			b.Marks = append(b.Marks, row.Mark{Row: marks[0].Row - int32(from), Time: marks[0].Time})
			marks = marks[1:]
		}
		if err := out.Emit(b); err != nil {
			return err
		}
	}
	clear(s.rows)
	clear(s.tails)
	s.tails = s.tails[:0]
	s.rows, s.kinds, s.ranks, s.marks, s.flags = s.rows[:0], s.kinds[:0], s.ranks[:0], s.marks[:0], false
	return nil
}

func (s *stored) columns(from, to int) []*row.Vec {
	cols := make([]*row.Vec, len(s.out.Columns))
	for i, c := range s.out.Columns {
		cols[i] = row.NewVec(c.Type, 0)
		cols[i].Reserve(to - from)
	}
	n := len(s.in.Columns)
	s.form.Decode(s.rows[from:to], cols[:n])
	if s.tail != nil {
		s.tail.Decode(s.tails[from:to], cols[n:])
	} else if len(cols) > n {
		v := cols[n]
		v.Extend(to - from)
		copy(v.I64, s.ranks[from:to])
	}
	return cols
}
