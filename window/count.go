package window

import (
	"fmt"
	"strings"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// CountSpec is the aggregation of windows by count, which Flink has in its
// DataStream API (countWindow) and not in SQL: after every Slide rows of a key
// comes one +I for its last Size rows, fewer at the beginning. Slide equal to
// Size makes tumbling windows. A window that is not full at the end of the input
// does not come.
type CountSpec struct {
	In          *types.Schema
	Size, Slide int64
	Keys        []int // columns of the input
	Calls       []agg.Call
	Props       []Prop        // WindowStart, WindowEnd: the window's rows are the key's rows [start, end), counted from 0
	Out         *types.Schema // keys, calls, props (BIGINT)
}

// Describe implements op.Spec.
func (s *CountSpec) Describe() op.Description {
	sel := make([]string, len(s.Calls))
	for i, c := range s.Calls {
		sel[i] = c.Name
	}
	d := op.Description{Name: "CountWindowAggregate", State: "accumulators per key for its last rows"}
	if len(s.Keys) > 0 {
		d.Args = append(d.Args, [2]string{"groupBy", names(s.In, s.Keys)})
	}
	d.Args = append(d.Args, [2]string{"window", fmt.Sprintf("[rows=[%d], slide=[%d]]", s.Size, s.Slide)})
	d.Args = append(d.Args, [2]string{"select", "[" + strings.Join(sel, ", ") + "]"})
	return d
}

// Output implements op.Spec.
func (s *CountSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *CountSpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Keys, Single: len(s.Keys) == 0}
}

// Emits implements op.Spec: which rows are the last ones has no answer when
// rows can be taken back.
func (s *CountSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "a window by count takes rows that are never updated or deleted")
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *CountSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *CountSpec) Build(c *op.Context) (op.Operator, error) {
	if s.Size <= 0 || s.Slide <= 0 {
		return nil, diag.New(diag.BadWindow, diag.Span{}, "a window by count needs a size and a slide of at least one row, not %d and %d", s.Size, s.Slide)
	}
	width := newHop(s.Size, s.Slide, 0).width
	calls, err := newCalls(s.In, s.Calls, false, s.Size > width, c.ZeroHash)
	if err != nil {
		return nil, err
	}
	return &counted{
		spec: s, ctx: c, calls: calls, table: state.NewTable(), out: row.NewBuilder(s.Out), keys: row.Keys{Zero: c.ZeroHash},
		width: width, ring: int(s.Size / width),
	}, nil
}

// counted is the aggregation by count. As with HOP a row is folded once, into
// a slice of width rows; a key keeps the slices of its last Size rows in a ring.
// A batch is folded whole: slices that windows still need are not used again
// before these are out.
type counted struct {
	spec  *CountSpec
	ctx   *op.Context
	calls *calls
	table *state.Table // keys
	rows  []int64      // per key
	rings []int32      // per key its ring of slots, none: -1
	width int64
	ring  int
	free  []int32 // slots of the calls
	slots int32   // slots ever used
	out   *row.Builder

	cur   *row.Batch
	mark  int // marks before it are out
	done  []full
	lists []int32 // the slots of their slices, oldest first
	pos   int     // windows before it are out
	dead  []int32 // slots to free when the batch is done

	keys  row.Keys
	cols  []*row.Vec
	key   []int32
	to    []int32
	fresh []int32
	src   []int32
	dst   []int32
	raw   [][]byte
}

// full is a window that came to its end within the batch.
type full struct {
	row        int32 // the number of rows of the batch up to there
	key        int32
	start, end int64
	from, to   int32 // in lists
}

// OnBatch implements op.Operator.
func (o *counted) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.cur != b {
		o.cur, o.mark, o.pos, o.done, o.lists = b, 0, 0, o.done[:0], o.lists[:0]
		o.assign()
		if err := o.calls.add(b, nil, o.to); err != nil {
			return false, err
		}
	}
	for {
		for o.mark < len(b.Marks) && (o.pos == len(o.done) || b.Marks[o.mark].Row < o.done[o.pos].row) {
			o.out.Mark(b.Marks[o.mark].Time)
			o.mark++
		}
		if o.pos == len(o.done) {
			break
		}
		room := o.ctx.BatchRows - o.out.Len()
		if room <= 0 {
			return true, emit(o.out, out)
		}
		if err := o.emit(room); err != nil {
			return false, err
		}
	}
	o.cur = nil
	o.release(o.dead)
	o.dead = o.dead[:0]
	return false, emit(o.out, out)
}

