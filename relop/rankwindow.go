package relop

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// RankWindowSpec ranks the rows of each window: a Top-N, or the first or last
// row, whose partition holds the bounds of a window. The ranked rows are sent
// once, when the watermark reaches the end of the window; rows that come later
// are dropped (flink-sql 4.17).
type RankWindowSpec struct {
	In         *types.Schema
	Partition  []int
	OrderBy    []row.OrderBy
	Newest     bool // of rows equal in the order the last one comes first
	Start, End int64
	Time       int  // column of the last millisecond of the window
	Dedup      bool // in EXPLAIN: this is a deduplication
	WithRank   bool // the last column of Out is the rank
	// Hold is by how much event time is held back: the length of the windows if
	// the rows go on with times that they had before they were put into them.
	Hold types.Time
	Out  *types.Schema
}

// Describe implements op.Spec.
func (s *RankWindowSpec) Describe() op.Description {
	d := op.Description{Name: "WindowRank", State: "the ranked rows per window and key until the watermark passes the end"}
	if s.Dedup {
		keep := "FirstRow"
		if s.OrderBy[0].Desc {
			keep = "LastRow"
		}
		d.Name = "WindowDeduplicate"
		d.Args = [][2]string{{"keep", list([]string{keep})}}
	} else {
		d.Args = [][2]string{{"rankType", "[ROW_NUMBER]"},
			{"rankRange", list([]string{"rankStart=" + strconv.FormatInt(s.Start, 10), "rankEnd=" + strconv.FormatInt(s.End, 10)})}}
	}
	if s.Hold > 0 {
		d.Args = append(d.Args, [2]string{"watermarkDelay", fmt.Sprintf("%d ms", s.Hold)})
	}
	d.Args = append(d.Args, [2]string{"partitionKeys", list(columnNames(s.In, s.Partition))},
		[2]string{"orderBy", orderText(s.In, s.OrderBy)}, [2]string{"select", list(columnNames(s.Out, nil))})
	return d
}

// Output implements op.Spec.
func (s *RankWindowSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *RankWindowSpec) Require(int) op.Distribution { return op.Distribution{Keys: s.Partition} }

// Emits implements op.Spec.
func (s *RankWindowSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "a ranking per window takes only inserts")
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *RankWindowSpec) MayPause() bool { return true }

// rows is how the rows are kept.
func (s *RankWindowSpec) rows() *RankSpec {
	return &RankSpec{In: s.In, Partition: s.Partition, OrderBy: s.OrderBy, Newest: s.Newest, Start: 1, End: s.End, EndCol: -1, Out: s.In}
}

// Build implements op.Spec.
func (s *RankWindowSpec) Build(c *op.Context) (op.Operator, error) {
	kept, err := s.rows().Build(c)
	if err != nil {
		return nil, err
	}
	o := &rankWindow{rank: kept.(*rank), over: s, mark: types.MinTime}
	o.quiet, o.send = true, newStored(s.In, s.Out, c.BatchRows)
	return op.Cut(o, s.Out), nil
}

// rankWindow keeps its rows as a ranking does and sends them at the end.
type rankWindow struct {
	*rank
	over *RankWindowSpec
	due  state.Timers // end and slot of each partition
	mark types.Time
	late int64

	timed []bool // by partition: it is among due
	times []int64
	ends  []state.Timer // partitions that are complete
	ready []numbered    // their rows, from pos on still to be sent
	pos   int
	keep  []int32
}

// numbered is an entry and its rank.
type numbered struct {
	entry int32
	rank  int64
}

