package join

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// block is a part of what a step sends. Its rows lie one after the other among
// those that the step reads (windowJoin.stored), from place at on.
type block struct {
	kind  blockKind
	ends  bool // crossed: the rows have no further partners
	side  int  // single: of the rows
	at    int32
	rows  int32
	inner int32      // crossed: pairs of each row
	time  types.Time // passed
}

type blockKind uint8

const (
	crossed blockKind = iota // outer rows and their next pairs
	single                   // rows that come out alone
	unmet                    // inner rows, which come out alone if they have met nobody
	passed                   // event time has passed
)

// singles tells that the rows of a side come out when they have no partner.
func (o *windowJoin) singles(side int) bool {
	return o.spec.Kind.Pads(side) || o.spec.Kind == Anti && side == left
}

// pair notes what is to be done with the rows of the key at work; false: the
// step is full before they are through.
func (o *windowJoin) pair() bool {
	outer, inner := len(o.refs[o.outer]), len(o.refs[1-o.outer])
	none, all := o.alone || inner == 0, o.spec.Cond == nil
	if none && !o.singles(o.outer) || !none && all && o.spec.Kind == Anti {
		o.at = outer // they do not come out
	}
	for o.at < outer {
		if o.full() {
			return false
		}
		room := o.ctx.BatchRows - o.bound
		switch {
		case none, all && o.spec.Kind == Semi:
			n := min(room, outer-o.at)
			o.add(block{kind: single, side: o.outer, at: o.place(o.outer, o.at, n), rows: int32(n)}, n)
			o.at += n
		case o.inner > 0 || inner > o.ctx.BatchRows:
			o.part(min(room, inner-o.inner))
		case inner > room:
			return false
		default:
			o.cross(min(room/inner, outer-o.at))
		}
	}
	if o.spec.Kind != FullOuter || !none && outer > 0 && all {
		return true
	}
	for o.rest < inner {
		if o.full() {
			return false
		}
		n := min(o.ctx.BatchRows-o.bound, inner-o.rest)
		b := block{kind: unmet, side: 1 - o.outer, rows: int32(n)}
		if b.at = o.whole + int32(o.rest); o.whole < 0 {
			b.at = o.place(b.side, o.rest, n)
		}
		o.add(b, n)
		o.rest += n
	}
	return true
}

// part pairs the outer row at work with some of the inner ones. Whether it has
// a partner is all that a semi or anti join wants to know.
func (o *windowJoin) part(n int) {
	ends := o.inner+n == len(o.refs[1-o.outer])
	if o.inner > 0 && o.hit && o.spec.Kind.LeftOnly() {
		n, ends = 0, true
	}
	at, with := o.place(o.outer, o.at, 1), o.place(1-o.outer, o.inner, n)
	o.pairWith(at, with, n)
	o.add(block{kind: crossed, ends: ends, at: at, rows: 1, inner: int32(n)}, max(n, 1))
	if o.inner += n; ends {
		o.at, o.inner = o.at+1, 0
	}
}

// cross pairs n outer rows with all inner ones.
func (o *windowJoin) cross(n int) {
	inner := len(o.refs[1-o.outer])
	if o.whole < 0 {
		o.whole = o.place(1-o.outer, 0, inner)
	}
	at := o.place(o.outer, o.at, n)
	for i := range int32(n) {
		o.pairWith(at+i, o.whole, inner)
	}
	o.add(block{kind: crossed, ends: true, at: at, rows: int32(n), inner: int32(inner)}, n*inner)
	o.at += n
}

// pairWith pairs the outer row at a place with inner rows.
func (o *windowJoin) pairWith(at, with int32, n int) {
	outer, inner := o.placed[o.outer], o.placed[1-o.outer]
	for i := range int32(n) {
		outer, inner = append(outer, at), append(inner, with+i)
	}
	o.placed[o.outer], o.placed[1-o.outer] = outer, inner
}

// place adds rows of the key at work to those that the step reads and returns
// where the first one lies.
func (o *windowJoin) place(side, from, n int) int32 {
	at := len(o.stored[side])
	for _, ref := range o.refs[side][from : from+n] {
		o.stored[side] = append(o.stored[side], o.rows.Get(ref))
	}
	return int32(at)
}

// add adds a block that may send so many rows.
func (o *windowJoin) add(b block, rows int) {
	o.blocks = append(o.blocks, b)
	o.bound += rows
}

