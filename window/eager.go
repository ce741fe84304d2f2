package window

import (
	"strings"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// Emit says that the groups of a legacy window are emitted more than once
// (table.exec.emit.*): before the window's end, and again for late rows.
type Emit struct {
	// Early and Late are how long after a row its group is emitted, by
	// processing time, before and after the window's end: 0 with every row,
	// Never not at all.
	Early, Late types.Time
	// Lateness is how long after its end, in event time, a window takes rows;
	// it counts with Late only.
	Lateness types.Time
}

// Never switches early or late emission off.
const Never types.Time = -1

// String is how EXPLAIN prints it: "[early with every row, late after 5 s, lateness 1 min]".
func (e *Emit) String() string {
	var parts []string
	phase := func(name string, delay types.Time) {
		switch {
		case delay == 0:
			parts = append(parts, name+" with every row")
		case delay != Never:
			parts = append(parts, name+" after "+length(delay))
		}
	}
	phase("early", e.Early)
	phase("late", e.Late)
	if e.lateness() > 0 {
		parts = append(parts, "lateness "+length(e.Lateness))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (e *Emit) lateness() int64 {
	if e.Late == Never {
		return 0
	}
	return int64(e.Lateness)
}

// eager is the aggregation of windows that are emitted early or late. Its
// output is updating: +I, then -U and +U when the result of a group changed, -D
// when its last row was taken back. It goes row by row, since each row may be
// an output row; groups are those of windows, not of slices.
//
// Flink: a group fires once when its window ends. A late row of a group that has
// not fired makes it fire, whatever the delay.
type eager struct {
	spec     *AggSpec
	ctx      *op.Context
	shape    shape
	clock    *clock
	calls    *calls
	table    *state.Table // keyed by (end of window, group key)
	groups   []eagerGroup // by slot
	panes    panes        // the open windows
	timers   state.Timers // processing time, slot
	out      *row.Builder
	late     int64
	progress types.Time // event time, or processing time

	// The batch at work.
	cur    *row.Batch
	times  times
	row    int
	mark   int
	firing int // panes before it have been looked at for the mark at mark; -1: none
	before types.Time

	todo []int32 // groups to emit, from pos on
	pos  int
	half []*row.Vec // the new result of the group at pos, whose old one is out

	keys   row.Keys
	cols   []*row.Vec
	prefix []int64
	sel    []int32
	slots  []int32
	fresh  []int32
	now    []int64
	prev   row.Keys
}

type eagerGroup struct {
	end   int64
	fired bool
	timer types.Time // the processing time it waits for, 0: none
	shown []*row.Vec // the result that is out, a column per call; nil: none
}

func newEager(s *AggSpec, ctx *op.Context, k *clock, calls *calls) op.Operator {
	o := &eager{
		spec: s, ctx: ctx, shape: s.Window.shape(), clock: k, calls: calls, table: state.NewTable(), out: row.NewBuilder(s.Out),
		progress: types.MinTime, firing: -1, keys: row.Keys{Zero: ctx.ZeroHash},
	}
	return o
}

// OnBatch implements op.Operator.
func (o *eager) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.cur != b {
		var err error
		if o.spec.Window.Proctime {
			o.progress = max(o.progress, o.ctx.Now())
			o.times = sameTime(o.now, o.progress, b.Rows)
			o.now = o.times.at
		} else if o.times, err = rowtimes(b, o.spec.Window.Time); err != nil {
			return false, err
		}
		o.cur, o.row, o.mark = b, 0, 0
		o.cols = columns(o.cols, b, o.spec.Keys)
	}
	for {
		if full := o.show(); full {
			return true, emit(o.out, out)
		}
		switch {
		case o.firing >= 0:
			if !o.fire() {
				o.out.Mark(b.Marks[o.mark].Time)
				o.mark++
			}
		case o.mark < len(b.Marks) && int(b.Marks[o.mark].Row) == o.row:
			if o.spec.Window.Proctime {
				o.out.Mark(b.Marks[o.mark].Time)
				o.mark++
				break
			}
			o.before, o.progress, o.firing = o.progress, b.Marks[o.mark].Time, 0
		case o.row < b.Rows:
			if err := o.take(o.row); err != nil {
				return false, err
			}
			o.row++
		default:
			o.cur = nil
			return false, emit(o.out, out)
		}
	}
}

// take folds a row into its windows and finds what has to be emitted for it.
func (o *eager) take(r int) error {
	t := o.clock.local(o.times.millis(o.times.at[r]))
	o.prefix, o.sel = o.prefix[:0], o.sel[:0]
	held := false
	for n := int64(0); ; n++ {
		_, end, ok := o.shape.nth(t, n)
		if !ok {
			break
		}
		held = true
		if o.spec.Window.Proctime || o.progress < o.clock.trigger(end+o.spec.Emit.lateness()) {
			o.prefix, o.sel = append(o.prefix, end), append(o.sel, int32(r))
		}
	}
	if len(o.sel) == 0 {
		if held {
			o.late++
		}
		return nil
	}
	o.keys.EncodeWith(o.prefix, o.cols, o.cur.Rows, o.sel)
	o.slots = append(o.slots[:0], o.sel...)
	o.fresh = o.table.FindOrAdd(&o.keys, o.slots, o.fresh[:0])
	o.table.Touch(o.slots)
	o.room()
	for _, s := range o.fresh {
		end := row.Prefix(o.table.Key(s))
		o.groups[s] = eagerGroup{end: end}
		p := o.panes.at(end)
		p.slots = append(p.slots, s)
	}
	if err := o.calls.add(o.cur, o.sel, o.slots); err != nil {
		return err
	}
	for _, s := range o.slots {
		o.touched(s)
	}
	return nil
}

// room grows what is kept by slot.
func (o *eager) room() {
	o.calls.grow(o.table.Cap())
	for len(o.groups) < o.table.Cap() {
		o.groups = append(o.groups, eagerGroup{})
	}
}

// touched decides when a group that got a row is emitted.
func (o *eager) touched(s int32) {
	g := &o.groups[s]
	delay := o.spec.Emit.Early
	switch {
	case g.fired:
		delay = o.spec.Emit.Late
	case !o.spec.Window.Proctime && o.progress >= o.clock.trigger(g.end):
		g.fired, delay = true, 0
	}
	switch {
	case delay == 0:
		o.todo = append(o.todo, s)
	case delay != Never && g.timer == 0:
		g.timer = o.ctx.Now() + delay
		o.timers.Push(state.Timer{At: int64(g.timer), Who: s})
	}
}

// fire looks at the next open window for the event time reached: one that ended
// is emitted, one whose lateness has passed is dropped. false: there are no more.
func (o *eager) fire() bool {
	if o.firing < len(o.panes.open) {
		p := o.panes.open[o.firing]
		over := o.clock.trigger(p.end)
		if o.progress >= over {
			if o.before < over {
				o.todo = append(o.todo, p.slots...)
				o.table.Touch(p.slots)
				for _, s := range p.slots {
					o.groups[s].fired, o.groups[s].timer = true, 0
				}
			}
			o.firing++
			return true
		}
	}
	for len(o.panes.open) > 0 {
		p := o.panes.open[0]
		if o.progress < o.clock.trigger(p.end+o.spec.Emit.lateness()) {
			break
		}
		o.table.Touch(p.slots)
		o.calls.reset(p.slots)
		for _, s := range p.slots {
			o.groups[s] = eagerGroup{}
		}
		o.table.Remove(p.slots)
		o.panes.drop()
	}
	o.firing = -1
	return false
}

// show appends the groups in todo to the output until it is full.
func (o *eager) show() (full bool) {
	for o.pos < len(o.todo) {
		if o.out.Len() >= o.ctx.BatchRows {
			return true
		}
		s := o.todo[o.pos]
		g := &o.groups[s]
		switch {
		case o.half != nil:
			o.append(s, row.UpdateAfter, o.half)
			g.shown, o.half = o.half, nil
		case o.calls.empty(s):
			if g.shown != nil {
				o.append(s, row.Delete, g.shown)
				g.shown = nil
			}
		default:
			result := o.result(s)
			switch {
			case g.shown == nil:
				o.append(s, row.Insert, result)
				g.shown = result
			case !same(g.shown, result):
				o.append(s, row.UpdateBefore, g.shown)
				o.half = result
				continue
			}
		}
		o.pos++
	}
	o.todo, o.pos = o.todo[:0], 0
	return false
}

func (o *eager) result(s int32) []*row.Vec {
	result := o.noResult()
	o.slots = append(o.slots[:0], s)
	o.calls.Results(o.slots, result)
	return result
}

// noResult is a column per call, without values.
func (o *eager) noResult() []*row.Vec {
	cols := make([]*row.Vec, len(o.spec.Calls))
	for i := range cols {
		cols[i] = row.NewVec(o.spec.Calls[i].Type, 0)
	}
	return cols
}

// same compares two results.
func same(a, b []*row.Vec) bool {
	for i := range a {
		if !row.Same(a[i], 0, b[i], 0) {
			return false
		}
	}
	return true
}

func (o *eager) append(s int32, kind row.Kind, result []*row.Vec) {
	key := o.table.Key(s)
	cols := o.out.Cols
	row.DecodeKey(key[8:], cols[:len(o.spec.Keys)])
	cols = cols[len(o.spec.Keys):]
	for i, v := range result {
		cols[i].AppendRange(v, 0, 1)
	}
	cols = cols[len(result):]
	end := o.groups[s].end
	start, ends := [1]int64{o.shape.start(end)}, [1]int64{end}
	for i, p := range o.spec.Props {
		o.clock.property(p, start[:], ends[:], cols[i])
	}
	o.out.Added(1, kind)
}

// NextClock implements op.ClockHandler.
func (o *eager) NextClock() types.Time {
	next := types.MaxTime
	if t, ok := o.timers.First(); ok {
		next = types.Time(t.At)
	}
	if o.spec.Window.Proctime && len(o.panes.open) > 0 {
		next = min(next, o.clock.trigger(o.panes.open[0].end)+1)
	}
	return next
}

// OnClock implements op.ClockHandler.
func (o *eager) OnClock(now types.Time, out op.Emitter) error {
	for {
		t, ok := o.timers.First()
		if !ok || types.Time(t.At) > now {
			break
		}
		o.timers.Pop()
		if g := &o.groups[t.Who]; g.timer == types.Time(t.At) {
			delay := o.spec.Emit.Early
			if g.fired {
				delay = o.spec.Emit.Late
			}
			o.slots = append(o.slots[:0], t.Who)
			o.table.Touch(o.slots)
			g.timer += (now-g.timer)/delay*delay + delay
			o.timers.Push(state.Timer{At: int64(g.timer), Who: t.Who})
			o.todo = append(o.todo, t.Who)
		}
	}
	if err := o.flush(out); err != nil {
		return err
	}
	if o.spec.Window.Proctime {
		o.before, o.progress = types.MinTime, now-1
		for o.firing = 0; o.fire(); {
			if err := o.flush(out); err != nil {
				return err
			}
		}
		o.progress = now
	}
	return emit(o.out, out)
}

// flush emits everything in todo.
func (o *eager) flush(out op.Emitter) error {
	for o.show() {
		if err := emit(o.out, out); err != nil {
			return err
		}
	}
	return nil
}

// OnBarrier implements op.Operator.
func (o *eager) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *eager) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *eager) StateBytes() int64 {
	return o.table.Bytes() + o.calls.bytes() + o.panes.bytes() + int64(cap(o.groups))*48 + o.timers.Bytes()
}
