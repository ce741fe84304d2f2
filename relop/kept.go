package relop

import (
	"encoding/binary"
	"errors"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// keptRows are rows that an operator keeps until it lets each of them go: those
// that wait for event time, those that a frame still holds. A row has a number,
// which gives the order of arrival; in checkpoints it is an entry by its number.
type keptRows struct {
	rows   []keptRow // by id
	free   []int32
	arena  state.Arena
	number int64 // of the last row
	live   int

	// What checkpoints need, unless save is nil.
	save *keptSave
}

// keptRow is a row. The slot of its partition is the operator's.
type keptRow struct {
	seq  int64 // 0: there is none
	at   int64 // its time
	part int32
	data state.Ref // as row.EncodeOrdered or row.Form make it
}

// keptSave collects what changed since the last checkpoint.
type keptSave struct {
	space   byte
	part    func(part int32) []byte // key of a partition
	zero    bool
	upTo    int64 // rows up to this number are in a checkpoint, unless they are gone
	fresh   []int32
	changes state.Changes
	key     [8]byte
}

// keptForm is the version of a kept row: time, partition, row.
const keptForm = 1

// track makes the rows remember what changes, as entries of a space.
func (k *keptRows) track(space byte, zero bool, part func(int32) []byte) {
	k.save = &keptSave{space: space, zero: zero, part: part}
}

// add keeps a row.
func (k *keptRows) add(part int32, at int64, data []byte) int32 {
	k.number++
	id := k.put(keptRow{seq: k.number, at: at, part: part, data: k.arena.Put(data)})
	if s := k.save; s != nil {
		if len(s.fresh) == cap(s.fresh) && len(s.fresh) > 2*k.live {
			s.fresh = k.alive(s.fresh) // else those that come and go pile up
		}
		s.fresh = append(s.fresh, id)
	}
	return id
}

func (k *keptRows) put(r keptRow) int32 {
	k.live++
	if n := len(k.free); n > 0 {
		id := k.free[n-1]
		k.free = k.free[:n-1]
		k.rows[id] = r
		return id
	}
	k.rows = append(k.rows, r)
	return int32(len(k.rows) - 1)
}

// alive keeps, in place, the ids whose row is not in a checkpoint and there.
// An id that was used again may come twice.
func (k *keptRows) alive(ids []int32) []int32 {
	out, seen := ids[:0], map[int32]bool{}
	for _, id := range ids {
		if k.rows[id].seq > k.save.upTo && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// get is the data of a row; it lives until the row is dropped and another one
// added.
func (k *keptRows) get(id int32) []byte { return k.arena.Get(k.rows[id].data) }

// drop lets a row go.
func (k *keptRows) drop(id int32) {
	r := &k.rows[id]
	if s := k.save; s != nil && r.seq <= s.upTo {
		s.changes.Delete(groupOf(s.part(r.part), s.zero), s.space, s.numbered(r.seq))
	}
	k.arena.Drop(r.data)
	*r = keptRow{}
	k.free = append(k.free, id)
	if k.live--; k.live == 0 {
		k.rows, k.free, k.arena = k.rows[:0], k.free[:0], state.Arena{}
		if k.save != nil {
			k.save.fresh = k.save.fresh[:0]
		}
	}
}

func (s *keptSave) numbered(seq int64) []byte {
	binary.BigEndian.PutUint64(s.key[:], uint64(seq))
	return s.key[:]
}

// snapshot gives what has changed.
func (k *keptRows) snapshot(to *state.Snapshot) {
	s := k.save
	to.Changes.Join(&s.changes)
	s.changes = state.Changes{}
	for _, id := range k.alive(s.fresh) {
		r := &k.rows[id]
		part := s.part(r.part)
		to.Put(groupOf(part, s.zero), s.space, s.numbered(r.seq), func(dst []byte) []byte {
			dst = binary.AppendVarint(append(dst, keptForm), r.at)
			return append(state.AppendBytes(dst, part), k.arena.Get(r.data)...)
		})
	}
	s.fresh, s.upTo = s.fresh[:0], k.number
}

// load puts a row of a checkpoint back; part gives the slot of a partition.
func (k *keptRows) load(key, val []byte, part func(key []byte) int32) error {
	if len(key) != 8 {
		return errors.New("a kept row has no number")
	}
	d := state.Decoder{Data: val}
	d.Version(keptForm)
	r := keptRow{seq: int64(binary.BigEndian.Uint64(key)), at: d.Varint()}
	p := d.Bytes()
	if d.Err != nil {
		return d.Err
	}
	r.part, r.data = part(p), k.arena.Put(d.Data)
	k.put(r)
	k.number = max(k.number, r.seq)
	k.save.upTo = k.number
	return nil
}

func (k *keptRows) bytes() int64 {
	n := int64(cap(k.rows))*40 + int64(cap(k.free))*4 + k.arena.Bytes()
	if k.save != nil {
		n += int64(cap(k.save.fresh))*4 + k.save.changes.Bytes()
	}
	return n
}

// rowtimes reads a time attribute in whole milliseconds, rounded down. Flink
// fails a job at a NULL in it.
func rowtimes(dst []int64, b *row.Batch, col int, what string) ([]int64, error) {
	v := b.Cols[col]
	if v.Valid.Nulls(b.Rows) > 0 {
		name := b.Schema.Columns[col].Name
		return dst, diag.New(diag.NullRowtime, diag.Span{}, "the time column %q is NULL: a row without a time has no place in %s", name, what).
			WithHint("filter such rows before: WHERE %s IS NOT NULL", name)
	}
	dst = sized(dst, b.Rows)
	if v.Type.Layout() == types.LayoutNano {
		copy(dst, v.I64)
		return dst, nil
	}
	for i, us := range v.I64[:b.Rows] {
		ms := us / 1000
		if us%1000 < 0 {
			ms--
		}
		dst[i] = ms
	}
	return dst, nil
}
