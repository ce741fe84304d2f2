package relop

import (
	"bytes"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// CompactSpec puts changes whose key is not the primary key of their table into
// order by event time: the changes of a primary key wait for the next watermark,
// what was added and taken away again in between cancels out, and of what is left
// there may be one row (flink-sql 6.6, Flink's WatermarkCompactingSinkMaterializer).
// Further rows are left out and forgotten, or fail the job.
type CompactSpec struct {
	In    *types.Schema
	Key   []int // the primary key of the table
	Table string
	// Unique is the key by which the changes can be told apart: a row takes the
	// place of one of the same key. nil: a row is found by all its values.
	Unique []int
	Refuse bool       // further rows fail the job
	TTL    types.Time // 0: none
}

// Describe implements op.Spec.
func (s *CompactSpec) Describe() op.Description {
	d := op.Description{Name: "SinkMaterializer", State: "the row per primary key, for ever, and its changes until the next watermark"}
	if s.TTL > 0 {
		d.State = "the row per primary key, dropped after " + age(s.TTL) + " without a change, and its changes until the next watermark"
	}
	what := "[NOTHING]"
	if s.Refuse {
		what = "[ERROR]"
	}
	d.Args = append([][2]string{{"onConflict", what}}, conflictKeys(s.In, s.Key, s.Unique)...)
	return d
}

// Output implements op.Spec.
func (s *CompactSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *CompactSpec) Require(int) op.Distribution { return op.Distribution{Keys: s.Key} }

// Emits implements op.Spec.
func (s *CompactSpec) Emits([]row.Kinds) (row.Kinds, error) { return row.Upserts, nil }

// MayPause implements op.Spec.
func (s *CompactSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *CompactSpec) Build(c *op.Context) (op.Operator, error) {
	o := &compact{
		spec: s, ctx: c, table: state.NewTable(), form: row.NewForm(s.In), last: types.MinTime,
		keys: row.Keys{Zero: c.ZeroHash}, idents: row.Keys{Zero: c.ZeroHash}, send: newStored(s.In, s.In, c.BatchRows),
	}
	if s.TTL > 0 {
		return &expiringCompact{compact: o, sweep: sweep{ttl: s.TTL, at: types.MaxTime}}, nil
	}
	return o, nil
}

// compact holds the row and the waiting changes of every primary key.
type compact struct {
	spec *CompactSpec
	ctx  *op.Context
	send *stored
	form *row.Form

	table *state.Table
	keyed []compactKey // by slot
	wait  []waiting
	free  []int32
	arena state.Arena
	due   []int32    // slots with waiting changes, in the order of their first one
	last  types.Time // the last mark

	number int64 // of the last one that was listed

	conflicts int64

	keys, idents row.Keys
	cols         []*row.Vec
	slots        []int32
	dropped      []state.Ref
	values       []state.Ref
	buf          []byte
}

// compactKey is what a primary key has.
type compactKey struct {
	now        state.Ref // the row of the table; of length 0: there is none
	since      types.Time
	head, tail int32 // waiting changes: number + 1; 0: none
	listed     int64 // number in due; 0: not listed
}

// waiting is a change that waits. Its data is that of a row (compact.row).
type waiting struct {
	adds bool
	data state.Ref
	next int32 // number + 1; 0: none
}

// OnBatch implements op.Operator.
func (o *compact) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if b.Rows > 0 {
		o.begin(b)
	}
	from := 0
	for _, m := range b.Marks {
		o.rows(b, from, int(m.Row))
		from = int(m.Row)
		if err := o.mark(m.Time); err != nil {
			return false, err
		}
	}
	o.rows(b, from, b.Rows)
	err := o.send.flush(out)
	for _, d := range o.dropped {
		o.arena.Drop(d)
	}
	o.dropped = o.dropped[:0]
	return false, err
}

