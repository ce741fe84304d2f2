package window

import (
	"math"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// sliced is the window aggregation over TUMBLE, HOP and CUMULATE.
//
// A row is folded once, into the group of its slice and key; a window that
// fires merges its slices (TUMBLE has nothing to merge). A batch is taken in
// runs: the rows up to the next mark at which a window fires are assigned to
// slices, encoded, found and folded column by column. A mark at which none
// fires costs a comparison, and so does a row in the slice of the row before.
//
// A row is dropped as late only if the last window that holds it has fired. One
// that is late for some windows counts in the others: HOP keeps a slice until
// its last window fires, CUMULATE gives such a row to the next step.
type sliced struct {
	spec  *AggSpec
	ctx   *op.Context
	shape shape
	clock *clock
	calls *calls
	table *state.Table // keyed by (place, group key)
	panes panes
	win   merged   // the groups of the window that fires, or of CUMULATE's full window
	later []merged // full windows that a checkpoint had, after win
	res   results
	late  int64

	// Event time, or processing time: windows ending at fired or before are done. next is the end
	// of the first window to come and trigger when it fires.
	progress types.Time
	fired    int64
	uneven   uneven
	next     int64
	trigger  types.Time

	// The batch at work: rows before row and marks before mark are done.
	cur    *row.Batch
	times  times
	row    int
	mark   int
	firing bool  // windows up to due, for the mark at mark
	due    int64 // windows ending at due or before fire
	ready  []int32
	end    int64 // of the window whose groups are in ready
	pos    int   // of ready, emitted before
	open   bool  // ready has a window

	// The slice of the last row: rows from lo to hi (in times' unit) are in it.
	lo, hi int64
	place  int64 // where its rows go
	keep   int   // 1, 0 if its rows are dropped
	tardy  int64 // 1 if they are dropped because they are late

	keys   row.Keys
	cols   []*row.Vec
	prefix []int64 // per kept row: where it goes
	sel    []int32 // kept rows
	slots  []int32
	fresh  []int32
	starts []int64
	ends   []int64
	raw    [][]byte
	now    []int64
}

// merged is the groups of a window made of several slices.
type merged struct {
	place int64
	slots []int32 // in the order in which they came
}

// A slice and a window that end at the same time are two places.
func placeOfSlice(end int64) int64  { return end << 1 }
func placeOfWindow(end int64) int64 { return end<<1 | 1 }
func sliceAt(place int64) int64     { return place >> 1 }

func newSliced(s *AggSpec, ctx *op.Context, k *clock, calls *calls) op.Operator {
	o := &sliced{
		spec: s, ctx: ctx, shape: s.Window.shape(), clock: k, calls: calls, table: state.NewTable(),
		progress: types.MinTime, fired: math.MinInt64, uneven: evenly(), next: math.MaxInt64, trigger: types.MaxTime, keys: row.Keys{Zero: ctx.ZeroHash},
	}
	o.res = results{out: row.NewBuilder(s.Out), table: o.table, calls: calls, clock: k, skip: 8, keys: len(s.Keys), aggs: len(s.Calls), props: s.Props}
	o.forget()
	if s.Window.Proctime {
		return slicedByClock{o}
	}
	return o
}

// forget makes the next row look for its slice.
func (o *sliced) forget() { o.lo, o.hi = math.MaxInt64, math.MinInt64 }

// OnBatch implements op.Operator.
func (o *sliced) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.cur != b {
		var err error
		if o.times, err = rowtimes(b, o.spec.Window.Time); err != nil {
			return false, err
		}
		o.begin(b)
	}
	return o.run(out)
}

func (o *sliced) begin(b *row.Batch) {
	o.cur, o.row, o.mark = b, 0, 0
	o.cols = columns(o.cols, b, o.spec.Keys)
}

func (o *sliced) run(out op.Emitter) (more bool, err error) {
	b := o.cur
	for {
		if o.firing {
			if done, err := o.fire(out); !done || err != nil {
				return true, err
			}
			o.firing = false
			o.res.out.Mark(b.Marks[o.mark].Time)
			o.mark++
		}
		from := o.row
		o.assign()
		if err := o.fold(from); err != nil {
			return false, err
		}
		if !o.firing {
			o.cur = nil
			return false, emit(o.res.out, out)
		}
	}
}

