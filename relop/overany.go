package relop

import (
	"bytes"
	"math"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// OverAnySpec computes aggregates from the first row of a partition to each row,
// in the order of any column. Rows may come, change and go anywhere in the
// order: the results of those behind them are sent anew (flink-sql 4.6).
//
// A row that comes has the kind it came with, one that goes is sent as -D, and
// a result that changes as -U and +U.
type OverAnySpec struct {
	In           *types.Schema
	Partition    []int
	OrderBy      []row.OrderBy
	Rows         bool // ROWS: rows equal in the order are told apart by arrival
	Calls        []agg.Call
	UpdateBefore bool
	Out          *types.Schema // In, calls
}

// Describe implements op.Spec.
func (s *OverAnySpec) Describe() op.Description {
	return op.Description{Name: "OverAggregate", State: "all rows, for ever",
		Args: overArgs(s.In, s.Partition, s.OrderBy, frameText(s.Rows, -1), s.Calls, s.Out)}
}

// Output implements op.Spec.
func (s *OverAnySpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *OverAnySpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Partition, Single: len(s.Partition) == 0}
}

// Emits implements op.Spec.
func (s *OverAnySpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if withoutOld(in[0]) {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "OVER needs the old row of every update")
	}
	if s.UpdateBefore {
		return row.AllKinds, nil
	}
	return row.Upserts, nil
}

// MayPause implements op.Spec.
func (s *OverAnySpec) MayPause() bool { return false }

// rows is how the rows are kept: as those of a ranking without an end.
func (s *OverAnySpec) rows() *RankSpec {
	return &RankSpec{In: s.In, Partition: s.Partition, OrderBy: s.OrderBy, Start: 1, End: math.MaxInt64, EndCol: -1, Strategy: RankRetract, Out: s.In}
}

// Build implements op.Spec.
func (s *OverAnySpec) Build(c *op.Context) (op.Operator, error) {
	kept, err := s.rows().Build(c)
	if err != nil {
		return nil, err
	}
	set, err := agg.NewSet(s.In, s.Calls, agg.Options{ZeroHash: c.ZeroHash})
	if err != nil {
		return nil, err
	}
	set.Grow(1)
	tail := &types.Schema{Columns: s.Out.Columns[len(s.In.Columns):]}
	o := &overAny{rank: kept.(*rank), over: s, set: set, tail: row.NewForm(tail), vals: make([]*row.Vec, len(s.Calls))}
	o.send = newStored(s.In, s.Out, c.BatchRows)
	o.send.tail = row.NewForm(tail)
	for i, call := range s.Calls {
		o.vals[i] = row.NewVec(call.Type, 0)
	}
	return o, nil
}

// overAny keeps its rows as a ranking does, with the results of each. A change
// computes all results of its partition again: aggregates that start from the
// first row need no form that can take rows back.
type overAny struct {
	*rank
	over    *OverAnySpec
	set     *agg.Set
	results []state.Ref // by entry: its results as tail makes them
	arena   state.Arena
	old     []state.Ref // results that were sent and are dropped when the output is out

	tail    *row.Form
	vals    []*row.Vec
	entries []int32
	raw     [][]byte
	sel     []int32
	slots   []int32
	peers   []int32
}

// OnBatch implements op.Operator.
func (o *overAny) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	marks := b.Marks
	if b.Rows > 0 {
		o.begin(b)
		for i, r := range o.rank.sel {
			for len(marks) > 0 && marks[0].Row <= r {
				o.send.mark(marks[0].Time)
				marks = marks[1:]
			}
			if err := o.change(b.Kind(int(r)), o.partOf[r], o.rank.slots[i], o.order.At(int(r))); err != nil {
				return false, err
			}
			if o.send.full() {
				if err := o.flush(out); err != nil {
					return false, err
				}
			}
		}
	}
	for _, m := range marks {
		o.send.mark(m.Time)
	}
	if err := o.flush(out); err != nil {
		return false, err
	}
	if b.Rows > 0 {
		o.end()
	}
	return false, nil
}

func (o *overAny) flush(out op.Emitter) error {
	err := o.send.flush(out)
	for _, r := range o.old {
		o.arena.Drop(r)
	}
	o.old = o.old[:0]
	return err
}

