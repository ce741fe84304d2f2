package relop

import (
	"slices"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// overLater is OVER whose rows wait until event time has reached theirs. Then
// they come out in order of time, equal times in order of arrival.
type overLater struct {
	*frames
	ctx  *op.Context
	due  state.Timers // time and id of rows that wait
	ends state.Timers // when the state of partitions is dropped
	mark types.Time   // event time
	late int64

	times []int64
	sel   []int32 // rows that are not late
	ready []int32 // rows whose time has come, from pos on still to come out
	pos   int
	peers map[int32]int32 // per partition: the last row of a time

	touched [1]int32
}

// OnRows implements op.Simple.
func (o *overLater) OnRows(_ int, b *row.Batch, _ op.Emitter) (bool, error) {
	var err error
	if o.times, err = rowtimes(o.times, b, o.spec.Time, "OVER"); err != nil {
		return false, err
	}
	o.wait(b)
	return false, nil
}

// wait keeps the rows of a batch that are not late: those of unbounded frames
// are when the watermark has reached their time, those of bounded frames when
// their time is not after the last one that came out of their partition.
func (o *overLater) wait(b *row.Batch) {
	o.sel = o.sel[:0]
	for r, at := range o.times {
		if !o.spec.bounded() && types.Time(at) <= o.mark && o.mark != types.MinTime {
			o.late++
			continue
		}
		o.sel = append(o.sel, int32(r))
	}
	if len(o.sel) == 0 {
		return
	}
	o.find(b, o.sel)
	o.form.Encode(b.Cols, b.Rows)
	for i, slot := range o.slots {
		r := o.sel[i]
		at := types.Time(o.times[r])
		p := o.part(slot)
		if o.spec.bounded() && !o.spec.Proctime && at <= p.last && p.last != types.MinTime {
			o.late++
			continue
		}
		o.due.Push(state.Timer{At: int64(at), Who: o.rows.Add(slot, int64(at), o.form.Keys.At(int(r)))})
		o.expire(p, slot, at)
	}
}

// expire sets when the state of a partition of a RANGE frame is dropped. Flink
// puts it off by half the frame at a time, and its timers show: until the last
// one a late row is told by the last time that came out or the last timer that
// was put off, whichever is later; then the partition begins anew, and late rows
// are taken.
func (o *overLater) expire(p *overPart, slot int32, at types.Time) {
	if !o.spec.bounded() || o.spec.Rows {
		return
	}
	span := types.Time(o.spec.Preceding)
	if n := len(p.ends); n == 0 || p.ends[n-1] < later(at, span+1) {
		o.one(slot)
		p.ends = append(p.ends, later(at, span+span/2+1))
		o.ends.Push(state.Timer{At: int64(p.ends[n]), Who: slot})
	}
}

func later(t, by types.Time) types.Time {
	if by > types.MaxTime-t && t > 0 {
		return types.MaxTime
	}
	return t + by
}

// one notes that a partition is about to change.
func (o *overLater) one(slot int32) {
	o.touched[0] = slot
	o.table.Touch(o.touched[:])
}

// OnWatermark implements op.Simple.
func (o *overLater) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	if o.pos == len(o.ready) {
		if w <= o.mark {
			return w, false, nil // it comes again after a start
		}
		o.mark = w
		o.collect(w)
	}
	if err := o.fire(out); err != nil {
		return w, false, err
	}
	if o.pos < len(o.ready) {
		return w, true, nil
	}
	o.clear(w)
	return w, false, nil
}

// collect finds the rows whose time has come.
func (o *overLater) collect(w types.Time) {
	o.ready, o.pos = o.ready[:0], 0
	for t, ok := o.due.First(); ok && types.Time(t.At) <= w; t, ok = o.due.First() {
		o.due.Pop()
		o.ready = append(o.ready, t.Who)
	}
	slices.SortFunc(o.ready, o.rows.Compare)
}

