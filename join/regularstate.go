package join

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"fsql/row"
	"fsql/state"
)

// Fingerprint implements op.Fingerprinted.
func (s *RegularSpec) Fingerprint() string {
	used := usedColumns(s.L.In, s.R.In, s.Cols, s.Cond)
	n := len(s.L.In.Columns)
	return s.Kind.String() + " left " + s.L.stored(used[:n]) + " right " + s.R.stored(used[n:])
}

// stored describes how the rows of a side are stored: whole, unless they have a
// unique key.
func (s *Side) stored(used []bool) string {
	text := s.layout().String() + " " + sideTypes(s)
	if s.identity() == nil {
		return text
	}
	return fmt.Sprintf("%s %t", text, used)
}

// regularForm is the version of a saved row: equal rows, partners, number, join
// key, the row unless it is the key of its entry, and with a time to live when
// it was written.
const regularForm = 1

// Track implements op.Stateful. A row is sent here by its join key: that tells
// its key group.
func (o *regularJoin) Track() {
	for i, side := range o.side {
		side.table.Track(state.Tracking{Space: byte(i), Zero: o.key.Zero, Group: func(slot int32) int {
			return state.GroupOf(o.keys.Key(side.rows[slot].key), o.key.Zero)
		}})
	}
}

// Snapshot implements op.Stateful.
func (o *regularJoin) Snapshot(s *state.Snapshot) {
	for _, side := range o.side {
		side.table.Seal(s, func(dst []byte, slot int32) []byte {
			r := &side.rows[slot]
			dst = append(dst, regularForm)
			dst = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(dst, int64(r.count)), int64(r.met)), r.number)
			dst = state.AppendBytes(dst, o.keys.Key(r.key))
			if side.ident != nil {
				dst = state.AppendBytes(dst, side.arena.Get(side.vals[slot]))
			}
			return side.life.save(dst, slot)
		})
	}
}

// Restore implements op.Stateful.
func (o *regularJoin) Restore(r *state.Restored) error {
	l := &regularLoading{o: o}
	if err := r.Each(l.entry); err != nil {
		return err
	}
	l.flush()
	for i, rows := range l.rows {
		// The lists are in the order of arrival.
		side := o.side[i]
		slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(side.rows[a].number, side.rows[b].number) })
		for _, slot := range rows {
			s := &side.rows[slot]
			side.link(slot, &o.keyed[s.key].side[i])
			side.number = max(side.number, s.number)
		}
	}
	return nil
}

// regularLoading collects rows of a checkpoint, whose join keys are looked up
// many at once.
type regularLoading struct {
	o     *regularJoin
	rows  [2][]int32
	keys  [][]byte
	of    []loaded // the rows with these keys
	slots []int32
	key   row.Keys
}

type loaded struct {
	side int
	slot int32
}

func (l *regularLoading) entry(space byte, key, val []byte) error {
	side := l.o.side[space&1]
	slot := side.table.Load(key)
	side.grow()
	d := state.Decoder{Data: val}
	d.Version(regularForm)
	side.rows[slot] = rowState{used: true, count: int32(d.Varint()), met: int32(d.Varint()), number: d.Varint()}
	l.keys = append(l.keys, slices.Clone(d.Bytes()))
	if side.ident != nil {
		side.vals[slot] = side.arena.Put(d.Bytes())
	}
	side.life.load(&d, slot, l.o.ctx)
	if d.Err != nil {
		return d.Err
	}
	l.rows[space&1] = append(l.rows[space&1], slot)
	if l.of = append(l.of, loaded{int(space & 1), slot}); len(l.of) == loadRows {
		l.flush()
	}
	return nil
}

// flush tells the collected rows their join keys.
func (l *regularLoading) flush() {
	o := l.o
	l.key.Zero = o.key.Zero
	l.key.SetRaw(nil, l.keys)
	l.slots = sized(l.slots, len(l.keys))
	o.grow(o.keys.FindOrAdd(&l.key, l.slots, nil))
	for i, r := range l.of {
		o.side[r.side].rows[r.slot].key = l.slots[i]
	}
	l.keys, l.of = l.keys[:0], l.of[:0]
}
