package join

import (
	"fsql/row"
	"fsql/state"
)

// sideRows are the stored rows of one side of a regular join. A row has a slot
// by what tells it apart (Side.identity), and stands in the list of its join
// key in the order of arrival.
type sideRows struct {
	form  *form
	ident []int // nil: by the whole row, which then is the key of its slot
	keys  row.Keys
	table *state.Table
	rows  []rowState  // by slot
	vals  []state.Ref // by slot: the row, unless it is the key
	arena state.Arena
	life  lifetime
	// number is that of the last row: the order of arrival.
	number int64

	// The batch at work, if it is of this side.
	slots []int32
	empty []int32 // slots that may have no row
	cols  []*row.Vec
	one   [1]int32
}

// rowState is what is kept with a row.
type rowState struct {
	count      int32 // equal rows; 0: there is no row
	met        int32 // partners, if they are counted
	key        int32 // slot of its join key
	prev, next int32 // in the list of its join key: slot + 1, 0: none
	number     int64
	used       bool // the slot is in use
}

// chain is the list of one side of a join key: slot + 1 of its ends.
type chain struct{ first, last int32 }

func newSideRows(s *Side, used []bool, zero bool) *sideRows {
	r := &sideRows{ident: s.identity(), table: state.NewTable(), life: lifetime{ttl: s.TTL}}
	if r.ident == nil {
		used = make([]bool, len(used))
		for i := range used {
			used[i] = true
		}
	}
	r.form = newForm(s.In, used, false)
	r.form.keys.Zero, r.keys.Zero = zero, zero
	return r
}

// begin finds the slots of the rows of a batch.
func (r *sideRows) begin(b *row.Batch) {
	r.form.encode(b)
	keys := &r.form.keys
	if r.ident != nil {
		r.cols = r.cols[:0]
		for _, c := range r.ident {
			r.cols = append(r.cols, b.Cols[c])
		}
		r.keys.Encode(r.cols, b.Rows, nil)
		keys = &r.keys
	}
	r.slots = sized(r.slots, b.Rows)
	r.empty = r.table.FindOrAdd(keys, r.slots, r.empty[:0])
	r.grow()
	for _, s := range r.empty {
		r.rows[s] = rowState{used: true}
	}
}

// grow makes room for slots that were added.
func (r *sideRows) grow() {
	for n := r.table.Cap(); len(r.rows) < n; {
		r.rows = append(r.rows, rowState{})
	}
	if r.ident != nil {
		for n := r.table.Cap(); len(r.vals) < n; {
			r.vals = append(r.vals, state.Ref{})
		}
	}
	r.life.grow(r.table.Cap())
}

// touch notes that what is kept with a row is about to change.
func (r *sideRows) touch(slot int32) {
	r.one[0] = slot
	r.table.Touch(r.one[:])
}

// bytes is the stored row of a slot; it lives until the side changes.
func (r *sideRows) bytes(slot int32) []byte {
	if r.ident == nil {
		return r.table.Key(slot)
	}
	return r.arena.Get(r.vals[slot])
}

// add stores row i of the batch, whose join key has slot key, with the number
// of its partners.
func (r *sideRows) add(i int, met, key int32, c *chain) {
	slot := r.slots[i]
	s := &r.rows[slot]
	r.touch(slot)
	if s.count > 0 && r.life.over(slot) {
		r.drop(slot, c)
	}
	r.life.wrote(slot)
	s.met = met
	if r.ident != nil {
		r.vals[slot] = r.arena.Set(r.vals[slot], r.form.keys.At(i))
		if s.count > 0 {
			return // it replaces the row
		}
	}
	if s.count++; s.count > 1 {
		return
	}
	r.number++
	s.key, s.number = key, r.number
	r.link(slot, c)
}

// link puts a row at the end of the list of its join key.
func (r *sideRows) link(slot int32, c *chain) {
	s := &r.rows[slot]
	s.prev, s.next = c.last, 0
	if c.last != 0 {
		r.rows[c.last-1].next = slot + 1
	} else {
		c.first = slot + 1
	}
	c.last = slot + 1
}

// remove takes row i of the batch away; one that is not there is ignored, as
// Flink does.
func (r *sideRows) remove(i int, c *chain) {
	slot := r.slots[i]
	s := &r.rows[slot]
	if s.count == 0 {
		return
	}
	r.touch(slot)
	if s.count > 1 && !r.life.over(slot) {
		s.count--
		r.life.wrote(slot)
		return
	}
	r.drop(slot, c)
	r.empty = append(r.empty, slot)
}

// drop takes a row and those equal to it out of the list of its join key.
func (r *sideRows) drop(slot int32, c *chain) {
	s := &r.rows[slot]
	s.count = 0
	if s.prev != 0 {
		r.rows[s.prev-1].next = s.next
	} else {
		c.first = s.next
	}
	if s.next != 0 {
		r.rows[s.next-1].prev = s.prev
	} else {
		c.last = s.prev
	}
	if r.ident != nil {
		r.arena.Drop(r.vals[slot])
		r.vals[slot] = state.Ref{}
	}
}

// end gives the slots back that have no row.
func (r *sideRows) end() {
	none := r.empty[:0]
	for _, s := range r.empty {
		if w := &r.rows[s]; w.used && w.count == 0 {
			w.used = false
			none = append(none, s)
		}
	}
	r.table.Remove(none)
	r.empty = none[:0]
}

func (r *sideRows) bytesHeld() int64 {
	return r.table.Bytes() + r.arena.Bytes() + int64(cap(r.rows))*40 + int64(cap(r.vals))*12 + int64(cap(r.life.since))*8
}