// fire lets a batch of rows out, and the others of the last time with it: peers
// are folded together.
func (o *overLater) fire(out op.Emitter) error {
	from := o.pos
	to := min(from+max(o.ctx.BatchRows, 1), len(o.ready))
	for to < len(o.ready) && o.at64(to) == o.at64(to-1) {
		to++
	}
	if from == to {
		return nil
	}
	o.begin()
	for end := from; end < to; {
		start := end
		for end < to && o.at64(end) == o.at64(start) {
			end++
		}
		o.fold1(start, end, from)
	}
	o.raw = o.raw[:0]
	for _, id := range o.ready[from:to] {
		o.raw = append(o.raw, o.rows.Get(id))
	}
	in := row.NewBuilder(o.spec.In)
	o.form.Decode(o.raw, in.Cols)
	if err := o.fold(in.Cols, to-from); err != nil {
		return err
	}
	for a := 0; a < to-from; a += max(o.ctx.BatchRows, 1) {
		b := min(a+max(o.ctx.BatchRows, 1), to-from)
		cols := make([]*row.Vec, 0, len(o.spec.Out.Columns))
		for _, c := range in.Cols {
			cols = append(cols, c.Slice(a, b))
		}
		if err := out.Emit(row.New(o.spec.Out, b-a, o.results(cols, a, b), nil)); err != nil {
			return err
		}
	}
	o.drop()
	if !o.spec.bounded() {
		for _, id := range o.ready[from:to] {
			o.rows.Drop(id)
		}
	}
	o.pos = to
	return nil
}

func (o *overLater) at64(i int) int64 { return o.rows.Row(o.ready[i]).At }

// fold1 makes the steps of the rows [start, end) of one time.
func (o *overLater) fold1(start, end, first int) {
	at := types.Time(o.at64(start))
	if o.spec.Rows {
		for i := start; i < end; i++ {
			id := o.ready[i]
			slot := o.rows.Row(id).Part
			if o.spec.bounded() {
				p := o.arrive(slot, id, at)
				if int64(p.size()) > o.spec.Preceding+1 {
					o.leave(p.shift(), slot)
				}
			}
			o.add(int32(i-first), slot)
		}
		return
	}
	// Peers share the result after the last of them.
	if o.peers == nil {
		o.peers = map[int32]int32{}
	}
	clear(o.peers)
	began := len(o.at)
	for i := start; i < end; i++ {
		id := o.ready[i]
		slot := o.rows.Row(id).Part
		if o.spec.bounded() {
			p := o.arrive(slot, id, at)
			for o.rows.Row(p.frame[p.head]).At < int64(at)-o.spec.Preceding {
				o.leave(p.shift(), slot)
			}
		}
		o.add(int32(i-first), slot)
		o.peers[slot] = o.at[len(o.at)-1]
	}
	for i := start; i < end; i++ {
		o.at[began+i-start] = o.peers[o.rows.Row(o.ready[i]).Part]
	}
}

// arrive puts a row into its frame.
func (o *overLater) arrive(slot, id int32, at types.Time) *overPart {
	p := &o.parts[slot]
	if p.last != at {
		o.one(slot)
		p.last = at
	}
	p.frame = append(p.frame, id)
	return p
}

// clear drops the partitions whose time is over.
func (o *overLater) clear(w types.Time) {
	var over []int32
	for t, ok := o.ends.First(); ok && types.Time(t.At) <= w; t, ok = o.ends.First() {
		o.ends.Pop()
		p := &o.parts[t.Who]
		if !p.used || len(p.ends) == 0 || p.ends[0] != types.Time(t.At) {
			continue
		}
		o.one(t.Who)
		if p.ends = p.ends[1:]; len(p.ends) > 0 {
			p.last = max(p.last, types.Time(t.At))
			continue
		}
		over = append(over, t.Who)
		for p.size() > 0 {
			o.rows.Drop(p.shift())
		}
		p.used = false
	}
	o.set.Reset(over)
	o.release(over)
}

func (o *overLater) release(slots []int32) {
	for _, s := range slots {
		o.parts[s] = overPart{}
	}
	o.table.Remove(slots)
}

// OnBarrier implements op.Simple.
func (o *overLater) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *overLater) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *overLater) StateBytes() int64 { return o.bytes() + o.due.Bytes() + o.ends.Bytes() }
