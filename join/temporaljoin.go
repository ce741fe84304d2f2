package join

import (
	"cmp"
	"slices"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// temporalJoin keeps left rows until event time reaches them, and per key a list
// of versions in order of time.
//
// A batch is worked on in steps, as in intervalJoin. The first half of a step
// (work) stores rows, and at a mark finds the rows that are due, each with its
// version; the second half (flush) evaluates the condition for all of them and
// sends the output. What nobody needs any more goes after that.
type temporalJoin struct {
	spec  *TemporalSpec
	ctx   *op.Context
	pairs *pairing
	table *state.Table
	keyed []versioned // by slot of the key
	lists lists       // of versions; their stored rows have the id as number
	// The rows: waiting ones are tagged with their kind, versions with whether
	// they are deletions.
	waiting  state.Kept
	versions state.Kept
	due      state.Timers // time, number and id of waiting rows
	since    state.Timers // times of versions above event time, and their keys
	time     types.Time   // event time
	dirty    []int32      // keys that may have too many versions at the next mark
	life     *keyLife     // nil: keys live for ever

	// The batch at work: rows before row and marks before mark are done. Of the
	// waiting rows that are due at that mark those before pos are done.
	batch  *row.Batch
	own    int
	row    int
	mark   int
	firing bool
	ready  []int32
	pos    int
	key    row.Keys
	cols   []*row.Vec
	slots  []int32
	fresh  []int32 // keys that may have nothing left
	noKey  []bool
	times  []int64

	// The step.
	lefts  [][]byte // rows that are due
	kinds  []row.Kind
	rows   []int32 // per pair: the number of the left row
	stored [][]byte
	marks  []row.Mark
	spent  []int32 // ids of waiting rows that are done
	gone   []int32 // ids of versions that left their lists
	l, r   []int32
}

// versioned is what is kept of a key.
type versioned struct {
	list  list  // of versions
	waits int32 // waiting rows
	used  bool  // the slot is in use
}

// Tags of a version.
const (
	isThere byte = iota
	isDeleted
)

func newTemporalJoin(s *TemporalSpec, c *op.Context) (op.Operator, error) {
	p, err := newPairing(c, s.L.In, s.R.In, s.Cond, s.Cols, s.Out)
	if err != nil {
		return nil, err
	}
	o := &temporalJoin{spec: s, ctx: c, pairs: p, table: state.NewTable(), time: types.MinTime}
	o.key.Zero = c.ZeroHash
	for side := range p.forms {
		p.forms[side] = newForm(p.in[side], p.usedOf(side), true)
	}
	if s.TTL > 0 {
		o.life = &keyLife{ttl: s.TTL}
		return &expiringTemporal{o}, nil
	}
	return o, nil
}

// OnBatch implements op.Operator.
func (o *temporalJoin) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.batch != b {
		if err := o.begin(in, b); err != nil {
			return false, err
		}
	}
	o.lefts, o.kinds, o.rows, o.stored, o.marks = o.lefts[:0], o.kinds[:0], o.rows[:0], o.stored[:0], o.marks[:0]
	more := o.work()
	if err := o.flush(out); err != nil {
		return false, err
	}
	o.letGo()
	if !more {
		o.batch = nil
		o.forgetKeys()
	}
	return more, nil
}

// begin prepares a batch: times, keys, and its rows as they are stored.
func (o *temporalJoin) begin(in int, b *row.Batch) error {
	side := &o.spec.L
	o.batch, o.own, o.row, o.mark = b, in, 0, 0
	switch {
	case b.Rows == 0:
		return nil
	case in == left: // no version is valid at no time
		o.times = timesOrNone(o.times, b.Cols[side.Time], b.Rows)
	default:
		side = &o.spec.R
		var err error
		if o.times, err = rowtimes(o.times, b, side.Time); err != nil {
			return err
		}
	}
	o.cols = o.cols[:0]
	for _, k := range side.Keys {
		o.cols = append(o.cols, b.Cols[k])
	}
	o.noKey = nullKeys(o.noKey, o.cols, o.spec.NullSafe, b.Rows)
	o.key.Encode(o.cols, b.Rows, nil)
	o.slots = sized(o.slots, b.Rows)
	had := len(o.fresh)
	o.fresh = o.table.FindOrAdd(&o.key, o.slots, o.fresh)
	o.grow(o.fresh[had:])
	o.pairs.forms[in].encode(b)
	o.touch(o.slots)
	return nil
}

// grow makes room for keys that were added.
func (o *temporalJoin) grow(added []int32) {
	for n := o.table.Cap(); len(o.keyed) < n; {
		o.keyed = append(o.keyed, versioned{})
	}
	for _, s := range added {
		o.keyed[s] = versioned{used: true}
	}
	if o.life != nil {
		o.life.grow(o.table.Cap(), added)
	}
}

// work goes through rows and marks until the step is full (more) or the batch
// is done.
func (o *temporalJoin) work() (more bool) {
	b := o.batch
	for {
		end := b.Rows
		if o.mark < len(b.Marks) {
			end = int(b.Marks[o.mark].Row)
		}
		for ; o.row < end; o.row++ {
			o.store(o.row)
		}
		if o.mark == len(b.Marks) {
			return false
		}
		if !o.reach(b.Marks[o.mark].Time) {
			return true
		}
		o.mark++
	}
}

