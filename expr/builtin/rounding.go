package builtin

import (
	"math"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func floorCeil(name string) *expr.Func {
	floor := name == "FLOOR"
	f := &expr.Func{Name: name, Doc: "The smallest whole number not below x.", Example: name + "(1.2) = 2", Syntax: name + "(x) or " + name + "(time TO unit)"}
	if floor {
		f.Doc, f.Example = "The largest whole number not above x.", "FLOOR(-1.2) = -2"
	}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 1, false, isNumber); err != nil {
			return nil, err
		}
		t := args[0].Type().Plain()
		call := &expr.Call{Args: args, T: t, Safe: true}
		switch t.Kind {
		case types.Decimal:
			s := int(t.Scale)
			call.T.Scale = 0
			call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					if d := args[0].Dec[i]; floor {
						out.Dec[i] = value.DecFloor(d, s)
					} else {
						out.Dec[i] = value.DecCeil(d, s)
					}
				}
				return nil
			}
		case types.Float, types.Double:
			op := math.Ceil
			if floor {
				op = math.Floor
			}
			if t.Kind == types.Double {
				call.Eval = expr.Map1(func(x float64) (float64, error) { return op(x), nil })
			} else {
				call.Eval = expr.Map1(func(x float32) (float32, error) { return float32(op(float64(x))), nil })
			}
		}
		return call, nil
	}
	return f
}

// round is ROUND (half up, away from zero) and TRUNCATE (toward zero) to d
// digits behind the point, before it for a negative d.
func round(name string) *expr.Func {
	half := name == "ROUND"
	f := &expr.Func{Name: name, Doc: "The number cut to d digits behind the point, or before it for a negative d.", Example: "TRUNCATE(12.78, 1) = 12.7", Syntax: name + "(x [, d])"}
	if half {
		f.Doc, f.Example = "The number rounded to d digits behind the point, or before it for a negative d.", "ROUND(12.75, 1) = 12.8"
	}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 1, false, isNumber, isWhole); err != nil {
			return nil, err
		}
		if len(args) == 1 {
			args = append(args[:1:1], expr.Int(0))
		}
		args, err := to(args, anyType, intType)
		if err != nil {
			return nil, err
		}
		t := args[0].Type().Plain()
		call := &expr.Call{Args: args, T: t.OrNull(nullable(args...))}
		switch {
		case t.Kind == types.Decimal:
			roundDecimal(call, t, half)
		case t.IsApprox():
			roundReal(call, half)
		default:
			call.Safe = true
			call.Eval = expr.Narrow(roundWhole(t.Layout(), half), t)
		}
		return call, nil
	}
	return f
}

// roundDecimal: the scale of the result follows a constant d (flink-sql 2.3).
func roundDecimal(call *expr.Call, t types.Type, half bool) {
	p, s := t.Precision, t.Scale
	r := types.DecimalOf(p, s)
	if d, ok := expr.ConstInt(call.Args[1]); ok {
		switch {
		case d >= int64(s):
		case d < 0:
			r = types.DecimalOf(min(38, 1+p-s), 0)
		default:
			r = types.DecimalOf(1+p-s+int32(d), int32(d))
		}
	}
	r.Nullable = call.T.Nullable
	call.T = r
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			v := args[0].Dec[i]
			d := min(max(args[1].I32[i], -38), s)
			var x types.Dec
			ok := true
			switch {
			case d >= 0 && half:
				x, ok = value.DecRescale(v, int(s), int(d))
			case d >= 0:
				x = value.DecTruncate(v, int(s), int(d))
			default:
				// Away with the digits, then zeros in their place.
				drop := int(s - d)
				if half {
					x, _ = value.DecRescale(v, min(drop, 76), 0)
				} else {
					x = value.DecTruncate(v, min(drop, 76), 0)
				}
				x, ok = value.DecRescaleUp(x, int(-d))
				d = 0
			}
			if ok {
				x, ok = value.DecRescaleUp(x, int(r.Scale-d))
			}
			if !ok || !value.DecFits(x, int(r.Precision)) {
				if !call.T.Nullable {
					return overflow(call)
				}
				out.SetNull(int(i))
				continue
			}
			out.Dec[i] = x
		}
		return nil
	}
}