// assign gives each row its slice and finds the windows that become full.
func (o *counted) assign() {
	b := o.cur
	o.cols = columns(o.cols, b, o.spec.Keys)
	o.keys.Encode(o.cols, b.Rows, nil)
	if cap(o.key) < b.Rows {
		o.key, o.to = make([]int32, b.Rows), make([]int32, b.Rows)
	}
	o.key, o.to = o.key[:b.Rows], o.to[:b.Rows]
	o.fresh = o.table.FindOrAdd(&o.keys, o.key, o.fresh[:0])
	o.table.Touch(o.key)
	o.room()
	for r, k := range o.key {
		ring := o.rings[int(k)*o.ring : int(k)*o.ring+o.ring]
		n := o.rows[k]
		at := &ring[n/o.width%int64(o.ring)]
		if n%o.width == 0 {
			if *at >= 0 {
				o.dead = append(o.dead, *at)
			}
			*at = o.slot()
		}
		o.to[r] = *at
		n++
		o.rows[k] = n
		if n%o.spec.Slide == 0 {
			w := full{row: int32(r) + 1, key: k, start: max(0, n-o.spec.Size), end: n, from: int32(len(o.lists))}
			for i := w.start / o.width; i < n/o.width; i++ {
				o.lists = append(o.lists, ring[i%int64(o.ring)])
			}
			w.to = int32(len(o.lists))
			o.done = append(o.done, w)
		}
	}
	o.calls.grow(int(o.slots))
}

// room grows what is kept by key.
func (o *counted) room() {
	for len(o.rows) < o.table.Cap() {
		o.rows = append(o.rows, 0)
		for i := 0; i < o.ring; i++ {
			o.rings = append(o.rings, -1)
		}
	}
}

func (o *counted) slot() int32 {
	if n := len(o.free); n > 0 {
		s := o.free[n-1]
		o.free = o.free[:n-1]
		return s
	}
	o.slots++
	return o.slots - 1
}

func (o *counted) release(slots []int32) {
	o.calls.reset(slots)
	o.free = append(o.free, slots...)
}

// emit appends up to room windows, all before the next mark, to the output.
func (o *counted) emit(room int) error {
	from := o.pos
	for o.pos < len(o.done) && o.pos-from < room && (o.mark == len(o.cur.Marks) || o.done[o.pos].row <= o.cur.Marks[o.mark].Row) {
		o.pos++
	}
	done := o.done[from:o.pos]
	cols := o.out.Cols
	o.raw = o.raw[:0]
	for _, w := range done {
		o.raw = append(o.raw, o.table.Key(w.key))
	}
	row.DecodeKeys(o.raw, 0, cols[:len(o.spec.Keys)])
	cols = cols[len(o.spec.Keys):]
	if err := o.results(done, cols); err != nil {
		return err
	}
	cols = cols[len(o.spec.Calls):]
	for i, p := range o.spec.Props {
		for _, w := range done {
			n := w.start
			if p == WindowEnd {
				n = w.end
			}
			cols[i].I64 = append(cols[i].I64, n)
		}
		cols[i].Len = len(cols[i].I64)
	}
	o.out.Added(len(done), row.Insert)
	return nil
}

// results appends the results of windows; those of several slices are merged
// into slots of their own.
func (o *counted) results(done []full, out []*row.Vec) error {
	o.key, o.fresh, o.src, o.dst = o.key[:0], o.fresh[:0], o.src[:0], o.dst[:0]
	for _, w := range done {
		list := o.lists[w.from:w.to]
		s := list[0]
		if len(list) > 1 {
			s = o.slot()
			o.fresh = append(o.fresh, s)
			for _, from := range list {
				o.src, o.dst = append(o.src, from), append(o.dst, s)
			}
		}
		o.key = append(o.key, s)
	}
	o.calls.grow(int(o.slots))
	if len(o.src) > 0 {
		if err := o.calls.merge(o.dst, o.src); err != nil {
			return err
		}
	}
	o.calls.Results(o.key, out)
	o.release(o.fresh)
	return nil
}

// OnBarrier implements op.Operator.
func (o *counted) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *counted) StateBytes() int64 {
	return o.table.Bytes() + o.calls.bytes() + int64(cap(o.rows))*8 + int64(cap(o.rings)+cap(o.free))*4
}
