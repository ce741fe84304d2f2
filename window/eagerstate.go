package window

import (
	"encoding/binary"

	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// A group is stored under (end of window, key) in this form: whether it has
// fired, the processing time it waits for, the result that is out, accumulators.
const eagerForm = 1

// Track implements op.Stateful.
func (o *eager) Track() { o.table.Track(state.Tracking{Skip: 8, Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *eager) Snapshot(s *state.Snapshot) {
	o.table.Seal(s, o.save)
	s.Local = saveLocal(o.progress, 0)
}

const (
	eagerFired = 1 << iota
	eagerShown
)

func (o *eager) save(dst []byte, slot int32) []byte {
	g := &o.groups[slot]
	flags := byte(0)
	if g.fired {
		flags |= eagerFired
	}
	if g.shown != nil {
		flags |= eagerShown
	}
	dst = binary.AppendVarint(append(dst, eagerForm, flags), int64(g.timer))
	if g.shown != nil {
		o.prev.Encode(g.shown, 1, nil)
		dst = state.AppendBytes(dst, o.prev.At(0))
	}
	return o.calls.save(dst, slot)
}

// Restore implements op.Stateful.
func (o *eager) Restore(r *state.Restored) (err error) {
	if o.progress, _, err = loadLocal(r.Locals); err != nil {
		return err
	}
	return r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.room()
		end := row.Prefix(key)
		p := o.panes.at(end)
		p.slots = append(p.slots, slot)
		d := state.Decoder{Data: val}
		d.Version(eagerForm)
		flags := d.Byte()
		g := eagerGroup{end: end, fired: flags&eagerFired != 0, timer: types.Time(d.Varint())}
		if flags&eagerShown != 0 {
			shown := d.Bytes()
			if d.Err != nil {
				return d.Err
			}
			g.shown = o.noResult()
			row.DecodeKey(shown, g.shown)
		}
		if d.Err != nil {
			return d.Err
		}
		if g.timer != 0 {
			o.timers.Push(state.Timer{At: int64(g.timer), Who: slot})
		}
		o.groups[slot] = g
		return o.calls.load(slot, d.Data)
	})
}