func emit(b *row.Builder, out op.Emitter) error {
	if batch := b.Flush(); batch != nil {
		return out.Emit(batch)
	}
	return nil
}

// assign gives the rows up to the next mark at which a window fires to their
// slices, leaving them in prefix and sel.
func (o *sliced) assign() {
	b, at := o.cur, o.times.at
	if cap(o.prefix) < b.Rows {
		o.prefix, o.sel = make([]int64, b.Rows), make([]int32, b.Rows)
	}
	prefix, sel := o.prefix[:b.Rows], o.sel[:b.Rows]
	n, r, late := 0, o.row, int64(0)
	lo, hi, place, keep, tardy := o.lo, o.hi, o.place, o.keep, o.tardy
	for {
		end := b.Rows
		if o.mark < len(b.Marks) {
			end = int(b.Marks[o.mark].Row)
		}
		for ; r < end; r++ {
			if t := at[r]; t < lo || t >= hi {
				o.enter(t)
				lo, hi, place, keep, tardy = o.lo, o.hi, o.place, o.keep, o.tardy
			}
			prefix[n], sel[n] = place, int32(r)
			n += keep
			late += tardy
		}
		if o.mark == len(b.Marks) {
			break
		}
		w := b.Marks[o.mark].Time
		if o.spec.Window.Proctime {
			o.res.out.Mark(w)
			o.mark++
			continue
		}
		o.progress = w
		if w >= o.trigger {
			o.firing, o.due = true, o.clock.passed(w)
			break
		}
		o.res.out.Mark(w)
		o.mark++
	}
	o.row, o.late = r, o.late+late
	o.prefix, o.sel = prefix[:n], sel[:n]
}

// enter finds the slice of a row's time and whether the row is late.
func (o *sliced) enter(t int64) {
	at := o.times.millis(t)
	local := o.clock.local(at)
	start, slice := o.shape.slice(local)
	lo, hi := o.clock.reach(at, start, slice)
	o.lo, o.hi = lo*o.times.tick, hi*o.times.tick
	if !o.spec.Window.Proctime {
		o.fired = max(o.fired, o.clock.passed(o.progress))
	}
	o.keep, o.tardy = 0, 0
	window, ok := o.shape.window(slice, o.after())
	if !ok {
		if _, held := o.shape.window(slice, math.MinInt64); held {
			o.tardy = 1
		}
		return // late, or in a gap between legacy windows
	}
	o.keep, o.place = 1, placeOfSlice(slice)
	if o.spec.Window.Kind == Cumulate {
		o.place = placeOfSlice(window) // the next step, if it is late for earlier ones
	}
	if window < o.next {
		o.next, o.trigger = window, o.clock.trigger(window)
	}
}

// after is the earliest end of a window that has not fired.
func (o *sliced) after() int64 {
	if o.fired == math.MaxInt64 {
		return o.fired
	}
	return o.fired + 1
}

// fold adds the assigned rows, which are those from row from on, to their groups.
func (o *sliced) fold(from int) error {
	n := len(o.sel)
	if n == 0 {
		return nil
	}
	sel := o.sel
	if from == 0 && n == o.cur.Rows {
		sel = nil
	}
	o.keys.EncodeWith(o.prefix, o.cols, o.cur.Rows, sel)
	if cap(o.slots) < n {
		o.slots = make([]int32, n)
	}
	slots := o.slots[:n]
	o.fresh = o.table.FindOrAdd(&o.keys, slots, o.fresh[:0])
	o.table.Touch(slots)
	o.calls.grow(o.table.Cap())
	var p *pane
	for _, s := range o.fresh {
		end := sliceAt(row.Prefix(o.table.Key(s)))
		if p == nil || p.end != end {
			p = o.panes.at(end)
		}
		p.slots = append(p.slots, s)
	}
	return o.calls.add(o.cur, sel, slots)
}

// OnBarrier implements op.Operator.
func (o *sliced) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *sliced) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *sliced) StateBytes() int64 { return o.table.Bytes() + o.calls.bytes() + o.panes.bytes() }
