package output

import "fsql/row"

// folder keeps the table that a changelog describes and prints what is left at
// the end, in order of arrival. A row that is taken back removes the last equal
// row.
type folder struct {
	out  *sink
	rows []place
	live map[string][]int32 // encoded row -> its places, in order of arrival
	keys row.Keys
}

// place is a row of a kept batch; batch nil: it was taken back.
type place struct {
	batch *row.Batch
	row   int32
}

// Print folds the changes of b.
func (f *folder) Print(b *row.Batch) error {
	f.keys.Encode(b.Cols, b.Rows, nil)
	for r := 0; r < b.Rows; r++ {
		at := f.live[string(f.keys.At(r))]
		if b.Kind(r).Adds() {
			f.live[string(f.keys.At(r))] = append(at, int32(len(f.rows)))
			f.rows = append(f.rows, place{b, int32(r)})
			continue
		}
		if n := len(at); n > 0 {
			f.rows[at[n-1]] = place{}
			if n == 1 {
				delete(f.live, string(f.keys.At(r)))
			} else {
				f.live[string(f.keys.At(r))] = at[:n-1]
			}
		}
	}
	return f.compact()
}

// compact drops the places that were taken back once they are the majority, so
// that a long changelog of a small table stays small.
func (f *folder) compact() error {
	kept := 0
	for _, p := range f.live {
		kept += len(p)
	}
	if len(f.rows) < 64<<10 || kept*2 > len(f.rows) {
		return nil
	}
	moved := make([]int32, len(f.rows))
	left := f.rows[:0]
	for i, p := range f.rows {
		if p.batch != nil {
			moved[i] = int32(len(left))
			// One row of a large batch must not keep the whole batch alive.
			left = append(left, place{p.batch.Slice(int(p.row), int(p.row)+1).Gather([]int32{0}), 0})
		}
	}
	f.rows = left
	for _, at := range f.live {
		for i := range at {
			at[i] = moved[at[i]]
		}
	}
	return nil
}

// Close prints the table.
func (f *folder) Close() error {
	if err := f.out.start(); err != nil {
		return err
	}
	for _, p := range f.rows {
		if p.batch == nil {
			continue
		}
		f.out.rows++
		if err := f.out.format.row(f.out, row.Insert, p.batch, int(p.row)); err != nil {
			return err
		}
	}
	return f.out.Close()
}
