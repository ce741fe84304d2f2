package relop

import (
	"encoding/binary"
	"fmt"

	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted.
func (s *KeepSpec) Fingerprint() string {
	return fmt.Sprint("keep ", s.Last) + storedTypes(s.In, s.Partition, s.OrderBy)
}

// keepForm is the version of a kept row: whether it is the first, when the last
// row came, sort key and row.
const keepForm = 1

// Track implements op.Stateful.
func (o *keep) Track() { o.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *keep) Snapshot(s *state.Snapshot) {
	o.table.Seal(s, func(dst []byte, slot int32) []byte {
		k := &o.kept[slot]
		dst = append(dst, keepForm, byte(btoi(k.first)))
		return append(binary.AppendVarint(dst, int64(k.since)), o.arena.Get(k.data)...)
	})
}

// Restore implements op.Stateful.
func (o *keep) Restore(r *state.Restored) error {
	return r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.kept = grown(o.kept, o.table.Cap())
		d := state.Decoder{Data: val}
		d.Version(keepForm)
		k := keptOne{first: d.Byte() == 1, since: types.Time(d.Varint())}
		if d.Err != nil {
			return d.Err
		}
		if o.spec.TTL > 0 && k.since == 0 { // stored before there was a time to live
			k.since = o.ctx.Now()
		}
		k.data = o.arena.Put(d.Data)
		o.kept[slot] = k
		return nil
	})
}
