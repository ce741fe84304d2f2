package window

import (
	"math"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// fire emits the windows up to due, in order of their ends, until a batch of
// output is full. It reports whether it is done.
func (o *sliced) fire(out op.Emitter) (done bool, err error) {
	for {
		if !o.open {
			end, ok := o.nextWindow()
			if !ok || end > o.due {
				break
			}
			if err := o.gather(end); err != nil {
				return false, err
			}
			o.end, o.pos, o.open = end, 0, true
		}
		for o.pos < len(o.ready) {
			room := o.ctx.BatchRows - o.res.out.Len()
			if room <= 0 {
				return false, emit(o.res.out, out)
			}
			o.emit(room)
		}
		o.release()
		o.fired, o.open = o.end, false
	}
	o.fired = max(o.fired, o.due)
	o.schedule()
	o.forget()
	return true, nil
}

// schedule finds the first window to come.
func (o *sliced) schedule() {
	o.next, o.trigger = math.MaxInt64, types.MaxTime
	if end, ok := o.nextWindow(); ok {
		o.next, o.trigger = end, o.clock.trigger(end)
	}
}

// nextWindow is the end of the first window that has not fired and has rows.
func (o *sliced) nextWindow() (int64, bool) {
	o.goOn()
	if len(o.win.slots) > 0 { // CUMULATE, within a full window
		w := o.shape.(cumulate)
		return w.window(w.start(sliceAt(o.win.place))+w.step, o.after())
	}
	if len(o.panes.open) == 0 {
		return 0, false
	}
	return o.shape.window(o.panes.open[0].end, o.after())
}

// goOn takes up the next full window of CUMULATE that was at work when the job
// was stopped, unless an earlier one begins with a slice.
func (o *sliced) goOn() {
	if len(o.later) == 0 || len(o.win.slots) > 0 {
		return
	}
	if open := o.panes.open; len(open) > 0 && o.shape.(cumulate).full(open[0].end) < sliceAt(o.later[0].place) {
		return
	}
	o.win, o.later = o.later[0], o.later[1:]
}

// gather makes ready the groups of the window that ends at end.
func (o *sliced) gather(end int64) error {
	open := o.panes.open
	switch w := o.shape.(type) {
	case hop:
		n := 0
		for n < len(open) && open[n].end <= end {
			n++
		}
		if n == 1 { // nothing to merge
			break
		}
		o.win = merged{placeOfWindow(end), o.win.slots[:0]}
		for i := range n {
			p := open[n-1-i] // Flink: the latest slice first, as LISTAGG shows
			if o.spec.Legacy {
				p = open[i]
			}
			if err := o.merge(p.slots); err != nil {
				return err
			}
		}
		o.ready = o.win.slots
		return nil
	case cumulate:
		o.win.place = placeOfWindow(w.full(end))
		if len(open) > 0 && open[0].end == end {
			slots := open[0].slots
			if err := o.merge(slots); err != nil {
				return err
			}
			o.remove(slots)
			o.panes.drop()
		}
		o.ready = o.win.slots
		return nil
	}
	o.ready = open[0].slots
	return nil
}

// release drops what no window to come needs after the one at o.end.
func (o *sliced) release() {
	switch w := o.shape.(type) {
	case tumble:
		o.remove(o.panes.open[0].slots)
		o.panes.drop()
	case hop:
		if len(o.win.slots) > 0 {
			o.remove(o.win.slots)
			o.win.slots = o.win.slots[:0]
		}
		for len(o.panes.open) > 0 {
			p := o.panes.open[0]
			if _, more := w.window(p.end, o.end+1); more {
				break
			}
			o.remove(p.slots)
			o.panes.drop()
		}
	case cumulate:
		if o.end == w.full(o.end) {
			o.remove(o.win.slots)
			o.win.slots = o.win.slots[:0]
		}
	}
}

func (o *sliced) remove(slots []int32) {
	o.table.Touch(slots)
	o.calls.reset(slots)
	o.table.Remove(slots)
}

// mergeRows is how many groups are merged in one go.
const mergeRows = 1024

// merge folds the groups of a slice into those of the window o.win.
func (o *sliced) merge(from []int32) error {
	for len(from) > 0 {
		part := from[:min(len(from), mergeRows)]
		from = from[len(part):]
		o.raw = o.table.Keys(o.raw[:0], part)
		o.keys.EncodeKeys(o.win.place, o.raw)
		if cap(o.slots) < len(part) {
			o.slots = make([]int32, mergeRows)
		}
		to := o.slots[:len(part)]
		o.win.slots = o.table.FindOrAdd(&o.keys, to, o.win.slots)
		o.table.Touch(to)
		o.calls.grow(o.table.Cap())
		if err := o.calls.merge(to, part); err != nil {
			return err
		}
	}
	return nil
}

// emit appends up to room groups of the window to the output.
func (o *sliced) emit(room int) {
	part := o.ready[o.pos:]
	if again := o.end <= o.uneven.last; o.calls.net == nil && !again {
		part = part[:min(room, len(part))]
		o.pos += len(part)
	} else {
		o.fresh = o.fresh[:0]
		for o.pos < len(o.ready) && len(o.fresh) < room {
			if s := o.ready[o.pos]; !o.calls.empty(s) && !(again && o.uneven.sent(o.end, o.table.Key(s)[8:])) {
				o.fresh = append(o.fresh, s)
			}
			o.pos++
		}
		part = o.fresh
	}
	start := o.shape.start(o.end)
	o.starts, o.ends = o.starts[:0], o.ends[:0]
	for range part {
		o.starts, o.ends = append(o.starts, start), append(o.ends, o.end)
	}
	o.res.add(part, part, o.starts, o.ends)
}

// slicedByClock is the aggregation by processing time. A window fires when the
// clock shows its end, so no row can come after it. Marks pass.
type slicedByClock struct{ *sliced }

// OnBatch implements op.Operator.
func (o slicedByClock) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.cur != b {
		o.progress = max(o.progress, o.ctx.Now())
		o.times = sameTime(o.now, o.progress, b.Rows)
		o.now = o.times.at
		o.begin(b)
		o.forget()
	}
	return o.run(out)
}

// NextClock implements op.ClockHandler.
func (o slicedByClock) NextClock() types.Time {
	switch {
	case o.next == math.MaxInt64:
		return types.MaxTime
	case o.next <= o.uneven.last: // it was over for others before the restart
		return 0 // long ago
	}
	return o.trigger + 1
}

// OnClock implements op.ClockHandler.
func (o slicedByClock) OnClock(now types.Time, out op.Emitter) error {
	o.progress = max(o.progress, now)
	for o.due = max(o.clock.passed(now-1), o.uneven.last); ; {
		done, err := o.fire(out)
		if err != nil {
			return err
		}
		if done {
			return emit(o.res.out, out)
		}
	}
}
