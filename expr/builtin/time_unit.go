package builtin

import (
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func timeUnits() []*expr.Func {
	out := []*expr.Func{
		{Name: "EXTRACT", Doc: "A field of a time or interval: YEAR, QUARTER, MONTH, WEEK (ISO), DAY, DOY, DOW (Sunday is 1), ISODOW, ISOYEAR, HOUR, MINUTE, SECOND, MILLISECOND, EPOCH and others.",
			Example: "EXTRACT(MONTH FROM DATE '2024-02-29') = 2", Syntax: "EXTRACT(unit FROM t)", Resolve: resolveExtract},
		{Name: "FLOOR TO", Doc: "The time cut down to a unit; weeks begin on Sunday.", Example: "FLOOR(DATE '2024-02-29' TO MONTH) = DATE '2024-02-01'", Syntax: "FLOOR(t TO unit)", Resolve: resolveFloorTo(true)},
		{Name: "CEIL TO", Doc: "The time raised to a unit; weeks begin on Sunday.", Example: "CEIL(DATE '2024-02-29' TO MONTH) = DATE '2024-03-01'", Syntax: "CEIL(t TO unit)", Resolve: resolveFloorTo(false)},
	}
	for _, f := range [][2]string{{"YEAR", "YEAR"}, {"QUARTER", "QUARTER"}, {"MONTH", "MONTH"}, {"WEEK", "WEEK"}, {"DAYOFYEAR", "DOY"},
		{"DAYOFMONTH", "DAY"}, {"DAYOFWEEK", "DOW"}, {"HOUR", "HOUR"}, {"MINUTE", "MINUTE"}, {"SECOND", "SECOND"}} {
		name, unit := f[0], f[1]
		out = append(out, &expr.Func{Name: name, Doc: "EXTRACT(" + unit + " FROM t).", Example: name + "(TIMESTAMP '2024-02-29 10:20:30') > 0", Syntax: name + "(t)",
			Resolve: func(args []expr.Node) (*expr.Call, error) {
				if len(args) != 1 {
					return nil, expr.ErrArguments
				}
				return extract(unit, args[0])
			}})
	}
	return out
}

// unitOf reads the key word that stands first among the operands.
func unitOf(args []expr.Node, n int) (string, []expr.Node, error) {
	if len(args) != n+1 {
		return "", nil, expr.ErrArguments
	}
	unit, ok := expr.ConstString(args[0])
	if !ok {
		return "", nil, expr.ErrArguments
	}
	unit = strings.ToUpper(unit)
	if short, ok := strings.CutSuffix(unit, "S"); ok {
		unit = short
	}
	return unit, args[1:], nil
}

func badUnit(name, unit string, t types.Type) error {
	return diag.New(diag.WrongArguments, diag.Span{}, "the unit %s of %s cannot be applied to an argument of type %s", unit, name, t.Short())
}

// fieldOf are the fields by name. date needs a calendar day, clock a time of
// day.
type timeField struct {
	date, clock bool
	get         func(k clock) int64
}

func timeFields(unit string) (timeField, bool) {
	date := func(f func(k clock) int64) (timeField, bool) { return timeField{date: true, get: f}, true }
	day := func(f func(k clock) int64) (timeField, bool) { return timeField{clock: true, get: f}, true }
	switch unit {
	case "YEAR":
		return date(func(k clock) int64 { return k.year })
	case "QUARTER":
		return date(func(k clock) int64 { return (k.month + 2) / 3 })
	case "MONTH":
		return date(func(k clock) int64 { return k.month })
	case "DAY":
		return date(func(k clock) int64 { return k.day })
	case "WEEK":
		return date(func(k clock) int64 { _, w := value.ISOWeek(k.days); return w })
	case "DOY":
		return date(func(k clock) int64 { return k.days - value.Days(k.year, 1, 1) + 1 })
	case "DOW":
		return date(func(k clock) int64 { return value.Weekday(k.days) + 1 })
	case "ISODOW":
		return date(func(k clock) int64 { return (value.Weekday(k.days)+6)%7 + 1 })
	case "ISOYEAR":
		return date(func(k clock) int64 { y, _ := value.ISOWeek(k.days); return y })
	case "DECADE":
		return date(func(k clock) int64 { return value.FloorDiv(k.year, 10) })
	case "CENTURY":
		return date(func(k clock) int64 { return value.FloorDiv(k.year+99, 100) })
	case "MILLENNIUM":
		return date(func(k clock) int64 { return value.FloorDiv(k.year+999, 1000) })
	case "EPOCH":
		return timeField{get: func(k clock) int64 { return k.days*86400 + k.ofDay() }}, true
	case "HOUR":
		return day(func(k clock) int64 { return k.hour })
	case "MINUTE":
		return day(func(k clock) int64 { return k.minute })
	case "SECOND":
		return day(func(k clock) int64 { return k.sec })
	case "MILLISECOND":
		return day(func(k clock) int64 { return k.nano / 1e6 })
	case "MICROSECOND":
		return day(func(k clock) int64 { return k.nano / 1e3 })
	case "NANOSECOND":
		return day(func(k clock) int64 { return k.nano })
	}
	return timeField{}, false
}

func resolveExtract(args []expr.Node) (*expr.Call, error) {
	unit, args, err := unitOf(args, 1)
	if err != nil {
		return nil, err
	}
	return extract(unit, args[0])
}

// extract takes a field. Times before 1970 count as all others, and EPOCH of a
// TIMESTAMP_LTZ is that of the instant; both are defects of Flink 2.3.
func extract(unit string, x expr.Node) (*expr.Call, error) {
	t := x.Type()
	if t.IsInterval() {
		return extractInterval(unit, x)
	}
	if !t.IsTemporal() {
		return nil, expr.ErrArguments
	}
	f, ok := timeFields(unit)
	if !ok || t.Kind == types.TimeOfDay && (f.date || unit == "EPOCH" || unit == "MICROSECOND" || unit == "NANOSECOND") {
		return nil, badUnit("EXTRACT", unit, t)
	}
	return &expr.Call{Args: []expr.Node{x}, T: of(types.BigInt, t.Nullable), Safe: true, Text: "EXTRACT(" + unit + " FROM {})",
		Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			a := args[0]
			local := t.Kind == types.TimestampLTZ && unit != "EPOCH"
			z := c.SessionZone()
			for i := range expr.Rows(sel, out.Len) {
				ms, nano := moment(a, i)
				if local {
					ms = z.Local(ms)
				}
				out.I64[i] = f.get(clockOf(ms, nano))
			}
			return nil
		}}, nil
}

