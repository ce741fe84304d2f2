package relop_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

// finder finds the first row of a list that a change concerns: by id, if the
// changes have a key, else by all values.
func finder(byID bool) func(list []rec, r rec) int {
	return func(list []rec, r rec) int {
		return slices.IndexFunc(list, func(m rec) bool { return byID && m.id == r.id || m == r })
	}
}

// materialModel keeps the list of every primary key.
func materialModel(byID bool, stream []happening) (want []string) {
	lists, find := map[int64][]rec{}, finder(byID)
	send := func(k row.Kind, r rec) { want = append(want, k.String()+" | "+r.String()) }
	for _, h := range stream {
		if h.mark != 0 {
			continue
		}
		l := lists[h.k]
		at := find(l, h.rec)
		switch {
		case h.kind.Adds():
			kind := row.UpdateAfter
			if len(l) == 0 {
				kind = row.Insert
			}
			if byID && at >= 0 {
				l[at] = h.rec
			} else {
				l = append(l, h.rec)
			}
			send(kind, h.rec)
		case at >= 0:
			l = slices.Delete(l, at, at+1)
			switch {
			case len(l) == 0:
				send(row.Delete, h.rec)
			case at == len(l):
				send(row.UpdateAfter, l[at-1])
			}
		}
		lists[h.k] = l
	}
	return want
}

// compactModel settles the changes of every primary key at the watermarks.
func compactModel(byID bool, stream []happening) (want []string) {
	now, wait, find := map[int64]rec{}, map[int64][]happening{}, finder(byID)
	var due []int64
	send := func(k row.Kind, r rec) { want = append(want, k.String()+" | "+r.String()) }
	settle := func(k int64) {
		var values []rec
		had, there := now[k]
		if there {
			values = append(values, had)
		}
		for _, h := range wait[k] {
			at := find(values, h.rec)
			switch {
			case h.kind.Adds() && byID && at >= 0:
				values[at] = h.rec
			case h.kind.Adds():
				values = append(values, h.rec)
			case at >= 0:
				values = slices.Delete(values, at, at+1)
			}
		}
		switch {
		case len(values) == 0 && there:
			send(row.Delete, had)
			delete(now, k)
		case len(values) > 1 && there, len(values) == 0, there && values[0] == had:
		default:
			kind := row.Insert
			if there {
				kind = row.UpdateAfter
			}
			send(kind, values[0])
			now[k] = values[0]
		}
	}
	for _, h := range stream {
		if h.mark != 0 {
			for _, k := range due {
				settle(k)
			}
			due, wait = nil, map[int64][]happening{}
			continue
		}
		if !slices.Contains(due, h.k) {
			due = append(due, h.k)
		}
		at := slices.IndexFunc(wait[h.k], func(o happening) bool { return o.rec == h.rec && o.kind.Adds() != h.kind.Adds() })
		if at >= 0 {
			wait[h.k] = slices.Delete(wait[h.k], at, at+1)
		} else {
			wait[h.k] = append(wait[h.k], h)
		}
	}
	return want
}

// conflicting are changes of few primary keys, some of rows that are not there.
func conflicting(r *rand.Rand, rows int) []happening {
	var stream []happening
	var live []rec
	mark := types.Time(0)
	for range rows {
		if r.IntN(5) == 0 {
			mark += 10
			stream = append(stream, happening{mark: mark})
		}
		h := happening{rec: rec{k: r.Int64N(4), x: r.Int64N(2), id: r.Int64N(4)}}
		switch {
		case r.IntN(12) == 0:
			h.kind = row.Delete
		case len(live) > 0 && r.IntN(2) == 0:
			i := r.IntN(len(live))
			h.rec, h.kind = live[i], row.UpdateBefore
			live = slices.Delete(live, i, i+1)
		default:
			h.kind = []row.Kind{row.Insert, row.UpdateAfter}[r.IntN(2)]
			live = append(live, h.rec)
		}
		stream = append(stream, h)
	}
	return append(stream, happening{mark: types.MaxTime})
}

func TestMaterializeAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 16; seed++ {
		spec := &relop.MaterializeSpec{In: recSchema, Key: []int{0}}
		if seed%2 == 0 {
			spec.Unique = []int{3}
		}
		stream := conflicting(rand.New(rand.NewPCG(seed, 9)), 250)
		twin(t, "materialize", spec, stream, materialModel(seed%2 == 0, stream), seed, row.AllKinds)
	}
}

func TestCompactAgainstModel(t *testing.T) {
	for seed := uint64(0); seed < 16; seed++ {
		spec := &relop.CompactSpec{In: recSchema, Key: []int{0}}
		if seed%2 == 0 {
			spec.Unique = []int{3}
		}
		stream := conflicting(rand.New(rand.NewPCG(seed, 10)), 250)
		twin(t, "compact", spec, stream, compactModel(seed%2 == 0, stream), seed, row.AllKinds)
	}
}

// With a time to live what is too old is as if it never came.
func TestConflictsForget(t *testing.T) {
	a, b := happening{rec: rec{k: 1, x: 2, id: 3}}, happening{rec: rec{k: 1, x: 2, id: 4}}
	gone := a
	gone.kind = row.Delete
	in := func(h happening) string { return h.String() }
	stream := []happening{a, {clock: 50}, b, {clock: 149}, b, {clock: 240}, gone, {clock: 339}, a, {clock: 500}, b, {clock: 900}, gone}
	want := []string{"+I | " + in(a), "+U | " + in(b), "+U | " + in(b), "+U | " + in(a), "+I | " + in(b)}
	twin(t, "materialize", &relop.MaterializeSpec{In: recSchema, Key: []int{0}, Unique: []int{3}, TTL: 100}, stream, want, 1, row.AllKinds)
	stream = []happening{a, {mark: 1}, {clock: 50}, b, {mark: 2}, {clock: 101}, b, {mark: 3}, {clock: 300}, a, {mark: 4}}
	want = []string{"+I | " + in(a), "+I | " + in(b), "+I | " + in(a)}
	twin(t, "compact", &relop.CompactSpec{In: recSchema, Key: []int{0}, Unique: []int{3}, TTL: 100}, stream, want, 1, row.AllKinds)
}

func TestCompactRefuses(t *testing.T) {
	spec := &relop.CompactSpec{In: recSchema, Key: []int{0, 1}, Table: "t", Refuse: true}
	o, err := spec.Build(testContext(7, false))
	if err != nil {
		t.Fatal(err)
	}
	h := happening{rec: rec{k: 1, x: 2, id: 3}}
	_, err = o.OnBatch(0, batchOf([]happening{h, h, {mark: 9}}), discard)
	const want = "several rows of the query meet in one of table 't', whose primary key is k = 1, x = 2"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if n := o.(op.Metered).Counters()[0].Value; n != 0 {
		t.Errorf("%d dropped", n)
	}
}
