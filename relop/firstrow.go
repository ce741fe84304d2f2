package relop

import (
	"cmp"
	"encoding/binary"
	"slices"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// FirstRowSpec is deduplication that keeps the first row by event time: the row
// of each key with the smallest time, sent once when the watermark has reached
// its time. Rows behind the watermark are dropped (flink-sql 4.16).
type FirstRowSpec struct {
	In        *types.Schema
	Partition []int
	Time      int
}

// Describe implements op.Spec.
func (s *FirstRowSpec) Describe() op.Description {
	return op.Description{Name: "Deduplicate", State: "the first row per key until the watermark passes its time, which keys have come, for ever",
		Args: [][2]string{{"keep", "[FirstRow]"}, {"key", list(columnNames(s.In, s.Partition))}, {"order", "[ROWTIME]"}}}
}

// Output implements op.Spec.
func (s *FirstRowSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *FirstRowSpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Partition, Single: len(s.Partition) == 0}
}

// Emits implements op.Spec.
func (s *FirstRowSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "deduplication by event time takes only inserts")
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *FirstRowSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *FirstRowSpec) Build(c *op.Context) (op.Operator, error) {
	return op.Cut(&firstRow{
		spec: s, ctx: c, table: state.NewTable(), keys: row.Keys{Zero: c.ZeroHash}, form: row.NewForm(s.In),
		mark: types.MinTime, send: newStored(s.In, s.In, c.BatchRows),
	}, s.In), nil
}

// firstRow holds the first row of every key that has not been sent yet.
type firstRow struct {
	spec   *FirstRowSpec
	ctx    *op.Context
	table  *state.Table
	firsts []firstOf // by slot
	arena  state.Arena
	number int64
	due    state.Timers // time and slot of first rows; those that were replaced stay
	mark   types.Time   // event time
	late   int64
	send   *stored

	keys  row.Keys
	cols  []*row.Vec
	slots []int32
	form  *row.Form
	times []int64
	ready []int32
	pos   int
}

// firstOf is the first row of a key.
type firstOf struct {
	at   int64
	seq  int64 // order of arrival; 0: there is none
	row  state.Ref
	sent bool
}

// OnRows implements op.Simple.
func (o *firstRow) OnRows(_ int, b *row.Batch, _ op.Emitter) (bool, error) {
	var err error
	if o.times, err = rowtimes(o.times, b, o.spec.Time, "an order by time"); err != nil {
		return false, err
	}
	o.cols = o.cols[:0]
	for _, c := range o.spec.Partition {
		o.cols = append(o.cols, b.Cols[c])
	}
	o.keys.Encode(o.cols, b.Rows, nil)
	o.slots = sized(o.slots, b.Rows)
	fresh := o.table.FindOrAdd(&o.keys, o.slots, o.ready[:0])
	o.table.Touch(o.slots)
	o.firsts = grown(o.firsts, o.table.Cap())
	o.form.Encode(b.Cols, b.Rows)
	for r, s := range o.slots {
		f, at := &o.firsts[s], o.times[r]
		switch {
		case types.Time(at) < o.mark:
			o.late++
			continue
		case f.sent || f.seq != 0 && f.at <= at:
			continue
		}
		o.number++
		*f = firstOf{at: at, seq: o.number, row: o.arena.Set(f.row, o.form.Keys.At(r))}
		o.due.Push(state.Timer{At: at, Who: s})
	}
	// Keys of late rows alone leave nothing behind.
	none := fresh[:0]
	for _, s := range fresh {
		if o.firsts[s].seq == 0 {
			none = append(none, s)
		}
	}
	o.table.Remove(none)
	o.ready, o.pos = fresh[:0], 0
	return false, nil
}

// OnWatermark implements op.Simple.
func (o *firstRow) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	if o.pos == len(o.ready) {
		o.collect(w)
	}
	to := min(o.pos+o.send.most, len(o.ready))
	for _, s := range o.ready[o.pos:to] {
		o.send.add(row.Insert, o.arena.Get(o.firsts[s].row), 0)
	}
	if err := o.send.flush(out); err != nil {
		return w, false, err
	}
	for _, s := range o.ready[o.pos:to] {
		o.arena.Drop(o.firsts[s].row)
		o.firsts[s] = firstOf{seq: o.firsts[s].seq, sent: true}
	}
	o.pos = to
	return w, to < len(o.ready), nil
}

// collect finds the first rows whose time has come, in order of time, equal
// times in order of arrival.
func (o *firstRow) collect(w types.Time) {
	o.ready, o.pos, o.mark = o.ready[:0], 0, w
	for t, ok := o.due.First(); ok && types.Time(t.At) <= w; t, ok = o.due.First() {
		o.due.Pop()
		if f := &o.firsts[t.Who]; !f.sent && f.at == t.At {
			o.ready = append(o.ready, t.Who)
			o.table.Touch(o.ready[len(o.ready)-1:])
			f.sent = true // so that it is taken once
		}
	}
	slices.SortFunc(o.ready, func(a, b int32) int {
		x, y := &o.firsts[a], &o.firsts[b]
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.seq, y.seq))
	})
}

// OnBarrier implements op.Simple.
func (o *firstRow) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *firstRow) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *firstRow) StateBytes() int64 {
	return o.table.Bytes() + o.arena.Bytes() + o.due.Bytes() + int64(cap(o.firsts))*40
}

// Fingerprint implements op.Fingerprinted.
func (s *FirstRowSpec) Fingerprint() string {
	return "first row" + storedTypes(s.In, s.Partition, nil)
}

// firstRowForm is the version of a saved key: whether its row was sent, else
// time, arrival and row.
const firstRowForm = 1

// Track implements op.Stateful.
func (o *firstRow) Track() { o.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *firstRow) Snapshot(s *state.Snapshot) {
	o.table.Seal(s, func(dst []byte, slot int32) []byte {
		f := &o.firsts[slot]
		dst = append(dst, firstRowForm, byte(btoi(f.sent)))
		if f.sent {
			return dst
		}
		return append(binary.AppendVarint(binary.AppendVarint(dst, f.at), f.seq), o.arena.Get(f.row)...)
	})
}

// Restore implements op.Stateful.
func (o *firstRow) Restore(r *state.Restored) error {
	return r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.firsts = grown(o.firsts, o.table.Cap())
		d := state.Decoder{Data: val}
		d.Version(firstRowForm)
		if d.Byte() == 1 {
			o.firsts[slot] = firstOf{seq: 1, sent: true}
			return d.Err
		}
		f := firstOf{at: d.Varint(), seq: d.Varint()}
		if d.Err != nil {
			return d.Err
		}
		f.row = o.arena.Put(d.Data)
		o.firsts[slot], o.number = f, max(o.number, f.seq)
		o.due.Push(state.Timer{At: f.at, Who: slot})
		return nil
	})
}
