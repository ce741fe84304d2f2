package exec

import "fsql/row"

// scatter finds the rows of each target of a hash exchange.
type scatter struct {
	keys  []int
	enc   row.Keys
	cols  []*row.Vec
	owner [row.KeyGroups]uint8 // key group to target
	sel   [][]int32
}

func newScatter(keys []int, targets int, zero bool) scatter {
	s := scatter{keys: keys, cols: make([]*row.Vec, len(keys)), sel: make([][]int32, targets)}
	s.enc.Zero = zero
	for g := range s.owner {
		s.owner[g] = uint8(row.Subtask(g, targets))
	}
	return s
}

// split returns the rows of each target, ascending. It lives until the next
// call.
func (s *scatter) split(b *row.Batch) [][]int32 {
	for i, k := range s.keys {
		s.cols[i] = b.Cols[k]
	}
	s.enc.Encode(s.cols, b.Rows, nil)
	for t := range s.sel {
		if cap(s.sel[t]) < b.Rows {
			s.sel[t] = make([]int32, b.Rows)
		}
		s.sel[t] = s.sel[t][:b.Rows]
	}
	var n [row.KeyGroups]int32
	for i, h := range s.enc.Hash {
		t := s.owner[row.Group(h)&(row.KeyGroups-1)]
		s.sel[t][n[t&(row.KeyGroups-1)]] = int32(i)
		n[t&(row.KeyGroups-1)]++
	}
	for t := range s.sel {
		s.sel[t] = s.sel[t][:n[t]]
	}
	return s.sel
}
