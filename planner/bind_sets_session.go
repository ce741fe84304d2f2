package planner

import (
	"slices"

	"fsql/expr"
	"fsql/planner/logical"
	"fsql/planner/rules"
	"fsql/window"
)

// repeatSessions gives what repeat gives, repeating the rows below the SESSION
// function that they come from. Flink transposes the two, which can be seen
// where a set leaves out a column of PARTITION BY: it is NULL before sessions
// are made, so that they run across all of its values. ok is false where in is
// not made by such a function.
func repeatSessions(g *grouping, in logical.Node, keys []int) (n logical.Node, ok bool) {
	bounds := logical.BoundsOf(in)
	if bounds == nil || bounds.By.Kind != window.Session || len(bounds.Keys) == 0 {
		return nil, false
	}
	for _, set := range g.sets.sets {
		for i, k := range keys {
			if _, bound := bounds.Prop(k); bound && !has(set, i) {
				return nil, false // a NULL takes the bound's place above the function
			}
		}
	}
	below, by, at, ok := rules.BelowWindow(in)
	if !ok {
		return nil, false
	}
	cols := make([]int, len(keys)) // the keys among the columns below
	place := make([]int, len(keys))
	kept := 0
	for i, k := range keys {
		cols[i] = max(at[k], -1)
		if place[i] = kept; at[k] >= 0 {
			kept++
		}
	}
	repeated := repeat(g, below, cols)
	shift := kept + g.sets.extra()
	by.Time += shift
	for p := range by.Keys {
		by.Keys[p] += shift
		for i, k := range keys {
			if slices.Contains(bounds.Keys[p], k) {
				by.Keys[p] = place[i]
			}
		}
	}
	w := logical.NewWindow(repeated, by)
	s := w.Schema()
	column := func(c int) expr.Node { // c as in at
		if c < 0 {
			return logical.Ref(s, len(repeated.Schema().Columns)+(-1-c))
		}
		return logical.Ref(s, shift+c)
	}
	var exprs []expr.Node
	for i, k := range keys {
		if at[k] < 0 {
			exprs = append(exprs, column(at[k]))
		} else {
			exprs = append(exprs, logical.Ref(s, place[i]))
		}
	}
	for i := range g.sets.extra() {
		exprs = append(exprs, logical.Ref(s, kept+i))
	}
	var names []string
	for _, e := range exprs {
		names = append(names, s.Columns[logical.AsRef(e)].Name)
	}
	for i, c := range at {
		exprs, names = append(exprs, column(c)), append(names, in.Schema().Columns[i].Name)
	}
	return logical.NewCalc(w, nil, exprs, logical.UniqueNames(names)), true
}
