package relop

import (
	"encoding/binary"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted.
func (s *NormalizeSpec) Fingerprint() string {
	return "normalize" + storedTypes(s.In, s.Key, nil)
}

// normalForm is the version of a kept row: when the last row came, the row.
const normalForm = 1

// Track implements op.Stateful.
func (o *normalize) Track() { o.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *normalize) Snapshot(s *state.Snapshot) {
	o.table.Seal(s, func(dst []byte, slot int32) []byte {
		k := &o.rows[slot]
		return append(binary.AppendVarint(append(dst, normalForm), int64(k.since)), o.arena.Get(k.data)...)
	})
}

// Restore implements op.Stateful.
func (o *normalize) Restore(r *state.Restored) error {
	return r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.rows = grown(o.rows, o.table.Cap())
		d := state.Decoder{Data: val}
		d.Version(normalForm)
		k := normal{since: types.Time(d.Varint())}
		if d.Err != nil {
			return d.Err
		}
		if o.spec.TTL > 0 && k.since == 0 { // stored before there was a time to live
			k.since = o.ctx.Now()
		}
		k.data = o.arena.Put(d.Data)
		o.rows[slot] = k
		return nil
	})
}

// expiringNormalize also gives back the memory of keys that no row asks for:
// once per time to live it looks at all of them.
type expiringNormalize struct {
	*normalize
	sweep
}

// OnBatch implements op.Operator.
func (o *expiringNormalize) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	more, err := o.normalize.OnBatch(in, b, out)
	if o.at == types.MaxTime {
		o.plan(o.ctx.Now(), o.table.Len())
	}
	return more, err
}

// OnClock implements op.ClockHandler.
func (o *expiringNormalize) OnClock(now types.Time, _ op.Emitter) error {
	o.slots = o.table.Slots(o.slots[:0])
	over := o.slots[:0]
	for _, s := range o.slots {
		if now-o.rows[s].since >= o.spec.TTL {
			over = append(over, s)
		}
	}
	o.table.Touch(over)
	for _, s := range over {
		o.arena.Drop(o.rows[s].data)
	}
	o.remove(over)
	o.plan(now, o.table.Len())
	return nil
}

// Restore implements op.Stateful.
func (o *expiringNormalize) Restore(r *state.Restored) error {
	err := o.normalize.Restore(r)
	o.plan(o.ctx.Now(), o.table.Len())
	return err
}
