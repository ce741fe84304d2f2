package join

import (
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// intervalJoin follows Flink's TimeIntervalJoin. Rows lie encoded in an arena;
// every key has a list of them per side, in order of time, and every side a
// queue of the rows in the order in which they leave, which does not depend on
// how often a mark comes.
//
// A batch is worked on in steps. The first half of a step (work) finds pairs,
// stores rows and takes away those that have expired; the second half (flush)
// evaluates the condition for all pairs and sends the output. Where padding
// depends on whether pairs passed, the first half notes what happened as events
// and the second decides in their order. Rows that leave are given back after
// that.
type intervalJoin struct {
	spec  *IntervalSpec
	ctx   *op.Context
	pairs *pairing
	table *state.Table
	keyed []keyed
	lists lists
	rows  state.Arena
	queue [2]state.Timers
	// A row is stored until time has passed its own by more than width; keep is
	// that with the cleanup interval. A partner of a row at t lies in
	// [t+from, t+to].
	width, keep, from, to [2]int64
	pads                  [2]bool
	delay                 types.Time
	time                  types.Time // event time, or processing time
	seq                   int64      // number of the last row stored
	saved                 *saving    // nil: there are no checkpoints

	// The batch at work: rows before row and marks before mark are done; within
	// says that the row's partners before cur are.
	batch  *row.Batch
	own    int
	row    int
	mark   int
	within bool
	cur    cursor
	key    row.Keys
	cols   []*row.Vec
	slots  []int32
	fresh  []int32
	noKey  []bool // rows whose key has a NULL; empty: none
	times  []int64
	lucky  int   // the last row with a pair that passed, -1: none
	warm   int64 // so that what lists.touch reads is of use

	// The step.
	refs    []state.Ref // per pair: the other row
	events  []event
	ownRows []stored
	gone    [2][]state.Ref // rows that left, padded perhaps
	drops   int            // rows that left
	marks   []row.Mark
	l, r    []int32
}

// keyed are the lists of one key.
type keyed struct {
	side [2]list
	used bool // the slot is in use
}

// stored is a row of the batch that was stored.
type stored struct {
	row int
	ref state.Ref
}

// event is what happened in a step of a join that pads.
type event struct {
	kind eventKind
	n    int32
}

type eventKind uint8

const (
	paired    eventKind = iota // pair n
	kept                       // row n of ownRows was stored
	late                       // row n of pairs.solo came too late to be stored
	leftGone                   // row n of pairs.lone[left] expired
	rightGone                  // row n of pairs.lone[right] expired
)

func newIntervalJoin(s *IntervalSpec, c *op.Context) (op.Operator, error) {
	p, err := newPairing(c, s.L.In, s.R.In, s.Cond, s.Cols, s.Out)
	if err != nil {
		return nil, err
	}
	o := &intervalJoin{spec: s, ctx: c, pairs: p, table: state.NewTable(), time: types.MinTime}
	o.key.Zero = c.ZeroHash
	lo, hi := int64(s.Lo), int64(s.Hi)
	o.width = [2]int64{left: -lo, right: hi}
	o.from = [2]int64{left: -hi, right: lo}
	o.to = [2]int64{left: -lo, right: hi}
	for side := range o.keep {
		o.pads[side] = s.Kind.Pads(side)
		o.keep[side] = o.width[side] + int64(s.Cleanup)
		p.forms[side] = newForm(p.in[side], p.usedOf(side), o.pads[side])
	}
	// An empty interval keeps nothing; processing time does not travel.
	if !s.Proctime && lo <= hi {
		o.delay = types.Time(max(-lo, hi))
	}
	if s.Proctime {
		return &proctimeJoin{o}, nil
	}
	return o, nil
}

// OnBatch implements op.Operator.
func (o *intervalJoin) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.batch != b {
		if err := o.begin(in, b); err != nil {
			return false, err
		}
	}
	o.start()
	more := o.work()
	if err := o.flush(out); err != nil {
		return false, err
	}
	if !more {
		o.end()
	}
	return more, nil
}

