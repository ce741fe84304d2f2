package relop

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted.
func (s *CompactSpec) Fingerprint() string {
	return fmt.Sprint("compact ", s.Unique) + storedTypes(s.In, s.Key, nil)
}

// compactForm is the version of a saved primary key: when its row came, the row,
// its number among those with waiting changes, the changes.
const compactForm = 1

// Track implements op.Stateful.
func (o *compact) Track() { o.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful. Changes wait for event time to move: the mark
// that comes again after a start must not settle them, which is why it is saved.
func (o *compact) Snapshot(s *state.Snapshot) {
	o.table.Seal(s, func(dst []byte, slot int32) []byte {
		k := &o.keyed[slot]
		dst = binary.AppendVarint(append(dst, compactForm), int64(k.since))
		dst = binary.AppendVarint(state.AppendBytes(dst, o.arena.Get(k.now)), k.listed)
		for id := k.head; id != 0; id = o.wait[id-1].next {
			w := &o.wait[id-1]
			dst = state.AppendBytes(append(dst, byte(btoi(w.adds))), o.arena.Get(w.data))
		}
		return dst
	})
	s.Local = binary.AppendVarint([]byte{compactForm}, int64(o.last))
}

// Restore implements op.Stateful.
func (o *compact) Restore(r *state.Restored) error {
	for i, l := range r.Locals {
		d := state.Decoder{Data: l}
		d.Version(compactForm)
		if t := types.Time(d.Varint()); i == 0 || t < o.last {
			o.last = t
		}
		if d.Err != nil {
			return d.Err
		}
	}
	err := r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.keyed = grown(o.keyed, o.table.Cap())
		d := state.Decoder{Data: val}
		d.Version(compactForm)
		k := compactKey{since: types.Time(d.Varint())}
		if o.spec.TTL > 0 && k.since == 0 { // stored before there was a time to live
			k.since = o.ctx.Now()
		}
		k.now = o.arena.Put(d.Bytes())
		if k.listed = d.Varint(); k.listed != 0 {
			o.due = append(o.due, slot)
			o.number = max(o.number, k.listed)
		}
		o.keyed[slot] = k
		for len(d.Data) > 0 && d.Err == nil {
			adds := d.Byte() == 1
			o.append(slot, adds, o.arena.Put(d.Bytes()))
		}
		return d.Err
	})
	slices.SortFunc(o.due, func(a, b int32) int { return cmp.Compare(o.keyed[a].listed, o.keyed[b].listed) })
	return err
}

// expiringCompact also gives back the memory of rows whose time to live is over:
// once per time to live it looks at all of them.
type expiringCompact struct {
	*compact
	sweep
}

// OnBatch implements op.Operator.
func (o *expiringCompact) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	more, err := o.compact.OnBatch(in, b, out)
	if o.at == types.MaxTime {
		o.plan(o.ctx.Now(), o.table.Len())
	}
	return more, err
}

// OnClock implements op.ClockHandler.
func (o *expiringCompact) OnClock(now types.Time, _ op.Emitter) error {
	var over []int32
	for _, s := range o.table.Slots(nil) {
		if k := &o.keyed[s]; k.listed == 0 && now-k.since >= o.spec.TTL {
			over = append(over, s)
		}
	}
	o.table.Touch(over)
	for _, s := range over {
		o.arena.Drop(o.keyed[s].now)
		o.keyed[s] = compactKey{}
	}
	o.table.Remove(over)
	o.plan(now, o.table.Len())
	return nil
}

// Restore implements op.Stateful.
func (o *expiringCompact) Restore(r *state.Restored) error {
	err := o.compact.Restore(r)
	o.plan(o.ctx.Now(), o.table.Len())
	return err
}
