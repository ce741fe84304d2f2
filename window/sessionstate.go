package window

import (
	"encoding/binary"

	"fsql/state"
)

// The sessions of a key are stored together, under the key. This is the form of
// their list: the number of sessions, then start, end and what the operator
// keeps of each.
const sessionsForm = 1

// save appends the sessions of a key; more appends what an operator keeps of one.
func (s *sessionSet) save(dst []byte, key int32, more func(dst []byte, i int32) []byte) []byte {
	n := uint64(0)
	for i := s.head[key]; i >= 0; i = s.list[i].next {
		n++
	}
	dst = binary.AppendUvarint(append(dst, sessionsForm), n)
	for i := s.head[key]; i >= 0; i = s.list[i].next {
		dst = binary.AppendVarint(binary.AppendVarint(dst, s.list[i].start), s.list[i].end)
		dst = state.AppendSized(dst, func(dst []byte) []byte { return more(dst, i) })
	}
	return dst
}

// load puts the sessions of a key back; more takes what was kept of one. It
// returns what follows the list.
func (s *sessionSet) load(key int32, saved []byte, more func(i int32, saved []byte) error) (rest []byte, err error) {
	type one struct {
		start, end int64
		more       []byte
	}
	d := state.Decoder{Data: saved}
	d.Version(sessionsForm)
	var list []one
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		list = append(list, one{d.Varint(), d.Varint(), d.Bytes()})
	}
	if d.Err != nil {
		return nil, d.Err
	}
	for k := len(list) - 1; k >= 0; k-- { // add puts each before those that are there
		x := list[k]
		if err := more(s.add(key, x.start, x.end), x.more); err != nil {
			return nil, err
		}
	}
	return d.Data, nil
}

// Track implements op.Stateful.
func (o *sessionAgg) Track() { o.set.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *sessionAgg) Snapshot(s *state.Snapshot) {
	o.set.table.Seal(s, func(dst []byte, key int32) []byte { return o.set.save(dst, key, o.calls.save) })
	s.Local = saveLocal(o.progress, o.passed)
}

// Restore implements op.Stateful.
func (o *sessionAgg) Restore(r *state.Restored) (err error) {
	if o.progress, o.passed, err = loadLocal(r.Locals); err != nil {
		return err
	}
	err = r.Each(func(_ byte, key, val []byte) error {
		k := o.set.table.Load(key)
		o.set.room()
		_, err := o.set.load(k, val, func(i int32, saved []byte) error {
			o.calls.grow(len(o.set.list))
			return o.calls.load(i, saved)
		})
		return err
	})
	o.schedule()
	return err
}