// start begins a step.
func (o *intervalJoin) start() {
	o.pairs.start(o.own, o.batch)
	o.refs, o.events, o.ownRows, o.marks, o.drops = o.refs[:0], o.events[:0], o.ownRows[:0], o.marks[:0], 0
}

// begin prepares a batch: times, keys, and its rows as they are stored.
func (o *intervalJoin) begin(in int, b *row.Batch) error {
	side := &o.spec.L
	if in == right {
		side = &o.spec.R
	}
	o.batch, o.own, o.row, o.mark, o.within, o.lucky = b, in, 0, 0, false, -1
	if b.Rows == 0 {
		return nil
	}
	var err error
	if o.spec.Proctime {
		o.times = sameTime(o.times, o.time, b.Rows)
	} else if o.times, err = rowtimes(o.times, b, side.Time); err != nil {
		return err
	}
	o.cols = o.cols[:0]
	for _, k := range side.Keys {
		o.cols = append(o.cols, b.Cols[k])
	}
	o.noKey = nullKeys(o.noKey, o.cols, o.spec.NullSafe, b.Rows)
	o.key.Encode(o.cols, b.Rows, nil)
	o.slots = sized(o.slots, b.Rows)
	o.fresh = o.table.FindOrAdd(&o.key, o.slots, o.fresh[:0])
	o.grow(o.fresh)
	o.pairs.forms[in].encode(b)
	o.warm = o.lists.touch(o.keyed, o.slots, 1-in)
	return nil
}

// grow makes room for keys that were added.
func (o *intervalJoin) grow(added []int32) {
	for n := o.table.Cap(); len(o.keyed) < n; {
		o.keyed = append(o.keyed, keyed{})
	}
	for _, s := range added {
		o.keyed[s].used = true
	}
}

// end forgets the keys that have no rows left.
func (o *intervalJoin) end() {
	o.batch = nil
	none := o.fresh[:0]
	for _, s := range o.fresh {
		if k := &o.keyed[s]; k.used && k.side[left].n == 0 && k.side[right].n == 0 {
			k.used = false
			none = append(none, s)
		}
	}
	o.table.Remove(none)
	if o.fresh = none[:0]; o.table.Len() == 0 {
		o.rows = state.Arena{}
		if cap(o.keyed) > keepRoom {
			o.keyed = nil
		}
	}
}

// keepRoom is how many places stay when nothing is kept.
const keepRoom = 1 << 12

// work goes through rows and marks until the step is full (more) or the batch
// is done.
func (o *intervalJoin) work() (more bool) {
	b := o.batch
	for {
		for !o.within && o.mark < len(b.Marks) && int(b.Marks[o.mark].Row) <= o.row {
			t := b.Marks[o.mark].Time
			if !o.spec.Proctime {
				o.time = t
				if !o.expire() {
					return true
				}
			}
			o.markAt(t)
			o.mark++
		}
		if o.row == b.Rows {
			return false
		}
		if o.full() || !o.one() {
			return true
		}
		o.row++
	}
}

// markAt notes a mark behind what the step has collected so far.
func (o *intervalJoin) markAt(t types.Time) {
	if t < types.MinTime+o.delay {
		return
	}
	if t < types.MaxTime {
		t -= o.delay
	}
	at := int32(o.count())
	if n := len(o.marks); n > 0 && o.marks[n-1].Row == at {
		o.marks[n-1].Time = t
		return
	}
	o.marks = append(o.marks, row.Mark{Row: at, Time: t})
}

// count is the number of output rows that the step may have, or of its events.
func (o *intervalJoin) count() int {
	if o.spec.Kind == Inner {
		return len(o.refs)
	}
	return len(o.events)
}

// full bounds a step: the rows that it may send, and those that it drops.
func (o *intervalJoin) full() bool {
	return o.count() >= o.ctx.BatchRows || o.drops >= maxDrops
}

const maxDrops = 1 << 13

