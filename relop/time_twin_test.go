package relop_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

// ORDER BY ts, x: rows wait for the watermark; those at or before the last time
// that was put out are dropped.
func TestSortAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 12; seed++ {
		r := rand.New(rand.NewPCG(seed, 31))
		spec := &relop.SortSpec{In: recSchema, Time: 2}
		if seed%2 == 0 {
			spec.OrderBy = []row.OrderBy{{Col: 1, Desc: true}}
		}
		stream := timed(r, 120)
		var want []string
		var wait []rec
		last := int64(-1)
		for _, h := range stream {
			if h.mark == 0 {
				if h.ts > last {
					wait = append(wait, h.rec)
				}
				continue
			}
			slices.SortStableFunc(wait, func(a, b rec) int {
				if c := cmp.Compare(a.ts, b.ts); c != 0 || spec.OrderBy == nil {
					return c
				}
				return cmp.Compare(b.x, a.x)
			})
			for len(wait) > 0 && types.Time(wait[0].ts) <= h.mark {
				want = append(want, "+I | "+wait[0].String())
				last, wait = wait[0].ts, wait[1:]
			}
		}
		twin(t, "sort", spec, stream, want, seed, row.InsertOnly)
	}
}

// By processing time the rows of a millisecond are sorted, at the end without
// waiting for the next one.
func TestSortByClock(t *testing.T) {
	spec := &relop.SortSpec{In: recSchema, Time: 2, Proctime: true, OrderBy: []row.OrderBy{{Col: 1}}}
	h := func(x int64) happening { return happening{rec: rec{x: x}} }
	stream := []happening{h(4), h(2), {clock: 2}, h(3), h(1), {mark: 5}, h(0), {clock: 3}, h(9), h(8), {mark: types.MaxTime}}
	var want []string
	for _, x := range []int64{2, 4, 0, 1, 3, 8, 9} {
		want = append(want, "+I | "+rec{x: x}.String())
	}
	twin(t, "sort by clock", spec, stream, want, 0, row.InsertOnly)
}

// The row with the smallest time of each key, once the watermark has reached it.
func TestFirstRowAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 12; seed++ {
		r := rand.New(rand.NewPCG(seed, 32))
		spec := &relop.FirstRowSpec{In: recSchema, Partition: []int{0}, Time: 2}
		stream := timed(r, 60)
		for i := range stream {
			stream[i].k = int64(i/6) + r.Int64N(5)
		}
		var want []string
		wait, sent, mark := []rec(nil), map[int64]bool{}, types.MinTime
		for _, h := range stream {
			if h.mark == 0 {
				i := slices.IndexFunc(wait, func(w rec) bool { return w.k == h.k })
				switch {
				case types.Time(h.ts) < mark || sent[h.k] || i >= 0 && wait[i].ts <= h.ts:
					continue
				case i >= 0:
					wait = slices.Delete(wait, i, i+1)
				}
				wait = append(wait, h.rec)
				continue
			}
			mark = h.mark
			slices.SortStableFunc(wait, func(a, b rec) int { return cmp.Compare(a.ts, b.ts) })
			for len(wait) > 0 && types.Time(wait[0].ts) <= mark {
				want = append(want, "+I | "+wait[0].String())
				sent[wait[0].k] = true
				wait = wait[1:]
			}
			slices.SortFunc(wait, func(a, b rec) int { return cmp.Compare(a.id, b.id) })
		}
		twin(t, "first row", spec, stream, want, seed, row.InsertOnly)
	}
}

// A ranking per window: k is the partition, ts the last millisecond of the
// window.
func TestRankWindowAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 12; seed++ {
		r := rand.New(rand.NewPCG(seed, 33))
		spec := &relop.RankWindowSpec{
			In: recSchema, Partition: []int{0, 2}, OrderBy: []row.OrderBy{{Col: 1, Desc: seed%2 == 0}}, Newest: seed%4 == 0,
			Start: 1 + int64(seed%3)/2, End: 1 + int64(seed%3), Time: 2, WithRank: seed%2 == 1, Out: recSchema,
		}
		if spec.WithRank {
			spec.Out = recWith("rn")
		}
		stream := timed(r, 120)
		for i := range stream {
			stream[i].ts = stream[i].ts/1000*1000 + 999
		}
		var want []string
		var wait []rec
		mark := types.MinTime
		for _, h := range stream {
			if h.mark == 0 {
				if types.Time(h.ts) > mark {
					wait = append(wait, h.rec)
				}
				continue
			}
			mark = h.mark
			want = append(want, windowRanks(spec, wait, mark)...)
			wait = slices.DeleteFunc(wait, func(w rec) bool { return types.Time(w.ts) <= mark })
		}
		// Windows that end together come in the order of their first ranks.
		twinUnordered(t, "window rank", spec, stream, want, seed)
	}
}

func windowRanks(spec *relop.RankWindowSpec, rows []rec, mark types.Time) (out []string) {
	done := map[[2]int64]bool{}
	for _, r := range rows {
		key := [2]int64{r.k, r.ts}
		if types.Time(r.ts) > mark || done[key] {
			continue
		}
		done[key] = true
		var l []rec
		for _, o := range rows {
			if o.k == r.k && o.ts == r.ts {
				l = append(l, o)
			}
		}
		slices.SortStableFunc(l, func(a, b rec) int {
			c := cmp.Compare(a.x, b.x)
			if spec.OrderBy[0].Desc {
				c = -c
			}
			if c == 0 && spec.Newest {
				return cmp.Compare(b.id, a.id)
			}
			return c
		})
		for i := int(spec.Start) - 1; i < min(len(l), int(spec.End)); i++ {
			line := "+I | " + l[i].String()
			if spec.WithRank {
				line += fmt.Sprint(" | ", i+1)
			}
			out = append(out, line)
		}
	}
	return out
}

// twinUnordered is twin with rows in any order.
func twinUnordered(t *testing.T, name string, spec *relop.RankWindowSpec, stream []happening, want []string, seed uint64) {
	t.Helper()
	slices.Sort(want)
	for _, size := range []int{1024, 1, 2, 7} {
		for _, stops := range []*rand.Rand{nil, rand.New(rand.NewPCG(seed, 9))} {
			got := newPlayer(t, spec, []int{7, 1024, 1, 2}[(size+int(seed))%4], seed%3 == 0, row.InsertOnly).play(stream, size, stops)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("%s, seed %d, batches of %d, stops %v:\ngot  %q\nwant %q", name, seed, size, stops != nil, got, want)
			}
		}
	}
}

// All rows at the end, those that were taken back left out.
func TestSortEndAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 8; seed++ {
		r := rand.New(rand.NewPCG(seed, 34))
		var have []rec
		var stream []happening
		for i := range int64(100) {
			h := happening{rec: rec{x: r.Int64N(9), id: i}}
			if len(have) > 0 && r.IntN(3) == 0 {
				j := r.IntN(len(have))
				h.rec, h.kind = have[j], row.Delete
				have = slices.Delete(have, j, j+1)
			} else {
				have = append(have, h.rec)
			}
			stream = append(stream, h)
		}
		slices.SortStableFunc(have, func(a, b rec) int { return cmp.Compare(b.x, a.x) })
		var want []string
		for _, h := range have {
			want = append(want, "+I | "+h.String())
		}
		spec := &relop.SortEndSpec{In: recSchema, OrderBy: []row.OrderBy{{Col: 1, Desc: true}}}
		twin(t, "sort at the end", spec, append(stream, happening{mark: types.MaxTime}), want, seed, row.AllKinds)
	}
}
