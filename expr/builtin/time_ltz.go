package builtin

import (
	"math"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func toTimestampLTZ() *expr.Func {
	return &expr.Func{Name: "TO_TIMESTAMP_LTZ", Doc: "An instant: n units of 10^-p seconds since 1970 (p is 3 when left out), or a text in UTC or a given zone.",
		Example: "TO_TIMESTAMP_LTZ(1000, 3) = TO_TIMESTAMP_LTZ('1970-01-01 00:00:01')", Syntax: "TO_TIMESTAMP_LTZ(n [, p]) or TO_TIMESTAMP_LTZ(s [, pattern [, zone]])",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if takes(args, 1, false, isText, isText, isText) == nil {
				return instantOfText(args)
			}
			if err := takes(args, 1, false, isNumber, isWhole); err != nil {
				return nil, err
			}
			return instantOfNumber(args)
		}}
}

func instantOfNumber(args []expr.Node) (*expr.Call, error) {
	p := int64(3)
	if len(args) == 2 {
		n, ok := expr.ConstInt(args[1])
		if !ok {
			return nil, diag.New(diag.WrongArguments, diag.Span{}, "the precision of TO_TIMESTAMP_LTZ must be a constant")
		}
		if n < 0 || n > 9 {
			return nil, diag.New(diag.WrongArguments, diag.Span{}, "the precision of TO_TIMESTAMP_LTZ is %d: it must be between 0 and 9", n)
		}
		p = n
	}
	t := args[0].Type()
	want := bigType
	if t.IsApprox() {
		want = doubleType
	} else if t.Kind == types.Decimal {
		want = anyType
	}
	x, err := to(args[:1], want)
	if err != nil {
		return nil, err
	}
	precision := int32(max(p, 3))
	unit := int64(math.Pow10(int(9 - p))) // nanoseconds of one n
	per := int64(1e6) / unit              // units in a millisecond, 0 when one is longer
	call := &expr.Call{Args: x, T: types.TimestampLTZOf(precision)}
	call.Text = "TO_TIMESTAMP_LTZ({}, " + string('0'+rune(p)) + ")"
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			var ms, nano int64
			switch {
			case want.Kind == types.Double:
				f := args[0].F64[i]
				if per == 0 {
					f *= float64(unit / 1e6)
				} else if unit == 1 {
					f = math.Trunc(f) // of nanoseconds Flink cuts the fraction off
				} else {
					f = math.Floor(f)
				}
				whole := f
				if math.IsNaN(f) {
					f = 0 // as Java converts it
				}
				if f /= float64(max(per, 1)); math.Abs(f) >= 1e15 {
					out.SetNull(int(i))
					continue
				}
				ms = int64(math.Floor(f))
				if per > 1 {
					nano = int64(whole-float64(ms*per)) * unit
				}
			default:
				var n int64
				if t.Kind == types.Decimal {
					n = value.DecToInt64(args[0].Dec[i], int(t.Scale))
				} else {
					n = args[0].I64[i]
				}
				if per > 0 {
					ms = value.FloorDiv(n, per)
					nano = (n - ms*per) * unit
				} else if k := unit / 1e6; n > math.MaxInt64/k || n < math.MinInt64/k {
					out.SetNull(int(i))
					continue
				} else {
					ms = n * k
				}
			}
			if ms < value.MinDate*value.Day || ms >= (value.MaxDate+1)*value.Day {
				out.SetNull(int(i)) // the years 0000 to 9999
				continue
			}
			expr.SetMoment(out, i, ms, int32(nano))
		}
		return nil
	}
	return call, nil
}

func instantOfText(args []expr.Node) (*expr.Call, error) {
	call := &expr.Call{Args: args, T: types.TimestampLTZOf(3)}
	var cache patternCache
	if len(args) > 1 {
		var err error
		if cache, err = newCache(args[1], false); err != nil {
			return nil, err
		}
	}
	if len(args) == 3 {
		if name, ok := expr.ConstString(args[2]); ok {
			if _, err := value.LoadZone(name); err != nil {
				return nil, err
			}
		}
	}
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		k := cache
		zone, zoneName := value.UTC(), ""
		for i := range expr.Rows(sel, out.Len) {
			s := args[0].Str[i]
			var ms int64
			var ok bool
			if len(args) == 1 {
				if ms, _, ok = value.ParseTimestamp(s); !ok {
					return notTime(s, "TIMESTAMP_LTZ")
				}
			} else {
				p, err := k.get(args[1].Str[i])
				if err != nil {
					return err
				}
				if ms, ok = p.timestamp(s); !ok {
					out.SetNull(int(i))
					continue
				}
			}
			if len(args) == 3 {
				if name := args[2].Str[i]; name != zoneName {
					z, err := value.LoadZone(name)
					if err != nil {
						return err
					}
					zone, zoneName = z, name
				}
			}
			out.I64[i] = zone.UTC(ms) * 1000
		}
		return nil
	}
	return call, nil
}
