package builtin

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func clocks() []*expr.Func {
	ltz, local := types.TimestampLTZOf(3).NotNull(), types.TimestampOf(3).NotNull()
	date, clock := of(types.Date, false), types.Type{Kind: types.TimeOfDay}
	proctime := ltz
	proctime.Attr = types.Proctime
	instant := func(ms int64, z expr.Zone) int64 { return ms * 1000 }
	out := []*expr.Func{
		now("CURRENT_TIMESTAMP", "The current instant.", ltz, instant), now("NOW", "The current instant.", ltz, instant),
		now("CURRENT_ROW_TIMESTAMP", "The current instant.", ltz, instant),
		now("LOCALTIMESTAMP", "The current wall clock of the session zone.", local, func(ms int64, z expr.Zone) int64 { return z.Local(ms) * 1000 }),
		now("CURRENT_DATE", "The current day in the session zone.", date, func(ms int64, z expr.Zone) int64 { return value.FloorDiv(z.Local(ms), value.Day) }),
		now("CURRENT_TIME", "The current time of day in the session zone.", clock, timeOfDay), now("LOCALTIME", "The current time of day in the session zone.", clock, timeOfDay),
		now("PROCTIME", "The processing time: the instant at which a row is handled.", proctime, instant),
		currentWatermark(), currentDatabase(),
	}
	return out
}

func timeOfDay(ms int64, z expr.Zone) int64 {
	t := value.FloorMod(z.Local(ms), value.Day)
	return t - t%1000
}

func clockNow(c *expr.Ctx) int64 {
	if c.Now == nil {
		return 0
	}
	return int64(c.Now())
}

func now(name, doc string, t types.Type, f func(ms int64, z expr.Zone) int64) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: name + "() IS NOT NULL", Syntax: name + "()", Dynamic: true,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if len(args) > 0 {
				return nil, diag.New(diag.WrongArguments, diag.Span{}, "%s takes no argument, also no precision", name).WithHint("write %s", name)
			}
			return &expr.Call{T: t, Safe: true, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				v := f(clockNow(c), c.SessionZone())
				for i := range out.I64 {
					out.I64[i] = v
				}
				for i := range out.I32 {
					out.I32[i] = int32(v)
				}
				return nil
			}}, nil
		}}
}

func currentWatermark() *expr.Func {
	return &expr.Func{Name: "CURRENT_WATERMARK", Doc: "The event time that this operator has reached, NULL before the first watermark.", Syntax: "CURRENT_WATERMARK(rowtime)", Dynamic: true, Nulls: expr.NullSeen,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if len(args) != 1 {
				return nil, expr.ErrArguments
			}
			t := args[0].Type()
			if t.Attr != types.Rowtime {
				return nil, diag.New(diag.BadTimeColumn, diag.Span{}, "the argument of CURRENT_WATERMARK must be a rowtime attribute, but is %s", t.Short())
			}
			r := t.Plain().AsNullable()
			r.Precision = 3
			return &expr.Call{Args: args, T: r, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range out.I64 {
					out.I64[i] = int64(c.Watermark) * 1000
				}
				if c.Watermark == types.MinTime {
					*out = *row.AllNull(out.Type, out.Len)
				}
				return nil
			}}, nil
		}}
}

func currentDatabase() *expr.Func {
	return &expr.Func{Name: "CURRENT_DATABASE", Doc: "The current database.", Example: "CURRENT_DATABASE() = ''", Syntax: "CURRENT_DATABASE()", Dynamic: true,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if len(args) > 0 {
				return nil, expr.ErrArguments
			}
			return &expr.Call{T: str(false), Safe: true, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range out.Str {
					out.Str[i] = c.Database
				}
				return nil
			}}, nil
		}}
}
