package relop

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// SortSpec puts rows into the order of a time attribute and further columns:
// ORDER BY ts, .. without LIMIT. By event time rows wait for the watermark, and
// those that come when their time was put out already are dropped; by processing
// time rows of one millisecond are sorted (flink-sql 4.14).
type SortSpec struct {
	In       *types.Schema
	Time     int // column of the time attribute
	Proctime bool
	OrderBy  []row.OrderBy // columns behind the time
}

// Describe implements op.Spec.
func (s *SortSpec) Describe() op.Description {
	by := append([]row.OrderBy{{Col: s.Time}}, s.OrderBy...)
	d := op.Description{Name: "TemporalSort", Args: [][2]string{{"orderBy", orderText(s.In, by)}}}
	if d.State = "rows until the watermark passes their time"; s.Proctime {
		d.State = "the rows of this millisecond"
	}
	return d
}

// Output implements op.Spec.
func (s *SortSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *SortSpec) Require(int) op.Distribution { return op.Distribution{Single: true} }

// Emits implements op.Spec.
func (s *SortSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "ORDER BY takes only inserts")
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *SortSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *SortSpec) Build(c *op.Context) (op.Operator, error) {
	o := &sorter{spec: s, ctx: c, form: row.NewForm(s.In), last: types.MinTime, mark: types.MinTime, send: newStored(s.In, s.In, c.BatchRows)}
	if s.Proctime {
		return op.Cut(&sorterByClock{o}, s.In), nil
	}
	return op.Cut(o, s.In), nil
}

// sorter keeps rows until their time has come.
type sorter struct {
	spec *SortSpec
	ctx  *op.Context
	rows state.Kept
	due  state.Timers // time and id of each row
	last types.Time   // the last time that was put out
	mark types.Time   // event time
	late int64
	send *stored

	form  *row.Form
	order row.Order
	data  row.Keys
	times []int64
	ready []int32 // rows whose time has come, from pos on still to be sent
	pos   int
}

// OnRows implements op.Simple.
func (o *sorter) OnRows(_ int, b *row.Batch, _ op.Emitter) (bool, error) {
	var err error
	if o.times, err = rowtimes(o.times, b, o.spec.Time, "an order by time"); err != nil {
		return false, err
	}
	o.keep(b)
	return false, nil
}

func (o *sorter) keep(b *row.Batch) {
	o.form.Encode(b.Cols, b.Rows)
	o.order.Encode(o.spec.OrderBy, b.Cols, b.Rows)
	o.data.EncodeOrdered(&o.order, &o.form.Keys, b.Rows, nil)
	for r, at := range o.times {
		if types.Time(at) <= o.last && o.last != types.MinTime {
			o.late++
			continue
		}
		o.due.Push(state.Timer{At: at, Who: o.rows.Add(0, at, o.data.At(r))})
	}
}

// OnWatermark implements op.Simple.
func (o *sorter) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	if o.pos == len(o.ready) {
		if w <= o.mark {
			return w, false, nil // it comes again after a start
		}
		o.collect(w)
		o.mark = w
	}
	more, err := o.part(out)
	return w, more, err
}

// collect finds the rows whose time has come and sorts them.
func (o *sorter) collect(w types.Time) {
	o.ready, o.pos = o.ready[:0], 0
	for t, ok := o.due.First(); ok && types.Time(t.At) <= w; t, ok = o.due.First() {
		o.due.Pop()
		o.ready = append(o.ready, t.Who)
	}
	if len(o.ready) == 0 {
		return
	}
	slices.SortFunc(o.ready, func(a, b int32) int {
		x, y := o.rows.Row(a), o.rows.Row(b)
		if c := cmp.Compare(x.At, y.At); c != 0 {
			return c
		}
		k, _ := row.Ordered(o.rows.Get(a))
		l, _ := row.Ordered(o.rows.Get(b))
		return cmp.Or(bytes.Compare(k, l), cmp.Compare(x.Seq, y.Seq))
	})
	o.last = types.Time(o.rows.Row(o.ready[len(o.ready)-1]).At)
}

// part sends a batch of the rows that are ready.
func (o *sorter) part(out op.Emitter) (more bool, err error) {
	to := min(o.pos+o.send.most, len(o.ready))
	for _, id := range o.ready[o.pos:to] {
		_, r := row.Ordered(o.rows.Get(id))
		o.send.add(row.Insert, r, 0)
	}
	if err := o.send.flush(out); err != nil {
		return false, err
	}
	for _, id := range o.ready[o.pos:to] {
		o.rows.Drop(id)
	}
	o.pos = to
	return to < len(o.ready), nil
}

// OnBarrier implements op.Simple.
func (o *sorter) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *sorter) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *sorter) StateBytes() int64 { return o.rows.Bytes() + o.due.Bytes() + int64(cap(o.ready))*4 }

// Fingerprint implements op.Fingerprinted.
func (s *SortSpec) Fingerprint() string { return "sort" + storedTypes(s.In, nil, s.OrderBy) }

// sortForm is the version of what is saved of the subtask: the last time, event
// time. Rows behind event time wait for it to move: the mark that comes again
// after a start must not let them out.
const sortForm = 1

// Track implements op.Stateful.
func (o *sorter) Track() { o.rows.Track(0, o.ctx.ZeroHash, func(int32) []byte { return nil }) }

// Snapshot implements op.Stateful.
func (o *sorter) Snapshot(s *state.Snapshot) {
	o.rows.Snapshot(s)
	s.Local = binary.AppendVarint(binary.AppendVarint([]byte{sortForm}, int64(o.last)), int64(o.mark))
}

// Restore implements op.Stateful. There is one subtask.
func (o *sorter) Restore(r *state.Restored) error {
	d := state.Decoder{Data: r.Locals[0]}
	d.Version(sortForm)
	if o.last, o.mark = types.Time(d.Varint()), types.Time(d.Varint()); d.Err != nil {
		return d.Err
	}
	if err := r.Each(func(_ byte, key, val []byte) error {
		_, err := o.rows.Load(key, val, func([]byte) int32 { return 0 })
		return err
	}); err != nil {
		return err
	}
	for _, id := range o.rows.InOrder() {
		o.due.Push(state.Timer{At: o.rows.Row(id).At, Who: id})
	}
	return nil
}

// sorterByClock sorts the rows of one millisecond of processing time. At the end
// of the input it does not wait for the next one.
type sorterByClock struct{ *sorter }

// OnRows implements op.Simple.
func (o *sorterByClock) OnRows(_ int, b *row.Batch, _ op.Emitter) (bool, error) {
	o.times = sized(o.times, b.Rows)
	for i := range o.times {
		o.times[i] = int64(o.ctx.Now())
	}
	o.last = types.MinTime // the clock may stand still
	o.keep(b)
	return false, nil
}

// OnWatermark implements op.Simple.
func (o *sorterByClock) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	if w != types.MaxTime {
		return w, false, nil
	}
	return o.sorter.OnWatermark(w, out)
}

// NextClock implements op.ClockHandler.
func (o *sorterByClock) NextClock() types.Time {
	if t, ok := o.due.First(); ok {
		return types.Time(t.At) + 1
	}
	return types.MaxTime
}

// OnClock implements op.ClockHandler.
func (o *sorterByClock) OnClock(now types.Time, out op.Emitter) error {
	o.collect(now - 1)
	for more := true; more; {
		var err error
		if more, err = o.part(out); err != nil {
			return err
		}
	}
	return nil
}
