package builtin

import (
	"cmp"

	"fsql/expr"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// relation is a comparison.
type relation uint8

const (
	eq relation = iota
	ne
	lt
	le
	gt
	ge
)

var symbols = [...]string{eq: "=", ne: "<>", lt: "<", le: "<=", gt: ">", ge: ">="}

// flip is the relation with its operands exchanged.
func (r relation) flip() relation {
	return [...]relation{eq: eq, ne: ne, lt: gt, le: ge, gt: lt, ge: le}[r]
}

// holds applies the relation to the sign of a comparison.
func (r relation) holds(c int) bool {
	switch r {
	case eq:
		return c == 0
	case ne:
		return c != 0
	case lt:
		return c < 0
	case le:
		return c <= 0
	case gt:
		return c > 0
	}
	return c >= 0
}

// ordered compares columns of one Go type, or a column with a constant. The
// loops are written out: a call per value would cost more than the work.
// Floating point follows IEEE 754, as Flink: NaN equals nothing, 0.0 is -0.0.
func ordered[T cmp.Ordered](r relation, get func(*row.Vec) []T) expr.Kernel {
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		if lit, ok := call.Args[1].(*expr.Literal); ok && out.Len > 0 {
			constLoop(r, get(args[0]), get(lit.Value)[0], out.Bool, sel)
			return nil
		}
		if lit, ok := call.Args[0].(*expr.Literal); ok && out.Len > 0 {
			constLoop(r.flip(), get(args[1]), get(lit.Value)[0], out.Bool, sel)
			return nil
		}
		a, b := get(args[0]), get(args[1])
		switch r {
		case gt, ge:
			pairLoop(r.flip(), b, a, out.Bool, sel)
		default:
			pairLoop(r, a, b, out.Bool, sel)
		}
		return nil
	}
}

func pairLoop[T cmp.Ordered](r relation, a, b []T, out []bool, sel []int32) {
	if sel != nil {
		for _, i := range sel {
			switch r {
			case eq:
				out[i] = a[i] == b[i]
			case ne:
				out[i] = a[i] != b[i]
			case lt:
				out[i] = a[i] < b[i]
			default:
				out[i] = a[i] <= b[i]
			}
		}
		return
	}
	a, b = a[:len(out)], b[:len(out)]
	switch r {
	case eq:
		for i := range out {
			out[i] = a[i] == b[i]
		}
	case ne:
		for i := range out {
			out[i] = a[i] != b[i]
		}
	case lt:
		for i := range out {
			out[i] = a[i] < b[i]
		}
	default:
		for i := range out {
			out[i] = a[i] <= b[i]
		}
	}
}

func constLoop[T cmp.Ordered](r relation, a []T, b T, out []bool, sel []int32) {
	if sel != nil {
		for _, i := range sel {
			switch r {
			case eq:
				out[i] = a[i] == b
			case ne:
				out[i] = a[i] != b
			case lt:
				out[i] = a[i] < b
			case le:
				out[i] = a[i] <= b
			case gt:
				out[i] = a[i] > b
			default:
				out[i] = a[i] >= b
			}
		}
		return
	}
	a = a[:len(out)]
	switch r {
	case eq:
		for i, v := range a {
			out[i] = v == b
		}
	case ne:
		for i, v := range a {
			out[i] = v != b
		}
	case lt:
		for i, v := range a {
			out[i] = v < b
		}
	case le:
		for i, v := range a {
			out[i] = v <= b
		}
	case gt:
		for i, v := range a {
			out[i] = v > b
		}
	default:
		for i, v := range a {
			out[i] = v >= b
		}
	}
}

// compareKernel chooses by the layout the operands share.
func compareKernel(r relation, a, b types.Type) expr.Kernel {
	switch a.Layout() {
	case types.LayoutBool:
		return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				out.Bool[i] = r.holds(number(args[0].Bool[i]) - number(args[1].Bool[i]))
			}
			return nil
		}
	case types.LayoutI32:
		return ordered(r, expr.Values[int32])
	case types.LayoutI64:
		return ordered(r, expr.Values[int64])
	case types.LayoutF32:
		return ordered(r, expr.Values[float32])
	case types.LayoutF64:
		return ordered(r, expr.Values[float64])
	case types.LayoutStr:
		return ordered(r, expr.Values[string])
	case types.LayoutDec:
		return decimalKernel(r, int(a.Scale), int(b.Scale))
	case types.LayoutNano:
		return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			a, b := args[0], args[1]
			for i := range expr.Rows(sel, out.Len) {
				d := cmp.Compare(a.I64[i], b.I64[i])
				if d == 0 {
					d = cmp.Compare(a.Nano[i], b.Nano[i])
				}
				out.Bool[i] = r.holds(d)
			}
			return nil
		}
	}
	return nil
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func decimalKernel(r relation, as, bs int) expr.Kernel {
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, b := args[0].Dec, args[1].Dec
		for i := range expr.Rows(sel, out.Len) {
			out.Bool[i] = r.holds(value.DecCompare(a[i], as, b[i], bs))
		}
		return nil
	}
}
