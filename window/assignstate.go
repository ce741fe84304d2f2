package window

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"fsql/row"
	"fsql/state"
)

// Fingerprint implements op.Fingerprinted: SESSION keeps whole rows.
func (s *AssignSpec) Fingerprint() string {
	all := make([]int, len(s.In.Columns))
	for i := range all {
		all[i] = i
	}
	return s.Window.fingerprint(s.In) + keyTypes(s.In, s.PartitionKeys) + "; rows" + keyTypes(s.In, all)
}

// Track implements op.Stateful.
func (o *assignSession) Track() { o.set.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful. A key that got a row is stored with all its
// rows: the list of its sessions, then the rows in the order in which they
// came, each with the number of its session, its kind and its columns encoded
// as a key.
func (o *assignSession) Snapshot(s *state.Snapshot) {
	o.set.table.Seal(s, o.save)
	s.Local = saveLocal(o.progress, o.passed)
}

// keptRow is a row and the number of its session among those of the key.
type keptRow struct{ id, session int32 }

func (o *assignSession) save(dst []byte, key int32) []byte {
	var rows []keptRow
	n := int32(0)
	dst = o.set.save(dst, key, func(dst []byte, i int32) []byte {
		for id := o.chain[i].first; id >= 0; id = o.next[id] {
			rows = append(rows, keptRow{id, n})
		}
		n++
		return dst
	})
	slices.SortFunc(rows, func(a, b keptRow) int { return cmp.Compare(a.id, b.id) })
	sel := make([]int32, len(rows))
	for i, r := range rows {
		sel[i] = r.id
	}
	var cells row.Keys
	cells.Encode(o.cols, len(o.next), sel)
	dst = binary.AppendUvarint(dst, uint64(len(rows)))
	for i, r := range rows {
		kind := row.Insert
		if o.kinds != nil {
			kind = o.kinds[r.id]
		}
		dst = append(binary.AppendUvarint(dst, uint64(r.session)), byte(kind))
		dst = state.AppendBytes(dst, cells.At(i))
	}
	return dst
}

// Restore implements op.Stateful.
func (o *assignSession) Restore(r *state.Restored) (err error) {
	if o.progress, o.passed, err = loadLocal(r.Locals); err != nil {
		return err
	}
	err = r.Each(func(_ byte, key, val []byte) error {
		k := o.set.table.Load(key)
		o.set.room()
		var sessions []int32
		rest, err := o.set.load(k, val, func(i int32, _ []byte) error {
			o.room()
			o.chain[i] = chain{-1, -1}
			sessions = append(sessions, i)
			return nil
		})
		if err != nil {
			return err
		}
		slices.Reverse(sessions) // they are numbered from the head of the list
		return o.loadRows(rest, sessions)
	})
	o.schedule()
	return err
}

func (o *assignSession) loadRows(saved []byte, sessions []int32) error {
	d := state.Decoder{Data: saved}
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		session, kind, cells := d.Uvarint(), row.Kind(d.Byte()), d.Bytes()
		if d.Err != nil {
			break
		}
		if session >= uint64(len(sessions)) {
			return errors.New("a stored row names a session that is not there")
		}
		id := int32(len(o.next))
		row.DecodeKey(cells, o.cols)
		if kind != row.Insert && o.kinds == nil {
			o.kinds = make([]row.Kind, id)
		}
		if o.kinds != nil {
			o.kinds = append(o.kinds, kind)
		}
		o.next = append(o.next, -1)
		o.live++
		if c := &o.chain[sessions[session]]; c.first < 0 {
			*c = chain{id, id}
		} else {
			o.next[c.last] = id
			c.last = id
		}
	}
	return d.Err
}