// change brings a row in or takes it away.
func (o *overAny) change(kind row.Kind, p, slot int32, key []byte) error {
	l := &o.lists[p]
	s := &o.rows.slots[slot]
	if kind.Adds() {
		o.number++
		at := o.rows.seek(l, key, o.number)
		o.touch(slot)
		e := o.rows.add(slot, p, o.number)
		l.insert(at, e)
		o.results = grown(o.results, len(o.rows.entries))
		o.results[e] = state.Ref{}
		return o.compute(l, e, kind)
	}
	if s.head == 0 {
		return nil
	}
	e := s.head - 1
	o.send.addTail(row.Delete, o.rows.row(e), o.arena.Get(o.results[e]))
	o.old = append(o.old, o.results[e])
	o.results[e] = state.Ref{}
	o.evict(l, l.exact(o.rows.seek(l, key, o.rows.entries[e].seq)))
	if l.n == 0 {
		o.young = append(o.young, p)
		return nil
	}
	return o.compute(l, -1, kind)
}

// compute finds the results of all rows of a partition and sends those that are
// new; kind is that of the entry that has just come.
func (o *overAny) compute(l *ranked, came int32, kind row.Kind) error {
	o.entries, o.raw = o.entries[:0], o.raw[:0]
	for _, run := range l.runs {
		o.entries = append(o.entries, run...)
	}
	for _, e := range o.entries {
		o.raw = append(o.raw, o.rows.row(e))
	}
	b := row.NewBuilder(o.over.In)
	o.form.Decode(o.raw, b.Cols)
	n := len(o.entries)
	for i, v := range o.vals {
		v.Reset(o.over.Calls[i].Type, 0)
		v.Reserve(n)
	}
	o.slots = sized(o.slots, n)
	clear(o.slots)
	o.sel = sized(o.sel, n)
	for i := range o.sel {
		o.sel[i] = int32(i)
	}
	o.set.Reset([]int32{0})
	if err := o.set.AddEach(&row.Batch{Schema: o.over.In, Rows: n, Cols: b.Cols}, o.sel, o.slots, nil, o.vals); err != nil {
		return err
	}
	cols := o.vals
	if !o.over.Rows {
		cols = o.shared()
	}
	o.tail.Encode(cols, n)
	for i, e := range o.entries {
		now := o.tail.Keys.At(i)
		was := o.arena.Get(o.results[e])
		if e != came && bytes.Equal(was, now) {
			continue
		}
		old := o.results[e]
		o.results[e] = o.arena.Put(now)
		now = o.arena.Get(o.results[e])
		if e == came {
			o.send.addTail(kind, o.raw[i], now)
			continue
		}
		o.old = append(o.old, old)
		if o.over.UpdateBefore {
			o.send.addTail(row.UpdateBefore, o.raw[i], was)
		}
		o.send.addTail(row.UpdateAfter, o.raw[i], now)
	}
	return nil
}

// shared gives rows that are equal in the order the results of the last one.
func (o *overAny) shared() []*row.Vec {
	n := len(o.entries)
	o.peers = sized(o.peers, n)
	for i := n - 1; i >= 0; i-- {
		o.peers[i] = int32(i)
		if i+1 < n && bytes.Equal(o.rows.sortKey(o.entries[i]), o.rows.sortKey(o.entries[i+1])) {
			o.peers[i] = o.peers[i+1]
		}
	}
	cols := make([]*row.Vec, len(o.vals))
	for i, v := range o.vals {
		cols[i] = v.Gather(o.peers)
	}
	return cols
}

// StateBytes implements op.Sized.
func (o *overAny) StateBytes() int64 {
	return o.rank.StateBytes() + o.arena.Bytes() + int64(cap(o.results))*12
}

// Fingerprint implements op.Fingerprinted: results are computed again.
func (s *OverAnySpec) Fingerprint() string { return "over any" + s.rows().Fingerprint() }

// Restore implements op.Stateful.
func (o *overAny) Restore(r *state.Restored) error {
	if err := o.rank.Restore(r); err != nil {
		return err
	}
	o.results = grown(o.results, len(o.rows.entries))
	for p := range o.lists {
		if l := &o.lists[p]; l.n > 0 {
			if err := o.compute(l, -1, row.Insert); err != nil {
				return err
			}
			o.forgetOutput()
		}
	}
	return nil
}

// forgetOutput takes back what was noted to be sent.
func (o *overAny) forgetOutput() {
	s := o.send
	s.rows, s.kinds, s.ranks, s.tails, s.marks, s.flags = s.rows[:0], s.kinds[:0], s.ranks[:0], s.tails[:0], s.marks[:0], false
	o.old = o.old[:0]
}
