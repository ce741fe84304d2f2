package builtin

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func negDec(d types.Dec) types.Dec { return value.DecNeg(d) }

// decimalType is the result of an operator on DECIMAL(p1, s1) and DECIMAL(p2,
// s2) (flink-sql 2.3): beyond 38 digits the fraction gives way down to 6.
func decimalType(op byte, a, b types.Type) types.Type {
	p1, s1, p2, s2 := a.Precision, a.Scale, b.Precision, b.Scale
	var p, s int32
	switch op {
	case '+', '-':
		s = max(s1, s2)
		p = max(p1-s1, p2-s2) + s + 1
	case '*':
		s, p = s1+s2, p1+p2+1
	case '/':
		s = max(6, s1+p2+1)
		p = p1 - s1 + s2 + s
	default:
		s = max(s1, s2)
		p = min(p1-s1, p2-s2) + s
	}
	if p > 38 {
		whole := p - s
		p, s = 38, max(38-whole, min(s, 6))
	}
	return types.DecimalOf(p, s)
}

func decimals(op byte, args []expr.Node) (*expr.Call, error) {
	divisor := args[1].Type().Plain()
	a, b := expr.AsDecimal(args[0].Type()), expr.AsDecimal(divisor)
	t := decimalType(op, a, b)
	args, err := to(args, a, b)
	if err != nil {
		return nil, err
	}
	if op == '%' && a.Scale == 0 && b.Scale == 0 {
		t = divisor // of whole numbers the remainder has its type, which it fits
	}
	as, bs, p, s := int(a.Scale), int(b.Scale), int(expr.AsDecimal(t).Precision), int(t.Scale)
	call := &expr.Call{Args: args, T: t.NotNull().OrNull(nullable(args...))}
	var f func(x, y types.Dec) (types.Dec, bool)
	switch op {
	case '+', '-':
		if as == bs && s == as {
			// One scale: plain addition of 128-bit words.
			add := value.DecAdd
			if op == '-' {
				add = value.DecSub
			}
			f = add
			break
		}
		f = func(x, y types.Dec) (types.Dec, bool) { return value.DecSum(x, as, y, bs, s, op == '-') }
	case '*':
		drop := as + bs - s
		f = func(x, y types.Dec) (types.Dec, bool) { return value.DecMul(x, y, drop) }
	case '/':
		f = func(x, y types.Dec) (types.Dec, bool) { return value.DecDiv(x, as, y, bs, s) }
	default:
		f = func(x, y types.Dec) (types.Dec, bool) { return value.DecRem(x, as, y, bs, s) }
	}
	divides := op == '/' || op == '%'
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, b := args[0].Dec, args[1].Dec
		for i := range expr.Rows(sel, out.Len) {
			if divides && b[i] == (types.Dec{}) {
				return divisionByZero(call)
			}
			d, ok := f(a[i], b[i])
			if !ok || !value.DecFits(d, p) {
				if !call.T.Nullable {
					return overflow(call)
				}
				out.SetNull(int(i))
				continue
			}
			switch t.Layout() {
			case types.LayoutDec:
				out.Dec[i] = d
			case types.LayoutI64:
				out.I64[i] = value.DecToInt64(d, 0)
			default:
				out.I32[i] = int32(value.DecToInt64(d, 0))
			}
		}
		return nil
	}
	return call, nil
}

// overflow: Flink makes NULL of it, which a NOT NULL result cannot be.
func overflow(call *expr.Call) error {
	return diag.New(diag.Overflow, diag.Span{}, "the result of %s does not fit %s, and it is NOT NULL", call, call.T.Short()).
		WithHint("make room: CAST(a AS DECIMAL(p, s)) with fewer digits behind the point")
}
