package window

import (
	"math"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// sessionRun is what the two operators over SESSION share: it goes through the
// rows and marks of batches, and closes sessions as time passes their ends.
type sessionRun struct {
	by    sessionWork
	win   Window
	ctx   *op.Context
	clock *clock
	set   *sessionSet
	out   *row.Builder

	// Event time, or processing time: sessions ending at passed or before are
	// closed; first is the end, or earlier, of the first to close, trigger when.
	progress types.Time
	passed   int64
	first    int64
	trigger  types.Time

	// The batch at work: rows before row and marks before mark are done.
	cur    *row.Batch
	times  times
	row    int
	mark   int
	firing bool // sessions up to passed, for the mark at mark

	keys  row.Keys
	parts []*row.Vec // key columns
	key   []int32    // per row: its key
	fresh []int32
	now   []int64
}

// sessionWork is what an operator does with its rows.
type sessionWork interface {
	// take gives the rows [from, to) of the batch at work to their sessions. No
	// session closes before kept is called.
	take(from, to int) error
	// kept folds or keeps the rows that were taken.
	kept() error
	// fire emits the sessions that end at passed or before until a batch of
	// output is full. It reports whether it is done.
	fire(out op.Emitter) (done bool, err error)
	// tidy gives back what closed sessions took.
	tidy()
}

func newSessionRun(w Window, ctx *op.Context, k *clock, out *row.Builder) sessionRun {
	return sessionRun{
		win: w, ctx: ctx, clock: k, set: newSessionSet(int64(w.Size)), out: out,
		progress: types.MinTime, passed: math.MinInt64, first: math.MaxInt64, trigger: types.MaxTime, keys: row.Keys{Zero: ctx.ZeroHash},
	}
}

// begin looks up the keys of a batch, together.
func (o *sessionRun) begin(b *row.Batch, keys []int) {
	o.cur, o.row, o.mark = b, 0, 0
	o.parts = columns(o.parts, b, keys)
	o.keys.Encode(o.parts, b.Rows, nil)
	if cap(o.key) < b.Rows {
		o.key = make([]int32, b.Rows)
	}
	o.key = o.key[:b.Rows]
	o.fresh = o.set.find(&o.keys, o.key, o.fresh[:0])
}

func (o *sessionRun) run(out op.Emitter) (more bool, err error) {
	for {
		if o.firing {
			if done, err := o.by.fire(out); !done || err != nil {
				return true, err
			}
			o.firing = false
			o.out.Mark(o.cur.Marks[o.mark].Time)
			o.mark++
		}
		if err := o.assign(); err != nil {
			return false, err
		}
		if !o.firing {
			o.cur = nil
			o.by.tidy()
			return false, emit(o.out, out)
		}
	}
}

// assign takes the rows up to the next mark at which a session closes.
func (o *sessionRun) assign() error {
	b := o.cur
	for !o.firing {
		end := b.Rows
		if o.mark < len(b.Marks) {
			end = int(b.Marks[o.mark].Row)
		}
		if end > o.row {
			if err := o.by.take(o.row, end); err != nil {
				return err
			}
			o.row = end
		}
		if o.mark == len(b.Marks) {
			break
		}
		w := b.Marks[o.mark].Time
		if !o.win.Proctime {
			o.progress, o.passed = w, o.clock.passed(w)
			if w >= o.trigger {
				o.firing = true
				break
			}
		}
		o.out.Mark(w)
		o.mark++
	}
	return o.by.kept()
}

// local is the wall clock of a row.
func (o *sessionRun) local(r int) int64 { return o.clock.local(o.times.millis(o.times.at[r])) }

// opened notes that a session was opened, which ends at end as things stand.
func (o *sessionRun) opened(end int64) {
	if end < o.first {
		o.first, o.trigger = end, o.clock.trigger(end)
	}
}

// schedule finds the first session to close.
func (o *sessionRun) schedule() {
	o.first, o.trigger = math.MaxInt64, types.MaxTime
	if end, ok := o.set.first(); ok {
		o.first, o.trigger = end, o.clock.trigger(end)
	}
}

// byClock is OnBatch by processing time: all rows of a batch come now.
func (o *sessionRun) byClock(b *row.Batch, keys []int, out op.Emitter) (bool, error) {
	if o.cur != b {
		o.progress = max(o.progress, o.ctx.Now())
		o.times = sameTime(o.now, o.progress, b.Rows)
		o.now = o.times.at
		o.begin(b, keys)
	}
	return o.run(out)
}

// nextClock is when a session closes by processing time.
func (o *sessionRun) nextClock() types.Time {
	if o.first == math.MaxInt64 {
		return types.MaxTime
	}
	return o.trigger + 1
}

// onClock closes the sessions whose end the clock shows.
func (o *sessionRun) onClock(now types.Time, out op.Emitter) error {
	o.progress = max(o.progress, now)
	o.passed = o.clock.passed(now - 1)
	for {
		done, err := o.by.fire(out)
		if err != nil {
			return err
		}
		if done {
			o.by.tidy()
			return emit(o.out, out)
		}
	}
}
