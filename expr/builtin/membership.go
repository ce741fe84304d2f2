package builtin

import (
	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

func membership() []*expr.Func {
	return []*expr.Func{between(false), between(true), inFunc()}
}

// between resolves to comparisons: x >= lo AND x <= hi.
func between(symmetric bool) *expr.Func {
	f := &expr.Func{BareNull: true, Name: "BETWEEN", Doc: "TRUE if the value lies within the bounds, which belong to it.", Example: "3 BETWEEN 1 AND 3", Syntax: "x BETWEEN low AND high"}
	if symmetric {
		f = &expr.Func{BareNull: true, Name: "BETWEEN SYMMETRIC", Doc: "BETWEEN with the bounds in either order.", Example: "2 BETWEEN SYMMETRIC 3 AND 1", Syntax: "x BETWEEN SYMMETRIC a AND b"}
	}
	and, or := andFunc(), orFunc()
	inside := func(x, lo, hi expr.Node) (*expr.Call, error) {
		a, err := relate(ge, x, lo)
		if err != nil {
			return nil, err
		}
		b, err := relate(le, x, hi)
		if err != nil {
			return nil, err
		}
		return both(and, a, b)
	}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if len(args) != 3 {
			return nil, expr.ErrArguments
		}
		plain, err := inside(args[0], args[1], args[2])
		if err != nil || !symmetric {
			return plain, err
		}
		turned, err := inside(args[0], args[2], args[1])
		if err != nil {
			return nil, err
		}
		return both(or, plain, turned)
	}
	return f
}

// relate is a comparison as a finished node.
func relate(r relation, a, b expr.Node) (*expr.Call, error) {
	call, err := compare(r, []expr.Node{a, b})
	if err != nil {
		return nil, err
	}
	call.Fn = comparisons()[r]
	return call, nil
}

// inFunc is x IN (list): a set where the list is constant, else an OR of
// comparisons.
func inFunc() *expr.Func {
	f := &expr.Func{BareNull: true, Name: "IN", Doc: "TRUE if the list holds the value; unknown if it does not and holds NULL.", Example: "2 IN (1, 2, 3)", Syntax: "x IN (a, b, ...)"}
	or := orFunc()
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if len(args) < 2 {
			return nil, expr.ErrArguments
		}
		if call := constantList(f, args); call != nil {
			return call, nil
		}
		var out *expr.Call
		for _, a := range args[1:] {
			x, y := args[0], a
			// A text in the list of a number or a time is read as one.
			if tx, ty := x.Type(), y.Type(); readsText(tx, true) && ty.IsString() {
				n, err := expr.NewCast(y, tx, false)
				if err != nil {
					return nil, err
				}
				y = n
			} else if tx.IsString() && ty.IsNumeric() {
				// A number beside a text is written as one.
				n, err := expr.NewCast(y, stringType, false)
				if err != nil {
					return nil, err
				}
				y = n
			} else if tx.IsString() && readsText(ty, true) {
				n, err := expr.NewCast(x, ty, false)
				if err != nil {
					return nil, err
				}
				x = n
			}
			one, err := relate(eq, x, y)
			if err != nil {
				return nil, err
			}
			if out == nil {
				out = one
			} else if out, err = both(or, out, one); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return f
}

// constantList makes a set of a list of constants that share the value's
// family, or returns nil.
func constantList(f *expr.Func, args []expr.Node) *expr.Call {
	t := args[0].Type()
	switch {
	case t.IsString(), t.IsInteger(), t.Kind == types.Date:
	default:
		return nil
	}
	texts, numbers, null := map[string]bool{}, map[int64]bool{}, false
	text := "{} IN ("
	for i, a := range args[1:] {
		l, ok := a.(*expr.Literal)
		if !ok {
			return nil
		}
		if i > 0 {
			text += ", "
		}
		text += "{}"
		u := l.T
		switch {
		case l.IsNull():
			null = true
		case t.IsString() && u.IsString():
			texts[l.Value.Str[0]] = true
		case t.IsInteger() && u.IsInteger() && u.Layout() == types.LayoutI64:
			numbers[l.Value.I64[0]] = true
		case t.IsInteger() && u.IsInteger(), t.Kind == types.Date && u.Kind == types.Date:
			numbers[int64(l.Value.I32[0])] = true
		default:
			return nil
		}
	}
	call := &expr.Call{Fn: f, Args: args, T: of(types.Boolean, null || t.Nullable), Safe: true, Text: text + ")"}
	in := func(i int32, a *row.Vec) bool { return texts[a.Str[i]] }
	switch t.Layout() {
	case types.LayoutI32:
		in = func(i int32, a *row.Vec) bool { return numbers[int64(a.I32[i])] }
	case types.LayoutI64:
		in = func(i int32, a *row.Vec) bool { return numbers[a.I64[i]] }
	}
	g := *f
	g.Nulls = expr.NullSeen
	call.Fn = &g
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a := args[0]
		for i := range expr.Rows(sel, out.Len) {
			if a.IsNull(int(i)) {
				out.SetNull(int(i))
			} else if out.Bool[i] = in(i, a); !out.Bool[i] && null {
				out.SetNull(int(i))
			}
		}
		return nil
	}
	return call
}
