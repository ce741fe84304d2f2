package rules

import "fsql/planner/logical"

// shareScans reads a table once for all who read it the same way: the
// statements of a set, the branches of a UNION. It stands before the pruning
// of columns, which then keeps what any of them needs.
func shareScans(roots []logical.Node) ([]logical.Node, error) {
	first := map[string]logical.Node{}
	return logical.Each("", func(n logical.Node) (logical.Node, error) {
		s, ok := n.(*logical.Scan)
		if !ok {
			return n, nil
		}
		if same, ok := first[s.Key()]; ok {
			return same, nil
		}
		first[s.Key()] = n
		return n, nil
	}).Apply(roots)
}