// OnRows implements op.Simple.
func (o *rankWindow) OnRows(_ int, b *row.Batch, _ op.Emitter) (bool, error) {
	var err error
	if o.times, err = rowtimes(o.times, b, o.over.Time, "a window"); err != nil {
		return false, err
	}
	o.keep = o.keep[:0]
	for r, at := range o.times {
		if types.Time(at) > o.mark {
			o.times[len(o.keep)] = at
			o.keep = append(o.keep, int32(r))
		}
	}
	if late := b.Rows - len(o.keep); late > 0 {
		o.late += int64(late)
		b = b.Gather(o.keep)
	}
	if b.Rows == 0 {
		return false, nil
	}
	o.begin(b)
	o.timed = grown(o.timed, o.parts.Cap())
	for i, r := range o.sel {
		p := o.partOf[r]
		if !o.timed[p] {
			o.timed[p] = true
			o.due.Push(state.Timer{At: o.times[r], Who: p})
		}
		o.row(b, i)
	}
	o.end()
	return false, nil
}

// OnWatermark implements op.Simple.
func (o *rankWindow) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	if o.pos == len(o.ready) {
		o.collect(w)
	}
	to := min(o.pos+o.send.most, len(o.ready))
	for _, n := range o.ready[o.pos:to] {
		o.send.add(row.Insert, o.rows.row(n.entry), n.rank)
	}
	if err := o.send.flush(out); err != nil {
		return w, false, err
	}
	if o.pos = to; to < len(o.ready) {
		return w, true, nil
	}
	o.forget()
	switch hold := o.over.Hold; {
	case w < types.MinTime+hold:
		w = types.MinTime
	case w < types.MaxTime:
		w -= hold
	}
	return w, false, nil
}

// collect lists the rows of the windows that have ended, windows in order of
// their ends.
func (o *rankWindow) collect(w types.Time) {
	o.ends, o.ready, o.pos, o.mark = o.ends[:0], o.ready[:0], 0, w
	for t, ok := o.due.First(); ok && types.Time(t.At) <= w; t, ok = o.due.First() {
		o.due.Pop()
		o.ends = append(o.ends, t)
	}
	first := func(t state.Timer) int64 { return o.rows.entries[o.lists[t.Who].runs[0][0]].seq }
	slices.SortFunc(o.ends, func(a, b state.Timer) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(o.sign*first(a), o.sign*first(b)))
	})
	for _, t := range o.ends {
		rank := int64(0)
		for _, run := range o.lists[t.Who].runs {
			for _, e := range run {
				if rank++; rank >= o.over.Start {
					o.ready = append(o.ready, numbered{e, rank})
				}
			}
		}
	}
}

// forget drops the windows that have been sent.
func (o *rankWindow) forget() {
	for _, t := range o.ends {
		l := &o.lists[t.Who]
		for l.n > 0 {
			o.evict(l, place{})
		}
		o.timed[t.Who] = false
		o.young = append(o.young, t.Who)
	}
	o.ends, o.ready, o.pos = o.ends[:0], o.ready[:0], 0
	o.end()
}

// Counters implements op.Metered.
func (o *rankWindow) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *rankWindow) StateBytes() int64 { return o.rank.StateBytes() + o.due.Bytes() }

// Fingerprint implements op.Fingerprinted.
func (s *RankWindowSpec) Fingerprint() string {
	return "window rank " + strconv.Itoa(s.Time) + s.rows().Fingerprint()
}

// Restore implements op.Stateful. The end of a window is read off its rows.
func (o *rankWindow) Restore(r *state.Restored) error {
	if err := o.rank.Restore(r); err != nil {
		return err
	}
	o.timed = grown(o.timed, o.parts.Cap())
	for p := range o.lists {
		l := &o.lists[p]
		if l.n == 0 {
			continue
		}
		b := row.NewBuilder(o.over.In)
		o.form.Decode([][]byte{o.rows.row(l.runs[0][0])}, b.Cols)
		b.Added(1, row.Insert)
		var err error
		if o.times, err = rowtimes(o.times, b.Flush(), o.over.Time, "a window"); err != nil {
			return err
		}
		o.timed[p] = true
		o.due.Push(state.Timer{At: o.times[0], Who: int32(p)})
	}
	return nil
}
