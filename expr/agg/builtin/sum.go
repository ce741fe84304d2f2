package builtin

import (
	"fsql/expr/agg"
	"fsql/types"
)

func sumFunc() *agg.Func {
	return &agg.Func{
		Name:    "SUM",
		Doc:     "The sum of the values that are not NULL, NULL if there are none; it has the type of x, or DECIMAL(38, s) for a DECIMAL(p, s). Sums of integers wrap around.",
		Syntax:  "SUM([DISTINCT] x)",
		Example: "SELECT city, SUM(fare) AS total FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			t, err := number("SUM", args, opts)
			if err == nil && t.Kind == types.Decimal {
				t.Precision = 38
			}
			return t, err
		},
		New: func(args []types.Type, result types.Type, _ agg.Options) (agg.Accumulator, error) {
			return newTotal(args[0], result, false), nil
		},
	}
}

func avgFunc() *agg.Func {
	return &agg.Func{
		Name:    "AVG",
		Doc:     "The mean of the values that are not NULL, NULL if there are none; it has the type of x (integers are cut toward zero), or DECIMAL(38, max(6, s)) for a DECIMAL(p, s).",
		Syntax:  "AVG([DISTINCT] x)",
		Example: "SELECT city, AVG(CAST(stars AS DOUBLE)) AS mean FROM reviews GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			t, err := number("AVG", args, opts)
			return averageType(t), err
		},
		New: func(args []types.Type, result types.Type, _ agg.Options) (agg.Accumulator, error) {
			return newTotal(args[0], result, true), nil
		},
	}
}

// newTotal makes the accumulator of SUM or AVG.
func newTotal(arg, result types.Type, mean bool) agg.Accumulator {
	switch {
	case arg.Kind == types.Decimal:
		return &decimals{mean: mean, from: int(arg.Scale), to: int(result.Scale)}
	case arg.Kind == types.Float && !mean:
		return &floats[float32]{}
	case arg.IsApprox():
		return &floats[float64]{mean: mean}
	}
	return &integers{kind: arg.Kind, mean: mean}
}