// announce notes that event time has passed t.
func (o *windowJoin) announce(t types.Time) {
	hold := o.spec.Hold
	if t < types.MinTime+hold {
		return
	}
	if t < types.MaxTime {
		t -= hold
	}
	b := block{kind: passed, at: int32(len(o.placed[left])), time: t}
	if n := len(o.blocks); n > 0 && o.blocks[n-1].kind == passed {
		o.blocks = o.blocks[:n-1]
	}
	o.blocks = append(o.blocks, b)
}

// flush sends what a step has found.
func (o *windowJoin) flush(out op.Emitter) error {
	p := o.pairs
	if len(o.blocks) > 0 {
		p.load(o.stored)
		p.eval.Watermark = o.time
		sel, all, err := p.matching(o.placed[left], o.placed[right])
		if err != nil {
			return err
		}
		if o.spec.Kind == Inner {
			err = o.flushPairs(sel, all, out)
		} else {
			err = o.flushBlocks(sel, all, out)
		}
		if err != nil {
			return err
		}
	}
	for _, ref := range o.gone {
		o.rows.Drop(ref)
	}
	o.gone = o.gone[:0]
	return nil
}

// flushPairs sends the pairs of an inner join.
func (o *windowJoin) flushPairs(sel []int32, all bool, out op.Emitter) error {
	var marks []row.Mark
	for _, b := range o.blocks {
		if b.kind == passed {
			marks = append(marks, row.Mark{Row: b.at, Time: b.time})
		}
	}
	l, r := o.placed[left], o.placed[right]
	if !all {
		o.sent[left], o.sent[right] = o.sent[left][:0], o.sent[right][:0]
		for _, n := range sel {
			o.sent[left], o.sent[right] = append(o.sent[left], l[n]), append(o.sent[right], r[n])
		}
		l, r, marks = o.sent[left], o.sent[right], row.GatherMarks(marks, sel)
	}
	return o.send(l, r, marks, out)
}

// flushBlocks decides block by block which rows come out.
func (o *windowJoin) flushBlocks(sel []int32, all bool, out op.Emitter) error {
	o.sent[left], o.sent[right] = o.sent[left][:0], o.sent[right][:0]
	alone := func(side int, at int32) {
		o.sent[side], o.sent[1-side] = append(o.sent[side], at), append(o.sent[1-side], nowhere)
	}
	inner := 1 - o.outer
	form := o.pairs.forms[inner]
	var marks []row.Mark
	pair := int32(0)
	for _, b := range o.blocks {
		switch b.kind {
		case passed:
			marks = append(marks, row.Mark{Row: int32(len(o.sent[left])), Time: b.time})
		case single:
			for i := range b.rows {
				alone(b.side, b.at+i)
			}
		case unmet:
			for i := range b.rows {
				if !form.met(o.stored[inner][b.at+i]) {
					alone(inner, b.at+i)
				}
			}
		case crossed:
			for i := range b.rows {
				for range b.inner {
					hit := all
					if len(sel) > 0 && sel[0] == pair {
						hit, sel = true, sel[1:]
					}
					if hit {
						o.met(pair)
					}
					pair++
				}
				if !b.ends {
					continue
				}
				if o.hit == (o.spec.Kind == Semi) && (o.hit || o.singles(o.outer)) {
					alone(o.outer, b.at+i)
				}
				o.hit = false
			}
		}
	}
	return o.send(o.sent[left], o.sent[right], lastOfEach(marks), out)
}

// met notes that the condition holds for a pair.
func (o *windowJoin) met(pair int32) {
	o.hit = true
	l, r := o.placed[left][pair], o.placed[right][pair]
	if !o.spec.Kind.LeftOnly() {
		o.sent[left], o.sent[right] = append(o.sent[left], l), append(o.sent[right], r)
	}
	if o.spec.Kind == FullOuter {
		o.pairs.forms[right].meet(o.stored[right][r])
	}
}

// send emits rows by the places of their left and their right values.
func (o *windowJoin) send(l, r []int32, marks []row.Mark, out op.Emitter) error {
	var cols []*row.Vec
	if len(l) > 0 {
		cols = o.pairs.gather(l, r)
	}
	return o.pairs.send(cols, len(l), nil, marks, out)
}
