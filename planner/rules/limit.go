package rules

import "fsql/planner/logical"

// pushLimit tells a scan after how many rows it may end, so that LIMIT over an
// endless table ends. Only who reads the scan alone may say so, and only with
// nothing between that drops or regroups rows.
func pushLimit(roots []logical.Node) ([]logical.Node, error) {
	uses := logical.Uses(roots)
	return logical.Each("", func(n logical.Node) (logical.Node, error) {
		l, ok := n.(*logical.Limit)
		if !ok {
			return n, nil
		}
		var calcs []*logical.Calc
		in := l.Input
		for {
			c, ok := in.(*logical.Calc)
			if !ok || c.Cond != nil || uses[c] != 1 {
				break
			}
			calcs, in = append(calcs, c), c.Input
		}
		s, ok := in.(*logical.Scan)
		if !ok || uses[s] != 1 || s.Limit >= 0 {
			return n, nil
		}
		limited := *s
		limited.Limit = l.Count + l.Offset
		var out logical.Node = &limited
		for i := len(calcs) - 1; i >= 0; i-- {
			out = calcs[i].With([]logical.Node{out})
		}
		return l.With([]logical.Node{out}), nil
	}).Apply(roots)
}
