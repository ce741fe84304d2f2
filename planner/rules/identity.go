package rules

import "fsql/planner/logical"

// removeIdentity drops calcs that pass all columns on in their order; names do
// not matter to who reads by position.
func removeIdentity(n logical.Node) (logical.Node, error) {
	c, ok := n.(*logical.Calc)
	if ok && c.Cond == nil && logical.Identity(c.Exprs, c.Input.Schema()) {
		return c.Input, nil
	}
	return n, nil
}
