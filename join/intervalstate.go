package join

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"fsql/row"
	"fsql/state"
)

// Fingerprint implements op.Fingerprinted.
func (s *IntervalSpec) Fingerprint() string {
	return fmt.Sprintf("%s [%d, %d] %t left %s right %s stored %t", s.Kind, s.Lo, s.Hi, s.Proctime, sideTypes(&s.L), sideTypes(&s.R),
		usedColumns(s.L.In, s.R.In, s.Cols, s.Cond))
}

func sideTypes(s *Side) string {
	var b strings.Builder
	b.WriteString("keys")
	for _, k := range s.Keys {
		b.WriteString(" " + s.In.Columns[k].Type.Plain().String())
	}
	b.WriteString(" columns")
	for _, c := range s.In.Columns {
		b.WriteString(" " + c.Type.Plain().String())
	}
	return b.String()
}

// saving is what an interval join remembers for its checkpoints. A row is an
// entry by its number in the space of its side: its time, its key and what is
// stored of it. That a row which is in a checkpoint already has met a partner
// is an entry of its own, in the space of its side + 2.
type saving struct {
	upTo    int64 // rows up to this number are in a checkpoint, unless they are gone
	changes state.Changes
	fresh   []keptRow // stored since then; some of them are gone
	leaving []keptRow // left in this step
	number  [8]byte
}

// keptRow is a stored row.
type keptRow struct {
	state.Timer
	entry
	side int
}

// intervalForm is the version of a saved row: time, key, row.
const intervalForm = 1

const metSpace = 2

func (s *saving) key(seq int64) []byte {
	binary.BigEndian.PutUint64(s.number[:], uint64(seq))
	return s.number[:]
}

func (s *saving) added(o *intervalJoin, r keptRow) {
	if len(s.fresh) == cap(s.fresh) && len(s.fresh) > keepRoom {
		s.fresh = slices.DeleteFunc(s.fresh, o.hasLeft) // else those that come and go between two checkpoints pile up
	}
	s.fresh = append(s.fresh, r)
}

// hasLeft tells that a row has left.
func (o *intervalJoin) hasLeft(r keptRow) bool { return r.At <= int64(o.time) }

// left notes the rows that left in a step, after those that met.
func (s *saving) left(o *intervalJoin) {
	for _, r := range s.leaving {
		if r.Seq > s.upTo {
			continue
		}
		group := state.GroupOf(o.table.Key(r.Who), o.key.Zero)
		s.changes.Delete(group, byte(r.side), s.key(r.Seq))
		if o.pads[r.side] {
			s.changes.Delete(group, byte(metSpace+r.side), s.key(r.Seq))
		}
	}
	s.leaving = s.leaving[:0]
}

// met notes that a row of a side has met the pairs' row of the batch.
func (s *saving) met(o *intervalJoin, side int, seq int64) {
	if seq <= s.upTo {
		s.changes.Put(row.Group(o.key.Hash[o.lucky]), byte(metSpace+side), s.key(seq), func(dst []byte) []byte { return dst })
	}
}

// Track implements op.Stateful.
func (o *intervalJoin) Track() { o.saved = &saving{} }

// Snapshot implements op.Stateful.
func (o *intervalJoin) Snapshot(snap *state.Snapshot) {
	s := o.saved
	snap.Changes.Join(&s.changes)
	s.changes = state.Changes{}
	for i := range s.fresh {
		r := &s.fresh[i]
		if o.hasLeft(*r) {
			continue
		}
		key := o.table.Key(r.Who)
		snap.Put(state.GroupOf(key, o.key.Zero), byte(r.side), s.key(r.Seq), func(dst []byte) []byte {
			dst = binary.AppendVarint(append(dst, intervalForm), r.entry.at)
			return state.AppendBytes(state.AppendBytes(dst, key), o.rows.Get(r.row))
		})
	}
	s.fresh, s.upTo = s.fresh[:0], o.seq
}

// Restore implements op.Stateful.
func (o *intervalJoin) Restore(r *state.Restored) error {
	l := &loading{o: o}
	if err := r.Each(l.entry); err != nil {
		return err
	}
	l.flush()
	for side := range l.queue {
		// In order of time they stand in the queue's line.
		slices.SortFunc(l.queue[side], func(a, b state.Timer) int {
			return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Seq, b.Seq))
		})
		for _, w := range l.queue[side] {
			o.queue[side].Push(w)
		}
	}
	o.saved.upTo = o.seq
	return nil
}

// loading collects rows of a checkpoint, whose keys are looked up many at once.
type loading struct {
	o     *intervalJoin
	keys  [][]byte
	rows  []keptRow
	slots []int32
	key   row.Keys
	queue [2][]state.Timer

	group  int // key group at work
	padded [2][]numbered
}

// numbered is a row of the key group at work.
type numbered struct {
	seq int64
	row state.Ref
}

const loadRows = 1024

func (l *loading) entry(space byte, key, val []byte) error {
	if len(key) != 8 {
		return fmt.Errorf("a row of a join has no number")
	}
	seq := int64(binary.BigEndian.Uint64(key))
	o := l.o
	if space >= metSpace {
		side := space - metSpace
		if side > right || !o.pads[side] {
			return nil // of a join that padded this side
		}
		rows := l.padded[side]
		if i := sort.Search(len(rows), func(i int) bool { return rows[i].seq >= seq }); i < len(rows) && rows[i].seq == seq {
			o.pairs.forms[side].meet(o.rows.Get(rows[i].row))
		}
		return nil
	}
	d := state.Decoder{Data: val}
	d.Version(intervalForm)
	w := keptRow{side: int(space), Timer: state.Timer{Seq: seq}}
	w.entry.at = d.Varint()
	l.keys = append(l.keys, slices.Clone(d.Bytes()))
	w.row = o.rows.Put(d.Bytes())
	if d.Err != nil {
		return d.Err
	}
	// The entries of a key group come together, those of met rows last.
	if g := state.GroupOf(l.keys[len(l.keys)-1], o.key.Zero); g != l.group {
		l.group, l.padded[left], l.padded[right] = g, l.padded[left][:0], l.padded[right][:0]
	}
	w.At = o.until(w.side, w.entry.at)
	if l.rows = append(l.rows, w); o.pads[w.side] {
		l.padded[w.side] = append(l.padded[w.side], numbered{seq, w.row})
	}
	if o.seq = max(o.seq, seq); len(l.rows) == loadRows {
		l.flush()
	}
	return nil
}

// flush puts the collected rows into the lists of their keys.
func (l *loading) flush() {
	o := l.o
	l.key.Zero = o.key.Zero
	l.key.SetRaw(nil, l.keys)
	l.slots = sized(l.slots, len(l.rows))
	o.grow(o.table.FindOrAdd(&l.key, l.slots, nil))
	for i, w := range l.rows {
		w.Who = l.slots[i]
		o.lists.insert(&o.keyed[w.Who].side[w.side], w.entry)
		l.queue[w.side] = append(l.queue[w.side], w.Timer)
	}
	l.keys, l.rows = l.keys[:0], l.rows[:0]
}
