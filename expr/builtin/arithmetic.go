package builtin

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func arithmetic() []*expr.Func {
	plus := &expr.Func{Name: "+", Doc: "Sum; a time moved by an interval.", Example: "1 + 2 = 3", Syntax: "a + b", Resolve: binary('+')}
	minus := &expr.Func{Name: "-", Doc: "Difference; a time moved back by an interval.", Example: "1 - 2 = -1", Syntax: "a - b", Resolve: binary('-')}
	times := &expr.Func{Name: "*", Doc: "Product; an interval times a number.", Example: "1.5 * 2 = 3", Syntax: "a * b", Resolve: binary('*')}
	over := &expr.Func{Name: "/", Doc: "Quotient, cut off for whole numbers.", Example: "7 / 2 = 3", Syntax: "a / b", Resolve: binary('/')}
	rem := &expr.Func{Name: "%", Doc: "Remainder with the sign of the first operand.", Example: "-7 % 3 = -1", Syntax: "a % b", Resolve: binary('%')}
	mod := &expr.Func{Name: "MOD", Doc: "Remainder with the sign of the first operand.", Example: "MOD(7, 4) = 3", Syntax: "MOD(a, b)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			call, err := binary('%')(args)
			if err == nil {
				call.Text = "MOD({}, {})"
			}
			return call, err
		}}
	return []*expr.Func{plus, minus, times, over, rem, mod, negative(), positive()}
}

// binary resolves an arithmetic operator by the families of its operands.
func binary(op byte) func([]expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if len(args) != 2 {
			return nil, expr.ErrArguments
		}
		ta, tb := args[0].Type(), args[1].Type()
		var call *expr.Call
		var err error
		switch {
		case ta.IsNumeric() && tb.IsNumeric():
			call, err = numeric(op, args)
		default:
			call, err = temporal(op, args)
		}
		if err == nil {
			call.Text = "({} " + string(op) + " {})"
		}
		return call, err
	}
}

// numeric types the result by flink-sql 2.3 and picks the kernel.
func numeric(op byte, args []expr.Node) (*expr.Call, error) {
	a, b := args[0].Type().Plain(), args[1].Type().Plain()
	null := nullable(args...)
	if a.IsApprox() || b.IsApprox() {
		if op == '%' {
			return nil, expr.ErrArguments
		}
		t, err := expr.Common(a, b)
		if err != nil {
			return nil, err
		}
		if args, err = to(args, t); err != nil {
			return nil, err
		}
		call := &expr.Call{Args: args, T: t.NotNull().OrNull(null), Safe: true}
		if t.Kind == types.Float {
			call.Eval = floats(op, expr.Values[float32])
		} else {
			call.Eval = floats(op, expr.Values[float64])
		}
		return call, nil
	}
	if a.Kind == types.Decimal || b.Kind == types.Decimal {
		return decimals(op, args)
	}
	t := a
	if b.Kind > a.Kind {
		t = b
	}
	if op == '%' && t.Kind == types.BigInt && b.Kind != types.BigInt {
		return wideRemainder(args, b, null)
	}
	result := t
	if op == '%' {
		result = b // the remainder fits the type of the divisor
	}
	args, err := to(args, t)
	if err != nil {
		return nil, err
	}
	call := &expr.Call{Args: args, T: result.NotNull().OrNull(null), Safe: op != '/' && op != '%'}
	if t.Kind == types.BigInt {
		call.Eval = integers(op, expr.Values[int64])
	} else {
		call.Eval = expr.Narrow(integers(op, expr.Values[int32]), t)
	}
	return call, nil
}

// wideRemainder is BIGINT % a narrower type, which is the result's.
func wideRemainder(args []expr.Node, t types.Type, null bool) (*expr.Call, error) {
	args, err := to(args, bigType)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: t.NotNull().OrNull(null), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, b := args[0].I64, args[1].I64
		for i := range expr.Rows(sel, out.Len) {
			if b[i] == 0 {
				return divisionByZero(call)
			}
			out.I32[i] = int32(a[i] % b[i])
		}
		return nil
	}}, nil
}

func divisionByZero(call *expr.Call) error {
	return diag.New(diag.DivisionByZero, diag.Span{}, "division by zero in %s", call).
		WithHint("guard it: a / NULLIF(b, 0)")
}