func (o *compact) begin(b *row.Batch) {
	o.cols = o.cols[:0]
	for _, c := range o.spec.Key {
		o.cols = append(o.cols, b.Cols[c])
	}
	o.keys.Encode(o.cols, b.Rows, nil)
	o.form.Encode(b.Cols, b.Rows)
	if o.spec.Unique != nil {
		o.cols = o.cols[:0]
		for _, c := range o.spec.Unique {
			o.cols = append(o.cols, b.Cols[c])
		}
		o.idents.Encode(o.cols, b.Rows, nil)
	}
}

// rows takes rows between two marks. Keys are looked up no sooner: they go when
// a mark leaves nothing of them.
func (o *compact) rows(b *row.Batch, from, to int) {
	if from == to {
		return
	}
	part := row.Keys{Zero: o.keys.Zero, Data: o.keys.Data, Off: o.keys.Off[from : to+1], Hash: o.keys.Hash[from:to]}
	o.slots = sized(o.slots, to-from)
	o.table.FindOrAdd(&part, o.slots, nil)
	o.table.Touch(o.slots)
	o.keyed = grown(o.keyed, o.table.Cap())
	for i, slot := range o.slots {
		o.take(from+i, slot, b.Kind(from+i).Adds())
	}
}

// take lets row r wait, unless an opposite change of the same row waits: both are
// over then.
func (o *compact) take(r int, slot int32, adds bool) {
	o.buf = o.buf[:0]
	if o.spec.Unique != nil {
		o.buf = state.AppendBytes(o.buf, o.idents.At(r))
	}
	o.buf = append(o.buf, o.form.Keys.At(r)...)
	k := &o.keyed[slot]
	for id, before := k.head, int32(0); id != 0; id, before = o.wait[id-1].next, id {
		if w := &o.wait[id-1]; w.adds != adds && bytes.Equal(o.arena.Get(w.data), o.buf) {
			o.unlink(k, id, before)
			return
		}
	}
	o.append(slot, adds, o.arena.Put(o.buf))
}

func (o *compact) append(slot int32, adds bool, data state.Ref) {
	var id int32
	w := waiting{adds: adds, data: data}
	if n := len(o.free); n > 0 {
		id, o.free = o.free[n-1], o.free[:n-1]
		o.wait[id] = w
	} else {
		id = int32(len(o.wait))
		o.wait = append(o.wait, w)
	}
	k := &o.keyed[slot]
	if k.tail != 0 {
		o.wait[k.tail-1].next = id + 1
	} else {
		k.head = id + 1
		o.list(slot)
	}
	k.tail = id + 1
}

// list notes that a primary key has waiting changes.
func (o *compact) list(slot int32) {
	if k := &o.keyed[slot]; k.listed == 0 {
		o.number++
		k.listed = o.number
		o.due = append(o.due, slot)
	}
}

func (o *compact) unlink(k *compactKey, id, before int32) {
	w := o.wait[id-1]
	if before != 0 {
		o.wait[before-1].next = w.next
	} else {
		k.head = w.next
	}
	if w.next == 0 {
		k.tail = before
	}
	o.arena.Drop(w.data)
	o.free = append(o.free, id-1)
}

// mark settles all that waits. The mark that comes again when a job resumes
// settles nothing.
func (o *compact) mark(t types.Time) error {
	if t > o.last {
		o.last = t
		for _, slot := range o.due {
			if err := o.settle(slot); err != nil {
				return err
			}
		}
		o.due = o.due[:0]
	}
	o.send.mark(t)
	return nil
}

