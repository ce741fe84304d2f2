package match

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsql/expr/agg"
	"fsql/state"
	"fsql/types"
)

// Fingerprint implements op.Fingerprinted: what is kept of rows, and the states of
// the pattern.
func (s *Spec) Fingerprint() string {
	var b strings.Builder
	b.WriteString("match columns")
	for c, used := range s.used() {
		if used {
			b.WriteString(" " + s.In.Columns[c].Type.Plain().String())
		}
	}
	fmt.Fprint(&b, " partition")
	for _, c := range s.Partition {
		b.WriteString(" " + s.In.Columns[c].Type.Plain().String())
	}
	fmt.Fprint(&b, " order ", s.OrderBy, " pattern")
	for i := range s.Vars {
		b.WriteString(" _" + s.Vars[i].Quantifier())
	}
	calls := make([]agg.Call, len(s.Calls))
	for i, c := range s.Calls {
		calls[i] = c.Call
	}
	return b.String() + agg.Fingerprint(argSchema(s), calls, false)
}

// partForm is the version of a saved partition: how many of its rows are numbered,
// its runs and its matches. Rows are entries of their own: in order, the first ones
// are those that are numbered and the others wait. localForm is that of event time.
const (
	partForm  = 1
	localForm = 1
)

// Track implements op.Stateful.
func (o *operator) Track() {
	o.table.Track(state.Tracking{Zero: o.ctx.ZeroHash})
	o.rows.save = &rowsSave{form: newStored(o.spec), zero: o.ctx.ZeroHash, key: o.table.Key}
}

// Snapshot implements op.Stateful. Rows behind event time wait for it to move:
// the mark that comes again after a start must not let them out.
func (o *operator) Snapshot(s *state.Snapshot) {
	o.rows.snapshot(s)
	o.table.Seal(s, o.savePart)
	s.Local = binary.AppendVarint([]byte{localForm}, int64(o.mark))
}

func (o *operator) savePart(dst []byte, slot int32) []byte {
	p := &o.parts[slot]
	dst = binary.AppendUvarint(append(dst, partForm), uint64(len(p.rows)))
	dst = o.saveRuns(dst, p, p.runs)
	return o.saveRuns(dst, p, p.matches)
}

func (o *operator) saveRuns(dst []byte, p *part, runs queue) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(runs)))
	for _, r := range runs {
		first := uint64(0)
		if r.start != noStart {
			first = uint64(r.start-p.base) + 1
		}
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(r.state)), first)
		for _, n := range o.counts.of(r.took) {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
	}
	return dst
}

// Restore implements op.Stateful.
func (o *operator) Restore(r *state.Restored) error {
	for i, l := range r.Locals {
		d := state.Decoder{Data: l}
		d.Version(localForm)
		if mark := types.Time(d.Varint()); i == 0 || mark < o.mark {
			o.mark = mark
		}
		if d.Err != nil {
			return d.Err
		}
	}
	o.eval.Watermark = o.mark
	// The entries of a key group come together, partitions first.
	err := r.Each(func(space byte, key, val []byte) error {
		if space == rowSpace {
			return o.rows.load(key, val, o.slotOf)
		}
		slot := o.table.Load(key)
		o.grow()
		return o.loadPart(&o.parts[slot], val)
	})
	if err != nil {
		return err
	}
	for id, slot := range o.rows.slot {
		o.parts[slot].waiting = append(o.parts[slot].waiting, int32(id))
	}
	for _, slot := range o.table.Slots(nil) {
		if err := o.resume(slot); err != nil {
			return err
		}
	}
	return nil
}

// slotOf is the slot of a partition that was loaded.
func (o *operator) slotOf(key []byte) int32 {
	o.keys.SetRaw(nil, [][]byte{key})
	o.one1[0] = -1
	o.table.Find(&o.keys, o.one1[:])
	return o.one1[0]
}

func (o *operator) loadPart(p *part, val []byte) (err error) {
	*p = part{used: true, wake: types.MaxTime}
	d := state.Decoder{Data: val}
	d.Version(partForm)
	p.taken = int(d.Uvarint())
	p.runs = o.loadRuns(&d)
	p.matches = o.loadRuns(&d)
	return d.Err
}

func (o *operator) loadRuns(d *state.Decoder) (q queue) {
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		r := run{state: int32(d.Uvarint()), start: noStart}
		if first := d.Uvarint(); first > 0 {
			r.start = int64(first) - 1
			r.took = o.counts.copy(0)
		}
		for v := range o.spec.Vars {
			if n := int32(d.Uvarint()); r.took != 0 {
				o.counts.of(r.took)[v] = n
			}
		}
		q = append(q, r) // in the order of the queue
	}
	return q
}

// resume puts the rows of a partition, which all wait, to where they were, and
// sets its timers.
func (o *operator) resume(slot int32) error {
	p := &o.parts[slot]
	slices.SortFunc(p.waiting, o.rows.compare)
	if p.taken > len(p.waiting) {
		return errors.New("saved rows are missing")
	}
	p.rows = append(p.rows, p.waiting[:p.taken]...)
	p.waiting = p.waiting[:copy(p.waiting, p.waiting[p.taken:])]
	p.taken, p.fresh = 0, len(p.waiting)
	for _, r := range append(append(queue(nil), p.runs...), p.matches...) {
		if err := o.aggs.loaded(o, p, r); err != nil {
			return err
		}
	}
	o.slot = slot
	if len(p.waiting) > 0 {
		o.wakeAt(slot, types.Time(o.rows.at[p.waiting[0]]), o.rows.seq[p.waiting[0]])
	}
	o.wakeOver(p)
	return nil
}
