package join

import (
	"fsql/op"
	"fsql/row"
)

// flush sends what a step has found.
func (o *regularJoin) flush(out op.Emitter) error {
	sel, all, err := o.pairs.passed()
	if err != nil {
		return err
	}
	var marks []row.Mark
	if len(o.marks) > 0 {
		marks = append(marks, o.marks...)
	}
	if o.spec.Kind == Inner {
		return o.flushPairs(sel, all, marks, out)
	}
	return o.flushEvents(sel, all, marks, out)
}

// flushPairs is that of an inner join: the pairs of a row have its kind.
func (o *regularJoin) flushPairs(sel []int32, all bool, marks []row.Mark, out op.Emitter) error {
	p := o.pairs
	rows := len(p.rows)
	var at []int32
	if !all {
		rows, at, marks = len(sel), sel, row.GatherMarks(marks, sel)
	}
	if rows == 0 {
		return p.send(nil, 0, nil, marks, out)
	}
	var kinds []row.Kind
	if o.batch.Kinds != nil {
		kinds = make([]row.Kind, rows)
		for i := range kinds {
			n := i
			if at != nil {
				n = int(at[i])
			}
			kinds[i] = o.batch.Kinds[p.rows[n]]
		}
	}
	return p.send(p.gather(at, at), rows, kinds, marks, out)
}

// flushEvents goes through what happened in order: see the table of
// flink-sql 4.7.
func (o *regularJoin) flushEvents(sel []int32, all bool, marks []row.Mark, out op.Emitter) error {
	p, other := o.pairs, 1-o.own
	o.l, o.r, o.kinds = o.l[:0], o.r[:0], o.kinds[:0]
	m, through := 0, int32(0)
	for i, e := range o.events {
		for ; m < len(marks) && int(marks[m].Row) == i; m++ {
			marks[m].Row = int32(len(o.kinds))
		}
		if e.kind == ends {
			if k, ok := o.alone(o.batch.Kind(int(e.n))); ok {
				o.send(o.own, p.soloPlace(through), nowhere, k)
			}
			o.keep(int(e.n), o.matches)
			o.matches = 0
			through++
			continue
		}
		if !all {
			for len(sel) > 0 && sel[0] < e.n {
				sel = sel[1:]
			}
			if len(sel) == 0 || sel[0] != e.n {
				continue
			}
		}
		k := o.batch.Kind(int(p.rows[e.n]))
		switch e.kind {
		case met:
			o.matches++
			o.send(o.own, e.n, e.n, o.pairKind(k))
		case tests:
			o.matches++
		case counts, countsToo:
			if now, ok := o.turns(e, k); ok {
				o.send(other, e.n, nowhere, now)
			}
		}
	}
	for ; m < len(marks); m++ {
		marks[m].Row = int32(len(o.kinds))
	}
	rows := len(o.kinds)
	if rows == 0 {
		return p.send(nil, 0, nil, lastOfEach(marks), out)
	}
	return p.send(p.gather(o.l, o.r), rows, append([]row.Kind(nil), o.kinds...), lastOfEach(marks), out)
}

// send adds a row to the output: its values of a side at a place, those of the
// other side at another.
func (o *regularJoin) send(side int, place, otherPlace int32, k row.Kind) {
	if side == left {
		o.l, o.r = append(o.l, place), append(o.r, otherPlace)
	} else {
		o.l, o.r = append(o.l, otherPlace), append(o.r, place)
	}
	o.kinds = append(o.kinds, k)
}

// pairKind is the kind of a pair in an outer join.
func (o *regularJoin) pairKind(k row.Kind) row.Kind {
	switch {
	case k.Adds():
		return row.Insert
	case o.spec.Kind.Pads(o.own):
		return row.Delete
	}
	return k
}

// alone tells whether a row of kind k comes out by itself, and as what.
func (o *regularJoin) alone(k row.Kind) (row.Kind, bool) {
	switch {
	case !o.standsAlone():
		return k, false
	case o.spec.Kind == Semi:
		return k, o.matches > 0
	case o.spec.Kind == Anti:
		return k, o.matches == 0
	case k.Adds():
		return row.Insert, o.matches == 0
	}
	return row.Delete, o.matches == 0
}

// turns counts a partner of a stored row. The row comes out when it got its
// first one or lost its last one.
func (o *regularJoin) turns(e did, k row.Kind) (now row.Kind, ok bool) {
	s := &o.side[1-o.own].rows[o.slotOf[e.n]]
	step, edge := int32(1), int32(0)
	if !k.Adds() {
		step, edge = -1, 1
	}
	if e.kind == counts { // equal rows count once
		o.side[1-o.own].touch(o.slotOf[e.n])
		o.old = s.met
		s.met += step
		o.side[1-o.own].life.wrote(o.slotOf[e.n])
	}
	if o.old != edge {
		return 0, false
	}
	switch {
	case o.spec.Kind == Semi:
		return k, true
	case k.Adds():
		return row.Delete, true
	}
	return row.Insert, true
}
