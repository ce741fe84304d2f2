package window

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"fsql/expr/agg"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted.
func (s *AggSpec) Fingerprint() string {
	text := s.Window.fingerprint(s.In) + keyTypes(s.In, s.Keys) + agg.Fingerprint(s.In, s.Calls, s.retracts())
	if s.Emit != nil {
		text += "; emitted early or late"
	}
	return text
}

// fingerprint tells what slices and sessions depend on.
func (w Window) fingerprint(in *types.Schema) string {
	time := "processing time"
	if !w.Proctime {
		time = in.Columns[w.Time].Type.String()
	}
	return fmt.Sprintf("%s %d %d %d %s %s", w.Kind, w.Size, w.Slide, w.Offset, time, w.Zone)
}

func keyTypes(in *types.Schema, keys []int) string {
	var b strings.Builder
	b.WriteString("; keys")
	for _, k := range keys {
		b.WriteString(" " + in.Columns[k].Type.String())
	}
	return b.String()
}

// save appends the state of a slot.
func (c *calls) save(dst []byte, slot int32) []byte {
	net := int64(0)
	if c.net != nil {
		net = c.net[slot]
	}
	return c.Save(binary.AppendVarint(dst, net), slot)
}

// load puts what save gave into an empty slot.
func (c *calls) load(slot int32, saved []byte) error {
	d := state.Decoder{Data: saved}
	if net := d.Varint(); c.net != nil {
		c.net[slot] = net
	}
	if d.Err != nil {
		return d.Err
	}
	return c.Load(slot, d.Data)
}

// localForm is the version of what an operator keeps of event time.
const localForm = 1

// saveLocal is the event time that an operator has reached, and up to where
// windows are over.
func saveLocal(progress types.Time, over int64) []byte {
	return binary.AppendVarint(binary.AppendVarint([]byte{localForm}, int64(progress)), over)
}

// loadLocal takes the lowest of what several subtasks had reached, as Flink
// does: a window that some of them have not finished is not over.
func loadLocal(locals [][]byte) (progress types.Time, over int64, err error) {
	at, overs, err := loadLocals(locals)
	if err != nil || len(at) == 0 {
		return types.MaxTime, math.MaxInt64, err
	}
	return slices.Min(at), slices.Min(overs), nil
}

// loadLocals is what each of several subtasks had reached.
func loadLocals(locals [][]byte) (progress []types.Time, over []int64, err error) {
	for _, l := range locals {
		d := state.Decoder{Data: l}
		d.Version(localForm)
		progress, over = append(progress, types.Time(d.Varint())), append(over, d.Varint())
		if d.Err != nil {
			return nil, nil, d.Err
		}
	}
	return progress, over, nil
}

// A group of a sliced aggregation is stored under (place, key), in this form.
const slicedForm = 1

// Track implements op.Stateful.
func (o *sliced) Track() { o.table.Track(state.Tracking{Skip: 8, Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *sliced) Snapshot(s *state.Snapshot) {
	o.table.Seal(s, func(dst []byte, slot int32) []byte { return o.calls.save(append(dst, slicedForm), slot) })
	progress := o.progress
	if o.spec.Window.Proctime {
		progress = max(progress, o.ctx.Now())
	}
	s.Local = saveLocal(progress, max(o.fired, o.over()))
}

// over is the end of the last window that is over by now, whether it had rows
// here or not: after a change of the parallelism it counts for rows of others.
func (o *sliced) over() int64 {
	if o.spec.Window.Proctime {
		return o.clock.passed(o.ctx.Now() - 1) // what was due has been called before the barrier
	}
	return o.clock.passed(o.progress)
}

// Restore implements op.Stateful. The groups of a slice come in the order of
// their keys.
func (o *sliced) Restore(r *state.Restored) (err error) {
	if o.progress, o.fired, err = loadLocal(r.Locals); err != nil {
		return err
	}
	if o.spec.Window.Proctime && len(r.Locals) > 0 {
		at, over, err := loadLocals(r.Locals)
		if err != nil {
			return err
		}
		// No row to come is in a window that was over for anybody.
		o.progress, o.uneven = slices.Max(at), unevenly(over, o.keys.Zero)
	}
	var full []merged // CUMULATE: full windows at work, more than one after uneven barriers
	err = r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.calls.grow(o.table.Cap())
		if place := row.Prefix(key); place&1 != 0 {
			i := slices.IndexFunc(full, func(m merged) bool { return m.place == place })
			if i < 0 {
				i = len(full)
				full = append(full, merged{place: place})
			}
			full[i].slots = append(full[i].slots, slot)
		} else {
			p := o.panes.at(sliceAt(place))
			p.slots = append(p.slots, slot)
		}
		d := state.Decoder{Data: val}
		if d.Version(slicedForm); d.Err != nil {
			return d.Err
		}
		return o.calls.load(slot, d.Data)
	})
	slices.SortFunc(full, func(a, b merged) int { return cmp.Compare(a.place, b.place) })
	o.later = full
	o.schedule()
	return err
}