// store keeps row i of the batch. Old rows of updates say nothing about
// versions; a key with a NULL has none.
func (o *temporalJoin) store(i int) {
	none := len(o.noKey) > 0 && o.noKey[i]
	f, kind, at, slot := o.pairs.forms[o.own], o.batch.Kind(i), o.times[i], o.slots[i]
	data := f.keys.At(i)
	switch {
	case o.own == left && none && o.spec.Kind == Inner:
	case o.own == left:
		f.setTag(data, byte(kind))
		id := o.waiting.Add(slot, at, data)
		o.due.Push(state.Timer{At: at, Seq: o.waiting.Row(id).Seq, Who: id})
		o.keyed[slot].waits++
	case none || kind == row.UpdateBefore:
	default:
		f.setTag(data, isThere)
		if kind == row.Delete {
			f.setTag(data, isDeleted)
		}
		o.version(o.versions.Add(slot, at, data))
	}
}

// version puts a version into the list of its key, in the place of one with the
// same time.
func (o *temporalJoin) version(id int32) {
	v, f := o.versions.Row(id), o.pairs.forms[right]
	f.setNumber(o.versions.Get(id), int64(id))
	l := &o.keyed[v.Part].list
	if e := o.lists.upTo(l, v.At); e != nil && e.at == v.At {
		o.gone = append(o.gone, o.idOf(*e))
		e.row = o.versions.Ref(id)
		return
	}
	o.lists.insert(l, entry{v.At, o.versions.Ref(id)})
	if v.At > int64(o.time) {
		o.since.Push(state.Timer{At: v.At, Who: v.Part})
	} else {
		o.dirty = append(o.dirty, v.Part)
	}
}

// reach lets event time come to t: the rows that are due meet their versions;
// false: the step is full before that is done. A mark that comes again after a
// start does nothing: the rows behind it wait for event time to move.
func (o *temporalJoin) reach(t types.Time) bool {
	if t > o.time {
		if !o.firing {
			o.collect(t)
		}
		for ; o.pos < len(o.ready); o.pos++ {
			if len(o.lefts) >= o.ctx.BatchRows || len(o.spent) >= maxDrops {
				return false
			}
			o.meet(o.ready[o.pos])
		}
		o.firing, o.time = false, t
		for v, ok := o.since.First(); ok && types.Time(v.At) <= t; v, ok = o.since.First() {
			o.since.Pop()
			o.dirty = append(o.dirty, v.Who)
		}
		o.outdate()
	}
	at := int32(len(o.lefts))
	if n := len(o.marks); n > 0 && o.marks[n-1].Row == at {
		o.marks = o.marks[:n-1]
	}
	o.marks = append(o.marks, row.Mark{Row: at, Time: t})
	return true
}

// outdate takes versions out of the lists of the keys that may have too many:
// of those at or below event time the newest stays.
func (o *temporalJoin) outdate() {
	for _, slot := range o.dirty {
		if int(slot) >= len(o.keyed) {
			continue // its key has expired
		}
		l := &o.keyed[slot].list
		newest := o.lists.upTo(l, int64(o.time))
		if newest == nil {
			continue
		}
		for at := newest.at; o.lists.first(l).at < at; o.lists.pop(l) {
			o.gone = append(o.gone, o.idOf(o.lists.first(l)))
		}
	}
	o.dirty = o.dirty[:0]
}

// idOf is the id of a version.
func (o *temporalJoin) idOf(e entry) int32 {
	return int32(o.pairs.forms[right].number(o.versions.Data(e.row)))
}

// collect finds the waiting rows that are due, in the order of their arrival: a
// row that is taken back leaves after it has come.
func (o *temporalJoin) collect(t types.Time) {
	o.ready, o.pos, o.firing = o.ready[:0], 0, true
	for w, ok := o.due.First(); ok && types.Time(w.At) <= t; w, ok = o.due.First() {
		o.due.Pop()
		if o.waiting.Has(w.Who, w.Seq) { // else its key has expired
			o.ready = append(o.ready, w.Who)
		}
	}
	slices.SortFunc(o.ready, func(a, b int32) int {
		return cmp.Compare(o.waiting.Row(a).Seq, o.waiting.Row(b).Seq)
	})
}

// meet gives a left row that is due its version.
func (o *temporalJoin) meet(id int32) {
	w := o.waiting.Row(id)
	o.spent = append(o.spent, id)
	v := o.valid(&o.keyed[w.Part].list, w.At)
	if v == nil && o.spec.Kind == Inner {
		return
	}
	data := o.waiting.Get(id)
	if v != nil {
		o.rows, o.stored = append(o.rows, int32(len(o.lefts))), append(o.stored, v)
	}
	o.lefts = append(o.lefts, data)
	o.kinds = append(o.kinds, row.Kind(o.pairs.forms[left].tag(data)))
}

// valid is the version that is valid at a time, nil if there is none.
func (o *temporalJoin) valid(l *list, at int64) []byte {
	e := o.lists.upTo(l, at)
	if e == nil {
		return nil
	}
	v := o.versions.Data(e.row)
	if o.pairs.forms[right].tag(v) == isDeleted {
		return nil
	}
	return v
}
