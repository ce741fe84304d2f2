package output

import (
	"slices"

	"fsql/row"
	"fsql/state"
)

// folder keeps the table that a changelog describes and prints what is left at
// the end, in order of arrival. Rows are the keys of a table with the number of
// equal rows per slot, so that only live rows take memory however long the
// changelog is.
type folder struct {
	out   *sink
	table *state.Table
	count []int64 // by slot: how many equal rows there are
	since []int64 // by slot: when the first of them came
	clock int64
	keys  row.Keys
	slots []int32
	fresh []int32
}

func newFolder(out *sink) *folder { return &folder{out: out, table: state.NewTable()} }

// mostBytes is how much is encoded at once: long strings may share their bytes
// in the batch and would not as keys, whose places have 32 bits.
const mostBytes = 256 << 20

// Print folds the changes of b. A removal of a row that is not there is ignored.
func (f *folder) Print(b *row.Batch) error {
	if half := b.Rows / 2; half > 0 && b.Bytes() > mostBytes {
		if err := f.Print(b.Slice(0, half)); err != nil {
			return err
		}
		return f.Print(b.Slice(half, b.Rows))
	}
	f.keys.Encode(b.Cols, b.Rows, nil)
	f.slots = slices.Grow(f.slots[:0], b.Rows)[:b.Rows]
	f.fresh = f.table.FindOrAdd(&f.keys, f.slots, f.fresh[:0])
	for len(f.count) < f.table.Cap() {
		f.count, f.since = append(f.count, 0), append(f.since, 0)
	}
	for _, s := range f.fresh {
		f.count[s] = 0
	}
	for r, s := range f.slots {
		switch {
		case b.Kind(r).Adds():
			if f.count[s] == 0 {
				f.clock++
				f.since[s] = f.clock
			}
			f.count[s]++
		case f.count[s] > 0:
			f.count[s]--
		}
	}
	f.drop()
	return nil
}

// drop gives up the slots that the batch has left empty.
func (f *folder) drop() {
	gone := f.fresh[:0]
	for _, s := range f.slots {
		if f.count[s] == 0 {
			f.count[s] = -1 // once only
			gone = append(gone, s)
		}
	}
	f.table.Remove(gone)
	f.fresh = gone
}

// Close prints the table.
func (f *folder) Close() error {
	if err := f.out.start(); err != nil {
		return err
	}
	live := f.table.Slots(nil)
	slices.SortFunc(live, func(a, b int32) int { return int(f.since[a] - f.since[b]) })
	const most = 4096
	for len(live) > 0 {
		part := live[:min(most, len(live))]
		live = live[len(part):]
		cols := make([]*row.Vec, len(f.out.schema.Columns))
		for i, c := range f.out.schema.Columns {
			cols[i] = row.NewVec(c.Type, 0)
		}
		for _, s := range part {
			row.DecodeKey(f.table.Key(s), cols)
		}
		b := row.New(f.out.schema, len(part), cols, nil)
		for r, s := range part {
			for range f.count[s] {
				f.out.rows++
				if err := f.out.format.row(f.out, row.Insert, b, r); err != nil {
					return err
				}
				if err := f.out.w.rowEnds(); err != nil {
					return err
				}
			}
		}
	}
	return f.out.Close()
}
