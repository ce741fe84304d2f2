package match

import (
	"slices"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// OnBatch implements op.Operator. Rows are kept all together; then they wait, mark
// by mark, until the mark lets some of them out.
func (o *operator) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.batch != b {
		if err := o.receive(b); err != nil {
			return false, err
		}
	}
	for {
		end := len(o.keep)
		if o.next < len(b.Marks) {
			end = o.until(b.Marks[o.next].Row)
		}
		if more, err := o.take(end, out); more || err != nil {
			return more, err
		}
		if o.next == len(b.Marks) {
			o.batch = nil
			return false, o.end(out)
		}
		w := b.Marks[o.next].Time
		if more, err := o.pass(w, out); more || err != nil {
			return more, err
		}
		o.out.mark(w)
		o.next++
	}
}

// receive begins with a batch: it drops the rows that are late and keeps the others.
func (o *operator) receive(b *row.Batch) error {
	o.row, o.next, o.fires, o.keep = 0, 0, false, o.keep[:0]
	if o.spec.Proctime {
		o.times = slices.Grow(o.times[:0], b.Rows)[:b.Rows]
		for r := range o.times {
			o.times[r] = int64(o.ctx.Now())
			o.keep = append(o.keep, int32(r))
		}
	} else {
		if err := o.readTimes(b); err != nil {
			return err
		}
		mark, next := o.mark, 0
		for r, at := range o.times {
			for next < len(b.Marks) && int(b.Marks[next].Row) <= r {
				mark = max(mark, b.Marks[next].Time)
				next++
			}
			if types.Time(at) <= mark && mark != types.MinTime {
				o.late++
				continue
			}
			o.keep = append(o.keep, int32(r))
		}
	}
	if len(o.keep) > 0 {
		o.store(b)
	}
	o.batch = b
	return nil
}

// until is how many of the rows of the batch that are not late stand before row.
func (o *operator) until(row int32) int {
	n := o.row
	for n < len(o.keep) && o.keep[n] < row {
		n++
	}
	return n
}

// take lets the rows below end wait, or, in processing time, runs them through the
// machine at once.
func (o *operator) take(end int, out op.Emitter) (more bool, err error) {
	if !o.spec.Proctime || o.rows.order != nil {
		o.enqueue(o.row, end)
		o.row = end
		return false, nil
	}
	for ; o.row < end; o.row++ {
		if o.out.full(o.ctx.BatchRows) {
			return true, o.out.flush(o, out)
		}
		id := o.ids[o.row]
		o.begin(o.slots[o.row])
		p := &o.parts[o.slot]
		if err := o.feed(p, id, types.Time(o.rows.at[id])); err != nil {
			return false, err
		}
		if err := o.leave(p, o.at); err != nil {
			return false, err
		}
	}
	return false, nil
}

// pass handles event time having reached w. Processing time does not care, but
// for the end of the input: rows do not wait for the next millisecond then.
func (o *operator) pass(w types.Time, out op.Emitter) (more bool, err error) {
	if o.spec.Proctime {
		if w != types.MaxTime || o.rows.order == nil {
			return false, nil
		}
		w = o.ctx.Now()
	}
	if !o.fires {
		if !o.spec.Proctime && w <= o.mark {
			return false, nil // it comes again after a start
		}
		if !o.spec.Proctime {
			o.mark, o.eval.Watermark = w, w
		}
		o.collect(w)
		o.fires = true
	}
	if more, err = o.fire(w, out); !more {
		o.fires = false
	}
	return more, err
}

// store keeps the rows of a batch that are not late and finds their partitions.
func (o *operator) store(b *row.Batch) {
	for i, c := range o.spec.Partition {
		o.cols[i] = b.Cols[c]
	}
	o.keys.Encode(o.cols, b.Rows, o.keep)
	if cap(o.slots) < len(o.keep) {
		o.slots = make([]int32, len(o.keep))
	}
	o.slots = o.slots[:len(o.keep)]
	o.fresh = o.table.FindOrAdd(&o.keys, o.slots, o.fresh[:0])
	o.grow()
	for _, s := range o.fresh {
		o.parts[s] = o.empty(o.parts[s])
	}
	if o.rows.order != nil {
		o.order.Encode(o.spec.OrderBy, b.Cols, b.Rows)
	}
	o.ids = o.rows.add(b, o.keep, o.slots, o.times, &o.order, o.ids[:0])
	o.table.Touch(o.slots)
}

// enqueue lets rows of the batch wait until their time has come.
func (o *operator) enqueue(from, to int) {
	for i, id := range o.ids[from:to] {
		slot := o.slots[from+i]
		p := &o.parts[slot]
		if n := len(p.waiting); p.fresh == n && (n == 0 || o.rows.compare(p.waiting[n-1], id) < 0) {
			p.fresh++
		}
		p.waiting = append(p.waiting, id)
		o.wakeAt(slot, types.Time(o.rows.at[id]), o.rows.seq[id])
	}
}

// wakeAt sets the earliest timer of a partition. seq puts partitions of one time
// in order.
func (o *operator) wakeAt(slot int32, at types.Time, seq int64) {
	if p := &o.parts[slot]; at < p.wake {
		p.wake = at
		o.due.Push(state.Timer{At: int64(at), Seq: seq, Who: slot})
	}
}

func (o *operator) grow() {
	if n := o.table.Cap(); n > len(o.parts) {
		o.parts = append(o.parts, make([]part, max(n, len(o.parts)*3/2, 64)-len(o.parts))...)
	}
}

// empty is a partition in the beginning, in the memory of another one.
func (o *operator) empty(p part) part {
	return part{used: true, wake: types.MaxTime, waiting: p.waiting[:0], rows: p.rows[:0], matches: p.matches[:0],
		runs: append(p.runs[:0], run{state: o.machine.start, start: noStart})}
}

// readTimes reads the time attribute in whole milliseconds, rounded down.
func (o *operator) readTimes(b *row.Batch) error {
	v := b.Cols[o.spec.Time]
	if v.Valid.Nulls(b.Rows) > 0 {
		name := b.Schema.Columns[o.spec.Time].Name
		return diag.New(diag.NullRowtime, diag.Span{}, "the time column %q is NULL: a row without a time has no place in MATCH_RECOGNIZE", name).
			WithHint("filter such rows before: WHERE %s IS NOT NULL", name)
	}
	o.times = slices.Grow(o.times[:0], b.Rows)[:b.Rows]
	if v.Type.Layout() == types.LayoutNano {
		copy(o.times, v.I64)
		return nil
	}
	for i, us := range v.I64[:b.Rows] {
		ms := us / 1000
		if us%1000 < 0 {
			ms--
		}
		o.times[i] = ms
	}
	return nil
}
