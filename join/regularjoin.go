package join

import (
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// regularJoin works on a batch in steps, like intervalJoin: the first half of a
// step (work) collects pairs with the stored rows of the other side, which do
// not change while a batch of this side is at work; the second half (flush)
// evaluates the condition for all of them and goes through what happened in
// order, counting partners, sending rows and storing those of the batch.
//
// With every row of the other side a row does up to two things, in the order in
// which Flink sends: added, it ends the padding of its partner (counts), then
// the pair comes out (met); taken away, first the pair goes, then its partner
// is padded again.
type regularJoin struct {
	spec  *RegularSpec
	ctx   *op.Context
	pairs *pairing
	keys  *state.Table
	keyed []chains
	side  [2]*sideRows
	// counted sides keep the number of partners with each row.
	counted [2]bool

	// The batch at work: rows before row and marks before mark are done. The
	// row, if it has begun, goes on at slot at-1 (0: it is at its end), of
	// whose equal rows repeated are done, and with the next one what is before
	// part.
	batch    *row.Batch
	own      int
	row      int
	mark     int
	begun    bool
	at       int32
	repeated int32
	part     int
	key      row.Keys
	cols     []*row.Vec
	slots    []int32
	fresh    []int32
	noKey    []bool

	matches int32 // partners of the row at work that passed
	old     int32 // partners that a counted row had

	// The step.
	slotOf []int32 // per pair: slot of the other row
	half   bool    // the last pair has a part to come
	events []did
	marks  []row.Mark
	l, r   []int32
	kinds  []row.Kind
}

// chains are the lists of one join key.
type chains struct {
	side [2]chain
	used bool
}

// did is what happened in a step.
type did struct {
	kind didKind
	n    int32
}

type didKind uint8

const (
	met       didKind = iota // pair n comes out
	counts                   // pair n changes the partners of the other row
	countsToo                // the same for an equal row
	tests                    // pair n is a partner of a row that comes out alone
	ends                     // row n of the batch is through
)

func newRegularJoin(s *RegularSpec, c *op.Context) (op.Operator, error) {
	p, err := newPairing(c, s.L.In, s.R.In, s.Cond, s.Cols, s.Out)
	if err != nil {
		return nil, err
	}
	o := &regularJoin{spec: s, ctx: c, pairs: p, keys: state.NewTable()}
	o.key.Zero = c.ZeroHash
	for i, side := range []*Side{&s.L, &s.R} {
		o.side[i] = newSideRows(side, p.usedOf(i), c.ZeroHash)
		p.forms[i] = o.side[i].form
		o.counted[i] = s.Kind.Pads(i) || s.Kind.LeftOnly() && i == left
	}
	if s.expires() {
		return &expiringJoin{regularJoin: o, sweep: types.MaxTime}, nil
	}
	return o, nil
}

// OnBatch implements op.Operator.
func (o *regularJoin) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.batch != b {
		o.begin(in, b)
	}
	o.pairs.start(o.own, o.batch)
	o.slotOf, o.events, o.marks, o.half = o.slotOf[:0], o.events[:0], o.marks[:0], false
	more := o.work()
	if err := o.flush(out); err != nil {
		return false, err
	}
	if !more {
		o.end()
	}
	return more, nil
}

func (o *regularJoin) begin(in int, b *row.Batch) {
	if now := o.ctx.Now; o.spec.expires() {
		o.side[left].life.now, o.side[right].life.now = now(), now()
	}
	o.batch, o.own, o.row, o.mark, o.part, o.begun, o.matches = b, in, 0, 0, 0, false, 0
	if b.Rows == 0 {
		return
	}
	keys := o.spec.L.Keys
	if in == right {
		keys = o.spec.R.Keys
	}
	o.cols = o.cols[:0]
	for _, k := range keys {
		o.cols = append(o.cols, b.Cols[k])
	}
	o.noKey = nullKeys(o.noKey, o.cols, o.spec.NullSafe, b.Rows)
	o.key.Encode(o.cols, b.Rows, nil)
	o.slots = sized(o.slots, b.Rows)
	o.fresh = o.keys.FindOrAdd(&o.key, o.slots, o.fresh[:0])
	o.grow(o.fresh)
	o.side[in].begin(b)
}

// grow makes room for keys that were added.
func (o *regularJoin) grow(added []int32) {
	for n := o.keys.Cap(); len(o.keyed) < n; {
		o.keyed = append(o.keyed, chains{})
	}
	for _, s := range added {
		o.keyed[s].used = true
	}
}

// end forgets the rows and keys that are gone.
func (o *regularJoin) end() {
	if o.batch.Rows > 0 {
		o.side[o.own].end()
	}
	o.batch = nil
	o.forgetKeys()
}