// one pairs the row with what is stored of the other side and stores it; false:
// the step is full before that is done.
func (o *intervalJoin) one() bool {
	i, t := o.row, o.times[o.row]
	if len(o.noKey) > 0 && o.noKey[i] {
		// It meets nobody: stored only to be padded in its time.
		if o.pads[o.own] {
			o.store(i, t)
		}
		return true
	}
	theirs := &o.keyed[o.slots[i]].side[1-o.own]
	if !o.within {
		o.cur = o.lists.seek(theirs, plus(t, o.from[o.own]))
		o.within = true
	}
	had := len(o.refs)
	var done bool
	o.refs, done = o.lists.collect(theirs, &o.cur, plus(t, o.to[o.own]), o.ctx.BatchRows-o.count(), o.refs)
	for n, ref := range o.refs[had:] {
		o.pairs.rows = append(o.pairs.rows, int32(i))
		o.pairs.stored = append(o.pairs.stored, o.rows.Get(ref))
		if o.spec.Kind != Inner {
			o.events = append(o.events, event{paired, int32(had + n)})
		}
	}
	if !done {
		return false
	}
	o.within = false
	o.store(i, t)
	return true
}

// store keeps row i, unless no partner can come any more.
func (o *intervalJoin) store(i int, t int64) {
	if int64(o.time) >= plus(t, o.width[o.own]) || o.spec.Lo > o.spec.Hi {
		if o.pads[o.own] {
			o.events = append(o.events, event{late, int32(len(o.pairs.solo))})
			o.pairs.solo = append(o.pairs.solo, int32(i))
		}
		return
	}
	ref := o.rows.Put(o.pairs.forms[o.own].keys.At(i))
	slot := o.slots[i]
	o.lists.insert(&o.keyed[slot].side[o.own], entry{t, ref})
	o.seq++
	w := state.Timer{At: o.until(o.own, t), Seq: o.seq, Who: slot}
	o.queue[o.own].Push(w)
	if o.saved != nil {
		o.saved.added(o, keptRow{Timer: w, side: o.own, entry: entry{t, ref}})
	}
	if o.pads[o.own] {
		o.pairs.forms[o.own].setNumber(o.rows.Get(ref), o.seq)
		o.events = append(o.events, event{kept, int32(len(o.ownRows))})
		o.ownRows = append(o.ownRows, stored{i, ref})
	}
}

// until is when a row of a side leaves.
func (o *intervalJoin) until(side int, t int64) int64 { return plus(plus(t, o.keep[side]), 1) }

// expire takes the rows away whose time has come; false: the step is full.
func (o *intervalJoin) expire() bool {
	for {
		side := o.next()
		if side < 0 {
			return true
		}
		if o.full() {
			return false
		}
		w, _ := o.queue[side].First()
		o.queue[side].Pop()
		k := &o.keyed[w.Who]
		e := o.lists.first(&k.side[side])
		o.lists.pop(&k.side[side])
		if k.side[left].n == 0 && k.side[right].n == 0 {
			o.fresh = append(o.fresh, w.Who)
		}
		o.gone[side] = append(o.gone[side], e.row)
		o.drops++
		if o.saved != nil {
			o.saved.leaving = append(o.saved.leaving, keptRow{Timer: w, side: side})
		}
		if o.pads[side] {
			o.events = append(o.events, event{leftGone + eventKind(side), int32(len(o.pairs.lone[side]))})
			o.pairs.lone[side] = append(o.pairs.lone[side], o.rows.Get(e.row))
		}
	}
}

// next is the side whose first row leaves first, -1 if none is due.
func (o *intervalJoin) next() int {
	side := -1
	var first state.Timer
	for s := range o.queue {
		w, ok := o.queue[s].First()
		if ok && w.At <= int64(o.time) && (side < 0 || w.Before(first)) {
			side, first = s, w
		}
	}
	return side
}

// OnBarrier implements op.Operator.
func (o *intervalJoin) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *intervalJoin) StateBytes() int64 {
	return o.table.Bytes() + o.rows.Bytes() + o.lists.bytes() + o.queue[left].Bytes() + o.queue[right].Bytes() + int64(cap(o.keyed))*28
}
