package join

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsql/state"
)

// TestUpTo looks entries up in lists of all sizes, those of hot keys among them,
// while the first ones leave.
func TestUpTo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var s lists
	for _, size := range []int{1, 3, 9, 250, 257, 3000} {
		var l list
		var times []int64
		for n := range size {
			at := int64(n*2) - r.Int64N(int64(size)/2+1)
			s.insert(&l, entry{at, state.Ref{}})
			times = append(times, at)
			if r.IntN(5) == 0 {
				slices.Sort(times)
				s.pop(&l)
				times = times[1:]
			}
		}
		slices.Sort(times)
		for at := int64(-size); at < int64(size*2+2); at++ {
			want, _ := slices.BinarySearch(times, at+1)
			e := s.upTo(&l, at)
			if (e == nil) != (want == 0) || e != nil && e.at != times[want-1] {
				t.Fatalf("%d entries, up to %d: %v, want number %d of %v", len(times), at, e, want-1, times)
			}
		}
	}
}
