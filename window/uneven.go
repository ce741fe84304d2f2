package window

import (
	"math"
	"slices"

	"fsql/row"
)

// uneven is what an aggregation by processing time that resumes with another
// parallelism knows of the subtasks before it. A barrier reached each of them
// at another time: a window may have been over for the keys of some and not for
// those of others, and its slices are kept for later windows (HOP) or merged
// into them (CUMULATE). Event time is the same for all at a barrier.
type uneven struct {
	over []int64 // by the subtasks of then: the end of the last window that was over
	last int64   // the greatest of them
	zero bool    // every key hashes to 0 (tests)
}

// evenly is for those that were all at one point.
func evenly() uneven { return uneven{last: math.MinInt64} }

// unevenly compares how far several subtasks had been.
func unevenly(over []int64, zero bool) uneven {
	if len(over) < 2 || slices.Min(over) == slices.Max(over) {
		return evenly()
	}
	return uneven{over, slices.Max(over), zero}
}

// sent tells that a window was over for a group key before the restart.
func (u *uneven) sent(end int64, key []byte) bool {
	if end > u.last {
		return false
	}
	h := uint64(0)
	if !u.zero {
		h = row.Hash(key)
	}
	return u.over[row.Subtask(row.Group(h), len(u.over))] >= end
}
