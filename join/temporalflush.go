package join

import (
	"slices"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// flush sends what a step has found: of an inner join the pairs that pass the
// condition, of a left join all rows that are due.
func (o *temporalJoin) flush(out op.Emitter) error {
	p := o.pairs
	if len(o.lefts) == 0 {
		return p.send(nil, 0, nil, slices.Clone(o.marks), out)
	}
	p.start(left, o.decoded())
	p.rows, p.stored = append(p.rows, o.rows...), append(p.stored, o.stored...)
	if o.spec.Kind != Inner {
		p.solo = o.alone(p.solo)
	}
	p.eval.Watermark = o.time
	sel, all, err := p.passed()
	if err != nil {
		return err
	}
	kinds, marks := o.kinds, slices.Clone(o.marks)
	var cols []*row.Vec
	switch {
	case all && len(p.solo) == 0:
		cols = p.gather(nil, nil)
	case o.spec.Kind == Inner:
		if marks = row.GatherMarks(marks, sel); len(sel) > 0 {
			cols = p.gather(sel, sel)
		}
		kinds = kinds[:0]
		for _, i := range sel {
			kinds = append(kinds, o.kinds[i])
		}
	default:
		o.places(sel, all)
		cols = p.gather(o.l, o.r)
	}
	return p.send(cols, len(kinds), kindsOf(kinds), marks, out)
}

// decoded are the left rows of the step as a batch.
func (o *temporalJoin) decoded() *row.Batch {
	in, f := o.spec.L.In, o.pairs.forms[left]
	b := &row.Batch{Schema: in, Rows: len(o.lefts), Cols: make([]*row.Vec, len(in.Columns))}
	for _, c := range f.cols {
		b.Cols[c] = row.NewVec(in.Columns[c].Type, 0)
		b.Cols[c].Reserve(len(o.lefts))
	}
	f.decode(o.lefts, b.Cols)
	return b
}

// alone are the left rows without a version.
func (o *temporalJoin) alone(dst []int32) []int32 {
	pairs := o.rows
	for i := range int32(len(o.lefts)) {
		if len(pairs) > 0 && pairs[0] == i {
			pairs = pairs[1:]
			continue
		}
		dst = append(dst, i)
	}
	return dst
}

// places finds where the two sides of every row of a left join lie: sel are the
// pairs that pass the condition.
func (o *temporalJoin) places(sel []int32, all bool) {
	o.l, o.r = o.l[:0], o.r[:0]
	pair, solo := int32(0), int32(0)
	for i := range int32(len(o.lefts)) {
		if int(pair) == len(o.rows) || o.rows[pair] != i {
			o.l, o.r = append(o.l, o.pairs.soloPlace(solo)), append(o.r, nowhere)
			solo++
			continue
		}
		at := int32(nowhere)
		if all {
			at = pair
		} else if len(sel) > 0 && sel[0] == pair {
			at, sel = pair, sel[1:]
		}
		o.l, o.r = append(o.l, pair), append(o.r, at)
		pair++
	}
}

// kindsOf are the kinds of a batch, nil if it only inserts.
func kindsOf(kinds []row.Kind) []row.Kind {
	if slices.ContainsFunc(kinds, func(k row.Kind) bool { return k != row.Insert }) {
		return slices.Clone(kinds)
	}
	return nil
}

// letGo drops what the step was the last to need: left rows that came out,
// versions that left their lists.
func (o *temporalJoin) letGo() {
	if o.life != nil {
		o.touchSpent()
	}
	for _, id := range o.spent {
		slot := o.waiting.Row(id).Part
		o.waiting.Drop(id)
		k := &o.keyed[slot]
		if k.waits--; k.waits == 0 && k.list.n == 0 {
			o.fresh = append(o.fresh, slot)
		}
	}
	for _, id := range o.gone {
		o.versions.Drop(id)
	}
	o.spent, o.gone = o.spent[:0], o.gone[:0]
}

// forgetKeys removes those of the keys in fresh that have nothing left.
func (o *temporalJoin) forgetKeys() {
	none := o.fresh[:0]
	for _, s := range o.fresh {
		if k := &o.keyed[s]; k.used && k.waits == 0 && k.list.n == 0 {
			k.used = false
			none = append(none, s)
		}
	}
	o.table.Remove(none)
	if o.life != nil {
		o.life.forget(none) // not before: what is removed may still be saved
	}
	if o.fresh = none[:0]; o.table.Len() == 0 && cap(o.keyed) > keepRoom {
		o.keyed = nil
	}
}

// OnBarrier implements op.Operator.
func (o *temporalJoin) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *temporalJoin) StateBytes() int64 {
	n := o.table.Bytes() + o.lists.bytes() + o.waiting.Bytes() + o.versions.Bytes() + o.due.Bytes() + o.since.Bytes() + int64(cap(o.keyed))*20
	if o.life != nil {
		n += o.life.bytes()
	}
	return n
}
