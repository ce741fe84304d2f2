package relop

import (
	"fsql/expr"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// ExpandSpec gives every row several times, once per branch that it passes, as
// GROUPING SETS and a UNION ALL over one input do. The rows of one input row
// follow each other in the order of the branches, before the next input row
// and before the marks that stand behind it: whether a row is late must not
// depend on which branch somebody happened to read first.
type ExpandSpec struct {
	In       *types.Schema
	Branches []Branch
	Out      *types.Schema
}

// Branch is one of the ways a row comes out.
type Branch struct {
	Where   expr.Node   // BOOLEAN; nil: every row
	Project []expr.Node // one per column of the output
}

// Describe implements op.Spec.
func (s *ExpandSpec) Describe() op.Description {
	d := op.Description{Name: "Expand"}
	for i := range s.Branches {
		d.Args = append(d.Args, s.calc(i).Describe().Args...)
	}
	return d
}

// calc is branch i by itself.
func (s *ExpandSpec) calc(i int) *CalcSpec {
	return &CalcSpec{In: s.In, Where: s.Branches[i].Where, Project: s.Branches[i].Project, Out: s.Out}
}

// Output implements op.Spec.
func (s *ExpandSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *ExpandSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec.
func (s *ExpandSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	for i := range s.Branches {
		if _, err := s.calc(i).Emits(in); err != nil {
			return 0, err
		}
	}
	return in[0], nil
}

// MayPause implements op.Spec.
func (s *ExpandSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *ExpandSpec) Build(c *op.Context) (op.Operator, error) {
	o := &expand{out: s.Out, none: noRows(s.Out), most: max(1, c.BatchRows/max(1, len(s.Branches)))}
	byMark := false
	for i := range s.Branches {
		k, reads, err := s.calc(i).build(c)
		if err != nil {
			return nil, err
		}
		byMark = byMark || reads
		o.branches = append(o.branches, k)
	}
	o.parts = make([]*row.Batch, len(o.branches))
	if byMark {
		return op.Cut(expandByMark{o}, s.Out), nil
	}
	return o, nil
}

type expand struct {
	out      *types.Schema
	none     []*row.Vec // the columns of a batch without rows
	most     int        // rows of the input that are expanded at once
	branches []*calc

	// The rows at work.
	parts []*row.Batch // what each branch makes of them
	rows  []int32      // per output row: its input row
	place []int32      // and where it stands in the parts, one after another
	next  []int32
}

// OnBatch implements op.Operator.
func (o *expand) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	marks := b.Marks
	for from := 0; from < b.Rows || len(marks) > 0; {
		to := min(from+o.most, b.Rows)
		r := &row.Batch{Schema: o.out, Cols: o.none}
		o.rows = o.rows[:0]
		if to > from {
			if err := o.repeat(b.Slice(from, to), r); err != nil {
				return false, err
			}
		}
		n := 0
		for n < len(marks) && int(marks[n].Row) <= to {
			n++
		}
		r.Marks, marks = o.marks(marks[:n], from), marks[n:]
		if err := send(r, out); err != nil {
			return false, err
		}
		from = to
	}
	return false, nil
}

// repeat fills r with the rows that the branches make of b.
func (o *expand) repeat(b *row.Batch, r *row.Batch) error {
	for i, k := range o.branches {
		var err error
		if o.parts[i], err = k.apply(b); err != nil {
			return err
		}
	}
	o.interleave(b.Rows)
	if r.Rows = len(o.rows); r.Rows == 0 {
		return nil
	}
	r.Cols = make([]*row.Vec, len(o.out.Columns))
	for c := range r.Cols {
		r.Cols[c] = o.column(c)
	}
	if b.Kinds != nil {
		r.Kinds = make([]row.Kind, len(o.rows))
		for i, from := range o.rows {
			r.Kinds[i] = b.Kinds[from]
		}
	}
	return nil
}

// interleave finds the order of the output of n input rows.
func (o *expand) interleave(n int) {
	o.rows, o.place, o.next = o.rows[:0], o.place[:0], o.next[:0]
	first := int32(0)
	for _, p := range o.parts {
		o.next = append(o.next, first)
		first += int32(p.Rows)
	}
	for r := int32(0); r < int32(n); r++ {
		first = 0
		for i, p := range o.parts {
			at := o.next[i]
			if k := o.branches[i]; p.Rows == n || int(at-first) < p.Rows && k.sel[at-first] == r {
				o.rows, o.place = append(o.rows, r), append(o.place, at)
				o.next[i]++
			}
			first += int32(p.Rows)
		}
	}
}

// column is one column of the output. One that all branches pass on as it is
// needs no other column beside it.
func (o *expand) column(c int) *row.Vec {
	var one *row.Vec
	same := true
	for i, p := range o.parts {
		if i > 0 && p.Cols[c] != one || p.Rows == 0 {
			same = false
			break
		}
		one = p.Cols[c]
	}
	if same {
		return one.Gather(o.rows)
	}
	all := row.NewVec(o.out.Columns[c].Type, 0)
	for _, p := range o.parts {
		if p.Rows > 0 {
			all.AppendRange(p.Cols[c], 0, p.Rows)
		}
	}
	return all.Gather(o.place)
}

// marks moves marks behind the rows from from on to their places in the output.
func (o *expand) marks(marks []row.Mark, from int) []row.Mark {
	moved := make([]row.Mark, len(marks))
	for i, m := range marks {
		moved[i] = row.Mark{Row: m.Row - int32(from), Time: m.Time}
	}
	return row.GatherMarks(moved, o.rows)
}

// OnBarrier implements op.Operator.
func (o *expand) OnBarrier(types.Epoch) error { return nil }

// expandByMark is an expand with CURRENT_WATERMARK in it.
type expandByMark struct{ *expand }

// OnRows implements op.Simple.
func (o expandByMark) OnRows(in int, b *row.Batch, out op.Emitter) (bool, error) {
	return o.OnBatch(in, b, out)
}

// OnWatermark implements op.Simple.
func (o expandByMark) OnWatermark(w types.Time, _ op.Emitter) (types.Time, bool, error) {
	for _, k := range o.branches {
		k.eval.Watermark = w
	}
	return w, false, nil
}
