package relop

import (
	"math"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// SortEndSpec sorts all rows once, at the end of bounded input: ORDER BY any
// columns where '__table.exec.sort.non-temporal.enabled__' allows it. Over
// changes it puts out what is left (flink-sql 4.14).
type SortEndSpec struct {
	In      *types.Schema
	OrderBy []row.OrderBy
}

// Describe implements op.Spec.
func (s *SortEndSpec) Describe() op.Description {
	return op.Description{Name: "Sort", State: "all rows until the end of the input", Args: [][2]string{{"orderBy", orderText(s.In, s.OrderBy)}}}
}

// Output implements op.Spec.
func (s *SortEndSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *SortEndSpec) Require(int) op.Distribution { return op.Distribution{Single: true} }

// Emits implements op.Spec.
func (s *SortEndSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if withoutOld(in[0]) {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "ORDER BY needs the old row of every update")
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *SortEndSpec) MayPause() bool { return true }

// rows is how the rows are kept: as those of a ranking without an end.
func (s *SortEndSpec) rows() *RankSpec {
	return &RankSpec{In: s.In, OrderBy: s.OrderBy, Start: 1, End: math.MaxInt64, EndCol: -1, Strategy: RankRetract, Out: s.In}
}

// Build implements op.Spec.
func (s *SortEndSpec) Build(c *op.Context) (op.Operator, error) {
	kept, err := s.rows().Build(c)
	if err != nil {
		return nil, err
	}
	o := &sortEnd{rank: kept.(*rank)}
	o.quiet = true
	return op.Cut(o, s.In), nil
}

// sortEnd keeps its rows as a ranking does.
type sortEnd struct {
	*rank
	run int // runs of the list before it are sent
}

// OnRows implements op.Simple.
func (o *sortEnd) OnRows(_ int, b *row.Batch, _ op.Emitter) (bool, error) {
	o.begin(b)
	for i := range o.sel {
		o.row(b, i)
	}
	o.end()
	return false, nil
}

// OnWatermark implements op.Simple. Event time stands still until the end:
// rows of any time are still to come.
func (o *sortEnd) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	if w != types.MaxTime {
		return types.MinTime, false, nil
	}
	if len(o.lists) == 0 {
		return w, false, nil
	}
	l := &o.lists[0]
	for ; o.run < len(l.runs) && !o.send.full(); o.run++ {
		for _, e := range l.runs[o.run] {
			o.send.add(row.Insert, o.rows.row(e), 0)
		}
	}
	if err := o.send.flush(out); err != nil || o.run < len(l.runs) {
		return w, o.run < len(l.runs), err
	}
	for l.n > 0 {
		o.evict(l, place{})
	}
	o.young = append(o.young[:0], 0)
	o.run = 0
	o.end()
	return w, false, nil
}

// Fingerprint implements op.Fingerprinted.
func (s *SortEndSpec) Fingerprint() string { return "sort at end" + s.rows().Fingerprint() }
