package builtin

import (
	"fmt"
	"math"
	"strconv"

	"fsql/expr"
	"fsql/internal/javamath"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func mathFunctions() []*expr.Func {
	out := []*expr.Func{
		absolute("ABS", "The value without its sign.", "ABS(-2) = 2"), absolute("SIGN", "-1, 0 or 1 as the value's sign.", "SIGN(-2.5) = -1"),
		real2("POWER", "The first operand to the power of the second.", "POWER(2, 10) = 1024", "POWER(x, y)", javamath.Pow),
		real2("ATAN2", "The angle of the point (x, y).", "ATAN2(0, 1) = 0", "ATAN2(y, x)", javamath.Atan2),
		logarithm(), floorCeil("FLOOR"), floorCeil("CEIL"), floorCeil("CEILING"), round("ROUND"), round("TRUNCATE"),
		number0("PI", "The number pi.", "ROUND(PI(), 2) = 3.14", math.Pi), number0("E", "Euler's number.", "ROUND(E(), 2) = 2.72", math.E),
		digits("BIN", "The binary digits.", "BIN(5) = '101'", 2, false), digits("HEX", "The hexadecimal digits, of a text those of its UTF-8 bytes.", "HEX(255) = 'FF'", 16, true),
		random(), randomInteger(), uuid(),
	}
	for _, f := range []struct {
		name, doc, example string
		f                  func(float64) float64
	}{
		{"SQRT", "The square root.", "SQRT(16) = 4", sqrt}, {"LN", "The natural logarithm.", "LN(1) = 0", javamath.Log},
		{"LOG10", "The logarithm to base 10.", "LOG10(1000) = 3", javamath.Log10}, {"LOG2", "The logarithm to base 2.", "LOG2(8) = 3", log2},
		{"EXP", "e to the power of x.", "EXP(0) = 1", javamath.Exp},
		{"SIN", "The sine.", "SIN(0) = 0", javamath.Sin}, {"COS", "The cosine.", "COS(0) = 1", javamath.Cos}, {"TAN", "The tangent.", "TAN(0) = 0", javamath.Tan},
		{"COT", "The cotangent.", "ROUND(COT(1), 4) = 0.6421", func(x float64) float64 { return 1 / javamath.Tan(x) }},
		{"ASIN", "The arc sine.", "ASIN(0) = 0", javamath.Asin}, {"ACOS", "The arc cosine.", "ACOS(1) = 0", javamath.Acos}, {"ATAN", "The arc tangent.", "ATAN(0) = 0", javamath.Atan},
		{"SINH", "The hyperbolic sine.", "SINH(0) = 0", javamath.Sinh}, {"COSH", "The hyperbolic cosine.", "COSH(0) = 1", javamath.Cosh}, {"TANH", "The hyperbolic tangent.", "TANH(0) = 0", javamath.Tanh},
		{"DEGREES", "Radians as degrees.", "DEGREES(PI()) = 180", func(x float64) float64 { return x * (180 / math.Pi) }},
		{"RADIANS", "Degrees as radians.", "RADIANS(180) = PI()", func(x float64) float64 { return x * (math.Pi / 180) }},
	} {
		out = append(out, &expr.Func{Name: f.name, Doc: f.doc, Example: f.example, Syntax: f.name + "(x)",
			Resolve: simple([]param{isNumber}, []types.Type{doubleType}, types.Double, expr.Map1(func(x float64) (float64, error) { return f.f(x), nil }))})
	}
	return out
}

// sqrt is a power in Flink, which makes a difference below 0: the root of
// -Infinity is Infinity, that of -0 is 0.
func sqrt(x float64) float64 { return math.Pow(x, 0.5) }

// log2 is a quotient of natural logarithms in Flink.
func log2(x float64) float64 { return javamath.Log(x) / javamath.Log(2) }

func real2(name, doc, example, syntax string, f func(x, y float64) float64) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: syntax,
		Resolve: simple([]param{isNumber, isNumber}, []types.Type{doubleType}, types.Double, expr.Map2(func(x, y float64) (float64, error) { return f(x, y), nil }))}
}