// moment reads any time as milliseconds since 1970 and the nanoseconds of the
// millisecond.
func moment(v *row.Vec, i int32) (ms int64, nano int32) {
	switch v.Type.Kind {
	case types.Date:
		return int64(v.I32[i]) * value.Day, 0
	case types.TimeOfDay:
		return int64(v.I32[i]), 0
	}
	return expr.Moment(v, i)
}

func extractInterval(unit string, x expr.Node) (*expr.Call, error) {
	t := x.Type()
	months := t.Kind == types.IntervalMonths
	var get func(n int64) int64
	switch unit {
	case "YEAR":
		get = func(n int64) int64 { return n / 12 }
	case "QUARTER":
		get = func(n int64) int64 { return n%12/3 + 1 }
	case "MONTH":
		get = func(n int64) int64 { return n % 12 }
	case "DAY":
		get = func(n int64) int64 { return n / value.Day }
	case "HOUR":
		get = func(n int64) int64 { return n / value.Hour % 24 }
	case "MINUTE":
		get = func(n int64) int64 { return n / value.Minute % 60 }
	case "SECOND":
		get = func(n int64) int64 { return n / value.Second % 60 }
	case "MILLISECOND":
		get = func(n int64) int64 { return n % value.Second }
	}
	if get == nil || months != (unit == "YEAR" || unit == "QUARTER" || unit == "MONTH") {
		return nil, badUnit("EXTRACT", unit, t)
	}
	return &expr.Call{Args: []expr.Node{x}, T: of(types.BigInt, t.Nullable), Safe: true, Text: "EXTRACT(" + unit + " FROM {})",
		Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				n := int64(0)
				if months {
					n = int64(args[0].I32[i])
				} else {
					n = args[0].I64[i]
				}
				out.I64[i] = get(n)
			}
			return nil
		}}, nil
}

