package output

import (
	"fmt"
	"io"
	"slices"
	"time"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// Live keeps the table that a changelog describes so that it can be looked at
// while it changes. A row that is updated keeps its place, a new one goes to the
// end. It is used by one goroutine at a time.
type Live struct {
	schema *types.Schema
	opts   Options

	table *state.Table
	count []int64 // by slot: how many equal rows there are
	place []int64 // by slot: where the row stands among the others
	next  int64
	holes []int64 // places of rows whose new image is still to come
	keys  row.Keys
	slots []int32
	fresh []int32
	rows  int64

	widths  []int
	shown   map[int64]*painted // by place
	matched int64              // rows that the last filter let through
	changes int64
}

// painted is a row as it was shown last.
type painted struct {
	cells   []string
	changed []time.Time // by cell; zero: not lately
}

// NewLive returns an empty table.
func NewLive(s *types.Schema, o Options) *Live {
	if o.MaxWidth <= 0 {
		o.MaxWidth = 30
	}
	l := &Live{schema: s, opts: o, table: state.NewTable(), shown: map[int64]*painted{}}
	for _, c := range s.Columns {
		l.widths = append(l.widths, max(diag.Width(c.Name), narrowest))
	}
	return l
}

// Add folds the changes of b.
func (l *Live) Add(b *row.Batch) {
	l.changes += int64(b.Rows)
	for from := 0; from < b.Rows; {
		kind := b.Kind(from)
		to := from + 1
		for to < b.Rows && b.Kind(to) == kind {
			to++
		}
		part := b.Slice(from, to)
		l.keys.Encode(part.Cols, part.Rows, nil)
		l.slots = slices.Grow(l.slots[:0], part.Rows)[:part.Rows]
		if kind.Adds() {
			l.add(kind)
		} else {
			l.remove(kind)
		}
		from = to
	}
}

func (l *Live) add(k row.Kind) {
	l.fresh = l.table.FindOrAdd(&l.keys, l.slots, l.fresh[:0])
	for len(l.count) < l.table.Cap() {
		l.count, l.place = append(l.count, 0), append(l.place, 0)
	}
	for _, s := range l.fresh {
		l.count[s], l.place[s] = 0, -1
	}
	for _, s := range l.slots {
		p := l.next
		if k == row.UpdateAfter && len(l.holes) > 0 {
			p, l.holes = l.holes[0], l.holes[1:]
		} else {
			l.next++
		}
		if l.place[s] < 0 {
			l.place[s] = p
		}
		l.count[s]++
		l.rows++
	}
}

// remove takes rows away; one that is not there is ignored.
func (l *Live) remove(k row.Kind) {
	l.table.Find(&l.keys, l.slots)
	gone := l.fresh[:0]
	l.holes = l.holes[:0] // of rows whose new image a filter dropped
	for _, s := range l.slots {
		if s < 0 || l.count[s] == 0 {
			continue
		}
		l.rows--
		if l.count[s]--; l.count[s] > 0 {
			continue
		}
		gone = append(gone, s)
		if k == row.UpdateBefore {
			l.holes = append(l.holes, l.place[s])
		}
	}
	l.table.Remove(gone)
	l.fresh = gone
}

// Rows is the number of rows now; Changes the number of changes so far.
func (l *Live) Rows() int64    { return l.rows }
func (l *Live) Changes() int64 { return l.changes }

// first returns the slots of the first n rows behind skip of them, in order.
func (l *Live) first(skip, n int) []int32 {
	live := l.table.Slots(nil)
	want := skip + n
	// Most tables fit the screen; of a large one only the head is put in order.
	if len(live) > 4*want {
		live = l.smallest(live, want)
	}
	slices.SortFunc(live, func(a, b int32) int { return int(l.place[a] - l.place[b]) })
	if skip >= len(live) {
		return nil
	}
	return live[skip:min(len(live), want)]
}

// smallest keeps the n slots with the lowest places, in no order.
func (l *Live) smallest(live []int32, n int) []int32 {
	less := func(a, b int32) int { return int(l.place[a] - l.place[b]) }
	kept := make([]int32, 0, 2*n)
	for _, s := range live {
		kept = append(kept, s)
		if len(kept) == 2*n {
			slices.SortFunc(kept, less)
			kept = kept[:n]
		}
	}
	return kept
}

// batch decodes rows.
func (l *Live) batch(slots []int32) *row.Batch {
	cols := make([]*row.Vec, len(l.schema.Columns))
	for i, c := range l.schema.Columns {
		cols[i] = row.NewVec(c.Type, 0)
	}
	for _, s := range slots {
		row.DecodeKey(l.table.Key(s), cols)
	}
	return row.New(l.schema, len(slots), cols, nil)
}

// Print writes the table as it stands, at most most rows of it.
func (l *Live) Print(w io.Writer, most int) error {
	o := l.opts
	o.Mode, o.Op = Final, OpNever
	p := New(w, l.schema, row.InsertOnly, o)
	slots := l.first(0, most)
	b := l.batch(slots)
	left := most
	for r, s := range slots {
		for range min(int(l.count[s]), left) {
			left--
			if err := p.Print(b.Slice(r, r+1)); err != nil {
				return err
			}
		}
	}
	if err := p.Close(); err != nil {
		return err
	}
	if more := l.rows - int64(most-left); more > 0 {
		_, err := fmt.Fprintf(w, "... and %d more %s\n", more, plural(more))
		return err
	}
	return nil
}
