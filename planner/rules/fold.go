package rules

import (
	"fsql/expr"
	"fsql/planner/logical"
)

// fold computes what does not depend on rows. A condition that is TRUE goes
// away; one that is never TRUE leaves no rows.
func (c Context) fold(n logical.Node) (logical.Node, error) {
	calc, ok := n.(*logical.Calc)
	if !ok {
		return n, nil
	}
	changed := false
	one := func(e expr.Node) (expr.Node, error) {
		f, err := expr.Fold(e, c.Zone)
		if err == nil && f != e {
			changed = true
		}
		return f, err
	}
	exprs := make([]expr.Node, len(calc.Exprs))
	for i, e := range calc.Exprs {
		f, err := one(e)
		if err != nil {
			return nil, err
		}
		exprs[i] = f
	}
	cond := calc.Cond
	if cond != nil {
		f, err := one(cond)
		if err != nil {
			return nil, err
		}
		cond = f
		if l, ok := expr.IsConst(f); ok {
			if l.IsNull() || !l.Value.Bool[0] {
				return logical.NewValues(nil, calc.Schema()), nil
			}
			cond, changed = nil, true
		}
	}
	if !changed {
		return n, nil
	}
	return calc.Recast(calc.Input, cond, exprs), nil
}
