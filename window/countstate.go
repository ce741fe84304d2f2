package window

import (
	"encoding/binary"

	"fmt"
	"fsql/expr/agg"
	"fsql/state"
)

// Fingerprint implements op.Fingerprinted.
func (s *CountSpec) Fingerprint() string {
	return fmt.Sprintf("rows %d %d", s.Size, s.Slide) + keyTypes(s.In, s.Keys) + agg.Fingerprint(s.In, s.Calls, false)
}

// A key is stored in this form: the number of its rows, then the slices of its
// ring, each with its accumulators if it is in use.
const countForm = 1

// Track implements op.Stateful.
func (o *counted) Track() { o.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *counted) Snapshot(s *state.Snapshot) { o.table.Seal(s, o.save) }

func (o *counted) save(dst []byte, key int32) []byte {
	dst = binary.AppendVarint(append(dst, countForm), o.rows[key])
	for _, slot := range o.rings[int(key)*o.ring : int(key)*o.ring+o.ring] {
		if slot < 0 {
			dst = append(dst, 0)
			continue
		}
		dst = state.AppendSized(append(dst, 1), func(dst []byte) []byte { return o.calls.save(dst, slot) })
	}
	return dst
}

// Restore implements op.Stateful.
func (o *counted) Restore(r *state.Restored) error {
	return r.Each(func(_ byte, key, val []byte) error {
		k := o.table.Load(key)
		o.room()
		d := state.Decoder{Data: val}
		d.Version(countForm)
		o.rows[k] = d.Varint()
		for i := range o.ring {
			if d.Byte() == 0 || d.Err != nil {
				continue
			}
			slot := o.slot()
			o.rings[int(k)*o.ring+i] = slot
			o.calls.grow(int(o.slots))
			if err := o.calls.load(slot, d.Bytes()); err != nil {
				return err
			}
		}
		return d.Err
	})
}
