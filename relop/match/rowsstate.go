package match

import (
	"encoding/binary"
	"errors"

	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// rowSpace are the entries of rows, by the number of their arrival; rowForm is the
// version of one: time, partition, further keys of the order, columns that are kept.
const (
	rowSpace = 1
	rowForm  = 1
)

// rowsSave collects which rows came and went since the last checkpoint.
type rowsSave struct {
	form    *stored
	key     func(slot int32) []byte
	zero    bool
	upTo    int64   // rows up to this number are in a checkpoint, unless they are gone
	fresh   []int32 // came since then; an id that was used again may come twice
	changes state.Changes
	number  [8]byte
}

func (s *rowsSave) added(r *rows, ids []int32) {
	if len(s.fresh)+len(ids) > cap(s.fresh) && len(s.fresh) > 2*r.live {
		s.fresh = s.alive(r) // else those that come and go pile up
	}
	s.fresh = append(s.fresh, ids...)
}

// alive keeps, in place, the ids whose row is not in a checkpoint and there.
func (s *rowsSave) alive(r *rows) []int32 {
	out, seen := s.fresh[:0], map[int32]bool{}
	for _, id := range s.fresh {
		if int(id) < len(r.seq) && r.seq[id] > s.upTo && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

func (s *rowsSave) dropped(r *rows, ids []int32) {
	for _, id := range ids {
		if r.seq[id] <= s.upTo {
			s.changes.Delete(s.group(r.slot[id]), rowSpace, s.numbered(r.seq[id]))
		}
	}
}

func (s *rowsSave) group(slot int32) int {
	if s.zero {
		return row.Group(0)
	}
	return row.Group(row.Hash(s.key(slot)))
}

func (s *rowsSave) numbered(seq int64) []byte {
	binary.BigEndian.PutUint64(s.number[:], uint64(seq))
	return s.number[:]
}

// snapshot gives what has changed.
func (r *rows) snapshot(to *state.Snapshot) {
	s := r.save
	to.Changes.Join(&s.changes)
	s.changes = state.Changes{}
	s.fresh = s.alive(r)
	s.form.encode(r, s.fresh)
	for i, id := range s.fresh {
		to.Put(s.group(r.slot[id]), rowSpace, s.numbered(r.seq[id]), func(dst []byte) []byte {
			dst = binary.AppendVarint(append(dst, rowForm), r.at[id])
			dst = state.AppendBytes(dst, s.key(r.slot[id]))
			if r.order != nil {
				dst = state.AppendBytes(dst, []byte(r.order[id]))
			}
			return append(dst, s.form.keys.At(i)...)
		})
	}
	s.fresh, s.upTo = s.fresh[:0], r.last
}

// load puts a row of a checkpoint back; slot gives that of a partition.
func (r *rows) load(key, val []byte, slot func(key []byte) int32) error {
	if len(key) != 8 {
		return errors.New("a kept row has no number")
	}
	d := state.Decoder{Data: val}
	d.Version(rowForm)
	at := d.Varint()
	of := d.Bytes()
	order := ""
	if r.order != nil {
		order = string(d.Bytes())
	}
	if d.Err != nil {
		return d.Err
	}
	id := r.place(1, nil)
	r.at[id[0]], r.seq[id[0]], r.slot[id[0]] = at, int64(binary.BigEndian.Uint64(key)), slot(of)
	if r.slot[id[0]] < 0 {
		return errors.New("a kept row has no partition")
	}
	if r.order != nil {
		r.order[id[0]] = order
	}
	r.fill(r.save.form.decode([][]byte{d.Data}), []int32{0}, id)
	r.last = max(r.last, r.seq[id[0]])
	r.save.upTo = r.last
	return nil
}

// stored encodes the columns that are kept.
type stored struct {
	schema *types.Schema
	cols   []int
	keys   row.Keys
}

func newStored(s *Spec) *stored {
	f := &stored{schema: s.In}
	for c, used := range s.used() {
		if used {
			f.cols = append(f.cols, c)
		}
	}
	return f
}

func (f *stored) encode(r *rows, ids []int32) {
	vecs := make([]*row.Vec, len(f.cols))
	for i, c := range f.cols {
		vecs[i] = row.NewVec(f.schema.Columns[c].Type, 0)
		r.get(c, ids, vecs[i])
	}
	f.keys.Encode(vecs, len(ids), nil)
}

// decode makes a batch of rows, with the columns that are kept.
func (f *stored) decode(data [][]byte) *row.Batch {
	b := &row.Batch{Schema: f.schema, Rows: len(data), Cols: make([]*row.Vec, len(f.schema.Columns))}
	vecs := make([]*row.Vec, len(f.cols))
	for i, c := range f.cols {
		vecs[i] = row.NewVec(f.schema.Columns[c].Type, 0)
		b.Cols[c] = vecs[i]
	}
	row.DecodeKeys(data, 0, vecs)
	return b
}
