package window

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// AssignSpec is a window table function without an aggregation above it: it
// appends window_start, window_end and window_time to the rows.
//
// TUMBLE, HOP and CUMULATE hand rows on at once with their kinds, late ones
// too, once for each window; SESSION hands on the rows of a session, in the
// order of their arrival, when it closes, and drops late ones. Rows whose time
// is NULL are dropped.
type AssignSpec struct {
	In            *types.Schema
	Window        Window
	PartitionKeys []int         // of SESSION: columns of the input
	Out           *types.Schema // the input's columns, then the three
}

var assigned = []Prop{WindowStart, WindowEnd, WindowTime}

// Describe implements op.Spec.
func (s *AssignSpec) Describe() op.Description {
	d := op.Description{Name: "WindowTableFunction", Args: [][2]string{{"window", "[" + s.Window.Text(s.In) + "]"}}}
	if s.Window.Kind == Session {
		d.State = "the rows of each open session until the watermark passes it"
		if len(s.PartitionKeys) > 0 {
			d.Args = append(d.Args, [2]string{"partitionBy", names(s.In, s.PartitionKeys)})
		}
	}
	return d
}

// Output implements op.Spec.
func (s *AssignSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *AssignSpec) Require(int) op.Distribution {
	if s.Window.Kind != Session {
		return op.Distribution{}
	}
	return op.Distribution{Keys: s.PartitionKeys, Single: len(s.PartitionKeys) == 0}
}

// Emits implements op.Spec.
func (s *AssignSpec) Emits(in []row.Kinds) (row.Kinds, error) { return in[0], nil }

// MayPause implements op.Spec: of TUMBLE comes as much as goes in.
func (s *AssignSpec) MayPause() bool { return s.Window.Kind != Tumble }

// Build implements op.Spec.
func (s *AssignSpec) Build(c *op.Context) (op.Operator, error) {
	if err := s.Window.Check(false); err != nil {
		return nil, err
	}
	k, err := newClock(s.Window.Zone)
	if err != nil {
		return nil, err
	}
	if s.Window.Kind == Session {
		return newAssignSession(s, c, k), nil
	}
	return &assign{spec: s, ctx: c, clock: k, shape: s.Window.shape()}, nil
}

// assign is the table function of the sliced kinds.
type assign struct {
	spec  *AssignSpec
	ctx   *op.Context
	clock *clock
	shape shape

	// The batch at work: rows before row, and windows before nth of it, and
	// marks before mark are done.
	cur   *row.Batch
	times times
	row   int
	nth   int64
	mark  int

	sel    []int32 // per output row: the input row
	starts []int64
	ends   []int64
	now    []int64
}

// OnBatch implements op.Operator.
func (o *assign) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.cur != b {
		o.cur, o.row, o.nth, o.mark = b, 0, 0, 0
		if o.spec.Window.Proctime {
			o.times = sameTime(o.now, o.ctx.Now(), b.Rows)
			o.now = o.times.at
		} else {
			o.times = timesOf(b.Cols[o.spec.Window.Time])
		}
	}
	result := &row.Batch{Schema: o.spec.Out, Marks: o.expand()}
	more := o.row < b.Rows
	if !more {
		o.cur = nil
	}
	result.Rows = len(o.sel)
	if result.Rows == 0 && len(result.Marks) == 0 {
		return more, nil
	}
	result.Cols, result.Kinds = pick(b, o.sel)
	result.Cols = append(result.Cols, o.clock.properties(o.spec.Out, len(b.Cols), o.starts, o.ends)...)
	return more, out.Emit(result)
}

// expand gives rows their windows, as many as an output batch holds, and
// returns the marks between them.
func (o *assign) expand() (marks []row.Mark) {
	b, limit := o.cur, o.ctx.BatchRows
	if !o.spec.MayPause() {
		limit = b.Rows
	}
	o.sel, o.starts, o.ends = o.sel[:0], o.starts[:0], o.ends[:0]
	var time *row.Vec
	if !o.spec.Window.Proctime {
		time = b.Cols[o.spec.Window.Time]
	}
	for {
		for ; o.mark < len(b.Marks) && int(b.Marks[o.mark].Row) <= o.row && o.nth == 0; o.mark++ {
			m := row.Mark{Row: int32(len(o.sel)), Time: b.Marks[o.mark].Time}
			if n := len(marks); n > 0 && marks[n-1].Row == m.Row {
				marks = marks[:n-1]
			}
			marks = append(marks, m)
		}
		if o.row == b.Rows || len(o.sel) >= limit {
			return marks
		}
		if time != nil && time.IsNull(o.row) {
			o.row++
			continue
		}
		t := o.clock.local(o.times.millis(o.times.at[o.row]))
		for len(o.sel) < limit {
			start, end, ok := o.shape.nth(t, o.nth)
			if !ok {
				o.row, o.nth = o.row+1, 0
				break
			}
			o.sel, o.starts, o.ends = append(o.sel, int32(o.row)), append(o.starts, start), append(o.ends, end)
			o.nth++
		}
	}
}

// OnBarrier implements op.Operator.
func (o *assign) OnBarrier(types.Epoch) error { return nil }

// pick returns the rows sel of a batch, sharing the columns if that is all.
func pick(b *row.Batch, sel []int32) ([]*row.Vec, []row.Kind) {
	cols := make([]*row.Vec, len(b.Cols), len(b.Cols)+len(assigned))
	whole := len(sel) == b.Rows
	for i := 0; whole && i < len(sel); i++ {
		whole = sel[i] == int32(i)
	}
	if whole {
		copy(cols, b.Cols)
		return cols, b.Kinds
	}
	for i, c := range b.Cols {
		cols[i] = c.Gather(sel)
	}
	if b.Kinds == nil {
		return cols, nil
	}
	kinds := make([]row.Kind, len(sel))
	for i, r := range sel {
		kinds[i] = b.Kinds[r]
	}
	return cols, kinds
}

// properties makes the columns of schema from column first on: the windows.
func (c *clock) properties(schema *types.Schema, first int, start, end []int64) []*row.Vec {
	cols := make([]*row.Vec, len(assigned))
	for i, p := range assigned {
		cols[i] = &row.Vec{Type: schema.Columns[first+i].Type, I64: make([]int64, 0, len(end))}
		c.property(p, start, end, cols[i])
	}
	return cols
}