// integers computes whole numbers, which wrap around as Java's do.
func integers[T int32 | int64](op byte, get func(*row.Vec) []T) expr.Kernel {
	if op == '/' || op == '%' {
		return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			a, b, r := get(args[0]), get(args[1]), get(out)
			for i := range expr.Rows(sel, out.Len) {
				d := b[i]
				if d == 0 {
					return divisionByZero(call)
				}
				if op == '/' {
					r[i] = a[i] / d
				} else {
					r[i] = a[i] % d
				}
			}
			return nil
		}
	}
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		calculate(op, call, get, args, sel, get(out))
		return nil
	}
}

// floats computes floating point; a division by zero is infinite or NaN.
func floats[T float32 | float64](op byte, get func(*row.Vec) []T) expr.Kernel {
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		r := get(out)
		if op != '/' {
			calculate(op, call, get, args, sel, r)
			return nil
		}
		a, b := get(args[0]), get(args[1])
		if sel != nil {
			for _, i := range sel {
				r[i] = a[i] / b[i]
			}
			return nil
		}
		a, b = a[:len(r)], b[:len(r)]
		for i := range r {
			r[i] = a[i] / b[i]
		}
		return nil
	}
}

// calculate adds, subtracts and multiplies columns, or a column and a
// constant.
func calculate[T int32 | int64 | float32 | float64](op byte, call *expr.Call, get func(*row.Vec) []T, args []*row.Vec, sel []int32, r []T) {
	if len(r) == 0 {
		return
	}
	if lit, ok := call.Args[1].(*expr.Literal); ok {
		constant(op, get(args[0]), get(lit.Value)[0], sel, r)
		return
	}
	if lit, ok := call.Args[0].(*expr.Literal); ok && op != '-' {
		constant(op, get(args[1]), get(lit.Value)[0], sel, r)
		return
	}
	a, b := get(args[0]), get(args[1])
	if sel != nil {
		for _, i := range sel {
			switch op {
			case '+':
				r[i] = a[i] + b[i]
			case '-':
				r[i] = a[i] - b[i]
			default:
				r[i] = a[i] * b[i]
			}
		}
		return
	}
	a, b = a[:len(r)], b[:len(r)]
	switch op {
	case '+':
		for i := range r {
			r[i] = a[i] + b[i]
		}
	case '-':
		for i := range r {
			r[i] = a[i] - b[i]
		}
	default:
		for i := range r {
			r[i] = a[i] * b[i]
		}
	}
}

func constant[T int32 | int64 | float32 | float64](op byte, a []T, k T, sel []int32, r []T) {
	if sel != nil {
		for _, i := range sel {
			switch op {
			case '+':
				r[i] = a[i] + k
			case '-':
				r[i] = a[i] - k
			default:
				r[i] = a[i] * k
			}
		}
		return
	}
	a = a[:len(r)]
	switch op {
	case '+':
		for i, v := range a {
			r[i] = v + k
		}
	case '-':
		for i, v := range a {
			r[i] = v - k
		}
	default:
		for i, v := range a {
			r[i] = v * k
		}
	}
}

func negative() *expr.Func {
	return &expr.Func{Name: "NEG", Doc: "The negative value.", Example: "-(2 - 5) = 3", Syntax: "-a",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, func(t types.Type) bool { return isNumber(t) || t.IsInterval() }); err != nil {
				return nil, err
			}
			t := args[0].Type().Plain()
			k := expr.Kernel(func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				a := args[0]
				for i := range expr.Rows(sel, out.Len) {
					switch t.Layout() {
					case types.LayoutI32:
						out.I32[i] = -a.I32[i]
					case types.LayoutI64:
						out.I64[i] = -a.I64[i]
					case types.LayoutF32:
						out.F32[i] = -a.F32[i]
					case types.LayoutF64:
						out.F64[i] = -a.F64[i]
					default:
						out.Dec[i] = negDec(a.Dec[i])
					}
				}
				return nil
			})
			return &expr.Call{Args: args, T: t, Safe: true, Eval: expr.Narrow(k, t), Text: "-{}"}, nil
		}}
}

func positive() *expr.Func {
	return &expr.Func{Name: "POS", Doc: "The value itself.", Example: "+2 = 2", Syntax: "+a",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, func(t types.Type) bool { return isNumber(t) || t.IsInterval() }); err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: args[0].Type().Plain(), Safe: true, Text: "{}"}, nil
		}}
}
