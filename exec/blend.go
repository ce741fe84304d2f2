package exec

import (
	"fsql/row"
	"fsql/types"
)

// blend puts rows that a gate takes from several inputs by turns into one batch,
// so that turns of a few rows do not make batches of a few rows. It notes ranges
// and moves the rows column by column at the end.
type blend struct {
	schema *types.Schema
	rows   int
	marks  []row.Mark
	bytes  int64
	pieces []piece
	turns  []turn
	sel    []int32
}

// piece is what was taken from one batch.
type piece struct {
	batch    *row.Batch
	from, to int
	base     int32 // of its first row among the rows of all pieces
}

// turn is what was taken at once.
type turn struct{ piece, from, to int32 }

// longTurn is the number of rows from which on a turn is given as a batch of its
// own, which costs less than moving them.
const longTurn = 128

// long tells that the turn of an input is long.
func (g *Gate) long(in, rival *input) bool {
	if in.next.Batch.Rows-in.row < longTurn {
		return false
	}
	to, _ := g.until(in, rival)
	return to-in.row >= longTurn
}

// mix takes from an input what comes before the rival's turn.
func (g *Gate) mix(in, rival *input) {
	l, b := g.blend, in.next.Batch
	from, first := in.row, in.mark
	to, mark := g.until(in, rival)
	if to > from {
		if in.piece < 0 || in.piece >= len(l.pieces) || l.pieces[in.piece].batch != b {
			in.piece = len(l.pieces)
			l.pieces = append(l.pieces, piece{batch: b, from: from})
		}
		l.pieces[in.piece].to = to
		if n := len(l.turns); n > 0 && int(l.turns[n-1].piece) == in.piece {
			l.turns[n-1].to = int32(to)
		} else {
			l.turns = append(l.turns, turn{int32(in.piece), int32(from), int32(to)})
		}
	}
	for _, m := range b.Marks[first:mark] {
		if t := g.rise(&in.channel, m.Time); t != types.MinTime {
			at := int32(l.rows) + m.Row - int32(from)
			if n := len(l.marks); n > 0 && l.marks[n-1].Row == at {
				l.marks[n-1].Time = t
			} else {
				l.marks = append(l.marks, row.Mark{Row: at, Time: t})
			}
		}
	}
	l.rows += to - from
	l.bytes += in.took(to, mark)
}

// mixed returns what was put together so far, if there is something.
func (g *Gate) mixed() (Element, bool) {
	l := g.blend
	if l == nil || l.rows == 0 && len(l.marks) == 0 && l.bytes == 0 {
		return Element{}, false
	}
	b := &row.Batch{Schema: l.schema, Rows: l.rows, Marks: l.marks}
	switch len(l.pieces) {
	case 0:
		b.Cols = row.Watermark(l.schema, 0).Cols
	case 1:
		p := l.pieces[0]
		s := p.batch.Slice(p.from, p.to)
		b.Cols, b.Kinds = s.Cols, s.Kinds
	default:
		b.Cols, b.Kinds = l.gather()
	}
	e := Element{Kind: Data, Batch: b, bytes: l.bytes}
	clear(l.pieces)
	l.rows, l.marks, l.bytes, l.pieces, l.turns = 0, nil, 0, l.pieces[:0], l.turns[:0]
	return e, true
}

// gather moves the rows of all pieces into the order in which they were taken.
func (l *blend) gather() ([]*row.Vec, []row.Kind) {
	base, changes := int32(0), false
	for i := range l.pieces {
		p := &l.pieces[i]
		p.base = base
		base += int32(p.to - p.from)
		changes = changes || p.batch.Kinds != nil
	}
	l.sel = l.sel[:0]
	for _, t := range l.turns {
		p := &l.pieces[t.piece]
		for r := t.from; r < t.to; r++ {
			l.sel = append(l.sel, p.base+r-int32(p.from))
		}
	}
	cols := make([]*row.Vec, len(l.schema.Columns))
	for c := range cols {
		all := row.NewVec(l.schema.Columns[c].Type, 0)
		all.Reserve(l.rows)
		for _, p := range l.pieces {
			all.AppendRange(p.batch.Cols[c], p.from, p.to)
		}
		cols[c] = all.Gather(l.sel)
	}
	if !changes {
		return cols, nil
	}
	kinds := make([]row.Kind, 0, l.rows)
	for _, t := range l.turns {
		for r := t.from; r < t.to; r++ {
			kinds = append(kinds, l.pieces[t.piece].batch.Kind(int(r)))
		}
	}
	return cols, kinds
}