func logarithm() *expr.Func {
	one := expr.Map1(func(x float64) (float64, error) { return javamath.Log(x), nil })
	two := expr.Map2(func(b, x float64) (float64, error) { return javamath.Log(x) / javamath.Log(b), nil })
	return &expr.Func{Name: "LOG", Doc: "The natural logarithm, or that to base b.", Example: "LOG(2, 8) = 3", Syntax: "LOG([b,] x)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, isNumber, isNumber); err != nil {
				return nil, err
			}
			args, err := to(args, doubleType)
			if err != nil {
				return nil, err
			}
			k := one
			if len(args) == 2 {
				k = two
			}
			return &expr.Call{Args: args, T: of(types.Double, nullable(args...)), Eval: k}, nil
		}}
}

func number0(name, doc, example string, v float64) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "()", Resolve: func(args []expr.Node) (*expr.Call, error) {
		if len(args) > 0 {
			return nil, expr.ErrArguments
		}
		return &expr.Call{T: of(types.Double, false), Safe: true, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range out.F64 {
				out.F64[i] = v
			}
			return nil
		}}, nil
	}}
}

func absolute(name, doc, example string) *expr.Func {
	sign := name == "SIGN"
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(x)", Resolve: func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 1, false, isNumber); err != nil {
			return nil, err
		}
		t := args[0].Type().Plain()
		one := value.DecPow10(int(t.Scale))
		k := expr.Kernel(func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			a := args[0]
			for i := range expr.Rows(sel, out.Len) {
				switch t.Layout() {
				case types.LayoutI32:
					out.I32[i] = absOrSign(a.I32[i], sign)
				case types.LayoutI64:
					out.I64[i] = absOrSign(a.I64[i], sign)
				case types.LayoutF32:
					out.F32[i] = float32(absOrSignReal(float64(a.F32[i]), sign))
				case types.LayoutF64:
					out.F64[i] = absOrSignReal(a.F64[i], sign)
				default:
					d := a.Dec[i]
					switch s := value.DecSign(d); {
					case sign && s > 0:
						d = one
					case sign && s < 0:
						d = value.DecNeg(one)
					case s < 0:
						d = value.DecNeg(d)
					}
					out.Dec[i] = d
				}
			}
			return nil
		})
		return &expr.Call{Args: args, T: t, Safe: true, Eval: expr.Narrow(k, t)}, nil
	}}
}

func absOrSign[T int32 | int64](v T, sign bool) T {
	switch {
	case sign && v > 0:
		return 1
	case sign && v < 0:
		return -1
	case v < 0:
		return -v
	}
	return v
}

func absOrSignReal(v float64, sign bool) float64 {
	switch {
	case !sign:
		return math.Abs(v)
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return v // zero keeps its sign, NaN stays
}

func digits(name, doc, example string, base int, text bool) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(n)", Resolve: func(args []expr.Node) (*expr.Call, error) {
		if text && takes(args, 1, false, isText) == nil {
			return &expr.Call{Args: args, T: stringResult(args), Eval: expr.Text1(func(dst []byte, s string) ([]byte, bool) {
				return fmt.Appendf(dst, "%X", s), true
			})}, nil
		}
		if err := takes(args, 1, false, isWhole); err != nil {
			return nil, err
		}
		args, err := to(args, bigType)
		if err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: stringResult(args), Eval: expr.Text1(func(dst []byte, n int64) ([]byte, bool) {
			from := len(dst)
			dst = strconv.AppendUint(dst, uint64(n), base)
			for i := from; i < len(dst); i++ {
				if dst[i] >= 'a' {
					dst[i] -= 'a' - 'A'
				}
			}
			return dst, true
		})}, nil
	}}
}
