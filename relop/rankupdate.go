package relop

import (
	"bytes"

	"fsql/row"
)

// upsert takes a row that replaces the one with its unique key, if that has a
// rank, and ranks at least as well. One that had none comes in like a new row.
func (o *rank) upsert(l *ranked, p, slot int32, i int) {
	data := o.values.At(i)
	key, _ := row.Ordered(data)
	s := &o.rows.slots[slot]
	if s.head == 0 {
		if end := o.last(p); l.rank(o.rows.seek(l, key, o.number+1), end) > end {
			return
		}
		o.touch(slot)
		o.rows.vals[slot] = o.rows.arena.Put(data)
		o.add(l, p, slot, key)
		return
	}
	o.touch(slot)
	e := s.head - 1
	oldKey, oldRow := row.Ordered(o.rows.data(slot))
	at := l.exact(o.rows.seek(l, oldKey, o.rows.entries[e].seq))
	end := o.last(p)
	oldRank := l.rank(at, end)
	o.dropped = append(o.dropped, o.rows.vals[slot]) // it is sent before it goes
	o.rows.vals[slot] = o.rows.arena.Put(data)
	rank := oldRank
	if !bytes.Equal(key, oldKey) {
		l.remove(at)
		o.number++
		o.rows.entries[e].seq = o.sign * o.number
		at = o.rows.seek(l, key, o.rows.entries[e].seq)
		rank = l.rank(at, end)
		l.insert(at, e)
	}
	if !o.spec.numbered() {
		o.update(oldRow, o.rows.row(e), 0)
		return
	}
	o.moved(l, oldRow, rank, oldRank)
}

// moved sends what a row that went from one rank to a better one has changed:
// the ranks between the two, all old rows first, as Flink does for updates.
func (o *rank) moved(l *ranked, oldRow []byte, rank, oldRank int64) {
	from := max(rank, o.spec.Start)
	if from > oldRank {
		return
	}
	at := l.at(from)
	if o.spec.UpdateBefore {
		for q, p := from, at; q <= oldRank; q++ {
			was := oldRow
			if q < oldRank {
				p = l.next(p)
				was = o.rows.row(l.entry(p))
			}
			o.send.add(row.UpdateBefore, was, q)
		}
	}
	for q := from; q <= oldRank; q++ {
		o.send.add(row.UpdateAfter, o.rows.row(l.entry(at)), q)
		at = l.next(at)
	}
}
