package join

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// flush sends what a step has found.
func (o *intervalJoin) flush(out op.Emitter) error {
	o.pairs.eval.Watermark = o.time
	sel, all, err := o.pairs.passed()
	if err != nil {
		return err
	}
	switch marks := o.givenMarks(); {
	case o.spec.Kind != Inner:
		err = o.flushPadded(sel, all, out)
	case all:
		err = o.send(nil, nil, len(o.pairs.rows), marks, out)
	default:
		err = o.send(sel, sel, len(sel), row.GatherMarks(marks, sel), out)
	}
	if o.saved != nil {
		o.saved.left(o)
	}
	for side := range o.gone {
		for _, ref := range o.gone[side] {
			o.rows.Drop(ref)
		}
		o.gone[side] = o.gone[side][:0]
	}
	return err
}

// givenMarks copies the marks of a step: a batch keeps them.
func (o *intervalJoin) givenMarks() []row.Mark {
	if len(o.marks) == 0 {
		return nil
	}
	return append([]row.Mark(nil), o.marks...)
}

func (o *intervalJoin) send(l, r []int32, rows int, marks []row.Mark, out op.Emitter) error {
	var cols []*row.Vec
	if rows > 0 {
		cols = o.pairs.gather(l, r)
	}
	return o.pairs.send(cols, rows, nil, marks, out)
}

// flushPadded decides event by event which rows come out.
func (o *intervalJoin) flushPadded(sel []int32, all bool, out op.Emitter) error {
	p := o.pairs
	other := 1 - o.own
	var at [2][]int32
	at[left], at[right] = o.l[:0], o.r[:0]
	padded := func(side int, place int32) {
		at[side], at[1-side] = append(at[side], place), append(at[1-side], nowhere)
	}
	marks := o.givenMarks()
	m := 0
	for i, e := range o.events {
		for ; m < len(marks) && int(marks[m].Row) == i; m++ {
			marks[m].Row = int32(len(at[left]))
		}
		switch e.kind {
		case paired:
			if !all {
				if len(sel) == 0 || sel[0] != e.n {
					continue
				}
				sel = sel[1:]
			}
			o.lucky = int(p.rows[e.n])
			if f := p.forms[other]; o.pads[other] && !f.met(p.stored[e.n]) {
				f.meet(p.stored[e.n])
				if o.saved != nil {
					o.saved.met(o, other, f.number(p.stored[e.n]))
				}
			}
			at[left], at[right] = append(at[left], e.n), append(at[right], e.n)
		case kept:
			if s := o.ownRows[e.n]; s.row == o.lucky {
				p.forms[o.own].meet(o.rows.Get(s.ref))
			}
		case late:
			if int(p.solo[e.n]) != o.lucky {
				padded(o.own, p.soloPlace(e.n))
			}
		case leftGone, rightGone:
			side := int(e.kind - leftGone)
			if !p.forms[side].met(p.lone[side][e.n]) {
				padded(side, p.lonePlace(side, e.n))
			}
		}
	}
	for ; m < len(marks); m++ {
		marks[m].Row = int32(len(at[left]))
	}
	o.l, o.r = at[left], at[right]
	return o.send(at[left], at[right], len(at[left]), lastOfEach(marks), out)
}

// lastOfEach keeps the last of several marks at one place.
func lastOfEach(marks []row.Mark) []row.Mark {
	n := 0
	for i, m := range marks {
		if i > 0 && marks[n-1].Row == m.Row {
			n--
		}
		marks[n] = m
		n++
	}
	return marks[:n]
}

// proctimeJoin is an interval join by processing time: a row's time is when it
// comes, and rows leave by the clock.
type proctimeJoin struct{ *intervalJoin }

// OnBatch implements op.Operator.
func (o *proctimeJoin) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.batch != b {
		if err := o.OnClock(o.ctx.Now(), out); err != nil {
			return false, err
		}
	}
	return o.intervalJoin.OnBatch(in, b, out)
}

// OnClock implements op.ClockHandler.
func (o *proctimeJoin) OnClock(now types.Time, out op.Emitter) error {
	if o.batch != nil { // in the middle of one: its time stands still
		return nil
	}
	o.time = now
	for done := false; !done; {
		o.start()
		done = o.expire()
		if err := o.flush(out); err != nil {
			return err
		}
	}
	o.end()
	return nil
}

// NextClock implements op.ClockHandler.
func (o *proctimeJoin) NextClock() types.Time {
	next := types.MaxTime
	if o.batch != nil {
		return next
	}
	for s := range o.queue {
		if w, ok := o.queue[s].First(); ok {
			next = min(next, types.Time(w.At))
		}
	}
	return next
}
