package join

import (
	"encoding/binary"
	"fmt"
	"slices"

	"fsql/row"
	"fsql/state"
)

// windowSaving is what a window join remembers for its checkpoints. A row is an
// entry by its number in the space of its side: the end of its window, its key
// and what is stored of it.
type windowSaving struct {
	upTo    int64 // rows up to this number are in a checkpoint, unless they are gone
	changes state.Changes
	fresh   []windowRow // stored since then; some of them are gone
	number  [8]byte
}

// windowRow is a stored row.
type windowRow struct {
	entry
	side int
	slot int32
	end  int64 // of its window
}

// windowForm is the version of a saved row: end of the window, whether its key
// has no partners (a byte), key, row.
const windowForm = 1

func (s *windowSaving) key(seq int64) []byte {
	binary.BigEndian.PutUint64(s.number[:], uint64(seq))
	return s.number[:]
}

func (s *windowSaving) added(o *windowJoin, r windowRow) {
	if len(s.fresh) == cap(s.fresh) && len(s.fresh) > keepRoom {
		s.fresh = slices.DeleteFunc(s.fresh, o.hasLeft) // else those that come and go between two checkpoints pile up
	}
	s.fresh = append(s.fresh, r)
}

// hasLeft tells that a row has left.
func (o *windowJoin) hasLeft(r windowRow) bool { return r.end <= int64(o.time) }

// left notes that a row leaves.
func (s *windowSaving) left(o *windowJoin, slot int32, side int, seq int64) {
	if seq <= s.upTo {
		s.changes.Delete(state.GroupOf(o.table.Key(slot), o.key.Zero), byte(side), s.key(seq))
	}
}

// Track implements op.Stateful.
func (o *windowJoin) Track() { o.saved = &windowSaving{} }

// Snapshot implements op.Stateful.
func (o *windowJoin) Snapshot(snap *state.Snapshot) {
	s := o.saved
	snap.Changes.Join(&s.changes)
	s.changes = state.Changes{}
	for i := range s.fresh {
		r := &s.fresh[i]
		if o.hasLeft(*r) {
			continue
		}
		key := o.table.Key(r.slot)
		snap.Put(state.GroupOf(key, o.key.Zero), byte(r.side), s.key(r.at), func(dst []byte) []byte {
			dst = binary.AppendVarint(append(dst, windowForm), r.end)
			alone := byte(0)
			if o.groups[r.slot].alone {
				alone = 1
			}
			return state.AppendBytes(state.AppendBytes(append(dst, alone), key), o.rows.Get(r.row))
		})
	}
	s.fresh, s.upTo = s.fresh[:0], o.seq
}

// Restore implements op.Stateful.
func (o *windowJoin) Restore(r *state.Restored) error {
	l := &windowLoading{o: o}
	if err := r.Each(l.entry); err != nil {
		return err
	}
	l.flush()
	for slot := range o.groups {
		g := &o.groups[slot]
		if g.empty() {
			continue
		}
		w := state.Timer{At: g.end, Seq: o.seq, Who: int32(slot)}
		for side := range g.side {
			if l := &g.side[side]; l.n > 0 {
				w.Seq = min(w.Seq, o.lists.first(l).at)
			}
		}
		o.due.Push(w)
	}
	o.saved.upTo = o.seq
	return nil
}

// windowLoading collects rows of a checkpoint, whose keys are looked up many at
// once.
type windowLoading struct {
	o     *windowJoin
	keys  [][]byte
	rows  []windowRow
	alone []bool
	slots []int32
	key   row.Keys
}

func (l *windowLoading) entry(space byte, key, val []byte) error {
	if len(key) != 8 || space > right {
		return fmt.Errorf("a row of a window join has no number")
	}
	o := l.o
	w := windowRow{side: int(space)}
	w.at = int64(binary.BigEndian.Uint64(key))
	d := state.Decoder{Data: val}
	d.Version(windowForm)
	w.end = d.Varint()
	l.alone = append(l.alone, d.Byte() != 0)
	l.keys = append(l.keys, slices.Clone(d.Bytes()))
	w.row = o.rows.Put(d.Bytes())
	if d.Err != nil {
		return d.Err
	}
	l.rows = append(l.rows, w)
	if o.seq = max(o.seq, w.at); len(l.rows) == loadRows {
		l.flush()
	}
	return nil
}

// flush puts the collected rows into the lists of their keys.
func (l *windowLoading) flush() {
	o := l.o
	l.key.Zero = o.key.Zero
	l.key.SetRaw(nil, l.keys)
	l.slots = sized(l.slots, len(l.rows))
	o.grow(o.table.FindOrAdd(&l.key, l.slots, nil))
	for i, w := range l.rows {
		g := &o.groups[l.slots[i]]
		g.end, g.alone = w.end, l.alone[i]
		o.lists.insert(&g.side[w.side], w.entry)
	}
	l.keys, l.rows, l.alone = l.keys[:0], l.rows[:0], l.alone[:0]
}
