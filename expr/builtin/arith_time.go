package builtin

import (
	"fsql/expr"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// temporal resolves operators on times and intervals (flink-sql 2.3).
func temporal(op byte, args []expr.Node) (*expr.Call, error) {
	a, b := args[0].Type().Plain(), args[1].Type().Plain()
	null := nullable(args...)
	switch {
	case (op == '+' || op == '-') && a.IsTemporal() && b.IsInterval():
		return shift(args[0], args[1], op == '-')
	case op == '+' && a.IsInterval() && b.IsTemporal():
		call, err := shift(args[1], args[0], false)
		return call, err
	case (op == '+' || op == '-') && a.IsInterval() && a.Kind == b.Kind:
		call := &expr.Call{Args: args, T: a.NotNull().OrNull(null), Safe: true}
		if a.Kind == types.IntervalMonths {
			call.Eval = integers(op, expr.Values[int32])
		} else {
			call.Eval = integers(op, expr.Values[int64])
		}
		return call, nil
	case op == '*' && a.IsInterval() && b.IsInteger():
		return scale(args, 0)
	case op == '*' && a.IsInteger() && b.IsInterval():
		return scale(args, 1)
	}
	return nil, expr.ErrArguments
}

// scale multiplies an interval, operand k, with a whole number.
func scale(args []expr.Node, k int) (*expr.Call, error) {
	t := args[k].Type().Plain()
	whole := intType
	if t.Kind == types.IntervalMillis {
		whole = bigType
	}
	x, err := expr.Coerce(args[1-k], whole)
	if err != nil {
		return nil, err
	}
	out := []expr.Node{args[0], args[1]}
	out[1-k] = x
	call := &expr.Call{Args: out, T: t.NotNull().OrNull(nullable(args...)), Safe: true}
	if t.Kind == types.IntervalMillis {
		call.Eval = integers('*', expr.Values[int64])
	} else {
		call.Eval = integers('*', expr.Values[int32])
	}
	return call, nil
}

// shift moves a time by an interval. Milliseconds are real time, months go by
// the calendar, of TIMESTAMP_LTZ by that of UTC; DATE moves by whole days, TIME
// within its day.
func shift(t, by expr.Node, back bool) (*expr.Call, error) {
	tt, months := t.Type().Plain(), by.Type().Kind == types.IntervalMonths
	sign := int64(1)
	if back {
		sign = -1
	}
	call := &expr.Call{Args: []expr.Node{t, by}, T: tt.NotNull().OrNull(nullable(t, by)), Safe: true}
	switch {
	case tt.Kind == types.TimeOfDay && months:
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			copy(out.I32, args[0].I32)
			return nil
		}
	case tt.Kind == types.TimeOfDay:
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				out.I32[i] = int32(value.FloorMod(int64(args[0].I32[i])+sign*args[1].I64[i]%value.Day, value.Day))
			}
			return nil
		}
	case tt.Kind == types.Date && months:
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				out.I32[i] = int32(value.AddMonths(int64(args[0].I32[i]), sign*int64(args[1].I32[i])))
			}
			return nil
		}
	case tt.Kind == types.Date:
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				out.I32[i] = int32(int64(args[0].I32[i]) + sign*(args[1].I64[i]/value.Day))
			}
			return nil
		}
	case months:
		unit := millisOf(tt)
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			copy(out.Nano, args[0].Nano)
			for i := range expr.Rows(sel, out.Len) {
				out.I64[i] = addMonths(args[0].I64[i], sign*int64(args[1].I32[i]), value.Day*unit)
			}
			return nil
		}
	default:
		unit := millisOf(tt) * sign
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			copy(out.Nano, args[0].Nano)
			a, b, r := args[0].I64, args[1].I64, out.I64
			if lit, ok := call.Args[1].(*expr.Literal); ok && len(r) > 0 {
				constant('+', a, lit.Value.I64[0]*unit, sel, r)
				return nil
			}
			for i := range expr.Rows(sel, out.Len) {
				r[i] = a[i] + b[i]*unit
			}
			return nil
		}
	}
	return call, nil
}

// millisOf is how many units of a timestamp's column make a millisecond.
func millisOf(t types.Type) int64 {
	if t.Precision > 6 {
		return 1
	}
	return 1000
}

// addMonths moves a timestamp whose days have so many units.
func addMonths(t, months, day int64) int64 {
	days := value.FloorDiv(t, day)
	return value.AddMonths(days, months)*day + t - days*day
}