// settle applies what waits to the row of a primary key.
func (o *compact) settle(slot int32) error {
	o.slots = append(o.slots[:0], slot)
	o.table.Touch(o.slots)
	k := &o.keyed[slot]
	k.listed = 0
	if o.spec.TTL > 0 && k.now != (state.Ref{}) && o.ctx.Now()-k.since >= o.spec.TTL {
		o.dropped = append(o.dropped, k.now)
		k.now = state.Ref{}
	}
	o.values = o.values[:0]
	if k.now != (state.Ref{}) {
		o.values = append(o.values, k.now)
	}
	for id := k.head; id != 0; id = o.wait[id-1].next {
		o.apply(&o.wait[id-1])
		o.free = append(o.free, id-1)
	}
	k.head, k.tail = 0, 0
	if len(o.values) > 1 {
		if o.spec.Refuse {
			return o.conflict(o.values[0])
		}
		o.conflicts += int64(len(o.values) - 1)
	}
	o.replace(k)
	if k.now == (state.Ref{}) {
		o.keyed[slot] = compactKey{}
		o.table.Remove(o.slots)
	}
	return nil
}

// apply adds a row to the values, or takes one away.
func (o *compact) apply(w *waiting) {
	at := -1
	if !w.adds || o.spec.Unique != nil {
		ident, _ := o.parts(w.data)
		for i, v := range o.values {
			if other, _ := o.parts(v); bytes.Equal(ident, other) {
				at = i
				break
			}
		}
	}
	switch {
	case w.adds && at >= 0:
		o.values[at] = w.data
	case w.adds:
		o.values = append(o.values, w.data)
	case at >= 0:
		o.values = append(o.values[:at], o.values[at+1:]...)
	}
	// Whatever is not kept in the end is dropped once it was sent.
	o.dropped = append(o.dropped, w.data)
}

// replace makes the first of the values the row of the table. Where there are
// several, a row that is there stays, as in Flink.
func (o *compact) replace(k *compactKey) {
	had := k.now != (state.Ref{})
	if len(o.values) > 1 && had {
		return
	}
	if len(o.values) == 0 {
		if had {
			_, r := o.parts(k.now)
			o.send.add(row.Delete, r, 0)
			o.dropped = append(o.dropped, k.now)
			k.now = state.Ref{}
		}
		return
	}
	next := o.values[0]
	_, r := o.parts(next)
	kind := row.Insert
	if had {
		if _, was := o.parts(k.now); bytes.Equal(was, r) {
			return
		}
		kind = row.UpdateAfter
		o.dropped = append(o.dropped, k.now)
	}
	o.send.add(kind, r, 0)
	if o.spec.TTL > 0 {
		k.since = o.ctx.Now()
	}
	k.now = o.arena.Put(o.arena.Get(next))
}

// parts are what tells a row apart, and the row.
func (o *compact) parts(p state.Ref) (ident, data []byte) {
	all := o.arena.Get(p)
	if o.spec.Unique == nil {
		return all, all
	}
	d := state.Decoder{Data: all}
	ident = d.Bytes()
	return ident, d.Data
}

func (o *compact) conflict(p state.Ref) error {
	_, data := o.parts(p)
	cols := make([]*row.Vec, len(o.spec.In.Columns))
	for i, c := range o.spec.In.Columns {
		cols[i] = row.NewVec(c.Type, 0)
	}
	o.form.Decode([][]byte{data}, cols)
	var key []string
	for _, c := range o.spec.Key {
		key = append(key, o.spec.In.Columns[c].Name+" = "+rowtext.Value(cols[c], 0))
	}
	return diag.New(diag.KeyConflict, diag.Span{}, "several rows of the query meet in one of table '%s', whose primary key is %s", o.spec.Table, strings.Join(key, ", ")).
		WithHint("ON CONFLICT DO NOTHING keeps the first one, DO DEDUPLICATE the last one")
}

// OnBarrier implements op.Operator.
func (o *compact) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *compact) Counters() []op.Counter {
	return []op.Counter{{Name: "numConflictingRecordsDropped", Value: o.conflicts}}
}

// StateBytes implements op.Sized.
func (o *compact) StateBytes() int64 {
	return o.table.Bytes() + o.arena.Bytes() + int64(cap(o.keyed))*40 + int64(cap(o.wait))*20
}
