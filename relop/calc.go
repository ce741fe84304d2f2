package relop

import (
	"errors"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// CalcSpec keeps the rows for which a condition is TRUE and computes the columns
// of the output: WHERE, HAVING and SELECT in one step.
//
// Row kinds pass unchanged, also where the old and the new image of an update
// come out equal, and a filter looks at each image by itself (flink-sql 4.1).
type CalcSpec struct {
	In      *types.Schema
	Where   expr.Node   // BOOLEAN; nil: every row
	Project []expr.Node // one per column of Out, over In
	Out     *types.Schema
	// ByKey: the condition reads the upsert key of the input alone, so that both
	// images of an update meet it, or none.
	ByKey bool
}

// Describe implements op.Spec.
func (s *CalcSpec) Describe() op.Description {
	cols := make([]string, len(s.Project))
	for i, e := range s.Project {
		cols[i] = e.String()
		if c, ok := e.(*expr.Column); !ok || c.Name != s.Out.Columns[i].Name {
			cols[i] += " AS " + s.Out.Columns[i].Name
		}
	}
	d := op.Description{Name: "Calc", Args: [][2]string{{"select", list(cols)}}}
	if s.Where != nil {
		d.Args = append(d.Args, [2]string{"where", list([]string{s.Where.String()})})
	}
	return d
}

// Output implements op.Spec.
func (s *CalcSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *CalcSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec. An update that leaves the filter takes its row away
// by the old image, which therefore must be there.
func (s *CalcSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if s.Where != nil && !s.ByKey && withoutOld(in[0]) {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "a filter needs the old row of every update")
	}
	return in[0], nil
}

// MayPause implements op.Spec.
func (s *CalcSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *CalcSpec) Build(c *op.Context) (op.Operator, error) {
	o, byMark, err := s.build(c)
	if err != nil {
		return nil, err
	}
	o.eval.Budget = budget
	if byMark {
		return op.Cut(calcByMark{o}, s.Out), nil
	}
	return o, nil
}

// build compiles the expressions; byMark tells that one reads the watermark.
func (s *CalcSpec) build(c *op.Context) (o *calc, byMark bool, err error) {
	o = &calc{out: s.Out, none: noRows(s.Out)}
	zone, err := value.LoadZone(c.Zone)
	if err != nil {
		return nil, false, err
	}
	o.eval = expr.Ctx{Zone: zone, Now: c.Now, Watermark: types.MinTime, Rand: expr.NewRand(c.Seed), Stop: c.Stopped}
	if s.Where != nil {
		if o.where, err = expr.Compile([]expr.Node{s.Where}, s.In); err != nil {
			return nil, false, err
		}
		byMark = expr.ReadsWatermark(s.Where)
	}
	if o.project, err = expr.Compile(s.Project, s.In); err != nil {
		return nil, false, err
	}
	o.used = make([]bool, len(s.In.Columns))
	for _, e := range s.Project {
		markUsed(e, o.used)
		byMark = byMark || expr.ReadsWatermark(e)
	}
	return o, byMark, nil
}

func markUsed(n expr.Node, used []bool) {
	if c, ok := n.(*expr.Column); ok {
		used[c.Index] = true
	}
	for _, k := range n.Children() {
		markUsed(k, used)
	}
}

// calc takes marks whole: they move to their places among the rows that pass.
type calc struct {
	out     *types.Schema
	none    []*row.Vec    // the columns of a batch without rows
	where   *expr.Program // nil: every row
	project *expr.Program
	used    []bool // columns of the input that project reads
	eval    expr.Ctx
	sel     []int32
}

// OnBatch implements op.Operator.
func (o *calc) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	r, err := o.apply(b)
	if errors.Is(err, expr.ErrMuch) {
		return false, o.parts(b, out)
	}
	if err != nil {
		return false, err
	}
	return false, send(r, out)
}

// budget is how many bytes of values are made at once.
const budget = 64 << 20

// parts works on the halves of a batch whose values are too large together.
func (o *calc) parts(b *row.Batch, out op.Emitter) error {
	if b.Rows == 1 {
		o.eval.Budget = 0 // the bound of a single value is enough
		defer func() { o.eval.Budget = budget }()
	}
	half := (b.Rows + 1) / 2
	for _, part := range []*row.Batch{b.Part(0, half), b.Part(half, b.Rows)} {
		if part.Rows == 0 {
			break
		}
		if _, err := o.OnBatch(0, part, out); err != nil {
			return err
		}
	}
	return nil
}

// apply makes the output of a batch; where rows are left out, sel has those
// that are left.
func (o *calc) apply(b *row.Batch) (*row.Batch, error) {
	if b.Rows > 0 && o.where != nil {
		var err error
		if o.sel, err = o.where.Select(&o.eval, b, o.sel[:0]); err != nil {
			return nil, err
		}
		if len(o.sel) < b.Rows {
			b = o.gather(b)
		}
	}
	r := &row.Batch{Schema: o.out, Rows: b.Rows, Cols: o.none, Kinds: b.Kinds, Marks: b.Marks}
	if b.Rows > 0 {
		var err error
		if r.Cols, err = o.project.Eval(&o.eval, b, nil); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// gather leaves the selected rows, and of them the columns that are read.
// Gathering comes before computing: expressions then run over dense columns
// and make nothing for rows that are gone.
func (o *calc) gather(b *row.Batch) *row.Batch {
	g := &row.Batch{Schema: b.Schema, Rows: len(o.sel), Marks: row.GatherMarks(b.Marks, o.sel)}
	if g.Rows == 0 {
		return g
	}
	g.Cols = make([]*row.Vec, len(b.Cols))
	for i, c := range b.Cols {
		if o.used[i] {
			g.Cols[i] = c.Gather(o.sel)
		}
	}
	if b.Kinds != nil {
		g.Kinds = make([]row.Kind, len(o.sel))
		for i, r := range o.sel {
			g.Kinds[i] = b.Kinds[r]
		}
	}
	return g
}

// OnBarrier implements op.Operator.
func (o *calc) OnBarrier(types.Epoch) error { return nil }

// calcByMark is a calc with CURRENT_WATERMARK in it: every row sees the mark
// before it.
type calcByMark struct{ *calc }

// OnRows implements op.Simple.
func (o calcByMark) OnRows(in int, b *row.Batch, out op.Emitter) (bool, error) {
	return o.OnBatch(in, b, out)
}

// OnWatermark implements op.Simple.
func (o calcByMark) OnWatermark(w types.Time, _ op.Emitter) (types.Time, bool, error) {
	o.eval.Watermark = w
	return w, false, nil
}