// roundReal works on the decimal text of the number, as Java's BigDecimal
// does, which has no NaN and no infinity.
func roundReal(call *expr.Call, half bool) {
	single := call.T.Kind == types.Float
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		var b []byte
		for i := range expr.Rows(sel, out.Len) {
			var f float64
			if !single {
				if r, ok := roundPlain(args[0].F64[i], args[1].I32[i], half); ok {
					out.F64[i] = r
					continue
				}
			}
			if single {
				f = float64(args[0].F32[i])
				b = value.AppendFloat(b[:0], args[0].F32[i])
			} else {
				f = args[0].F64[i]
				b = value.AppendDouble(b[:0], f)
			}
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return diag.New(diag.BadValue, diag.Span{}, "%s cannot round %s", call.Fn.Name, b)
			}
			r := roundText(f, b, int(args[1].I32[i]), half)
			if single {
				out.F32[i] = float32(r)
			} else {
				out.F64[i] = r
			}
		}
		return nil
	}
}

// roundPlain rounds without the text where the binary number is so far from
// the place at which rounding turns that the text cannot lie beyond it; the
// quotient of two exact numbers is the number nearest to the decimal one, which
// is what reading its text gives.
func roundPlain(f float64, d int32, half bool) (r float64, ok bool) {
	const far, most = 0.01, 1 << 40 // the product is off by less than 2^-11 up to there
	if d < 0 || int(d) >= len(tens) {
		return 0, false
	}
	x := math.Abs(f) * tens[d]
	if !(x < most) {
		return 0, false
	}
	whole := math.Floor(x)
	rest := x - whole
	switch {
	case half && math.Abs(rest-0.5) < far, !half && (rest < far || rest > 1-far):
		return 0, false
	case half && rest > 0.5:
		whole++
	}
	return math.Copysign(whole/tens[d], f) + 0, true // no negative zero
}

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12}

func roundText(f float64, text []byte, d int, half bool) float64 {
	abs := math.Abs(f)
	switch {
	case d > 17 || abs >= 1e17 && d >= 0:
		return f
	case abs >= 1e19 || d < -18:
		if p := math.Pow(10, float64(-d)); abs < p/2 || !half && abs < p {
			return 0
		}
		return f
	}
	v, err := value.ParseDec(text, 38, 18)
	if err != nil {
		return f
	}
	if d >= 0 {
		if half {
			v, _ = value.DecRescale(v, 18, d)
		} else {
			v = value.DecTruncate(v, 18, d)
		}
		r, _ := value.ParseDouble(value.AppendDec(text[:0], v, d))
		return r + 0 // no negative zero
	}
	if half {
		v, _ = value.DecRescale(v, 18-d, 0)
	} else {
		v = value.DecTruncate(v, 18-d, 0)
	}
	v, _ = value.DecRescaleUp(v, -d)
	r, _ := value.ParseDouble(value.AppendDec(text[:0], v, 0))
	return r
}

func roundWhole(layout types.Layout, half bool) expr.Kernel {
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			d := args[1].I32[i]
			var v int64
			if layout == types.LayoutI64 {
				v = args[0].I64[i]
			} else {
				v = int64(args[0].I32[i])
			}
			if d < 0 {
				x := types.DecOf(v)
				n := int(min(-d, 38))
				if half {
					x, _ = value.DecRescale(x, n, 0)
				} else {
					x = value.DecTruncate(x, n, 0)
				}
				x, _ = value.DecRescaleUp(x, n)
				v = int64(x.Lo)
			}
			if layout == types.LayoutI64 {
				out.I64[i] = v
			} else {
				out.I32[i] = int32(v)
			}
		}
		return nil
	}
}
