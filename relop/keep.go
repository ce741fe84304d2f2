package relop

import (
	"bytes"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// KeepSpec keeps one row of each partition: deduplication that keeps the last
// row, and rankings of one rank over rows that are never taken back. A row that
// comes before the kept one in the order takes its place.
//
// The partition is the key of what comes out: +I, then -U and +U (flink-sql
// 4.16).
type KeepSpec struct {
	In        *types.Schema
	Partition []int
	OrderBy   []row.OrderBy
	// Last tells that of rows equal in the order the last one is kept.
	Last bool
	// Quiet: a row equal to the kept one sends nothing, while that is the first
	// of its partition. Flink has it so where rows are ordered by processing
	// time.
	Quiet bool
	// UpdateBefore tells that somebody downstream needs the old rows.
	UpdateBefore bool
	// Strategy is that of a ranking; nil: this is a deduplication.
	Strategy *RankStrategy
	TTL      types.Time // 0: none
}

// Describe implements op.Spec.
func (s *KeepSpec) Describe() op.Description {
	d := op.Description{Name: "Deduplicate", State: "the kept row per key, for ever"}
	if s.TTL > 0 {
		d.State = "the kept row per key, dropped after " + age(s.TTL) + " without a row"
	}
	order := "PROCTIME"
	if len(s.OrderBy) > 0 {
		order = "ROWTIME"
	}
	if s.Strategy == nil {
		d.Args = [][2]string{{"keep", "[LastRow]"}, {"key", list(columnNames(s.In, s.Partition))}, {"order", list([]string{order})}}
		return d
	}
	d.Name = "Rank"
	d.Args = [][2]string{
		{"strategy", list([]string{s.Strategy.String()})}, {"rankType", "[ROW_NUMBER]"}, {"rankRange", "[rankStart=1, rankEnd=1]"},
		{"partitionBy", list(columnNames(s.In, s.Partition))}, {"orderBy", orderText(s.In, s.OrderBy)}, {"select", list(columnNames(s.In, nil))},
	}
	return d
}

// Output implements op.Spec.
func (s *KeepSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *KeepSpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Partition, Single: len(s.Partition) == 0}
}

// Emits implements op.Spec.
func (s *KeepSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0].Has(row.Delete) || in[0].Has(row.UpdateBefore) || in[0] != row.InsertOnly && (s.Strategy == nil || *s.Strategy != RankUpdate) {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "keeping one row per key takes only inserts")
	}
	out := row.InsertOnly | 1<<row.UpdateAfter
	if s.UpdateBefore {
		out |= 1 << row.UpdateBefore
	}
	return out, nil
}

// MayPause implements op.Spec.
func (s *KeepSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *KeepSpec) Build(c *op.Context) (op.Operator, error) {
	o := &keep{
		spec: s, ctx: c, table: state.NewTable(), keys: row.Keys{Zero: c.ZeroHash}, form: row.NewForm(s.In),
		send: newStored(s.In, s.In, c.BatchRows),
	}
	return o, nil
}

// keep holds the sort key and the row of every partition.
type keep struct {
	spec  *KeepSpec
	ctx   *op.Context
	table *state.Table
	kept  []keptOne // by slot
	arena state.Arena
	send  *stored

	keys    row.Keys
	cols    []*row.Vec
	slots   []int32
	form    *row.Form
	order   row.Order
	values  row.Keys
	dropped []state.Ref
}

// keptOne is the kept row of a partition.
type keptOne struct {
	data  state.Ref // sort key and row (row.Ordered); of length 0: there is none
	since types.Time
	first bool // it is the first one
}

// OnBatch implements op.Operator.
func (o *keep) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	marks := b.Marks
	if b.Rows > 0 {
		o.begin(b)
		for r, slot := range o.slots {
			for len(marks) > 0 && int(marks[0].Row) <= r {
				o.send.mark(marks[0].Time)
				marks = marks[1:]
			}
			o.row(r, &o.kept[slot])
		}
	}
	for _, m := range marks {
		o.send.mark(m.Time)
	}
	err := o.send.flush(out)
	for _, d := range o.dropped {
		o.arena.Drop(d)
	}
	o.dropped = o.dropped[:0]
	return false, err
}

func (o *keep) begin(b *row.Batch) {
	o.cols = o.cols[:0]
	for _, c := range o.spec.Partition {
		o.cols = append(o.cols, b.Cols[c])
	}
	o.keys.Encode(o.cols, b.Rows, nil)
	o.slots = sized(o.slots, b.Rows)
	o.table.FindOrAdd(&o.keys, o.slots, nil)
	o.table.Touch(o.slots)
	o.kept = grown(o.kept, o.table.Cap())
	o.order.Encode(o.spec.OrderBy, b.Cols, b.Rows)
	o.form.Encode(b.Cols, b.Rows)
	o.values.EncodeOrdered(&o.order, &o.form.Keys, b.Rows, nil)
}

// row takes row r of the batch.
func (o *keep) row(r int, k *keptOne) {
	data := o.values.At(r)
	sort, now := row.Ordered(data)
	if o.spec.TTL > 0 {
		t := o.ctx.Now()
		if t-k.since >= o.spec.TTL && len(o.arena.Get(k.data)) > 0 {
			o.dropped = append(o.dropped, k.data)
			*k = keptOne{}
		}
		k.since = t
	}
	old := o.arena.Get(k.data)
	if len(old) == 0 {
		k.data, k.first = o.arena.Put(data), true
		_, now = row.Ordered(o.arena.Get(k.data))
		o.send.add(row.Insert, now, 0)
		return
	}
	was, before := row.Ordered(old)
	if c := bytes.Compare(sort, was); c > 0 || c == 0 && !o.spec.Last {
		return
	}
	if o.spec.Quiet && k.first && o.spec.TTL == 0 && bytes.Equal(now, before) {
		return
	}
	o.dropped = append(o.dropped, k.data) // it is sent before it goes
	k.data, k.first = o.arena.Put(data), false
	_, now = row.Ordered(o.arena.Get(k.data))
	if o.spec.UpdateBefore {
		o.send.add(row.UpdateBefore, before, 0)
	}
	o.send.add(row.UpdateAfter, now, 0)
}

// OnBarrier implements op.Operator.
func (o *keep) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *keep) StateBytes() int64 {
	return o.table.Bytes() + o.arena.Bytes() + int64(cap(o.kept))*32
}
