package rules

import (
	"fsql/expr"
	"fsql/planner/logical"
)

// mergeCalc makes one calc of two: a filter and the projections around it run
// in one step, and what nobody asks for is not computed.
func (c Context) mergeCalc(n logical.Node) (logical.Node, error) {
	top, ok := n.(*logical.Calc)
	if !ok {
		return n, nil
	}
	below, ok := top.Input.(*logical.Calc)
	if !ok || !mergeable(top, below) {
		return n, nil
	}
	exprs := make([]expr.Node, len(top.Exprs))
	for i, e := range top.Exprs {
		exprs[i] = logical.Substitute(e, below.Exprs)
	}
	cond := below.Cond
	if top.Cond != nil {
		above := logical.Substitute(top.Cond, below.Exprs)
		if cond == nil {
			cond = above
		} else {
			both, err := expr.NewCall(c.Funcs, "AND", []expr.Node{cond, above})
			if err != nil {
				return nil, err
			}
			cond = both
		}
	}
	return top.Recast(below.Input, cond, exprs), nil
}

// mergeable: a volatile expression must stay evaluated once per row, and
// nothing above a filter may be evaluated for rows that the filter drops.
func mergeable(top, below *logical.Calc) bool {
	uses := make([]int, len(below.Exprs))
	count := func(e expr.Node) {
		logical.Any(e, func(m expr.Node) bool {
			if c := logical.AsRef(m); c >= 0 {
				uses[c]++
			}
			return false
		})
	}
	for _, e := range top.Exprs {
		count(e)
	}
	if top.Cond != nil {
		count(top.Cond)
	}
	for i, e := range below.Exprs {
		if logical.Volatile(e) && (uses[i] != 1 || top.Cond != nil) {
			return false
		}
	}
	return true
}
