package relop

import (
	"bytes"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// NormalizeSpec makes a complete changelog of a stream of new rows by key, which
// may repeat itself: it keeps the row of every key, so that it can send the old
// row of an update and the whole row of a delete (flink-sql 6.4, Flink's
// ChangelogNormalize). A delete of a key that has no row is left out.
type NormalizeSpec struct {
	In  *types.Schema
	Key []int
	// Where is a condition for rows; one that does not meet it is as good as
	// deleted. nil: none.
	Where expr.Node
	// UpdateBefore tells that somebody downstream needs the old rows.
	UpdateBefore bool
	// TTL is how long a row is kept after the last one of its key, 0: for ever.
	// With it an equal row is sent again, so that steps below keep theirs.
	TTL types.Time
}

// Describe implements op.Spec.
func (s *NormalizeSpec) Describe() op.Description {
	d := op.Description{Name: "ChangelogNormalize", State: "the row per key, for ever"}
	if s.TTL > 0 {
		d.State = "the row per key, dropped after " + age(s.TTL) + " without a row"
	}
	d.Args = [][2]string{{"key", list(columnNames(s.In, s.Key))}}
	if s.Where != nil {
		d.Args = append(d.Args, [2]string{"condition", list([]string{s.Where.String()})})
	}
	return d
}

// Output implements op.Spec.
func (s *NormalizeSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *NormalizeSpec) Require(int) op.Distribution { return op.Distribution{Keys: s.Key} }

// Emits implements op.Spec.
func (s *NormalizeSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0].Has(row.UpdateBefore) {
		return 0, diag.New(diag.Internal, diag.Span{}, "the rows to normalize come with old rows of updates")
	}
	if s.UpdateBefore {
		return row.AllKinds, nil
	}
	return row.Upserts, nil
}

// MayPause implements op.Spec.
func (s *NormalizeSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *NormalizeSpec) Build(c *op.Context) (op.Operator, error) {
	o := &normalize{
		spec: s, ctx: c, table: state.NewTable(), keys: row.Keys{Zero: c.ZeroHash}, form: row.NewForm(s.In),
		send: newStored(s.In, s.In, c.BatchRows),
	}
	if s.Where != nil {
		zone, err := value.LoadZone(c.Zone)
		if err != nil {
			return nil, err
		}
		o.eval = expr.Ctx{Zone: zone, Now: c.Now, Watermark: types.MinTime, Rand: expr.NewRand(c.Seed), Stop: c.Stopped}
		if o.where, err = expr.Compile([]expr.Node{s.Where}, s.In); err != nil {
			return nil, err
		}
	}
	if s.TTL > 0 {
		return &expiringNormalize{normalize: o, sweep: sweep{ttl: s.TTL, at: types.MaxTime}}, nil
	}
	return o, nil
}

// normalize holds the row of every key.
type normalize struct {
	spec  *NormalizeSpec
	ctx   *op.Context
	table *state.Table
	rows  []normal // by slot
	arena state.Arena
	send  *stored
	where *expr.Program // nil: every row
	eval  expr.Ctx

	keys    row.Keys
	cols    []*row.Vec
	slots   []int32
	form    *row.Form
	adds    []int32
	sel     []int32
	passes  []bool // by row of the batch
	dropped []state.Ref
	ended   []int32
}

// normal is the row of a key.
type normal struct {
	data  state.Ref // of length 0: there is none
	since types.Time
	ended bool // listed in ended
}

// OnBatch implements op.Operator.
func (o *normalize) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	marks := b.Marks
	if b.Rows > 0 {
		if err := o.begin(b); err != nil {
			return false, err
		}
		for r, slot := range o.slots {
			for len(marks) > 0 && int(marks[0].Row) <= r {
				o.send.mark(marks[0].Time)
				marks = marks[1:]
			}
			o.row(b.Kind(r), r, &o.rows[slot])
		}
	}
	for _, m := range marks {
		o.send.mark(m.Time)
	}
	err := o.send.flush(out)
	o.finish()
	return false, err
}

func (o *normalize) begin(b *row.Batch) error {
	if o.where != nil {
		if err := o.pass(b); err != nil {
			return err
		}
	}
	o.cols = o.cols[:0]
	for _, c := range o.spec.Key {
		o.cols = append(o.cols, b.Cols[c])
	}
	o.keys.Encode(o.cols, b.Rows, nil)
	o.slots = sized(o.slots, b.Rows)
	o.table.FindOrAdd(&o.keys, o.slots, nil)
	o.table.Touch(o.slots)
	o.rows = grown(o.rows, o.table.Cap())
	o.form.Encode(b.Cols, b.Rows)
	return nil
}

// pass finds the rows that meet the condition. Rows that are taken away are not
// asked: a delete may hold nothing but its key.
func (o *normalize) pass(b *row.Batch) error {
	o.adds = o.adds[:0]
	for r := range b.Rows {
		if b.Kind(r).Adds() {
			o.adds = append(o.adds, int32(r))
		}
	}
	asked := b
	if len(o.adds) < b.Rows {
		asked = b.Gather(o.adds)
	}
	o.passes = sized(o.passes, b.Rows)
	clear(o.passes)
	o.sel = o.sel[:0]
	if asked.Rows > 0 {
		var err error
		if o.sel, err = o.where.Select(&o.eval, asked, o.sel); err != nil {
			return err
		}
	}
	for _, r := range o.sel {
		o.passes[o.adds[r]] = true
	}
	return nil
}

// row takes row r of the batch, whose key has k.
func (o *normalize) row(kind row.Kind, r int, k *normal) {
	if o.spec.TTL > 0 {
		now := o.ctx.Now()
		if k.data != (state.Ref{}) && now-k.since >= o.spec.TTL {
			o.clear(k)
		}
		k.since = now
	}
	old := o.arena.Get(k.data)
	if !kind.Adds() || o.where != nil && !o.passes[r] {
		if len(old) > 0 {
			o.send.add(row.Delete, old, 0)
			o.clear(k)
		}
		return
	}
	data := o.form.Keys.At(r)
	switch {
	case len(old) == 0:
		kind = row.Insert
	case o.spec.TTL == 0 && bytes.Equal(old, data):
		return
	default:
		if o.spec.UpdateBefore {
			o.send.add(row.UpdateBefore, old, 0)
		}
		kind = row.UpdateAfter
		o.clear(k)
	}
	k.data = o.arena.Put(data)
	o.send.add(kind, o.arena.Get(k.data), 0)
}

// clear takes the row of a key away once it was sent.
func (o *normalize) clear(k *normal) {
	o.dropped = append(o.dropped, k.data)
	k.data = state.Ref{}
}

// finish lets rows and keys go that nobody needs any more.
func (o *normalize) finish() {
	for _, d := range o.dropped {
		o.arena.Drop(d)
	}
	o.dropped = o.dropped[:0]
	o.ended = o.ended[:0]
	for _, s := range o.slots {
		if k := &o.rows[s]; k.data == (state.Ref{}) && !k.ended {
			k.ended = true
			o.ended = append(o.ended, s)
		}
	}
	o.remove(o.ended)
	o.slots = o.slots[:0]
}

func (o *normalize) remove(slots []int32) {
	for _, s := range slots {
		o.rows[s] = normal{}
	}
	o.table.Remove(slots)
}

// OnBarrier implements op.Operator.
func (o *normalize) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *normalize) StateBytes() int64 {
	return o.table.Bytes() + o.arena.Bytes() + int64(cap(o.rows))*24
}
