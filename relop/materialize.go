package relop

import (
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// MaterializeSpec puts changes whose key is not the primary key of their table
// into order: it keeps the rows of every primary key in the order in which they
// came, the last of which is the row of the table (flink-sql 6.6, Flink's
// SinkUpsertMaterializer).
type MaterializeSpec struct {
	In  *types.Schema
	Key []int // the primary key of the table
	// Unique is the key by which the changes can be told apart: a row takes the
	// place of one of the same key. nil: a row is found by all its values.
	Unique []int
	TTL    types.Time // 0: none
}

// Describe implements op.Spec.
func (s *MaterializeSpec) Describe() op.Description {
	d := op.Description{Name: "SinkMaterializer", State: "the rows per primary key, for ever"}
	if s.TTL > 0 {
		d.State = "the rows per primary key, dropped after " + age(s.TTL) + " without a row"
	}
	d.Args = append([][2]string{{"onConflict", "[DEDUPLICATE]"}}, conflictKeys(s.In, s.Key, s.Unique)...)
	return d
}

func conflictKeys(in *types.Schema, key, unique []int) [][2]string {
	args := [][2]string{{"primaryKey", list(columnNames(in, key))}}
	if unique != nil {
		args = append(args, [2]string{"upsertKey", list(columnNames(in, unique))})
	}
	return args
}

// Output implements op.Spec.
func (s *MaterializeSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *MaterializeSpec) Require(int) op.Distribution { return op.Distribution{Keys: s.Key} }

// Emits implements op.Spec.
func (s *MaterializeSpec) Emits([]row.Kinds) (row.Kinds, error) { return row.Upserts, nil }

// MayPause implements op.Spec.
func (s *MaterializeSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *MaterializeSpec) Build(c *op.Context) (op.Operator, error) {
	o := &materialize{
		spec: s, ctx: c, tables: state.NewTable(), entries: state.NewTable(), form: row.NewForm(s.In),
		keys: row.Keys{Zero: c.ZeroHash}, idents: row.Keys{Zero: c.ZeroHash}, send: newStored(s.In, s.In, c.BatchRows),
	}
	o.form.Keys.Zero = c.ZeroHash
	if s.TTL > 0 {
		return &expiringMaterialize{materialize: o, sweep: sweep{ttl: s.TTL, at: types.MaxTime}}, nil
	}
	return o, nil
}

// materialize holds a list of rows per primary key and finds a row in it by what
// tells rows apart.
type materialize struct {
	spec *MaterializeSpec
	ctx  *op.Context
	send *stored
	form *row.Form

	tables *state.Table // by primary key
	lists  []matList    // by slot of tables

	entries *state.Table // by primary key and Unique, or by the whole row
	rows    []matEntry   // by slot of entries
	nodes   []matNode
	free    []int32
	arena   state.Arena
	number  int64 // of the last node

	unmatched int64

	keys, idents row.Keys
	cols         []*row.Vec
	slots        []int32 // of tables, by row of the batch
	found        []int32 // of entries, by row of the batch
	dropped      []state.Ref
	ended        []int32
	one          [1]int32
}

// matList are the rows of a primary key.
type matList struct {
	head, tail int32 // node + 1; 0: none
	since      types.Time
	ended      bool // listed in ended
}

// matEntry is a row, which may stand several times in its list if it is found by
// its values.
type matEntry struct {
	first, last int32 // node + 1; 0: none
	list        int32
	data        state.Ref
	ended       bool
}

// matNode is a place in a list.
type matNode struct {
	prev, next int32 // node + 1; 0: none
	same       int32 // the next one of an equal row
	entry      int32
	number     int64 // rises along the list
}

// OnBatch implements op.Operator.
func (o *materialize) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	marks := b.Marks
	if b.Rows > 0 {
		o.begin(b)
		for r := range b.Rows {
			for len(marks) > 0 && int(marks[0].Row) <= r {
				o.send.mark(marks[0].Time)
				marks = marks[1:]
			}
			if b.Kind(r).Adds() {
				o.add(r)
			} else {
				o.retract(r)
			}
		}
	}
	for _, m := range marks {
		o.send.mark(m.Time)
	}
	err := o.send.flush(out)
	o.finish()
	return false, err
}

func (o *materialize) begin(b *row.Batch) {
	o.cols = o.cols[:0]
	for _, c := range o.spec.Key {
		o.cols = append(o.cols, b.Cols[c])
	}
	o.keys.Encode(o.cols, b.Rows, nil)
	o.slots, o.found = sized(o.slots, b.Rows), sized(o.found, b.Rows)
	o.tables.FindOrAdd(&o.keys, o.slots, nil)
	o.lists = grown(o.lists, o.tables.Cap())
	o.form.Encode(b.Cols, b.Rows)
	idents := &o.form.Keys
	if o.spec.Unique != nil {
		for _, c := range o.spec.Unique {
			o.cols = append(o.cols, b.Cols[c])
		}
		o.idents.Encode(o.cols, b.Rows, nil)
		idents = &o.idents
	}
	o.entries.FindOrAdd(idents, o.found, nil)
	o.rows = grown(o.rows, o.entries.Cap())
	for r, e := range o.found {
		o.rows[e].list = o.slots[r]
	}
	o.entries.Touch(o.found)
}

// expire empties a list that is too old.
func (o *materialize) expire(slot int32) {
	if l := &o.lists[slot]; o.spec.TTL > 0 && l.head != 0 && o.ctx.Now()-l.since >= o.spec.TTL {
		o.empty(slot)
	}
}

