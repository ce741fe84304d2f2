package state

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"fsql/row"
)

// Kept are rows that an operator keeps until it lets each of them go: those
// that wait for event time, those that a frame still holds. A row has a number,
// which gives the order of arrival; in checkpoints it is an entry by its number.
// The zero Kept is empty and ready.
type Kept struct {
	rows   []KeptRow // by id
	free   []int32
	arena  Arena
	number int64 // of the last row
	live   int

	// What checkpoints need, unless save is nil.
	save *keptSave
}

// KeptRow is a row. The slot of its partition is the operator's.
type KeptRow struct {
	Seq  int64 // its number; 0: there is no row
	At   int64 // its time
	Part int32
	data Ref
}

// keptSave collects what changed since the last checkpoint.
type keptSave struct {
	space   byte
	part    func(part int32) []byte // key of a partition
	zero    bool
	upTo    int64 // rows up to this number are in a checkpoint, unless they are gone
	fresh   []int32
	changes Changes
	key     [8]byte
}

// keptForm is the version of a kept row: time, partition, row.
const keptForm = 1

// GroupOf is the key group of a key; zero: every key hashes to 0.
func GroupOf(key []byte, zero bool) int {
	if zero {
		return row.Group(0)
	}
	return row.Group(row.Hash(key))
}

// Track makes the rows remember what changes, as entries of a space. part is
// the key of a partition: by it a row was sent to this subtask.
func (k *Kept) Track(space byte, zero bool, part func(int32) []byte) {
	k.save = &keptSave{space: space, zero: zero, part: part}
}

// Add keeps a copy of a row and returns its id.
func (k *Kept) Add(part int32, at int64, data []byte) int32 {
	k.number++
	id := k.put(KeptRow{Seq: k.number, At: at, Part: part, data: k.arena.Put(data)})
	if s := k.save; s != nil {
		if len(s.fresh) == cap(s.fresh) && len(s.fresh) > 2*k.live {
			s.fresh = k.alive(s.fresh) // else those that come and go pile up
		}
		s.fresh = append(s.fresh, id)
	}
	return id
}

func (k *Kept) put(r KeptRow) int32 {
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
func (k *Kept) alive(ids []int32) []int32 {
	out, seen := ids[:0], map[int32]bool{}
	for _, id := range ids {
		if k.rows[id].Seq > k.save.upTo && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// Row is what is known of a row.
func (k *Kept) Row(id int32) *KeptRow { return &k.rows[id] }

// Has tells that the row with an id is still that of a number.
func (k *Kept) Has(id int32, seq int64) bool { return int(id) < len(k.rows) && k.rows[id].Seq == seq }

// Get is the data of a row; it lives until the row is dropped and another one
// added.
func (k *Kept) Get(id int32) []byte { return k.arena.Get(k.rows[id].data) }

// Ref is where the data of a row lies; Data is what lies there. It is for rows
// that are also found by other ways than their ids.
func (k *Kept) Ref(id int32) Ref { return k.rows[id].data }

// Data is what lies at a Ref, as Get gives it.
func (k *Kept) Data(r Ref) []byte { return k.arena.Get(r) }

// Len is the number of rows.
func (k *Kept) Len() int { return k.live }

// Ids is above every id that is in use.
func (k *Kept) Ids() int { return len(k.rows) }

// Drop lets a row go.
func (k *Kept) Drop(id int32) {
	r := &k.rows[id]
	if s := k.save; s != nil && r.Seq <= s.upTo {
		s.changes.Delete(GroupOf(s.part(r.Part), s.zero), s.space, s.numbered(r.Seq))
	}
	k.arena.Drop(r.data)
	*r = KeptRow{}
	k.free = append(k.free, id)
	if k.live--; k.live == 0 {
		k.rows, k.free, k.arena = k.rows[:0], k.free[:0], Arena{}
		if k.save != nil {
			k.save.fresh = k.save.fresh[:0]
		}
	}
}

func (s *keptSave) numbered(seq int64) []byte {
	binary.BigEndian.PutUint64(s.key[:], uint64(seq))
	return s.key[:]
}

// Snapshot gives what has changed.
func (k *Kept) Snapshot(to *Snapshot) {
	s := k.save
	to.Changes.Join(&s.changes)
	s.changes = Changes{}
	for _, id := range k.alive(s.fresh) {
		r := &k.rows[id]
		part := s.part(r.Part)
		to.Put(GroupOf(part, s.zero), s.space, s.numbered(r.Seq), func(dst []byte) []byte {
			dst = binary.AppendVarint(append(dst, keptForm), r.At)
			return append(AppendBytes(dst, part), k.arena.Get(r.data)...)
		})
	}
	s.fresh, s.upTo = s.fresh[:0], k.number
}

// Load puts a row of a checkpoint back and returns its id; part gives the slot
// of a partition.
func (k *Kept) Load(key, val []byte, part func(key []byte) int32) (int32, error) {
	if len(key) != 8 {
		return 0, errors.New("a kept row has no number")
	}
	d := Decoder{Data: val}
	d.Version(keptForm)
	r := KeptRow{Seq: int64(binary.BigEndian.Uint64(key)), At: d.Varint()}
	p := d.Bytes()
	if d.Err != nil {
		return 0, d.Err
	}
	r.Part, r.data = part(p), k.arena.Put(d.Data)
	k.number = max(k.number, r.Seq)
	k.save.upTo = k.number
	return k.put(r), nil
}

// InOrder are the ids of all rows in order of time, equal times in order of
// arrival. It is for what was loaded: no row has gone yet.
func (k *Kept) InOrder() []int32 {
	ids := make([]int32, len(k.rows))
	for i := range ids {
		ids[i] = int32(i)
	}
	slices.SortFunc(ids, k.Compare)
	return ids
}

// Compare orders two rows by time, equal times by arrival.
func (k *Kept) Compare(a, b int32) int {
	x, y := &k.rows[a], &k.rows[b]
	return cmp.Or(cmp.Compare(x.At, y.At), cmp.Compare(x.Seq, y.Seq))
}

// Bytes is the memory that the rows take.
func (k *Kept) Bytes() int64 {
	n := int64(cap(k.rows))*40 + int64(cap(k.free))*4 + k.arena.Bytes()
	if k.save != nil {
		n += int64(cap(k.save.fresh))*4 + k.save.changes.Bytes()
	}
	return n
}
