package join

import (
	"fsql/expr"
	"fsql/internal/value"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// pairing collects what a step pairs: rows of the batch at work ("own") and
// stored rows of both sides. It evaluates the condition for all pairs together
// and gathers the output column by column.
type pairing struct {
	in    [2]*types.Schema
	forms [2]*form
	cond  *expr.Program // over the columns of both sides; nil: every pair
	eval  expr.Ctx
	both  *types.Schema
	used  []bool // columns of both that are gathered
	reads []bool // those that the condition reads
	out   *types.Schema
	cols  []int      // of the output, over both sides
	none  []*row.Vec // the columns of a batch without rows

	// The step at work.
	batch  *row.Batch
	own    int      // side of the batch
	rows   []int32  // per pair: row of the batch
	stored [][]byte // per pair: row of the other side
	solo   []int32  // rows of the batch that are not in a pair
	lone   [2][][]byte
	dense  []*row.Vec
	ready  bool // dense is filled
	sel    []int32
}

// newPairing makes a pairing; cols are the columns of the output among those of
// both sides.
func newPairing(c *op.Context, l, r *types.Schema, cond expr.Node, cols []int, out *types.Schema) (*pairing, error) {
	p := &pairing{in: [2]*types.Schema{l, r}, out: out, cols: cols}
	p.both = &types.Schema{Columns: append(append([]types.Column(nil), l.Columns...), r.Columns...)}
	p.used, p.reads = usedColumns(l, r, cols, cond), make([]bool, len(p.both.Columns))
	if cond != nil {
		zone, err := value.LoadZone(c.Zone)
		if err != nil {
			return nil, err
		}
		p.eval = expr.Ctx{Zone: zone, Now: c.Now, Watermark: types.MinTime, Rand: expr.NewRand(c.Seed), Stop: c.Stopped}
		if p.cond, err = expr.Compile([]expr.Node{cond}, p.both); err != nil {
			return nil, err
		}
		markUsed(cond, p.reads)
	}
	p.dense = make([]*row.Vec, len(p.both.Columns))
	p.none = make([]*row.Vec, len(out.Columns))
	for i, col := range out.Columns {
		p.none[i] = row.NewVec(col.Type, 0)
	}
	return p, nil
}

// usedColumns are the columns of both sides that the output or the condition
// reads.
func usedColumns(l, r *types.Schema, cols []int, cond expr.Node) []bool {
	used := make([]bool, len(l.Columns)+len(r.Columns))
	for _, i := range cols {
		used[i] = true
	}
	if cond != nil {
		markUsed(cond, used)
	}
	return used
}

func markUsed(n expr.Node, used []bool) {
	if c, ok := n.(*expr.Column); ok {
		used[c.Index] = true
	}
	for _, k := range n.Children() {
		markUsed(k, used)
	}
}

// usedOf are the columns of a side that are needed after the row was stored.
func (p *pairing) usedOf(side int) []bool {
	if n := len(p.in[left].Columns); side == left {
		return p.used[:n]
	} else {
		return p.used[n:]
	}
}

// start begins a step over a batch of side own.
func (p *pairing) start(own int, b *row.Batch) {
	p.own, p.batch, p.ready = own, b, false
	p.rows, p.stored, p.solo = p.rows[:0], p.stored[:0], p.solo[:0]
	p.lone[left], p.lone[right] = p.lone[left][:0], p.lone[right][:0]
}

// A place of an output row is where its values of one side lie in the dense
// columns; nowhere gives NULLs. The places of pairs are their numbers on both
// sides.
const nowhere = -1

// soloPlace is where own row number i of solo lies.
func (p *pairing) soloPlace(i int32) int32 { return int32(len(p.rows)) + i }

// lonePlace is where stored row number i of lone lies.
func (p *pairing) lonePlace(side int, i int32) int32 {
	if side == p.own {
		return int32(len(p.rows)+len(p.solo)) + i
	}
	return int32(len(p.rows)) + i
}

// fill gathers the columns of what was collected, once per step.
func (p *pairing) fill() {
	if p.ready {
		return
	}
	p.ready = true
	clear(p.dense)
	other := 1 - p.own
	at := [2]int{0, len(p.in[left].Columns)}
	for c := range p.in[p.own].Columns {
		if !p.used[at[p.own]+c] {
			continue
		}
		if p.batch == nil { // woken by the clock: nothing came in
			p.dense[at[p.own]+c] = row.NewVec(p.in[p.own].Columns[c].Type, 0)
			continue
		}
		v := p.batch.Cols[c].Gather(p.rows)
		if len(p.solo) > 0 {
			v = owned(v)
			v.AppendGather(p.batch.Cols[c], p.solo)
		}
		p.dense[at[p.own]+c] = v
	}
	own := p.dense[at[p.own] : at[p.own]+len(p.in[p.own].Columns)]
	if len(p.lone[p.own]) > 0 {
		for _, c := range p.forms[p.own].cols {
			own[c] = owned(own[c])
		}
		p.forms[p.own].decode(p.lone[p.own], own)
	}
	theirs := p.dense[at[other] : at[other]+len(p.in[other].Columns)]
	f := p.forms[other]
	for _, c := range f.cols {
		theirs[c] = row.NewVec(p.in[other].Columns[c].Type, 0)
		theirs[c].Reserve(len(p.stored) + len(p.lone[other]))
	}
	f.decode(p.stored, theirs)
	if len(p.lone[other]) > 0 {
		f.decode(p.lone[other], theirs)
	}
}

// owned makes sure that values can be appended to a gathered column: the kids
// of a list are shared with the column it was gathered from.
func owned(v *row.Vec) *row.Vec {
	if v.Type.Layout() != types.LayoutList && v.Type.Layout() != types.LayoutRow {
		return v
	}
	w := row.NewVec(v.Type, 0)
	w.AppendRange(v, 0, v.Len)
	return w
}

// passed are the numbers of the pairs for which the condition is TRUE,
// ascending; all tells that these are all pairs.
func (p *pairing) passed() (sel []int32, all bool, err error) {
	if p.cond == nil || len(p.rows) == 0 {
		return nil, true, nil
	}
	p.fill()
	b := &row.Batch{Schema: p.both, Rows: len(p.rows), Cols: p.dense}
	if len(p.solo)+len(p.lone[left])+len(p.lone[right]) > 0 {
		b.Cols = make([]*row.Vec, len(p.dense))
		for i, v := range p.dense {
			if p.used[i] {
				b.Cols[i] = v.Slice(0, len(p.rows))
			}
		}
	}
	if p.sel, err = p.cond.Select(&p.eval, b, p.sel[:0]); err != nil {
		return nil, false, err
	}
	return p.sel, len(p.sel) == len(p.rows), nil
}

// load makes stored rows the columns of a step: row i of a side lies at place i.
func (p *pairing) load(rows [2][][]byte) {
	p.ready = true
	clear(p.dense)
	at := 0
	for side, f := range p.forms {
		cols := p.dense[at : at+len(p.in[side].Columns)]
		for _, c := range f.cols {
			cols[c] = row.NewVec(p.in[side].Columns[c].Type, 0)
			cols[c].Reserve(len(rows[side]))
		}
		f.decode(rows[side], cols)
		at += len(cols)
	}
}

// matching are the numbers of the pairs for which the condition is TRUE,
// ascending: pair i is of the left row at place l[i] and the right one at r[i].
// all tells that these are all pairs.
func (p *pairing) matching(l, r []int32) (sel []int32, all bool, err error) {
	if p.cond == nil || len(l) == 0 {
		return nil, true, nil
	}
	b := &row.Batch{Schema: p.both, Rows: len(l), Cols: make([]*row.Vec, len(p.dense))}
	for c, v := range p.dense {
		at := l
		if c >= len(p.in[left].Columns) {
			at = r
		}
		if p.reads[c] {
			b.Cols[c] = v.Gather(at)
		}
	}
	if p.sel, err = p.cond.Select(&p.eval, b, p.sel[:0]); err != nil {
		return nil, false, err
	}
	return p.sel, len(p.sel) == len(l), nil
}

// gather makes the output: row i has its left values at place l[i] and its
// right ones at r[i]. nil and nil stand for all pairs as they are.
func (p *pairing) gather(l, r []int32) []*row.Vec {
	p.fill()
	cols := make([]*row.Vec, len(p.cols))
	n := len(p.in[left].Columns)
	for i, c := range p.cols {
		at := l
		if c >= n {
			at = r
		}
		v := p.dense[c]
		if at != nil {
			v = v.GatherOrNull(at)
		}
		cols[i] = v
	}
	return cols
}

// send emits a batch, or nothing if there is nothing in it.
func (p *pairing) send(cols []*row.Vec, rows int, kinds []row.Kind, marks []row.Mark, out op.Emitter) error {
	if rows == 0 && len(marks) == 0 {
		return nil
	}
	if rows == 0 {
		cols, kinds = p.none, nil
	}
	return out.Emit(&row.Batch{Schema: p.out, Rows: rows, Cols: cols, Kinds: kinds, Marks: marks})
}
