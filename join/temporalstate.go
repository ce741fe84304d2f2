package join

import (
	"encoding/binary"

	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted.
func (s *TemporalSpec) Fingerprint() string {
	return "temporal " + s.Kind.String() + " left " + sideTypes(&s.L) + " right " + sideTypes(&s.R)
}

// The spaces of a temporal join. Keys are stored if they have a time to live.
const (
	keySpace byte = iota
	waitingSpace
	versionSpace
)

// temporalForm is the version of what is saved of the subtask, event time, and
// of a key, when it is dropped.
const temporalForm = 1

// Track implements op.Stateful.
func (o *temporalJoin) Track() {
	if o.life != nil {
		o.table.Track(state.Tracking{Space: keySpace, Zero: o.key.Zero})
	}
	o.waiting.Track(waitingSpace, o.key.Zero, o.table.Key)
	o.versions.Track(versionSpace, o.key.Zero, o.table.Key)
}

// Snapshot implements op.Stateful. Rows behind event time wait for it to move:
// the mark that comes again after a start must not let them out, which is why it
// is saved.
func (o *temporalJoin) Snapshot(s *state.Snapshot) {
	if o.life != nil {
		o.table.Seal(s, func(dst []byte, slot int32) []byte {
			return binary.AppendVarint(append(dst, temporalForm), int64(o.life.ends[slot]))
		})
	}
	o.waiting.Snapshot(s)
	o.versions.Snapshot(s)
	s.Local = binary.AppendVarint([]byte{temporalForm}, int64(o.time))
}

// Restore implements op.Stateful. The entries of a key group come together,
// keys first.
func (o *temporalJoin) Restore(r *state.Restored) error {
	for i, l := range r.Locals {
		d := state.Decoder{Data: l}
		d.Version(temporalForm)
		if t := types.Time(d.Varint()); i == 0 || t < o.time {
			o.time = t
		}
		if d.Err != nil {
			return d.Err
		}
	}
	if err := r.Each(o.load); err != nil {
		return err
	}
	for _, id := range o.waiting.InOrder() {
		w := o.waiting.Row(id)
		o.due.Push(state.Timer{At: w.At, Seq: w.Seq, Who: id})
		o.keyed[w.Part].waits++
	}
	for _, id := range o.versions.InOrder() {
		o.version(id)
	}
	return nil
}

func (o *temporalJoin) load(space byte, key, val []byte) error {
	switch space {
	case keySpace:
		if o.life == nil {
			return nil // it had a time to live before
		}
		slot := o.table.Load(key)
		o.grow([]int32{slot})
		d := state.Decoder{Data: val}
		d.Version(temporalForm)
		o.life.set(slot, types.Time(d.Varint()))
		return d.Err
	case waitingSpace:
		_, err := o.waiting.Load(key, val, o.slotOf)
		return err
	}
	_, err := o.versions.Load(key, val, o.slotOf)
	return err
}

// slotOf is the slot of a stored key. One that had no time to live begins to
// live now.
func (o *temporalJoin) slotOf(key []byte) int32 {
	o.slots = sized(o.slots, 1)
	o.key.SetRaw(nil, [][]byte{key})
	added := o.table.FindOrAdd(&o.key, o.slots, nil)
	o.grow(added)
	o.touch(added)
	return o.slots[0]
}
