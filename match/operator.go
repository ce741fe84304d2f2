package match

import (
	"slices"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// operator finds the matches. By event time rows wait for the watermark; it then
// runs through the partitions whose time has come, one after the other.
type operator struct {
	spec    *Spec
	ctx     *op.Context
	machine *machine
	conds   []*condition
	rows    *rows
	counts  counts
	out     *results
	args    *arguments
	aggs    *tried
	eval    expr.Ctx

	table *state.Table
	form  *stored // for checkpoints, else nil
	parts []part  // by slot
	due   state.Timers
	mark  types.Time // event time
	ended types.Time // for matches that come out at the end of the input
	late  int64

	// The batch at work: its rows that are not late, from row on still to be
	// taken, and its marks, from next on.
	batch *row.Batch
	row   int
	next  int
	fires bool // of the mark next
	keys  row.Keys
	cols  []*row.Vec
	order row.Order
	times []int64
	keep  []int32
	slots []int32
	fresh []int32
	ids   []int32

	// The mark at work: partitions whose time has come, from pos on still to be
	// run through.
	ready []int32
	pos   int
	at    types.Time // time of the row before; MinTime: none
	over  []int32    // partitions that are as in the beginning
	slot  int32      // the partition at work
	touch [1]int32

	// The row at work.
	run     run
	newRuns queue
	done    queue
	open    []int32
	taken   []*edge
	tested  []int8 // by variable: 0 not yet, 1 no, 2 yes
	one     *row.Batch
	one1    [1]int32
	sel     []int32
}

// Build implements op.Spec.
func (s *Spec) Build(c *op.Context) (op.Operator, error) {
	zone, err := value.LoadZone(c.Zone)
	if err != nil {
		return nil, err
	}
	o := &operator{
		spec: s, ctx: c, machine: compile(s.Vars), counts: newCounts(len(s.Vars)), table: state.NewTable(),
		rows: newRows(s.In, s.used(), len(s.OrderBy) > 0), mark: types.MinTime, tested: make([]int8, len(s.Vars)), cols: make([]*row.Vec, len(s.Partition)),
		eval: expr.Ctx{Zone: zone, Now: c.Now, Watermark: types.MinTime, Rand: expr.NewRand(c.Seed), Stop: c.Stopped},
	}
	o.keys.Zero = c.ZeroHash
	if o.conds, err = newConditions(s); err != nil {
		return nil, err
	}
	if o.out, err = newResults(s); err != nil {
		return nil, err
	}
	if o.args, err = newArguments(s); err != nil {
		return nil, err
	}
	if o.aggs, err = newTried(s); err != nil {
		return nil, err
	}
	o.one = &row.Batch{Schema: readSchema(s.Reads), Rows: 1}
	for _, r := range s.Reads {
		o.one.Cols = append(o.one.Cols, row.NewVec(r.Type, 1))
	}
	if s.Proctime {
		return &byClock{o}, nil
	}
	return o, nil
}

// used are the columns of the input that are read of rows that are kept.
func (s *Spec) used() []bool {
	used := make([]bool, len(s.In.Columns))
	for _, r := range s.Reads {
		if r.Kind == First || r.Kind == Last {
			used[r.Index] = true
		}
	}
	for _, a := range s.Args {
		for _, c := range readBy(a, nil) {
			used[c] = true
		}
	}
	return used
}

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
	o.ids = o.rows.add(b, o.keep, o.times, &o.order, o.ids[:0])
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
		n := 0
		for n < len(p.waiting) && types.Time(o.rows.at[p.waiting[n]]) <= w && !o.out.full(o.ctx.BatchRows) {
			if err := o.feed(p, p.waiting[n], types.Time(o.rows.at[p.waiting[n]])); err != nil {
				return false, err
			}
			n++
		}
		p.waiting = p.waiting[:copy(p.waiting, p.waiting[n:])]
		p.fresh = len(p.waiting)
		if o.out.full(o.ctx.BatchRows) {
			return true, o.out.flush(o, out)
		}
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
	if before != p.runs[0].start {
		o.release(p)
	}
	return nil
}

// leave ends the work on a partition at time w.
func (o *operator) leave(p *part, w types.Time) error {
	if w == types.MaxTime {
		o.ended = o.overAt(p)
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

// wakeOver sets the timer for the run that began first.
func (o *operator) wakeOver(p *part) {
	if o.spec.Within > 0 && p.runs[0].start != noStart {
		id := p.row(p.runs[0].start)
		o.wakeAt(o.slot, o.overAt(p), o.rows.seq[id])
	}
}

// overAt is when the run that began first has become too long.
func (o *operator) overAt(p *part) types.Time {
	if p.runs[0].start == noStart {
		return o.at
	}
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
	o.out.rows = append(o.out.rows, p.rows[:n]...)
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

// given is the run at hand with the row at hand given to the variable of an edge.
func (o *operator) given(p *part, e *edge) (run, error) {
	r := run{state: e.to, start: o.run.start, took: o.counts.copy(o.run.took)}
	o.counts.of(r.took)[e.v]++
	if !o.aggs.any {
		return r, nil
	}
	if err := o.aggs.copied(o, r.took, o.run.took); err != nil {
		return r, err
	}
	return r, o.aggs.took(o, p, r.took, e.v, p.next()-1)
}

// free gives back what a run that is over has kept.
func (o *operator) free(r run) {
	o.aggs.dropped(r.took)
	o.counts.drop(r.took)
}

// copyCounts is for a match beside a run that goes on.
func (o *operator) copyCounts(id int32) int32 { return o.counts.copy(id) }

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

// OnBarrier implements op.Operator.
func (o *operator) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *operator) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *operator) StateBytes() int64 {
	n := o.table.Bytes() + o.rows.bytes() + o.due.Bytes() + o.aggs.bytes() + int64(cap(o.counts.all)+cap(o.counts.free))*4
	for i := range o.parts {
		p := &o.parts[i]
		n += int64(cap(p.waiting)+cap(p.rows))*4 + int64(cap(p.runs)+cap(p.matches))*16
	}
	return n + int64(cap(o.parts))*136
}
