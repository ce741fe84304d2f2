package match

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// results collects matches until they are sent together: for every read of the
// measures the row that it takes, for every match its partition. Rows that no run
// needs any more stay until then.
type results struct {
	spec  *Spec
	prog  *expr.Program
	reads []int // that the measures read
	in    *types.Schema
	aggs  []*measured // by call; nil: no measure reads it

	ids    [][]int32 // by read
	times  []int64
	clocks []int64
	keys   [][]byte
	rows   []int32 // that may go when the matches are sent
	n      int
	marks  []row.Mark
	last   types.Time // mark
}

// measured is an aggregate over rows of the matches.
type measured struct {
	call *Call
	set  *agg.Set
	ids  []int32 // rows
	of   []int32 // number of the match of each
}

func newResults(s *Spec) (*results, error) {
	r := &results{spec: s, in: readSchema(s.Reads), ids: make([][]int32, len(s.Reads)), aggs: make([]*measured, len(s.Calls)), last: types.MinTime}
	for _, m := range s.Measures {
		r.reads = readBy(m, r.reads)
	}
	var err error
	if r.prog, err = expr.Compile(s.Measures, r.in); err != nil {
		return nil, err
	}
	for _, i := range r.reads {
		if s.Reads[i].Kind != Aggregate {
			continue
		}
		call := &s.Calls[s.Reads[i].Index]
		set, err := newSet(s, []agg.Call{call.Call})
		if err != nil {
			return nil, err
		}
		r.aggs[s.Reads[i].Index] = &measured{call: call, set: set}
	}
	return r, nil
}

// newSet makes the accumulators of calls, whose arguments are the columns of a
// batch of Args.
func newSet(s *Spec, calls []agg.Call) (*agg.Set, error) {
	return agg.NewSet(argSchema(s), calls, agg.Options{Mergeable: true})
}

func argSchema(s *Spec) *types.Schema {
	a := &types.Schema{}
	for _, n := range s.Args {
		a.Columns = append(a.Columns, types.Column{Name: n.String(), Type: n.Type()})
	}
	return a
}

// add notes a match.
func (r *results) add(o *operator, p *part, m *run, at types.Time) {
	took := o.counts.of(m.took)
	for _, i := range r.reads {
		read := &r.spec.Reads[i]
		switch read.Kind {
		case Aggregate:
			a := r.aggs[read.Index]
			before, n := span(took, a.call.Var)
			for k := range n {
				a.ids, a.of = append(a.ids, p.row(m.start+before+k)), append(a.of, int32(r.n))
			}
		case Rowtime, Proctime:
		default:
			before, n := span(took, read.Var)
			r.ids[i] = append(r.ids[i], read.row(p, m.start+before, n))
		}
	}
	r.times = append(r.times, int64(at))
	r.clocks = append(r.clocks, int64(o.ctx.Now()))
	r.keys = append(r.keys, o.table.Key(o.slot))
	r.n++
}

// mark notes that event time has moved.
func (r *results) mark(w types.Time) {
	if w <= r.last {
		return
	}
	r.last = w
	if k := len(r.marks); k > 0 && int(r.marks[k-1].Row) == r.n {
		r.marks[k-1].Time = w
		return
	}
	r.marks = append(r.marks, row.Mark{Row: int32(r.n), Time: w})
}

// full tells that there are matches for a batch.
func (r *results) full(most int) bool { return r.n >= most }

// flush sends the matches and marks.
func (r *results) flush(o *operator, out op.Emitter) error {
	switch {
	case r.n > 0:
		b, err := r.batch(o)
		if err != nil {
			return err
		}
		b.Marks = append([]row.Mark(nil), r.marks...)
		most := max(o.ctx.BatchRows, 1)
		if b.Rows <= most {
			if err := out.Emit(b); err != nil {
				return err
			}
			break
		}
		for from := 0; from < b.Rows; from += most {
			if err := out.Emit(b.Part(from, min(from+most, b.Rows))); err != nil {
				return err
			}
		}
	case len(r.marks) > 0:
		if err := out.Emit(row.Watermark(r.spec.Out, r.marks[0].Time)); err != nil {
			return err
		}
	}
	r.marks = r.marks[:0]
	for _, i := range r.reads {
		r.ids[i] = r.ids[i][:0]
	}
	clear(r.keys)
	r.n, r.times, r.clocks, r.keys = 0, r.times[:0], r.clocks[:0], r.keys[:0]
	o.rows.drop(r.rows)
	r.rows = r.rows[:0]
	return nil
}

func (r *results) batch(o *operator) (*row.Batch, error) {
	in := &row.Batch{Schema: r.in, Rows: r.n, Cols: make([]*row.Vec, len(r.in.Columns))}
	for _, i := range r.reads {
		v, err := r.column(o, i)
		if err != nil {
			return nil, err
		}
		in.Cols[i] = v
	}
	measures, err := r.prog.Eval(&o.eval, in, nil)
	if err != nil {
		return nil, err
	}
	cols := make([]*row.Vec, 0, len(r.spec.Out.Columns))
	for _, c := range r.spec.Out.Columns[:len(r.spec.Partition)] {
		cols = append(cols, row.NewVec(c.Type, 0))
	}
	row.DecodeKeys(r.keys, 0, cols)
	return row.New(r.spec.Out, r.n, append(cols, measures...), nil), nil
}

// column makes the values of a read.
func (r *results) column(o *operator, i int) (*row.Vec, error) {
	read := &r.spec.Reads[i]
	switch read.Kind {
	case Rowtime:
		return millis(read.Type, r.times), nil
	case Proctime:
		return millis(read.Type, r.clocks), nil
	case Aggregate:
		return r.aggs[read.Index].results(o, r.n, read.Type)
	}
	v := row.NewVec(read.Type, 0)
	v.Reserve(r.n)
	o.rows.get(read.Index, r.ids[i], v)
	return v, nil
}

// millis is a column of timestamps.
func millis(t types.Type, ms []int64) *row.Vec {
	v := row.NewVec(t, len(ms))
	for i, m := range ms {
		setMillis(v, i, m)
	}
	return v
}

func setMillis(v *row.Vec, i int, ms int64) {
	if v.Type.Layout() == types.LayoutNano {
		v.I64[i], v.Nano[i] = ms, 0
		return
	}
	v.I64[i] = ms * 1000
}

// results folds the rows of all matches and gives the result of each.
func (a *measured) results(o *operator, n int, t types.Type) (*row.Vec, error) {
	a.set.Grow(n)
	if len(a.ids) > 0 {
		b, err := o.args.batch(o, a.ids)
		if err != nil {
			return nil, err
		}
		if err := a.set.Add(b, nil, a.of, nil); err != nil {
			return nil, err
		}
	}
	slots := make([]int32, n)
	for i := range slots {
		slots[i] = int32(i)
	}
	v := row.NewVec(t, 0)
	a.set.Results(slots, []*row.Vec{v})
	a.set.Reset(slots)
	a.ids, a.of = a.ids[:0], a.of[:0]
	return v, nil
}
