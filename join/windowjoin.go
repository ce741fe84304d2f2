package join

import (
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// windowJoin keeps the rows of a key (which holds the window) in a list per side
// in the order of arrival, and a queue of the keys by the ends of their
// windows.
//
// It works in steps, like intervalJoin: the first half of a step (work) stores
// rows and, where a mark has reached the end of a window, takes the rows of its
// keys and notes in blocks what is to be paired or comes out alone; the second
// half (flush) evaluates the condition for all pairs and sends the output.
type windowJoin struct {
	spec   *WindowSpec
	ctx    *op.Context
	pairs  *pairing
	table  *state.Table
	groups []group // by slot
	lists  lists   // entries by the number of the row
	rows   state.Arena
	due    state.Timers
	outer  int        // side whose rows are gone through
	time   types.Time // event time
	seq    int64      // number of the last row stored
	late   [2]int64
	saved  *windowSaving // nil: there are no checkpoints

	// The batch at work: rows before row and marks before mark are done.
	batch *row.Batch
	own   int
	row   int
	mark  int
	key   row.Keys
	cols  []*row.Vec
	slots []int32
	fresh []int32 // slots that may have no rows
	noKey []bool
	times []int64
	warm  int64 // so that what begin reads is of use

	// The key at work: its rows, of which the outer ones before at are done; of
	// the one at at, the inner ones before inner. rest: all outer ones are
	// done, and the inner ones before it.
	busy  bool // there is one
	alone bool // no row has a partner
	refs  [2][]state.Ref
	at    int
	inner int
	rest  int
	hit   bool // the outer row whose pairs are sent has met a partner

	// The step.
	blocks []block
	stored [2][][]byte // rows by place
	placed [2][]int32  // the left and the right rows of the pairs, by place
	whole  int32       // place of the first inner row of the key at work, if all are there; -1
	bound  int         // rows that the blocks may send
	drops  int         // rows that left
	gone   []state.Ref // they
	sent   [2][]int32  // rows of the output, by place
}

// group are the rows of one key.
type group struct {
	side  [2]list
	end   int64 // last millisecond of the window
	alone bool  // the key has a NULL that equals nothing
	used  bool  // the slot is in use
}

func (g *group) empty() bool { return g.side[left].n == 0 && g.side[right].n == 0 }

func newWindowJoin(s *WindowSpec, c *op.Context) (op.Operator, error) {
	p, err := newPairing(c, s.L.In, s.R.In, s.Cond, s.Cols, s.Out)
	if err != nil {
		return nil, err
	}
	o := &windowJoin{spec: s, ctx: c, pairs: p, table: state.NewTable(), outer: s.outer(), time: types.MinTime}
	o.key.Zero = c.ZeroHash
	for side := range p.forms {
		// Whether an inner row has met a partner is written where it lies.
		p.forms[side] = newForm(p.in[side], p.usedOf(side), s.Kind == FullOuter && side != o.outer)
	}
	return o, nil
}

// OnBatch implements op.Operator.
func (o *windowJoin) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
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

// begin prepares a batch: times, keys, and its rows as they are stored.
func (o *windowJoin) begin(in int, b *row.Batch) error {
	side := &o.spec.L
	if in == right {
		side = &o.spec.R
	}
	o.batch, o.own, o.row, o.mark = b, in, 0, 0
	if b.Rows == 0 {
		return nil
	}
	o.times = timesOrNone(o.times, b.Cols[side.Time], b.Rows)
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
	// The cache misses of different keys overlap here; row by row they do not.
	for _, s := range o.slots {
		o.warm += o.lists.peek(&o.groups[s].side[in])
	}
	return nil
}

// grow makes room for keys that were added.
func (o *windowJoin) grow(added []int32) {
	for n := o.table.Cap(); len(o.groups) < n; {
		o.groups = append(o.groups, group{})
	}
	for _, s := range added {
		o.groups[s].used = true
	}
}

// start begins a step.
func (o *windowJoin) start() {
	o.blocks, o.bound, o.drops, o.whole = o.blocks[:0], 0, 0, -1
	for side := range o.stored {
		o.stored[side], o.placed[side] = o.stored[side][:0], o.placed[side][:0]
	}
}

// work goes through rows and marks until the step is full (more) or the batch
// is done.
func (o *windowJoin) work() (more bool) {
	b := o.batch
	for {
		for o.mark < len(b.Marks) && int(b.Marks[o.mark].Row) <= o.row {
			o.time = b.Marks[o.mark].Time
			if !o.fire() {
				return true
			}
			o.announce(o.time)
			o.mark++
		}
		if o.row == b.Rows {
			return false
		}
		o.take(o.row)
		o.row++
	}
}

// take stores row i of the batch, unless it is late or of no use.
func (o *windowJoin) take(i int) {
	at, slot := o.times[i], o.slots[i]
	alone := len(o.noKey) > 0 && o.noKey[i]
	switch {
	case at == noTime:
		at, alone = plus(int64(o.time), 1), true
	case at <= int64(o.time):
		o.late[o.own]++
		return
	}
	if alone && !o.singles(o.own) {
		return // it can have no partner
	}
	o.seq++
	g := &o.groups[slot]
	if g.empty() {
		g.end, g.alone = at, alone
		o.due.Push(state.Timer{At: at, Seq: o.seq, Who: slot})
	}
	e := entry{o.seq, o.rows.Put(o.pairs.forms[o.own].keys.At(i))}
	o.lists.insert(&g.side[o.own], e)
	if o.saved != nil {
		o.saved.added(o, windowRow{side: o.own, slot: slot, end: g.end, entry: e})
	}
}

// fire takes the windows that have ended; false: the step is full.
func (o *windowJoin) fire() bool {
	for {
		if !o.busy {
			t, ok := o.due.First()
			if !ok || t.At > int64(o.time) {
				return true
			}
			if o.full() {
				return false
			}
			o.due.Pop()
			o.open(t.Who)
		}
		if !o.pair() {
			return false
		}
		o.close()
	}
}

// full bounds a step: the rows that it may send, and those that it drops.
func (o *windowJoin) full() bool { return o.bound >= o.ctx.BatchRows || o.drops >= maxDrops }

// open takes the rows of a key out of its lists.
func (o *windowJoin) open(slot int32) {
	g := &o.groups[slot]
	o.busy, o.alone, o.at, o.inner, o.rest, o.whole = true, g.alone, 0, 0, 0, -1
	for side := range o.refs {
		o.refs[side] = o.refs[side][:0]
		for l := &g.side[side]; l.n > 0; o.lists.pop(l) {
			e := o.lists.first(l)
			o.refs[side] = append(o.refs[side], e.row)
			if o.saved != nil {
				o.saved.left(o, slot, side, e.at)
			}
		}
	}
	o.fresh = append(o.fresh, slot)
}

// close ends the work at a key.
func (o *windowJoin) close() {
	o.busy = false
	for side := range o.refs {
		o.drops += len(o.refs[side])
		o.gone = append(o.gone, o.refs[side]...)
	}
}

// end forgets the keys that have no rows left.
func (o *windowJoin) end() {
	o.batch = nil
	none := o.fresh[:0]
	for _, s := range o.fresh {
		if g := &o.groups[s]; g.used && g.empty() {
			g.used = false
			none = append(none, s)
		}
	}
	o.table.Remove(none)
	if o.fresh = none[:0]; o.table.Len() == 0 {
		o.rows = state.Arena{}
		if cap(o.groups) > keepRoom {
			o.groups = nil
		}
	}
}

// OnBarrier implements op.Operator.
func (o *windowJoin) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *windowJoin) Counters() []op.Counter {
	return []op.Counter{{Name: "leftNumLateRecordsDropped", Value: o.late[left]}, {Name: "rightNumLateRecordsDropped", Value: o.late[right]}}
}

// StateBytes implements op.Sized.
func (o *windowJoin) StateBytes() int64 {
	return o.table.Bytes() + o.rows.Bytes() + o.lists.bytes() + o.due.Bytes() + int64(cap(o.groups))*32 +
		int64(cap(o.refs[left])+cap(o.refs[right])+cap(o.gone))*12
}
