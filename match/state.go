package match

import (
	"encoding/binary"
	"fmt"
	"strings"

	"fsql/expr/agg"
	"fsql/row"
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

// partForm is the version of a saved partition: its numbered rows, those that
// wait, its runs and matches; localForm that of event time.
const (
	partForm  = 1
	localForm = 1
)

// Track implements op.Stateful.
func (o *operator) Track() {
	o.table.Track(state.Tracking{Zero: o.ctx.ZeroHash})
	o.form = newStored(o.spec)
}

// Snapshot implements op.Stateful. Rows behind event time wait for it to move:
// the mark that comes again after a start must not let them out.
func (o *operator) Snapshot(s *state.Snapshot) {
	o.table.Seal(s, o.save)
	s.Local = binary.AppendVarint([]byte{localForm}, int64(o.mark))
}

func (o *operator) save(dst []byte, slot int32) []byte {
	p := &o.parts[slot]
	dst = append(dst, partForm)
	dst = o.saveRows(dst, p.rows)
	dst = o.saveRows(dst, p.waiting)
	dst = binary.AppendUvarint(dst, uint64(p.fresh))
	dst = o.saveRuns(dst, p, p.runs)
	return o.saveRuns(dst, p, p.matches)
}

func (o *operator) saveRows(dst []byte, ids []int32) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(ids)))
	o.form.encode(o.rows, ids)
	for i, id := range ids {
		dst = binary.AppendVarint(binary.AppendVarint(dst, o.rows.at[id]), o.rows.seq[id])
		if o.rows.order != nil {
			dst = state.AppendBytes(dst, []byte(o.rows.order[id]))
		}
		dst = state.AppendBytes(dst, o.form.keys.At(i))
	}
	return dst
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
	return r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.grow()
		o.parts[slot] = part{used: true, wake: types.MaxTime}
		return o.load(slot, val)
	})
}

func (o *operator) load(slot int32, val []byte) (err error) {
	p := &o.parts[slot]
	d := state.Decoder{Data: val}
	d.Version(partForm)
	p.rows = o.loadRows(&d)
	p.waiting = o.loadRows(&d)
	p.fresh = int(d.Uvarint())
	if p.runs, err = o.loadRuns(&d, p); err != nil {
		return err
	}
	if p.matches, err = o.loadRuns(&d, p); err != nil {
		return err
	}
	o.slot = slot
	for _, id := range p.waiting {
		o.wakeAt(slot, types.Time(o.rows.at[id]), o.rows.seq[id])
	}
	o.wakeOver(p)
	return d.Err
}

func (o *operator) loadRows(d *state.Decoder) []int32 {
	var at, seq []int64
	var order []string
	var data [][]byte
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		at, seq = append(at, d.Varint()), append(seq, d.Varint())
		if o.rows.order != nil {
			order = append(order, string(d.Bytes()))
		}
		data = append(data, d.Bytes())
	}
	if d.Err != nil || len(data) == 0 {
		return nil
	}
	return o.rows.put(o.form.decode(data), at, seq, order)
}

func (o *operator) loadRuns(d *state.Decoder, p *part) (queue, error) {
	var q queue
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
		if d.Err != nil {
			return nil, d.Err
		}
		q = append(q, r) // in the order of the queue
		if err := o.aggs.loaded(o, p, r); err != nil {
			return nil, err
		}
	}
	return q, d.Err
}

// stored encodes the columns that are kept.
type stored struct {
	schema *types.Schema
	cols   []int
	keys   row.Keys
}

func newStored(s *Spec) *stored {
	f := &stored{schema: s.In}
	for c, used := range s.used() {
		if used {
			f.cols = append(f.cols, c)
		}
	}
	return f
}

func (f *stored) encode(r *rows, ids []int32) {
	vecs := make([]*row.Vec, len(f.cols))
	for i, c := range f.cols {
		vecs[i] = row.NewVec(f.schema.Columns[c].Type, 0)
		r.get(c, ids, vecs[i])
	}
	f.keys.Encode(vecs, len(ids), nil)
}

// decode makes a batch of rows, with the columns that are kept.
func (f *stored) decode(data [][]byte) *row.Batch {
	b := &row.Batch{Schema: f.schema, Rows: len(data), Cols: make([]*row.Vec, len(f.schema.Columns))}
	vecs := make([]*row.Vec, len(f.cols))
	for i, c := range f.cols {
		vecs[i] = row.NewVec(f.schema.Columns[c].Type, 0)
		b.Cols[c] = vecs[i]
	}
	row.DecodeKeys(data, 0, vecs)
	return b
}