// floorDays cuts a day down to a calendar unit; next is the beginning of the
// unit that follows.
func floorDays(unit string, days int64) (start, next int64) {
	y, m, _ := value.Civil(days)
	years := func(from, n int64) (int64, int64) { return value.Days(from, 1, 1), value.Days(from+n, 1, 1) }
	months := func(from, n int64) (int64, int64) {
		start := value.Days(y, from, 1)
		return start, value.AddMonths(start, n)
	}
	switch unit {
	case "WEEK":
		start = days - value.Weekday(days)
		return start, start + 7
	case "MONTH":
		return months(m, 1)
	case "QUARTER":
		return months((m-1)/3*3+1, 3)
	case "YEAR":
		return years(y, 1)
	case "DECADE":
		return years(value.FloorDiv(y, 10)*10, 10)
	case "CENTURY":
		return years(value.FloorDiv(y-1, 100)*100+1, 100)
	case "MILLENNIUM":
		return years(value.FloorDiv(y-1, 1000)*1000+1, 1000)
	}
	return days, days + 1
}

// stays tells whether CEIL keeps a day that begins its unit, as Flink does: for
// weeks, months and years whatever the time of day, for quarters on 1 January
// only, for the larger units never.
func stays(unit string, start, day int64) bool {
	switch unit {
	case "DECADE", "CENTURY", "MILLENNIUM":
		return false
	case "QUARTER":
		_, m, _ := value.Civil(day)
		return start == day && m == 1
	}
	return start == day
}

// clockUnit is a unit within a day in milliseconds.
func clockUnit(unit string) (millis int64, ok bool) {
	switch unit {
	case "HOUR":
		return value.Hour, true
	case "MINUTE":
		return value.Minute, true
	case "SECOND":
		return value.Second, true
	case "MILLISECOND":
		return 1, true
	}
	return 0, false
}

func resolveFloorTo(floor bool) func([]expr.Node) (*expr.Call, error) {
	name := "CEIL"
	if floor {
		name = "FLOOR"
	}
	return func(args []expr.Node) (*expr.Call, error) {
		unit, args, err := unitOf(args, 1)
		if err != nil {
			return nil, err
		}
		t := args[0].Type().Plain()
		if !t.IsTemporal() {
			return nil, expr.ErrArguments
		}
		size, isClock := clockUnit(unit)
		switch unit {
		case "WEEK", "MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM", "DAY":
		default:
			if !isClock {
				return nil, badUnit(name, unit, t)
			}
		}
		call := &expr.Call{Args: args, T: t, Safe: true, Text: name + "({} TO " + unit + ")"}
		if t.Kind == types.Date && isClock || t.Kind == types.TimeOfDay && !isClock {
			return call, nil // nothing to cut
		}
		step := func(ms int64, nano int32) int64 {
			if isClock {
				start := value.FloorDiv(ms, size) * size
				if !floor && (start != ms || nano > 0 && size == 1) {
					start += size
				}
				return start
			}
			days := value.FloorDiv(ms, value.Day)
			start, next := floorDays(unit, days)
			if floor || stays(unit, start, days) && (unit != "DAY" || start*value.Day == ms && nano == 0) {
				return start * value.Day
			}
			return next * value.Day
		}
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			z := c.SessionZone()
			for i := range expr.Rows(sel, out.Len) {
				ms, nano := moment(args[0], i)
				switch t.Kind {
				case types.Date:
					// A date is a whole day: CEIL to DAY gives the next one.
					days := int64(args[0].I32[i])
					start, next := floorDays(unit, days)
					if !floor && (unit == "DAY" || !stays(unit, start, days)) {
						start = next
					}
					out.I32[i] = int32(start)
				case types.TimeOfDay:
					out.I32[i] = int32(step(ms, 0))
				case types.TimestampLTZ:
					expr.SetMoment(out, i, z.UTC(step(z.Local(ms), nano)), 0)
				default:
					expr.SetMoment(out, i, step(ms, nano), 0)
				}
			}
			return nil
		}
		return call, nil
	}
}
