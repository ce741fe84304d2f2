package relop

import (
	"encoding/binary"
	"strconv"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// FirstSpec lets the rows of ranks Start to End of each partition through, in
// the order in which they come: rankings by ascending processing time, and
// deduplication that keeps the first row.
type FirstSpec struct {
	In         *types.Schema
	Partition  []int
	Start, End int64
	// Dedup tells a deduplication, which counts as insert-only. Other rankings
	// count as updating, as in Flink, although they only send inserts.
	Dedup    bool
	WithRank bool // the last column of Out is the rank
	Out      *types.Schema
}

// Describe implements op.Spec.
func (s *FirstSpec) Describe() op.Description {
	if s.Dedup {
		return op.Description{Name: "Deduplicate", State: "which keys have come, for ever",
			Args: [][2]string{{"keep", "[FirstRow]"}, {"key", list(columnNames(s.In, s.Partition))}, {"order", "[PROCTIME]"}}}
	}
	return op.Description{Name: "Rank", State: "a row count per key, for ever", Args: [][2]string{
		{"strategy", "[AppendFastStrategy]"}, {"rankType", "[ROW_NUMBER]"},
		{"rankRange", list([]string{"rankStart=" + strconv.FormatInt(s.Start, 10), "rankEnd=" + strconv.FormatInt(s.End, 10)})},
		{"partitionBy", list(columnNames(s.In, s.Partition))}, {"orderBy", "[PROCTIME ASC]"}, {"select", list(columnNames(s.Out, nil))},
	}}
}

// Output implements op.Spec.
func (s *FirstSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *FirstSpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Partition, Single: len(s.Partition) == 0}
}

// Emits implements op.Spec.
func (s *FirstSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	switch {
	case in[0] != row.InsertOnly:
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "ranking by processing time takes only inserts")
	case s.Dedup:
		return row.InsertOnly, nil
	}
	return row.AllKinds, nil
}

// MayPause implements op.Spec.
func (s *FirstSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *FirstSpec) Build(c *op.Context) (op.Operator, error) {
	return &firstN{spec: s, table: state.NewTable(), keys: row.Keys{Zero: c.ZeroHash}, none: noRows(s.Out)}, nil
}

type firstN struct {
	spec  *FirstSpec
	table *state.Table
	count []int64 // by slot: rows that came, up to End
	none  []*row.Vec

	keys  row.Keys
	cols  []*row.Vec
	slots []int32
	sel   []int32
	ranks []int64
}

// OnBatch implements op.Operator.
func (o *firstN) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	o.sel, o.ranks = o.sel[:0], o.ranks[:0]
	if b.Rows > 0 {
		o.rank(b)
	}
	r := &row.Batch{Schema: o.spec.Out, Rows: len(o.sel), Cols: o.none, Marks: row.GatherMarks(b.Marks, o.sel)}
	if r.Rows > 0 {
		r.Cols = make([]*row.Vec, 0, len(o.none))
		for _, c := range b.Cols {
			r.Cols = append(r.Cols, c.Gather(o.sel))
		}
		if o.spec.WithRank {
			v := row.NewVec(o.spec.Out.Columns[len(b.Cols)].Type, r.Rows)
			copy(v.I64, o.ranks)
			r.Cols = append(r.Cols, v)
		}
	}
	return false, send(r, out)
}

// rank selects the rows that have one of the ranks.
func (o *firstN) rank(b *row.Batch) {
	o.cols = o.cols[:0]
	for _, c := range o.spec.Partition {
		o.cols = append(o.cols, b.Cols[c])
	}
	o.keys.Encode(o.cols, b.Rows, nil)
	o.slots = sized(o.slots, b.Rows)
	o.table.FindOrAdd(&o.keys, o.slots, nil)
	o.count = grown(o.count, o.table.Cap())
	for r, s := range o.slots {
		if o.count[s] == o.spec.End {
			continue
		}
		o.table.Touch(o.slots[r : r+1])
		o.count[s]++
		if o.count[s] >= o.spec.Start {
			o.sel, o.ranks = append(o.sel, int32(r)), append(o.ranks, o.count[s])
		}
	}
}

// OnBarrier implements op.Operator.
func (o *firstN) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *firstN) StateBytes() int64 { return o.table.Bytes() + int64(cap(o.count))*8 }

// Fingerprint implements op.Fingerprinted.
func (s *FirstSpec) Fingerprint() string {
	text := "first " + strconv.FormatInt(s.End, 10)
	for _, c := range s.Partition {
		text += " " + s.In.Columns[c].Type.Plain().String()
	}
	return text
}

// firstForm is the version of a saved count.
const firstForm = 1

// Track implements op.Stateful.
func (o *firstN) Track() { o.table.Track(state.Tracking{Zero: o.keys.Zero}) }

// Snapshot implements op.Stateful.
func (o *firstN) Snapshot(s *state.Snapshot) {
	o.table.Seal(s, func(dst []byte, slot int32) []byte {
		return binary.AppendVarint(append(dst, firstForm), o.count[slot])
	})
}

// Restore implements op.Stateful.
func (o *firstN) Restore(r *state.Restored) error {
	return r.Each(func(_ byte, key, val []byte) error {
		slot := o.table.Load(key)
		o.count = grown(o.count, o.table.Cap())
		d := state.Decoder{Data: val}
		d.Version(firstForm)
		o.count[slot] = d.Varint()
		return d.Err
	})
}
