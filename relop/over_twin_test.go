package relop_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsql/expr/agg"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

// overCalls are COUNT(*), SUM(x) and MIN(x).
func overCalls(t *testing.T) []agg.Call {
	return []agg.Call{parseCall(t, recSchema, "COUNT(*)"), parseCall(t, recSchema, "SUM(x)"), parseCall(t, recSchema, "MIN(x)")}
}

// overResult is that of a frame.
func overResult(frame []rec) string {
	sum, low := int64(0), frame[0].x
	for _, r := range frame {
		sum, low = sum+r.x, min(low, r.x)
	}
	return fmt.Sprintf(" | %d | %d | %d", len(frame), sum, low)
}

func overSchema() *types.Schema {
	s := recWith("n", "s", "lo")
	s.Columns[4].Type = s.Columns[4].Type.NotNull()
	return s
}

// overModel is OVER by event time as Flink's functions have it, one partition at
// a time: what came out so far, what waits.
type overModel struct {
	spec *relop.OverSpec
	done map[int64][]rec
	last map[int64]int64
	ends map[int64][]int64 // when the state of a RANGE frame was to be dropped: at the last one
	wait []rec
	mark types.Time
}

func (m *overModel) play(stream []happening) (want []string) {
	for _, h := range stream {
		if h.mark == 0 {
			m.come(h.rec)
			continue
		}
		m.mark = h.mark
		slices.SortStableFunc(m.wait, func(a, b rec) int { return cmp.Compare(a.ts, b.ts) })
		n := 0
		for n < len(m.wait) && types.Time(m.wait[n].ts) <= h.mark {
			n++
		}
		want = append(want, m.fire(m.wait[:n])...)
		m.wait = slices.Clone(m.wait[n:])
		for k, ends := range m.ends {
			for len(ends) > 0 && types.Time(ends[0]) <= h.mark {
				m.last[k], ends = max(m.last[k], ends[0]), ends[1:]
			}
			if m.ends[k] = ends; len(ends) == 0 {
				delete(m.ends, k)
				delete(m.done, k)
				delete(m.last, k)
			}
		}
	}
	return want
}

func (m *overModel) come(r rec) {
	last, fired := m.last[r.k]
	if m.spec.Preceding < 0 && types.Time(r.ts) <= m.mark || m.spec.Preceding >= 0 && fired && r.ts <= last {
		return
	}
	m.wait = append(m.wait, r)
	if span := m.spec.Preceding; span >= 0 && !m.spec.Rows {
		if ends := m.ends[r.k]; len(ends) == 0 || ends[len(ends)-1] < r.ts+span+1 {
			m.ends[r.k] = append(ends, r.ts+span+span/2+1)
		}
	}
}

func (m *overModel) fire(rows []rec) (want []string) {
	for i, r := range rows {
		if m.spec.Rows {
			m.done[r.k] = append(m.done[r.k], r)
		} else if i == 0 || rows[i-1].ts != r.ts { // all peers at once
			for _, p := range rows[i:] {
				if p.ts == r.ts {
					m.done[p.k] = append(m.done[p.k], p)
				}
			}
		}
		m.last[r.k] = r.ts
		frame := m.done[r.k]
		switch {
		case m.spec.Preceding >= 0 && m.spec.Rows:
			frame = frame[max(0, len(frame)-int(m.spec.Preceding)-1):]
		case m.spec.Preceding >= 0:
			for frame[0].ts < r.ts-m.spec.Preceding {
				frame = frame[1:]
			}
		}
		want = append(want, "+I | "+r.String()+overResult(frame))
	}
	return want
}

func TestOverAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 16; seed++ {
		r := rand.New(rand.NewPCG(seed, 21))
		spec := &relop.OverSpec{In: recSchema, Partition: []int{0}, Time: 2, Rows: seed%2 == 0, Preceding: -1, Calls: overCalls(t), Out: overSchema()}
		if seed%4 >= 2 {
			if spec.Preceding = r.Int64N(4); !spec.Rows {
				spec.Preceding = r.Int64N(8) * 100
			}
		}
		stream := timed(r, 120)
		m := &overModel{spec: spec, done: map[int64][]rec{}, last: map[int64]int64{}, ends: map[int64][]int64{}, mark: types.MinTime}
		twin(t, fmt.Sprintf("over rows %v %d", spec.Rows, spec.Preceding), spec, stream, m.play(stream), seed, row.InsertOnly)
	}
}

