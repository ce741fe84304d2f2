package relop

import (
	"fsql/expr"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// unnest spreads the collections of a batch in steps: a list may be as long as
// memory allows, and what comes of a batch far longer. The cursor says how far
// it is; between batches it stands at the beginning, so that there is no state.
type unnest struct {
	of         int
	outer      bool
	collection types.Type
	in         int // columns of the input
	ordinality int // the column of the position among both; 0: none
	cols       []int
	cond       *expr.Program // nil: every element
	eval       expr.Ctx
	used       []bool // columns of both that cond reads
	both       *types.Schema
	out        *types.Schema
	none       []*row.Vec // the columns of a batch without rows
	most       int        // rows per step

	cursor
	taken // in the step at work
	spare taken
	sel   []int32
}

// cursor is the place between the elements of a batch.
type cursor struct {
	row  int   // rows before it are done
	elem int32 // elements of row before it are done
	rep  int32 // so many copies of elem are done, in a MULTISET
	pos  int32 // positions given in row
	any  bool  // something of row has come out
	mark int   // marks before it are done
}

// taken are elements: the row of the input that each belongs to, its place in
// the column of all elements (padding: there is none) and its position.
type taken struct{ rows, elems, ords []int32 }

const padding = -1

func (t *taken) add(row int, elem, ord int32) {
	t.rows, t.elems, t.ords = append(t.rows, int32(row)), append(t.elems, elem), append(t.ords, ord)
}

// keep leaves the elements sel, ascending.
func (t *taken) keep(sel []int32) {
	for i, s := range sel {
		t.rows[i], t.elems[i], t.ords[i] = t.rows[s], t.elems[s], t.ords[s]
	}
	t.cut(len(sel))
}

func (t *taken) cut(n int) { t.rows, t.elems, t.ords = t.rows[:n], t.elems[:n], t.ords[:n] }

// OnBatch implements op.Operator.
func (o *unnest) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	begun := o.cursor
	o.take(b)
	if o.cond != nil && len(o.rows) > 0 {
		if err := o.filter(b); err != nil {
			return false, err
		}
	}
	n := len(o.rows)
	o.any = n > 0 && int(o.rows[n-1]) == o.row || begun.any && begun.row == o.row
	if o.outer {
		o.pad(begun)
	}
	r := o.output(b)
	more := o.row < b.Rows
	if !more {
		o.cursor = cursor{}
	}
	return more, send(r, out)
}

// take goes on to the next elements. Rows that come to nothing count as one
// element each: they may be padded.
func (o *unnest) take(b *row.Batch) {
	o.cut(0)
	v := b.Cols[o.of]
	spread := o.spreads()
	for left := o.most; o.row < b.Rows; o.row, o.elem, o.pos = o.row+1, 0, 0 {
		size, before := int32(0), len(o.rows)
		if !v.IsNull(o.row) {
			size = v.Size[o.row]
		}
		for ; o.elem < size; o.elem++ {
			at := v.Off[o.row] + o.elem
			if spread && v.Kids[0].IsNull(int(at)) {
				o.pos++
				continue
			}
			copies := int32(1)
			if o.collection.Kind == types.Multiset {
				copies = v.Kids[1].I32[at]
			}
			for ; o.rep < copies; o.rep++ {
				if left == 0 {
					return
				}
				left--
				o.pos++
				o.add(o.row, at, o.pos)
			}
			o.rep = 0
		}
		if len(o.rows) == before {
			if left == 0 {
				return
			}
			left--
		}
	}
}

// spreads tells that the elements are rows, whose fields come out.
func (o *unnest) spreads() bool {
	return o.collection.Kind != types.Map && o.collection.Elem().Kind == types.Row
}

// filter leaves the elements for which the condition is TRUE.
func (o *unnest) filter(b *row.Batch) error {
	c := &row.Batch{Schema: o.both, Rows: len(o.rows), Cols: make([]*row.Vec, len(o.used))}
	for i, used := range o.used {
		if used {
			c.Cols[i] = o.column(b, i)
		}
	}
	var err error
	if o.sel, err = o.cond.Select(&o.eval, c, o.sel[:0]); err != nil {
		return err
	}
	o.keep(o.sel)
	return nil
}

// pad gives the rows that were done in this step, without an element, one.
func (o *unnest) pad(begun cursor) {
	p := &o.spare
	p.cut(0)
	at := 0
	for r := begun.row; r < o.row; r++ {
		from := at
		for at < len(o.rows) && int(o.rows[at]) == r {
			p.add(r, o.elems[at], o.ords[at])
			at++
		}
		if at == from && !(begun.any && r == begun.row) {
			p.add(r, padding, padding)
		}
	}
	for ; at < len(o.rows); at++ {
		p.add(o.row, o.elems[at], o.ords[at])
	}
	o.taken, o.spare = o.spare, o.taken
}

// output is the batch of what was taken, with the marks before the next row.
func (o *unnest) output(b *row.Batch) *row.Batch {
	r := &row.Batch{Schema: o.out, Rows: len(o.rows), Cols: o.none}
	from := o.mark
	for o.mark < len(b.Marks) && int(b.Marks[o.mark].Row) <= o.row {
		o.mark++
	}
	r.Marks = row.GatherMarks(b.Marks[from:o.mark], o.rows)
	if r.Rows == 0 {
		return r
	}
	r.Cols = make([]*row.Vec, len(o.cols))
	for i, c := range o.cols {
		r.Cols[i] = o.column(b, c)
	}
	if b.Kinds != nil {
		r.Kinds = make([]row.Kind, len(o.rows))
		for i, from := range o.rows {
			r.Kinds[i] = b.Kinds[from]
		}
	}
	return r
}

// column is column c of both for the elements that were taken.
func (o *unnest) column(b *row.Batch, c int) *row.Vec {
	if c < o.in {
		return b.Cols[c].Gather(o.rows)
	}
	if c == o.ordinality {
		v := row.NewVec(o.both.Columns[c].Type, len(o.ords))
		copy(v.I32, o.ords)
		for i, ord := range o.ords {
			if ord == padding {
				v.SetNull(i)
			}
		}
		return v
	}
	kids := b.Cols[o.of].Kids
	if o.spreads() {
		kids = kids[0].Kids
	}
	return kids[c-o.in].GatherOrNull(o.elems)
}

// OnBarrier implements op.Operator.
func (o *unnest) OnBarrier(types.Epoch) error { return nil }

// unnestByMark is an unnest with CURRENT_WATERMARK in its condition.
type unnestByMark struct{ *unnest }

// OnRows implements op.Simple.
func (o unnestByMark) OnRows(in int, b *row.Batch, out op.Emitter) (bool, error) {
	return o.OnBatch(in, b, out)
}

// OnWatermark implements op.Simple.
func (o unnestByMark) OnWatermark(w types.Time, _ op.Emitter) (types.Time, bool, error) {
	o.eval.Watermark = w
	return w, false, nil
}
