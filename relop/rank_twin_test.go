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

// rankModel is a ranking as it is defined: the list of each partition, sorted.
type rankModel struct {
	spec  *relop.RankSpec
	lists map[int64][]ranking
	seq   int
}

// ranking is a row of a list; equal rows are told apart by seq.
type ranking struct {
	rec
	seq int
}

func (m *rankModel) before(a, b ranking) bool {
	if m.spec.Newest {
		return a.x > b.x // descending, the last one first
	}
	return a.x < b.x
}

// put inserts a row behind (Newest: before) those that are equal in the order.
func (m *rankModel) put(l []ranking, r ranking) []ranking {
	i := 0
	for i < len(l) && (m.before(l[i], r) || !m.spec.Newest && l[i].x == r.x) {
		i++
	}
	return slices.Insert(slices.Clone(l), i, r)
}

func (m *rankModel) row(h happening) []string {
	was := m.lists[h.k]
	m.seq++
	it := ranking{h.rec, m.seq}
	now, at, moved := was, 0, false
	byID := func(r ranking) bool { return r.id == h.id }
	switch {
	case m.spec.Strategy == relop.RankUpdate && slices.ContainsFunc(was, byID):
		moved, at = true, slices.IndexFunc(was, byID)
		if was[at].x == h.x {
			it.seq = was[at].seq
			now = slices.Clone(was)
			now[at] = it
		} else {
			now = m.put(slices.Delete(slices.Clone(was), at, at+1), it)
		}
	case h.kind.Adds():
		now = m.put(was, it)
		at = slices.Index(now, it)
	default:
		if at = slices.IndexFunc(was, func(r ranking) bool { return r.rec == h.rec }); at < 0 {
			return nil
		}
		now = slices.Delete(slices.Clone(was), at, at+1)
	}
	out := m.changes(was, now, at, slices.Index(now, it), moved)
	if end := int(m.spec.End); m.spec.Strategy != relop.RankRetract && len(now) > end {
		now = now[:end]
	}
	m.lists[h.k] = now
	return out
}

// changes are what is sent: at is where a row came in or went, or, of one that
// moved, where it was and to where it is.
func (m *rankModel) changes(was, now []ranking, at, to int, moved bool) (out []string) {
	first := int(m.spec.Start) - 1
	window := func(l []ranking) []ranking {
		return l[min(first, len(l)):min(int(m.spec.End), len(l))]
	}
	a, b := window(was), window(now)
	send := func(k row.Kind, r ranking, rank int) {
		if k == row.UpdateBefore && !m.spec.UpdateBefore {
			return
		}
		line := fmt.Sprintf("%s | %s", k, r.rec)
		if m.spec.WithRank {
			line += fmt.Sprint(" | ", rank+int(m.spec.Start))
		}
		out = append(out, line)
	}
	switch {
	case moved && !m.spec.WithRank && first == 0:
		send(row.UpdateBefore, was[at], 0)
		send(row.UpdateAfter, now[to], 0)
	case moved:
		for q := max(to, first); q <= at; q++ {
			send(row.UpdateBefore, was[q], q-first)
		}
		for q := max(to, first); q <= at; q++ {
			send(row.UpdateAfter, now[q], q-first)
		}
	case !m.spec.WithRank && first == 0:
		for _, r := range gone(a, b) {
			send(row.Delete, r, 0)
		}
		for _, r := range gone(b, a) {
			send(row.Insert, r, 0)
		}
	default:
		for q := max(0, at-first); q < max(len(a), len(b)); q++ {
			switch {
			case q >= len(a):
				send(row.Insert, b[q], q)
			case q >= len(b):
				send(row.Delete, a[q], q)
			default:
				send(row.UpdateBefore, a[q], q)
				send(row.UpdateAfter, b[q], q)
			}
		}
	}
	return out
}

// gone are the rows of a that b does not have.
func gone[T comparable](a, b []T) (out []T) {
	for _, r := range a {
		if !slices.Contains(b, r) {
			out = append(out, r)
		}
	}
	return out
}

func TestRankAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 18; seed++ {
		r := rand.New(rand.NewPCG(seed, 11))
		spec := &relop.RankSpec{
			In: recSchema, Name: "Rank", Partition: []int{0}, OrderBy: []row.OrderBy{{Col: 1}}, Start: 1, End: 1 + r.Int64N(4), EndCol: -1,
			Strategy: relop.RankStrategy(seed % 3), WithRank: seed%2 == 0, UpdateBefore: seed%5 != 0, Out: recSchema,
		}
		if r.IntN(3) == 0 {
			spec.Start = 1 + r.Int64N(spec.End)
		}
		if spec.Strategy == relop.RankUpdate {
			spec.Key = []int{0, 3}
		} else if seed%7 == 0 && spec.Strategy == relop.RankAppend {
			spec.Newest, spec.OrderBy[0].Desc = true, true
		}
		if seed%4 == 3 {
			spec.Partition = nil
		}
		if spec.WithRank {
			spec.Out = recWith("rn")
		}
		m := &rankModel{spec: spec, lists: map[int64][]ranking{}}
		var stream []happening
		var want []string
		all := map[int64][]rec{}
		for i := range 90 {
			h := happening{rec: rec{k: r.Int64N(3), x: r.Int64N(8), id: r.Int64N(4)}}
			if spec.Partition == nil {
				h.k = 1
			}
			switch have := all[h.k]; spec.Strategy {
			case relop.RankUpdate: // x falls with every update
				h.kind = row.UpdateAfter
				h.x = 40 - r.Int64N(20)
				for j, o := range have {
					if o.id == h.id {
						h.x = o.x - r.Int64N(3)
						have = slices.Delete(have, j, j+1)
						break
					}
				}
				all[h.k] = append(have, h.rec)
			case relop.RankRetract:
				if len(have) > 0 && r.IntN(100) < 45+i%15 {
					h.rec, h.kind = have[r.IntN(len(have))], row.Delete
					j := slices.Index(have, h.rec)
					all[h.k] = slices.Delete(have, j, j+1)
				} else if r.IntN(20) == 0 {
					h.kind, h.id = row.UpdateBefore, 99 // not there
				} else {
					all[h.k] = append(have, h.rec)
				}
			}
			stream = append(stream, h)
			want = append(want, m.row(h)...)
		}
		in := row.InsertOnly
		if spec.Strategy != relop.RankAppend {
			in = row.AllKinds
		}
		if spec.Strategy == relop.RankUpdate {
			in = row.InsertOnly | 1<<row.UpdateAfter
		}
		twin(t, spec.Strategy.String(), spec, stream, want, seed, in)
	}
}

// The last rank of a partition is what its first row says.
func TestRankEndOfColumn(t *testing.T) {
	spec := &relop.RankSpec{In: recSchema, Name: "Rank", Partition: []int{0}, OrderBy: []row.OrderBy{{Col: 1}}, Start: 1, EndCol: 3, UpdateBefore: true, Out: recSchema}
	for seed := uint64(0); seed < 6; seed++ {
		r := rand.New(rand.NewPCG(seed, 3))
		lists, ends := map[int64][]rec{}, map[int64]int64{}
		var stream []happening
		var want []string
		for i := range int64(120) {
			h := rec{k: r.Int64N(3), x: r.Int64N(9), ts: 1000 * i, id: r.Int64N(4)}
			stream = append(stream, happening{rec: h})
			if _, ok := ends[h.k]; !ok {
				ends[h.k] = h.id
			}
			l := append(slices.Clone(lists[h.k]), h)
			slices.SortStableFunc(l, func(a, b rec) int { return cmp.Compare(a.x, b.x) })
			top := l[:min(len(l), int(ends[h.k]))]
			for _, g := range gone(lists[h.k], top) {
				want = append(want, "-D | "+g.String())
			}
			for _, g := range gone(top, lists[h.k]) {
				want = append(want, "+I | "+g.String())
			}
			lists[h.k] = slices.Clone(top)
		}
		twin(t, "end of a column", spec, stream, want, seed, row.InsertOnly)
	}
}

// A long list: rows in the middle of thousands of others.
func TestRankLongList(t *testing.T) {
	spec := &relop.RankSpec{In: recSchema, Name: "SortLimit", OrderBy: []row.OrderBy{{Col: 1}}, Start: 1, End: 270, EndCol: -1, Strategy: relop.RankRetract, UpdateBefore: true, Out: recSchema}
	m := &rankModel{spec: spec, lists: map[int64][]ranking{}}
	r := rand.New(rand.NewPCG(1, 1))
	var stream []happening
	var want []string
	var have []rec
	for i := range int64(900) {
		h := happening{rec: rec{x: r.Int64N(400), id: i}}
		if i%3 == 2 {
			j := r.IntN(len(have))
			h.rec, h.kind = have[j], row.Delete
			have = slices.Delete(have, j, j+1)
		} else {
			have = append(have, h.rec)
		}
		stream, want = append(stream, h), append(want, m.row(h)...)
	}
	if got := newPlayer(t, spec, 100, false, row.AllKinds).play(stream, 50, nil); !slices.Equal(got, want) {
		t.Errorf("%d lines, not the %d of the model", len(got), len(want))
	}
}

