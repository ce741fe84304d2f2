package filesystem

import "fsql/row"

// Prune leaves out the files of partitions that a filter drops.
func (s *source) Prune(keep func(parts *row.Batch) ([]bool, error)) error {
	t := s.table
	parts := row.NewBuilder(t.Schema)
	var asked []int // places of the files that parts speaks of
	for i, f := range s.files {
		vals := make([]*row.Vec, len(t.Partitions))
		readable := true
		for k, p := range t.Partitions {
			var ok bool
			vals[k], ok = s.partitionValue(s.values[f][k], t.Schema.Columns[t.Schema.Index(p)].Type)
			readable = readable && ok
		}
		if !readable {
			continue
		}
		for k, p := range t.Partitions {
			parts.Cols[t.Schema.Index(p)].AppendRange(vals[k], 0, 1)
		}
		parts.Added(1, row.Insert)
		asked = append(asked, i)
	}
	b := parts.Flush()
	if b == nil || len(t.Partitions) == 0 {
		return nil
	}
	wanted, err := keep(b)
	if err != nil {
		return err
	}
	drop := map[int]bool{}
	for k, i := range asked {
		drop[i] = !wanted[k]
	}
	kept := s.files[:0]
	for i, f := range s.files {
		if !drop[i] {
			kept = append(kept, f)
		}
	}
	s.files = kept
	return nil
}
