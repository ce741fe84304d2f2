package match

import (
	"slices"

	"fsql/op"
	"fsql/types"
)

// collect finds the partitions whose time has come.
func (o *operator) collect(w types.Time) {
	o.ready, o.pos = o.ready[:0], 0
	for t, ok := o.due.First(); ok && types.Time(t.At) <= w; t, ok = o.due.First() {
		o.due.Pop()
		if p := &o.parts[t.Who]; p.used && p.wake == types.Time(t.At) {
			p.wake = types.MaxTime
			o.ready = append(o.ready, t.Who)
		}
	}
	if len(o.ready) > 0 {
		o.begin(o.ready[0])
	}
}

// begin starts to run through a partition.
func (o *operator) begin(slot int32) {
	o.slot, o.at = slot, types.MinTime
	o.touch[0] = slot
	o.table.Touch(o.touch[:])
	o.sort(&o.parts[slot])
}

// sort puts the rows that wait in order.
func (o *operator) sort(p *part) {
	if p.fresh == len(p.waiting) {
		return
	}
	late := p.waiting[p.fresh:]
	slices.SortFunc(late, o.rows.compare)
	from, _ := slices.BinarySearchFunc(p.waiting[:p.fresh], late[0], o.rows.compare)
	slices.SortFunc(p.waiting[from:], o.rows.compare)
	p.fresh = len(p.waiting)
}

// fire runs through the partitions whose time has come until there are matches
// for a batch.
func (o *operator) fire(w types.Time, out op.Emitter) (more bool, err error) {
	for o.pos < len(o.ready) {
		p := &o.parts[o.slot]
		for p.taken < len(p.waiting) && types.Time(o.rows.at[p.waiting[p.taken]]) <= w {
			if o.out.full(o.ctx.BatchRows) {
				return true, o.out.flush(o, out)
			}
			id := p.waiting[p.taken]
			p.taken++
			if err := o.feed(p, id, types.Time(o.rows.at[id])); err != nil {
				return false, err
			}
		}
		p.waiting = p.waiting[:copy(p.waiting, p.waiting[p.taken:])]
		p.fresh, p.taken = len(p.waiting), 0
		if err := o.leave(p, w); err != nil {
			return false, err
		}
		if o.pos++; o.pos < len(o.ready) {
			o.begin(o.ready[o.pos])
		}
	}
	return false, nil
}

// feed runs a row through the machine.
func (o *operator) feed(p *part, id int32, at types.Time) error {
	if at != o.at {
		if err := o.timeout(p, at); err != nil {
			return err
		}
		o.at = at
	}
	p.rows = append(p.rows, id)
	before := p.runs[0].start
	if err := o.step(p, at); err != nil {
		return err
	}
	if first := p.runs[0].start; first != before || first == noStart {
		o.release(p)
	}
	return nil
}

// leave ends the work on a partition at time w.
func (o *operator) leave(p *part, w types.Time) error {
	if w == types.MaxTime {
		if err := o.timeoutAll(p); err != nil {
			return err
		}
	}
	if err := o.timeout(p, w); err != nil {
		return err
	}
	o.release(p)
	if p.idle() {
		o.over = append(o.over, o.slot)
		return nil
	}
	if len(p.waiting) > 0 {
		o.wakeAt(o.slot, types.Time(o.rows.at[p.waiting[0]]), o.rows.seq[p.waiting[0]])
	}
	o.wakeOver(p)
	return nil
}

// timeoutAll lets the runs of a partition become too long one after the other: a
// match that waited for one of them comes out at that time, not at the end of
// time.
func (o *operator) timeoutAll(p *part) error {
	for first := int64(-1); o.spec.Within > 0 && p.runs[0].start != noStart && p.runs[0].start != first; {
		first = p.runs[0].start
		if err := o.timeout(p, o.overAt(p)); err != nil {
			return err
		}
	}
	return nil
}

// wakeOver sets the timer for the run that began first.
func (o *operator) wakeOver(p *part) {
	if o.spec.Within > 0 && p.runs[0].start != noStart {
		id := p.row(p.runs[0].start)
		o.wakeAt(o.slot, o.overAt(p), o.rows.seq[id])
	}
}

// overAt is when the run that began first has become too long.
func (o *operator) overAt(p *part) types.Time {
	start := types.Time(o.rows.at[p.row(p.runs[0].start)])
	if start > types.MaxTime-1-o.spec.Within {
		return types.MaxTime - 1
	}
	return start + o.spec.Within
}

// release lets the rows go that no run holds; matches that are not sent yet may
// still read them.
func (o *operator) release(p *part) {
	n := p.first() - p.base
	if n == 0 {
		return
	}
	if o.out.n == 0 {
		o.rows.drop(p.rows[:n])
	} else {
		o.out.rows = append(o.out.rows, p.rows[:n]...)
	}
	p.rows = p.rows[:copy(p.rows, p.rows[n:])]
	p.base += n
}

// end sends the matches and forgets partitions that are as in the beginning.
func (o *operator) end(out op.Emitter) error {
	if err := o.out.flush(o, out); err != nil {
		return err
	}
	gone := o.over[:0]
	for _, s := range o.over {
		if p := &o.parts[s]; p.used && p.idle() {
			p.used = false
			gone = append(gone, s)
		}
	}
	if len(gone) > 0 {
		o.table.Remove(gone)
	}
	o.over = o.over[:0]
	return nil
}
