package relop

import (
	"encoding/binary"
	"fmt"

	"fsql/expr/agg"
	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted.
func (s *OverSpec) Fingerprint() string {
	return fmt.Sprintf("over %t %t %d %d", s.Proctime, s.Rows, s.Preceding, s.Time) + storedTypes(s.In, s.Partition, nil) +
		agg.Fingerprint(s.In, s.Calls, s.bounded())
}

// overForm is the version of a saved partition: the last time that came out,
// when it was to be dropped, accumulators. Rows that wait or are in a frame are entries
// of their own: those that are not after the last time are in the frame.
const (
	overForm     = 1
	overRowSpace = 1
)

func (f *frames) track(zero bool) {
	f.table.Track(state.Tracking{Zero: zero})
	f.rows.Track(overRowSpace, zero, f.table.Key)
}

func (f *frames) snapshot(s *state.Snapshot) {
	f.table.Seal(s, func(dst []byte, slot int32) []byte {
		p := &f.parts[slot]
		dst = binary.AppendVarint(append(dst, overForm), int64(p.last))
		dst = binary.AppendUvarint(dst, uint64(len(p.ends)))
		for _, t := range p.ends {
			dst = binary.AppendVarint(dst, int64(t))
		}
		return f.set.Save(dst, slot)
	})
	f.rows.Snapshot(s)
}

// restore loads partitions and rows. The entries of a key group come together,
// partitions first.
func (f *frames) restore(r *state.Restored) error {
	slots := []int32{0}
	part := func(key []byte) int32 {
		f.keys.SetRaw(nil, [][]byte{key})
		f.table.FindOrAdd(&f.keys, slots, nil)
		f.room()
		f.part(slots[0])
		return slots[0]
	}
	return r.Each(func(space byte, key, val []byte) error {
		if space == overRowSpace {
			_, err := f.rows.Load(key, val, part)
			return err
		}
		slot := f.table.Load(key)
		f.room()
		d := state.Decoder{Data: val}
		d.Version(overForm)
		p := f.part(slot)
		p.last = types.Time(d.Varint())
		for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
			p.ends = append(p.ends, types.Time(d.Varint()))
		}
		if d.Err != nil {
			return d.Err
		}
		return f.set.Load(slot, d.Data)
	})
}

// Track implements op.Stateful.
func (o *overNow) Track() { o.track(o.zero) }

// Snapshot implements op.Stateful.
func (o *overNow) Snapshot(s *state.Snapshot) { o.snapshot(s) }

// Restore implements op.Stateful.
func (o *overNow) Restore(r *state.Restored) error {
	if err := o.restore(r); err != nil {
		return err
	}
	for _, id := range o.rows.InOrder() {
		p := o.part(o.rows.Row(id).Part)
		p.frame = append(p.frame, id)
	}
	return nil
}

// Track implements op.Stateful.
func (o *overLater) Track() { o.track(o.ctx.ZeroHash) }

// Snapshot implements op.Stateful. Rows behind event time wait for it to move:
// the mark that comes again after a start must not let them out, which is why it
// is saved.
func (o *overLater) Snapshot(s *state.Snapshot) {
	o.snapshot(s)
	s.Local = binary.AppendVarint([]byte{overForm}, int64(o.mark))
}

// Restore implements op.Stateful.
func (o *overLater) Restore(r *state.Restored) error {
	if err := o.restore(r); err != nil {
		return err
	}
	for i, l := range r.Locals {
		d := state.Decoder{Data: l}
		d.Version(overForm)
		if mark := types.Time(d.Varint()); i == 0 || mark < o.mark {
			o.mark = mark
		}
		if d.Err != nil {
			return d.Err
		}
	}
	for _, id := range o.rows.InOrder() {
		w := o.rows.Row(id)
		if p := o.part(w.Part); o.spec.bounded() && types.Time(w.At) <= p.last {
			p.frame = append(p.frame, id)
			continue
		}
		o.due.Push(state.Timer{At: w.At, Who: id})
	}
	for _, slot := range o.table.Slots(nil) {
		for _, t := range o.parts[slot].ends {
			o.ends.Push(state.Timer{At: int64(t), Who: slot})
		}
	}
	return nil
}