// forgetKeys removes those of the keys in fresh that have no rows.
func (o *regularJoin) forgetKeys() {
	none := o.fresh[:0]
	for _, s := range o.fresh {
		if k := &o.keyed[s]; k.used && k.side[left].first == 0 && k.side[right].first == 0 {
			k.used = false
			none = append(none, s)
		}
	}
	o.keys.Remove(none)
	o.fresh = none[:0]
}

// work goes through rows and marks until the step is full (more) or the batch
// is done.
func (o *regularJoin) work() (more bool) {
	b := o.batch
	for {
		for ; !o.begun && o.mark < len(b.Marks) && int(b.Marks[o.mark].Row) <= o.row; o.mark++ {
			at := int32(o.count())
			if n := len(o.marks); n > 0 && o.marks[n-1].Row == at {
				o.marks = o.marks[:n-1]
			}
			o.marks = append(o.marks, row.Mark{Row: at, Time: b.Marks[o.mark].Time})
		}
		if o.row == b.Rows {
			return false
		}
		if !o.one() {
			return true
		}
		o.row++
	}
}

// inner joins need no events: what comes out depends on the pairs alone.
func (o *regularJoin) count() int {
	if o.spec.Kind == Inner {
		return len(o.slotOf)
	}
	return len(o.events)
}

// parts are what the row does with a row of the other side, in order.
func (o *regularJoin) parts() (list [2]didKind, n int) {
	switch {
	case o.spec.Kind.LeftOnly() && o.own == left:
		return [2]didKind{tests}, 1
	case o.spec.Kind.LeftOnly():
		return [2]didKind{counts}, 1
	case !o.counted[1-o.own]:
		return [2]didKind{met}, 1
	case o.batch.Kind(o.row).Adds():
		return [2]didKind{counts, met}, 2
	}
	return [2]didKind{met, counts}, 2
}

// one takes the row through the rows of the other side; false: the step is
// full before that is done.
func (o *regularJoin) one() bool {
	limit := o.ctx.BatchRows
	if o.count() >= limit {
		return false
	}
	if len(o.noKey) == 0 || !o.noKey[o.row] {
		theirs := o.side[1-o.own]
		list, n := o.parts()
		if !o.begun {
			o.begun, o.at, o.repeated, o.part = true, o.keyed[o.slots[o.row]].side[1-o.own].first, 0, 0
		}
		for o.at != 0 {
			s := &theirs.rows[o.at-1]
			if o.repeated == s.count || theirs.life.over(o.at-1) {
				o.at, o.repeated = s.next, 0
				continue
			}
			for ; o.part < n; o.part++ {
				if o.count() >= limit {
					return false
				}
				o.pair(list[o.part], o.at-1)
				o.half = o.part+1 < n
			}
			o.part = 0
			o.repeated++
		}
	}
	if o.spec.Kind == Inner {
		o.begun = false
		o.keep(o.row, 0)
		return true
	}
	if o.count() >= limit {
		return false
	}
	o.begun = false
	o.events = append(o.events, did{ends, int32(o.row)})
	if o.standsAlone() {
		o.pairs.solo = append(o.pairs.solo, int32(o.row))
	}
	return true
}

// pair notes one thing that the row does with a row of the other side.
func (o *regularJoin) pair(k didKind, slot int32) {
	p := o.pairs
	n := len(p.rows)
	if o.half {
		n--
	}
	if o.spec.Kind != Inner {
		if k == counts && o.repeated > 0 {
			k = countsToo
		}
		o.events = append(o.events, did{k, int32(n)})
	}
	if o.half {
		return
	}
	p.rows = append(p.rows, int32(o.row))
	p.stored = append(p.stored, o.side[1-o.own].bytes(slot))
	o.slotOf = append(o.slotOf, slot)
}

// keep stores row i of the batch or takes it away. A row whose key has a NULL
// never meets anybody: it is not stored.
func (o *regularJoin) keep(i int, partners int32) {
	if len(o.noKey) > 0 && o.noKey[i] {
		return
	}
	slot := o.slots[i]
	k := &o.keyed[slot]
	if o.batch.Kind(i).Adds() {
		o.side[o.own].add(i, partners, slot, &k.side[o.own])
		return
	}
	o.side[o.own].remove(i, &k.side[o.own])
	if k.side[left].first == 0 && k.side[right].first == 0 {
		o.fresh = append(o.fresh, slot)
	}
}

// standsAlone tells that rows of the batch may come out by themselves: padded,
// or as the left rows of a semi or anti join.
func (o *regularJoin) standsAlone() bool {
	return o.spec.Kind.Pads(o.own) || o.spec.Kind.LeftOnly() && o.own == left
}

// OnBarrier implements op.Operator.
func (o *regularJoin) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *regularJoin) StateBytes() int64 {
	return o.keys.Bytes() + o.side[left].bytesHeld() + o.side[right].bytesHeld() + int64(cap(o.keyed))*20
}
