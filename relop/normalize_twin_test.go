package relop_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fsql/expr"
	"fsql/expr/builtin"
	"fsql/relop"
	"fsql/row"
)

// normalModel is the step as it is defined: the row of every key.
func normalModel(spec *relop.NormalizeSpec, stream []happening) (want []string) {
	rows := map[int64]rec{}
	for _, h := range stream {
		if h.mark != 0 {
			continue
		}
		old, there := rows[h.k]
		switch {
		case !h.kind.Adds() || spec.Where != nil && h.x <= 2:
			if there {
				want = append(want, "-D | "+old.String())
				delete(rows, h.k)
			}
			continue
		case !there:
			want = append(want, "+I | "+h.String())
		case old == h.rec:
			continue
		default:
			if spec.UpdateBefore {
				want = append(want, "-U | "+old.String())
			}
			want = append(want, "+U | "+h.String())
		}
		rows[h.k] = h.rec
	}
	return want
}

func TestNormalizeAgainstModel(t *testing.T) {
	more, err := expr.NewCall(builtin.All(), ">", []expr.Node{expr.NewColumn(1, "x", recSchema.Columns[1].Type), expr.Int(2)})
	if err != nil {
		t.Fatal(err)
	}
	for seed := uint64(0); seed < 20; seed++ {
		r := rand.New(rand.NewPCG(seed, 8))
		spec := &relop.NormalizeSpec{In: recSchema, Key: []int{0}, UpdateBefore: seed%3 != 0}
		if seed%2 == 0 {
			spec.Where = more
		}
		var stream []happening
		for range 200 {
			kinds := []row.Kind{row.Insert, row.UpdateAfter, row.UpdateAfter, row.Delete}
			stream = append(stream, happening{rec: rec{k: r.Int64N(5), x: r.Int64N(6), id: r.Int64N(2)}, kind: kinds[r.IntN(4)]})
		}
		twin(t, fmt.Sprintf("normalize, condition %v", spec.Where != nil), spec, stream, normalModel(spec, stream), seed, row.Upserts)
	}
}

// With a time to live equal rows are sent again, and a row that is too old is as
// if it never came: its delete says nothing.
func TestNormalizeForgets(t *testing.T) {
	spec := &relop.NormalizeSpec{In: recSchema, Key: []int{0}, UpdateBefore: true, TTL: 100}
	h := happening{rec: rec{k: 1, x: 2, id: 3}}
	gone := h
	gone.kind = row.Delete
	stream := []happening{h, {clock: 50}, h, {clock: 149}, h, {clock: 249}, h, {clock: 300}, gone, h, {clock: 420}, gone, {clock: 700}, h}
	text := h.String()
	want := []string{"+I | " + text, "-U | " + text, "+U | " + text, "-U | " + text, "+U | " + text, "+I | " + text, "-D | " + text, "+I | " + text, "+I | " + text}
	twin(t, "time to live", spec, stream, want, 1, row.Upserts)
}
