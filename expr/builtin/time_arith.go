package builtin

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func timeArithmetic() []*expr.Func {
	return []*expr.Func{
		{Name: "TIMESTAMPADD", Doc: "The time moved by n units.", Example: "TIMESTAMPADD(MONTH, 1, DATE '2024-01-31') = DATE '2024-02-29'", Syntax: "TIMESTAMPADD(unit, n, t)", Resolve: resolveAdd},
		{Name: "TIMESTAMPDIFF", Doc: "Whole units from a to b.", Example: "TIMESTAMPDIFF(DAY, DATE '2024-02-28', DATE '2024-03-01') = 2", Syntax: "TIMESTAMPDIFF(unit, a, b)", Resolve: resolveDiff},
		{Name: "TIME DIFF", Doc: "The interval from b to a.", Example: "(TIMESTAMP '2024-02-28 10:00:00' - TIMESTAMP '2024-02-28 09:00:00') HOUR = INTERVAL '1' HOUR", Syntax: "(a - b) unit", Resolve: resolveTimeDiff},
		{Name: "OVERLAPS", Doc: "TRUE if two spans of time have a moment in common; each is two ends, or a start and an interval.",
			Example: "(DATE '2024-01-01', DATE '2024-01-31') OVERLAPS (DATE '2024-01-31', DATE '2024-02-10')", Syntax: "(a, b) OVERLAPS (c, d)", Nulls: expr.NullSeen, Resolve: resolveOverlaps},
	}
}

// monthUnit is a calendar unit of TIMESTAMPADD and TIMESTAMPDIFF in months.
func monthUnit(unit string) (months int64, ok bool) {
	switch unit {
	case "MONTH":
		return 1, true
	case "QUARTER":
		return 3, true
	case "YEAR":
		return 12, true
	}
	return 0, false
}

// longUnit is a unit of years that only TIMESTAMPADD takes, in months.
func longUnit(unit string) (months int64, ok bool) {
	switch unit {
	case "DECADE":
		return 120, true
	case "CENTURY":
		return 1200, true
	case "MILLENNIUM":
		return 12000, true
	}
	return monthUnit(unit)
}

// shortUnit is a unit of less than a second: how many are in one.
func shortUnit(unit string) (perSecond int64, ok bool) {
	switch unit {
	case "MILLISECOND":
		return 1e3, true
	case "MICROSECOND":
		return 1e6, true
	case "NANOSECOND":
		return 1e9, true
	}
	return 0, false
}

// milliUnit is a unit of fixed length in milliseconds.
func milliUnit(unit string) (millis int64, ok bool) {
	switch unit {
	case "DAY":
		return value.Day, true
	case "WEEK":
		return 7 * value.Day, true
	}
	return clockUnit(unit)
}

func resolveAdd(args []expr.Node) (*expr.Call, error) {
	unit, args, err := unitOf(args, 2)
	if err != nil {
		return nil, err
	}
	if !args[0].Type().IsInteger() || !args[1].Type().IsTemporal() {
		return nil, expr.ErrArguments
	}
	t := args[1]
	months, isMonths := longUnit(unit)
	millis, ok := milliUnit(unit)
	if !ok && !isMonths {
		return nil, badUnit("TIMESTAMPADD", unit, t.Type())
	}
	if t.Type().Kind == types.Date && ok && millis < value.Day {
		if t, err = expr.Coerce(t, types.TimestampOf(6)); err != nil {
			return nil, err
		}
	}
	by, err := interval(args[0], months, millis)
	if err != nil {
		return nil, err
	}
	call, err := shift(t, by, false)
	if err == nil {
		call.Text = "({} + {})"
	}
	return call, err
}

// interval is n times a number of months or milliseconds.
func interval(n expr.Node, months, millis int64) (expr.Node, error) {
	whole, t, unit := bigType, types.Of(types.IntervalMillis), millis
	if months != 0 {
		whole, t, unit = intType, types.Of(types.IntervalMonths), months
	}
	x, err := expr.Coerce(n, whole)
	if err != nil {
		return nil, err
	}
	call := &expr.Call{Args: []expr.Node{x}, T: t.NotNull().OrNull(nullable(n)), Safe: true}
	call.Fn = &expr.Func{Name: "INTERVAL", Syntax: "INTERVAL n unit"}
	call.Text = "INTERVAL {} " + t.Unit
	call.Extra = unit
	if unit != 1 {
		call.Text = "({} * " + string(value.AppendText(nil, number64(unit), 0, value.UTC())) + ":INTERVAL " + t.Unit + ")"
	}
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		if months != 0 {
			for i := range expr.Rows(sel, out.Len) {
				out.I32[i] = args[0].I32[i] * int32(unit)
			}
			return nil
		}
		for i := range expr.Rows(sel, out.Len) {
			out.I64[i] = args[0].I64[i] * unit
		}
		return nil
	}
	return call, nil
}

func number64(n int64) *row.Vec {
	v := row.NewVec(bigType, 1)
	v.I64[0] = n
	return v
}

// wholeMonths counts the months from b to a, both in milliseconds: as many as
// can be added to b without passing a.
func wholeMonths(a, b int64) int64 {
	ad, bd := value.FloorDiv(a, value.Day), value.FloorDiv(b, value.Day)
	n := dayMonths(ad, bd)
	if value.AddMonths(bd, n) == ad && a-ad*value.Day < b-bd*value.Day {
		n--
	}
	return n
}