// By processing time rows come out as they come.
func TestOverNowAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 12; seed++ {
		r := rand.New(rand.NewPCG(seed, 22))
		spec := &relop.OverSpec{In: recSchema, Partition: []int{0}, Time: 2, Proctime: true, Rows: seed%3 > 0, Preceding: -1, Calls: overCalls(t), Out: overSchema()}
		if seed%3 == 2 {
			spec.Preceding = r.Int64N(4)
		}
		done := map[int64][]rec{}
		var stream []happening
		var want []string
		for range 120 {
			h := rec{k: r.Int64N(3), x: r.Int64N(9)}
			stream = append(stream, happening{rec: h})
			frame := append(done[h.k], h)
			done[h.k] = frame
			if spec.Preceding >= 0 {
				frame = frame[max(0, len(frame)-int(spec.Preceding)-1):]
			}
			want = append(want, "+I | "+h.String()+overResult(frame))
		}
		twin(t, "over now", spec, stream, want, seed, row.InsertOnly)
	}
}

// A RANGE by processing time waits for the end of the millisecond, or of the
// input, and forgets rows that are too old.
func TestOverByClock(t *testing.T) {
	spec := &relop.OverSpec{In: recSchema, Time: 2, Proctime: true, Preceding: 10, Calls: overCalls(t), Out: overSchema()}
	h := func(x int64) happening { return happening{rec: rec{x: x}} }
	line := func(x int64, result string) string { return "+I | " + rec{x: x}.String() + result }
	stream := []happening{h(4), h(2), {clock: 2}, h(5), {clock: 12}, h(7), {clock: 13}, {clock: 40}, h(1), {mark: types.MaxTime}}
	want := []string{line(4, " | 2 | 6 | 2"), line(2, " | 2 | 6 | 2"), line(5, " | 3 | 11 | 2"), line(7, " | 2 | 12 | 5"), line(1, " | 1 | 1 | 1")}
	twin(t, "by clock", spec, stream, want, 0, row.InsertOnly)
}

// overAnyModel is OVER in the order of any column: all results anew after each
// change.
func overAnyModel(spec *relop.OverAnySpec, stream []happening) (want []string) {
	type result struct {
		rec
		text string
	}
	lists := map[int64][]*result{}
	for _, h := range stream {
		l := lists[h.k]
		var came *result
		if h.kind.Adds() {
			came = &result{rec: h.rec}
			i := 0
			for i < len(l) && l[i].x <= h.x {
				i++
			}
			l = slices.Insert(slices.Clone(l), i, came)
		} else {
			i := slices.IndexFunc(l, func(r *result) bool { return r.rec == h.rec })
			want = append(want, "-D | "+h.String()+l[i].text)
			l = slices.Delete(slices.Clone(l), i, i+1)
		}
		lists[h.k] = l
		for i, r := range l {
			var frame []rec
			for j, o := range l {
				if j <= i || !spec.Rows && o.x == r.x {
					frame = append(frame, o.rec)
				}
			}
			now := overResult(frame)
			switch {
			case r == came:
				want = append(want, h.kind.String()+" | "+r.String()+now)
			case now != r.text:
				if spec.UpdateBefore {
					want = append(want, "-U | "+r.String()+r.text)
				}
				want = append(want, "+U | "+r.String()+now)
			}
			r.text = now
		}
	}
	return want
}

func TestOverAnyAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 12; seed++ {
		r := rand.New(rand.NewPCG(seed, 23))
		spec := &relop.OverAnySpec{In: recSchema, Partition: []int{0}, OrderBy: []row.OrderBy{{Col: 1}}, Rows: seed%2 == 0, Calls: overCalls(t), UpdateBefore: seed%5 > 0, Out: overSchema()}
		have := map[int64][]rec{}
		var stream []happening
		for i := range int64(80) {
			h := happening{rec: rec{k: r.Int64N(2), x: r.Int64N(6), id: i}}
			if l := have[h.k]; len(l) > 0 && r.IntN(3) == 0 {
				j := r.IntN(len(l))
				h.rec, h.kind = l[j], row.Kind(1+2*r.IntN(2)) // -U, -D
				have[h.k] = slices.Delete(l, j, j+1)
			} else {
				h.kind = row.Kind(2 * r.IntN(2)) // +I, +U
				have[h.k] = append(l, h.rec)
			}
			stream = append(stream, h)
		}
		twin(t, "over any", spec, stream, overAnyModel(spec, stream), seed, row.AllKinds)
	}
}