// keepModel keeps one row per partition.
func keepModel(spec *relop.KeepSpec, stream []happening) (want []string) {
	kept, first := map[int64]rec{}, map[int64]bool{}
	for _, h := range stream {
		old, there := kept[h.k]
		c := 0
		if len(spec.OrderBy) > 0 {
			if c = cmp.Compare(h.x, old.x); spec.OrderBy[0].Desc {
				c = -c
			}
		}
		switch {
		case !there:
			want = append(want, "+I | "+h.String())
			first[h.k] = true
		case c > 0 || c == 0 && !spec.Last || spec.Quiet && first[h.k] && old == h.rec:
			continue
		default:
			if spec.UpdateBefore {
				want = append(want, "-U | "+old.String())
			}
			want = append(want, "+U | "+h.String())
			first[h.k] = false
		}
		kept[h.k] = h.rec
	}
	return want
}

func TestKeepAgainstModel(t *testing.T) {
	strategy := relop.RankAppend
	for seed := uint64(0); seed < 18; seed++ {
		r := rand.New(rand.NewPCG(seed, 5))
		spec := &relop.KeepSpec{In: recSchema, Partition: []int{0}, UpdateBefore: seed%5 != 0}
		switch seed % 3 {
		case 0:
			spec.Last, spec.Quiet = true, true
		case 1:
			spec.Last, spec.OrderBy = true, []row.OrderBy{{Col: 1, Desc: true}}
		case 2:
			spec.Strategy, spec.OrderBy = &strategy, []row.OrderBy{{Col: 1, Desc: seed%2 == 0}}
		}
		var stream []happening
		for range 200 {
			stream = append(stream, happening{rec: rec{k: r.Int64N(4), x: r.Int64N(6), id: r.Int64N(2)}})
		}
		twin(t, fmt.Sprintf("keep %d", seed%3), spec, stream, keepModel(spec, stream), seed, row.InsertOnly)
	}
}

// With a time to live a row that is too old is as if it never came, and equal
// rows are sent again.
func TestKeepForgets(t *testing.T) {
	spec := &relop.KeepSpec{In: recSchema, Partition: []int{0}, Last: true, Quiet: true, UpdateBefore: true, TTL: 100}
	h := happening{rec: rec{k: 1, x: 2, id: 3}}
	stream := []happening{h, {clock: 50}, h, {clock: 149}, h, {clock: 249}, h}
	text := h.String()
	want := []string{"+I | " + text, "-U | " + text, "+U | " + text, "-U | " + text, "+U | " + text, "+I | " + text}
	twin(t, "time to live", spec, stream, want, 1, row.InsertOnly)
}

func TestFirstAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 12; seed++ {
		r := rand.New(rand.NewPCG(seed, 6))
		spec := &relop.FirstSpec{In: recSchema, Partition: []int{0}, Start: 1 + r.Int64N(2), End: 2 + r.Int64N(3), WithRank: true, Out: recWith("rn")}
		count := map[int64]int64{}
		var stream []happening
		var want []string
		for range 60 {
			h := happening{rec: rec{k: r.Int64N(8), x: r.Int64N(6)}}
			stream = append(stream, h)
			count[h.k]++
			if n := count[h.k]; n >= spec.Start && n <= spec.End {
				want = append(want, fmt.Sprintf("+I | %s | %d", h, n))
			}
		}
		twin(t, "first", spec, stream, want, seed, row.InsertOnly)
	}
}

// timed is a stream of rows that are late now and then, with watermarks.
func timed(r *rand.Rand, rows int) []happening {
	var stream []happening
	top, mark := int64(10_000), types.Time(0)
	for i := range rows {
		top += r.Int64N(400)
		h := happening{rec: rec{k: r.Int64N(3), x: r.Int64N(6), ts: (top - r.Int64N(1500)) / 100 * 100, id: int64(i)}}
		stream = append(stream, h)
		if next := types.Time(top - 700); r.IntN(4) == 0 && next > mark {
			mark = next
			stream = append(stream, happening{mark: mark})
		}
	}
	return append(stream, happening{mark: types.MaxTime})
}
