package relop

import (
	"fsql/op"
	"fsql/row"
)

// results is the output of a batch as places in its input and in vals.
type results struct {
	rows, vals []int32
	kinds      []row.Kind
	marks      []row.Mark
	updating   bool // a kind is not +I
}

// emit sends what the acts say, in the order of the input's rows, with the marks
// at their places between them.
func (o *groupAgg) emit(b *row.Batch, out op.Emitter) error {
	o.unchanged()
	o.collect(b)
	r := &o.res
	marks, most := r.marks, max(o.ctx.BatchRows, 1)
	for from := 0; from < len(r.rows) || len(marks) > 0; from += most {
		to := min(from+most, len(r.rows))
		piece := &row.Batch{Schema: o.spec.Out, Rows: to - from, Cols: o.none}
		if to > from {
			piece.Cols = o.gather(b, from, to)
			if r.updating {
				piece.Kinds = r.kinds[from:to:to]
			}
		}
		for len(marks) > 0 && int(marks[0].Row) <= to {
			piece.Marks = append(piece.Marks, row.Mark{Row: marks[0].Row - int32(from), Time: marks[0].Time})
			marks = marks[1:]
		}
		if err := out.Emit(piece); err != nil {
			return err
		}
	}
	return nil
}

func (o *groupAgg) gather(b *row.Batch, from, to int) []*row.Vec {
	cols := make([]*row.Vec, 0, len(o.spec.Out.Columns))
	for _, k := range o.spec.Keys {
		cols = append(cols, b.Cols[k].Gather(o.res.rows[from:to]))
	}
	for _, v := range o.vals {
		cols = append(cols, v.Gather(o.res.vals[from:to]))
	}
	return cols
}

// collect lists the output rows.
func (o *groupAgg) collect(b *row.Batch) {
	r := &o.res
	r.rows, r.vals, r.marks, r.updating = r.rows[:0], r.vals[:0], r.marks[:0], false
	// The kinds leave with the batches: they are made anew.
	r.kinds = make([]row.Kind, 0, 2*len(o.acts))
	marks, both := b.Marks, o.spec.UpdateBefore
	for i := range o.acts {
		a := &o.acts[i]
		for len(marks) > 0 && marks[0].Row <= a.row {
			r.mark(marks[0])
			marks = marks[1:]
		}
		switch a.kind {
		case row.Insert:
			r.add(a.row, o.place(a.new), row.Insert)
			continue
		case row.UpdateAfter:
			if both {
				r.add(a.row, o.place(a.old), row.UpdateBefore)
			}
			r.add(a.row, o.place(a.new), row.UpdateAfter)
		case row.Delete:
			r.add(a.row, o.place(a.old), row.Delete)
		}
		r.updating = true
	}
	for _, m := range marks {
		r.mark(m)
	}
}

func (r *results) add(from, val int32, k row.Kind) {
	r.rows, r.vals, r.kinds = append(r.rows, from), append(r.vals, val), append(r.kinds, k)
}

func (r *results) mark(m row.Mark) {
	at := int32(len(r.rows))
	if n := len(r.marks); n > 0 && r.marks[n-1].Row == at {
		r.marks[n-1].Time = m.Time
		return
	}
	r.marks = append(r.marks, row.Mark{Row: at, Time: m.Time})
}

// place is where a result stands in vals.
func (o *groupAgg) place(i int32) int32 {
	if i < 0 {
		return -1 - i
	}
	return int32(len(o.prior)) + i
}

// unchanged takes away the updates that leave every result of their group as it
// was. With a TTL they are sent: groups downstream have to be kept alive too.
func (o *groupAgg) unchanged() {
	if o.spec.TTL > 0 {
		return
	}
	o.pairs = o.pairs[:0]
	for i := range o.acts {
		if a := &o.acts[i]; a.kind == row.UpdateAfter {
			o.pairs = append(o.pairs, pair{o.place(a.old), o.place(a.new), int32(i)})
		}
	}
	for _, v := range o.vals {
		if len(o.pairs) == 0 {
			return
		}
		o.pairs = equalPairs(v, o.pairs)
	}
	if len(o.pairs) == 0 {
		return
	}
	kept, next := o.acts[:0], 0
	for i, a := range o.acts {
		if next < len(o.pairs) && int(o.pairs[next].act) == i {
			next++
			continue
		}
		kept = append(kept, a)
	}
	o.acts = kept
}
