package relop

import (
	"bytes"
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
func (s *MaterializeSpec) Fingerprint() string {
	return fmt.Sprint("materialize ", s.Unique) + storedTypes(s.In, s.Key, nil)
}

// matForm is the version of a saved entry: primary key, time of the last row of
// it, places in the list, the row.
const matForm = 1

// Track implements op.Stateful. A row is sent here by its primary key: that
// tells its key group.
func (o *materialize) Track() {
	o.entries.Track(state.Tracking{Zero: o.keys.Zero, Group: func(e int32) int {
		return state.GroupOf(o.tables.Key(o.rows[e].list), o.keys.Zero)
	}})
}

// Snapshot implements op.Stateful.
func (o *materialize) Snapshot(s *state.Snapshot) {
	o.entries.Seal(s, func(dst []byte, e int32) []byte {
		m := &o.rows[e]
		dst = state.AppendBytes(append(dst, matForm), o.tables.Key(m.list))
		dst = binary.AppendVarint(dst, int64(o.lists[m.list].since))
		n := 0
		for id := m.first; id != 0; id = o.nodes[id-1].same {
			n++
		}
		dst = binary.AppendUvarint(dst, uint64(n))
		for id := m.first; id != 0; id = o.nodes[id-1].same {
			dst = binary.AppendVarint(dst, o.nodes[id-1].number)
		}
		return append(dst, o.arena.Get(m.data)...)
	})
}

// Restore implements op.Stateful.
func (o *materialize) Restore(r *state.Restored) error {
	type saved struct {
		key    []byte
		entry  int32
		number int64
	}
	var all []saved
	since := map[string]types.Time{}
	err := r.Each(func(_ byte, key, val []byte) error {
		e := o.entries.Load(key)
		o.rows = grown(o.rows, o.entries.Cap())
		d := state.Decoder{Data: val}
		d.Version(matForm)
		list := bytes.Clone(d.Bytes())
		at := types.Time(d.Varint())
		if o.spec.TTL > 0 && at == 0 { // stored before there was a time to live
			at = o.ctx.Now()
		}
		since[string(list)] = max(since[string(list)], at)
		for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
			all = append(all, saved{list, e, d.Varint()})
		}
		o.rows[e] = matEntry{data: o.arena.Put(d.Data)}
		return d.Err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b saved) int {
		return cmp.Or(bytes.Compare(a.key, b.key), cmp.Compare(a.number, b.number))
	})
	slot := []int32{0}
	for _, s := range all {
		o.keys.SetRaw(nil, [][]byte{s.key})
		o.tables.FindOrAdd(&o.keys, slot, nil)
		o.lists = grown(o.lists, o.tables.Cap())
		o.lists[slot[0]].since = since[string(s.key)]
		o.rows[s.entry].list = slot[0]
		o.append(slot[0], s.entry, s.number)
		o.number = max(o.number, s.number)
	}
	return nil
}

// expiringMaterialize also gives back the memory of lists that no row asks for:
// once per time to live it looks at all of them.
type expiringMaterialize struct {
	*materialize
	sweep
}

// OnBatch implements op.Operator.
func (o *expiringMaterialize) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	more, err := o.materialize.OnBatch(in, b, out)
	if o.at == types.MaxTime {
		o.plan(o.ctx.Now(), o.tables.Len())
	}
	return more, err
}

// OnClock implements op.ClockHandler.
func (o *expiringMaterialize) OnClock(now types.Time, _ op.Emitter) error {
	for _, s := range o.tables.Slots(nil) {
		if now-o.lists[s].since >= o.spec.TTL {
			o.empty(s)
			o.slots = append(o.slots, s)
		}
	}
	o.finish()
	o.plan(now, o.tables.Len())
	return nil
}

// Restore implements op.Stateful.
func (o *expiringMaterialize) Restore(r *state.Restored) error {
	err := o.materialize.Restore(r)
	o.plan(o.ctx.Now(), o.tables.Len())
	return err
}