// written notes the time of a change of a list, which is stored with its rows.
func (o *materialize) written(slot int32) {
	l := &o.lists[slot]
	if o.spec.TTL == 0 || l.head == 0 {
		return
	}
	o.touch(o.nodes[l.head-1].entry)
	l.since = o.ctx.Now()
}

func (o *materialize) touch(e int32) {
	o.one[0] = e
	o.entries.Touch(o.one[:])
}

// empty lets the rows of a list go.
func (o *materialize) empty(slot int32) {
	l := &o.lists[slot]
	for n := l.head; n != 0; {
		e := o.nodes[n-1].entry
		o.touch(e)
		if m := &o.rows[e]; m.first != 0 {
			m.first, m.last = 0, 0
			o.release(m)
			o.end(e)
		}
		o.free = append(o.free, n-1)
		n = o.nodes[n-1].next
	}
	l.head, l.tail = 0, 0
}

func (o *materialize) add(r int) {
	slot, e := o.slots[r], o.found[r]
	o.expire(slot)
	l, m := &o.lists[slot], &o.rows[e]
	kind := row.UpdateAfter
	if l.head == 0 {
		kind = row.Insert
	}
	data, fresh := o.form.Keys.At(r), m.first == 0
	if fresh || o.spec.Unique == nil {
		o.append(slot, e, 0)
	}
	if fresh || o.spec.Unique != nil {
		o.release(m)
		m.data = o.arena.Put(data)
	}
	o.written(slot)
	o.send.add(kind, data, 0)
}

// append puts an entry to the end of a list; number 0 is the next one.
func (o *materialize) append(slot, e int32, number int64) {
	if number == 0 {
		o.number++
		number = o.number
	}
	n := matNode{prev: o.lists[slot].tail, entry: e, number: number}
	var id int32
	if k := len(o.free); k > 0 {
		id, o.free = o.free[k-1], o.free[:k-1]
		o.nodes[id] = n
	} else {
		id = int32(len(o.nodes))
		o.nodes = append(o.nodes, n)
	}
	id++
	l, m := &o.lists[slot], &o.rows[e]
	if l.tail != 0 {
		o.nodes[l.tail-1].next = id
	} else {
		l.head = id
	}
	l.tail = id
	if m.last != 0 {
		o.nodes[m.last-1].same = id
	} else {
		m.first = id
	}
	m.last = id
}

// retract takes the first row that equals row r out of its list. One that is not
// there was dropped, or never came.
func (o *materialize) retract(r int) {
	slot, e := o.slots[r], o.found[r]
	l, m := &o.lists[slot], &o.rows[e]
	o.expire(slot)
	id := m.first
	if id == 0 {
		o.unmatched++
		return
	}
	n := o.nodes[id-1]
	if m.first = n.same; m.first == 0 {
		m.last = 0
		o.release(m)
	}
	if n.prev != 0 {
		o.nodes[n.prev-1].next = n.next
	} else {
		l.head = n.next
	}
	if n.next != 0 {
		o.nodes[n.next-1].prev = n.prev
	} else {
		l.tail = n.prev
	}
	o.free = append(o.free, id-1)
	o.written(slot)
	switch {
	case l.head == 0:
		o.send.add(row.Delete, o.form.Keys.At(r), 0)
	case n.next == 0:
		o.send.add(row.UpdateAfter, o.arena.Get(o.rows[o.nodes[l.tail-1].entry].data), 0)
	}
}

// release lets the data of an entry go once it was sent.
func (o *materialize) release(m *matEntry) {
	o.dropped = append(o.dropped, m.data)
	m.data = state.Ref{}
}

// end notes an entry without a row.
func (o *materialize) end(e int32) {
	if m := &o.rows[e]; m.first == 0 && !m.ended {
		m.ended = true
		o.ended = append(o.ended, e)
	}
}

// finish lets rows and keys go that nobody needs any more. Entries go first:
// their lists tell where they are stored.
func (o *materialize) finish() {
	for _, d := range o.dropped {
		o.arena.Drop(d)
	}
	o.dropped = o.dropped[:0]
	for _, e := range o.found {
		o.end(e)
	}
	kept := o.ended[:0]
	for _, e := range o.ended { // a row may have come after it was listed
		if o.rows[e].ended = false; o.rows[e].first == 0 {
			kept = append(kept, e)
		}
	}
	o.entries.Remove(kept)
	for _, e := range kept {
		o.rows[e] = matEntry{}
	}
	o.ended = kept[:0]
	for _, s := range o.slots {
		if l := &o.lists[s]; l.head == 0 && !l.ended {
			l.ended = true
			o.ended = append(o.ended, s)
		}
	}
	o.tables.Remove(o.ended)
	for _, s := range o.ended {
		o.lists[s] = matList{}
	}
	o.ended, o.found, o.slots = o.ended[:0], o.found[:0], o.slots[:0]
}

// OnBarrier implements op.Operator.
func (o *materialize) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *materialize) Counters() []op.Counter {
	return []op.Counter{{Name: "numUnmatchedRetractions", Value: o.unmatched}}
}

// StateBytes implements op.Sized.
func (o *materialize) StateBytes() int64 {
	return o.tables.Bytes() + o.entries.Bytes() + o.arena.Bytes() + int64(cap(o.lists))*24 + int64(cap(o.rows))*28 + int64(cap(o.nodes))*24
}
