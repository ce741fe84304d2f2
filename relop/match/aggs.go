package match

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/row"
	"fsql/types"
)

// arguments evaluates the arguments of aggregates over kept rows.
type arguments struct {
	prog   *expr.Program
	in     *types.Schema
	schema *types.Schema
	reads  []int // columns of the input
	// The row at hand, once its arguments are evaluated: several runs want them.
	last  *row.Batch
	lastN int64
}

func newArguments(s *Spec) (*arguments, error) {
	a := &arguments{in: s.In, schema: argSchema(s)}
	for _, n := range s.Args {
		a.reads = readBy(n, a.reads)
	}
	var err error
	a.prog, err = expr.Compile(s.Args, s.In)
	return a, err
}

// batch has a column for each argument and a row for each of the rows ids.
func (a *arguments) batch(o *operator, ids []int32) (*row.Batch, error) {
	b := &row.Batch{Schema: a.in, Rows: len(ids), Cols: make([]*row.Vec, len(a.in.Columns))}
	for _, c := range a.reads {
		v := row.NewVec(a.in.Columns[c].Type, 0)
		v.Reserve(len(ids))
		o.rows.get(c, ids, v)
		b.Cols[c] = v
	}
	cols, err := a.prog.Eval(&o.eval, b, nil)
	if err != nil {
		return nil, err
	}
	return &row.Batch{Schema: a.schema, Rows: len(ids), Cols: cols}, nil
}

// one is the batch of the last row of a partition, which has number n.
func (a *arguments) one(o *operator, p *part, n int64) (_ *row.Batch, err error) {
	if a.last == nil || a.lastN != n {
		a.last, err = a.batch(o, p.rows[len(p.rows)-1:])
		a.lastN = n
	}
	return a.last, err
}

// tried are the aggregates that conditions read, one set for each. The slot of a
// run is that of its counts: it holds the rows that the run has taken. Slot 0 is
// that of the run that has none, and a slot of its own is for trying out.
type tried struct {
	sets []*agg.Set // by call; nil: no condition reads it
	out  []*row.Vec
	try  [1]int32
	from [1]int32
	to   [1]int32
	any  bool
}

func newTried(s *Spec) (*tried, error) {
	t := &tried{sets: make([]*agg.Set, len(s.Calls)), out: make([]*row.Vec, len(s.Calls))}
	for v := range s.Vars {
		if s.Vars[v].Cond == nil {
			continue
		}
		for _, i := range readBy(s.Vars[v].Cond, nil) {
			r := &s.Reads[i]
			if r.Kind != Aggregate || t.sets[r.Index] != nil {
				continue
			}
			set, err := newSet(s, []agg.Call{s.Calls[r.Index].Call})
			if err != nil {
				return nil, err
			}
			t.sets[r.Index], t.any = set, true
		}
	}
	return t, nil
}

// Slots: those of counts moved by one; 0 is the one for trying out.
func slotOf(took int32) int32 { return took + 1 }

// now sets dst to the result of a call in the run at hand, with the row at hand
// if it would go to the variable of the call.
func (t *tried) now(o *operator, p *part, v, call int, dst *row.Vec) error {
	set, c := t.sets[call], &o.spec.Calls[call]
	t.grow(o)
	t.try[0], t.from[0] = slotOf(o.run.took), 0
	if c.Var == v || c.Var == All {
		set.Reset(t.from[:])
		if err := set.Merge(t.from[:], t.try[:]); err != nil {
			return err
		}
		if err := t.fold(o, p, set, p.next()-1, 0); err != nil {
			return err
		}
		t.try[0] = 0
	}
	dst.Reset(dst.Type, 0)
	t.out[0] = dst
	set.Results(t.try[:], t.out[:1])
	return nil
}

// fold adds row number n to a slot.
func (t *tried) fold(o *operator, p *part, set *agg.Set, n int64, slot int32) (err error) {
	var b *row.Batch
	if n == p.next()-1 {
		b, err = o.args.one(o, p, n)
	} else {
		b, err = o.args.batch(o, []int32{p.row(n)})
	}
	if err != nil {
		return err
	}
	t.to[0] = slot
	return set.Add(b, nil, t.to[:], nil)
}

func (t *tried) grow(o *operator) {
	for _, set := range t.sets {
		if set != nil {
			set.Grow(len(o.counts.all)/o.counts.vars + 1)
		}
	}
}

// copied makes the slot of a run like that of another one.
func (t *tried) copied(o *operator, to, from int32) error {
	if !t.any || from == 0 {
		return nil
	}
	t.grow(o)
	for _, set := range t.sets {
		if set == nil {
			continue
		}
		t.try[0], t.from[0] = slotOf(to), slotOf(from)
		if err := set.Merge(t.try[:], t.from[:]); err != nil {
			return err
		}
	}
	return nil
}

// took adds row number n, which a run has given to variable v.
func (t *tried) took(o *operator, p *part, to int32, v int, n int64) error {
	if !t.any {
		return nil
	}
	t.grow(o)
	for i, set := range t.sets {
		if set == nil || o.spec.Calls[i].Var != v && o.spec.Calls[i].Var != All {
			continue
		}
		if err := t.fold(o, p, set, n, slotOf(to)); err != nil {
			return err
		}
	}
	return nil
}

// loaded fills the slot of a run that comes from a checkpoint.
func (t *tried) loaded(o *operator, p *part, r run) error {
	if !t.any || r.start == noStart {
		return nil
	}
	o.args.last = nil // of another partition
	for v := range o.spec.Vars {
		before, n := span(o.counts.of(r.took), v)
		for k := range n {
			if err := t.took(o, p, r.took, v, r.start+before+k); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropped empties the slot of a run that is over.
func (t *tried) dropped(took int32) {
	if !t.any || took == 0 {
		return
	}
	t.try[0] = slotOf(took)
	for _, set := range t.sets {
		if set != nil {
			set.Reset(t.try[:])
		}
	}
}

func (t *tried) bytes() int64 {
	n := int64(0)
	for _, set := range t.sets {
		if set != nil {
			n += set.Bytes()
		}
	}
	return n
}