func dayMonths(a, b int64) int64 {
	if a < b {
		return -dayMonths(b, a)
	}
	ay, am, _ := value.Civil(a)
	by, bm, _ := value.Civil(b)
	n := (ay-by)*12 + am - bm
	for value.AddMonths(b, n) > a {
		n--
	}
	return n
}

// timePair checks two times that are subtracted.
func timePair(name string, a, b types.Type) error {
	if !a.IsTemporal() || !b.IsTemporal() || (a.Kind == types.TimeOfDay) != (b.Kind == types.TimeOfDay) {
		return expr.ErrArguments
	}
	if (a.Kind == types.TimestampLTZ) != (b.Kind == types.TimestampLTZ) {
		return diag.New(diag.WrongArguments, diag.Span{}, "%s takes both times of the same kind: %s and %s cannot be mixed", name, a.Short(), b.Short()).
			WithHint("convert one of them: CAST(x AS TIMESTAMP_LTZ(3))")
	}
	return nil
}

func resolveDiff(args []expr.Node) (*expr.Call, error) {
	unit, args, err := unitOf(args, 2)
	if err != nil {
		return nil, err
	}
	if err := timePair("TIMESTAMPDIFF", args[0].Type(), args[1].Type()); err != nil {
		return nil, err
	}
	months, isMonths := monthUnit(unit)
	millis, ok := milliUnit(unit)
	perSecond, isShort := shortUnit(unit)
	if !ok && !isMonths && !isShort {
		return nil, badUnit("TIMESTAMPDIFF", unit, args[0].Type())
	}
	kind := types.Int
	if unit == "NANOSECOND" {
		kind = types.BigInt
	}
	return &expr.Call{Args: args, T: of(kind, nullable(args...)), Safe: true, Text: "TIMESTAMPDIFF(" + unit + ", {}, {})",
		Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				a, _ := moment(args[0], i)
				b, _ := moment(args[1], i)
				switch {
				case kind == types.BigInt:
					out.I64[i] = (b - a) / 1000 * perSecond
				case isShort: // Flink makes them of whole seconds
					out.I32[i] = int32((b - a) / 1000 * perSecond)
				case isMonths:
					out.I32[i] = int32(wholeMonths(b, a) / months)
				case unit == "WEEK": // Flink counts them in seconds, which wrap
					out.I32[i] = int32((b-a)/1000) / int32(millis/1000)
				default:
					out.I32[i] = int32((b - a) / millis)
				}
			}
			return nil
		}}, nil
}

func resolveTimeDiff(args []expr.Node) (*expr.Call, error) {
	unit, args, err := unitOf(args, 2)
	if err != nil {
		return nil, err
	}
	if err := timePair("-", args[0].Type(), args[1].Type()); err != nil {
		return nil, err
	}
	months := unit == "MONTH"
	t := types.Of(types.IntervalMillis)
	if months {
		t = types.Of(types.IntervalMonths)
	}
	return &expr.Call{Args: args, T: t.NotNull().OrNull(nullable(args...)), Safe: true, Text: "(({} - {}) " + unit + ")",
		Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				a, _ := moment(args[0], i)
				b, _ := moment(args[1], i)
				if months {
					out.I32[i] = int32(wholeMonths(a, b))
				} else {
					out.I64[i] = a - b
				}
			}
			return nil
		}}, nil
}

// resolveOverlaps: (a, b) and (c, d) overlap if each begins before or when the
// other ends, whichever way round their ends are given.
func resolveOverlaps(args []expr.Node) (*expr.Call, error) {
	if len(args) != 4 {
		return nil, expr.ErrArguments
	}
	ends := append([]expr.Node(nil), args...)
	for i := 1; i < 4; i += 2 {
		if ends[i].Type().IsInterval() && ends[i-1].Type().IsTemporal() {
			call, err := shift(ends[i-1], ends[i], false)
			if err != nil {
				return nil, err
			}
			call.Fn = arithmetic()[0]
			call.Text = "({} + {})"
			ends[i] = call
		}
	}
	for _, e := range ends[1:] {
		if err := timePair("OVERLAPS", ends[0].Type(), e.Type()); err != nil {
			return nil, err
		}
	}
	return &expr.Call{Args: ends, T: of(types.Boolean, nullable(ends...)), Safe: true, Text: "(({}, {}) OVERLAPS ({}, {}))",
		Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				var e [4]int64
				var null [4]bool
				for k := range e {
					e[k], _ = moment(args[k], i)
					null[k] = args[k].IsNull(int(i))
				}
				for k := 0; k < 4; k += 2 {
					// CASE WHEN start <= end THEN ..: a NULL counts as "no".
					if null[k] || null[k+1] || e[k] > e[k+1] {
						e[k], e[k+1], null[k], null[k+1] = e[k+1], e[k], null[k+1], null[k]
					}
				}
				one, two := e[1] >= e[2], e[3] >= e[0]
				oneNull, twoNull := null[1] || null[2], null[3] || null[0]
				switch {
				case !oneNull && !one, !twoNull && !two:
					out.Bool[i] = false
				case oneNull || twoNull:
					out.SetNull(int(i))
				default:
					out.Bool[i] = true
				}
			}
			return nil
		}}, nil
}
