package relop

import (
	"encoding/binary"
	"strings"

	"fsql/expr/agg"
	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted.
func (s *GroupAggSpec) Fingerprint() string {
	var b strings.Builder
	b.WriteString("keys")
	for _, k := range s.Keys {
		b.WriteString(" " + s.In.Columns[k].Type.String())
	}
	b.WriteString(agg.Fingerprint(s.In, s.Calls, s.retracts()))
	return b.String()
}

// groupForm is the version of a saved group: rows, time of the last row,
// accumulators.
const groupForm = 1

// Track implements op.Stateful.
func (o *groupAgg) Track() { o.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *groupAgg) Snapshot(s *state.Snapshot) { o.table.Seal(s, o.save) }

func (o *groupAgg) save(dst []byte, slot int32) []byte {
	dst = binary.AppendVarint(append(dst, groupForm), o.state[slot].rows)
	since := types.Time(0)
	if o.spec.TTL > 0 {
		since = o.since[slot]
	}
	return o.set.Save(binary.AppendVarint(dst, int64(since)), slot)
}

// Restore implements op.Stateful.
func (o *groupAgg) Restore(r *state.Restored) error {
	return r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.room()
		d := state.Decoder{Data: val}
		d.Version(groupForm)
		o.state[slot] = group{rows: d.Varint()}
		since := types.Time(d.Varint())
		if d.Err != nil {
			return d.Err
		}
		if o.spec.TTL > 0 {
			if since == 0 { // stored before there was a time to live
				since = o.ctx.Now()
			}
			o.since[slot] = since
		}
		return o.set.Load(slot, d.Data)
	})
}

// Restore implements op.Stateful.
func (o *expiringAgg) Restore(r *state.Restored) error {
	if err := o.groupAgg.Restore(r); err != nil {
		return err
	}
	o.plan(o.ctx.Now(), o.table.Len())
	return nil
}
