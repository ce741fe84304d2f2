// Package builtin holds the aggregate functions of the dialect, one family per
// file.
package builtin

import (
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/types"
)

// All lists the functions.
func All() []*agg.Func {
	return append([]*agg.Func{
		countFunc(), sumFunc(), avgFunc(), extremeFunc("MIN", -1), extremeFunc("MAX", 1),
		varianceFunc("STDDEV_POP", population|root), varianceFunc("STDDEV_SAMP", root), varianceFunc("STDDEV", root),
		varianceFunc("VAR_POP", population), varianceFunc("VAR_SAMP", 0), varianceFunc("VARIANCE", 0),
		endFunc("FIRST_VALUE", false), endFunc("LAST_VALUE", true), singleFunc(),
		listaggFunc(), collectFunc(), arrayAggFunc(), percentileFunc(), jsonArrayAggFunc(), jsonObjectAggFunc(),
	}, bitmapFuncs()...)
}

// refuse is the error for an argument of a type that a function does not take.
func refuse(name string, t types.Type, takes string) error {
	if t.Kind == types.Null {
		return diag.New(diag.WrongArguments, diag.Span{}, "%s cannot be applied to a NULL without a type", name).
			WithHint("give it one: CAST(NULL AS INT)")
	}
	return diag.New(diag.WrongArguments, diag.Span{}, "cannot apply %s to an argument of type %s", name, t.Short()).
		WithHint("%s takes %s", name, takes)
}

// takes checks the number of arguments and what every function asks of them.
func takes(name string, args []types.Type, from, to int, opts agg.Options) error {
	if len(args) < from || len(args) > to {
		want := "one argument"
		if to > from {
			want = "one or two arguments"
		}
		return diag.New(diag.WrongArguments, diag.Span{}, "%s takes %s, not %d", name, want, len(args))
	}
	for _, t := range args {
		if t.Kind == types.Null {
			return refuse(name, t, "")
		}
	}
	if (opts.IgnoreNulls || opts.RespectNulls) && name != "ARRAY_AGG" {
		return diag.New(diag.WrongArguments, diag.Span{}, "%s does not take IGNORE NULLS or RESPECT NULLS", name)
	}
	if opts.Distinct && len(args) > 0 {
		// Flink: "Distinct aggregate function does not support type".
		if t := args[0]; t.IsBinary() || t.Kind == types.Map || t.Kind == types.Multiset || t.Kind == types.Row {
			return diag.New(diag.WrongArguments, diag.Span{}, "DISTINCT inside %s does not support the type %s", name, t.Short())
		}
	}
	return nil
}

// number is the check of functions of one number.
func number(name string, args []types.Type, opts agg.Options) (types.Type, error) {
	if err := takes(name, args, 1, 1, opts); err != nil {
		return types.Type{}, err
	}
	if !args[0].IsNumeric() {
		return types.Type{}, refuse(name, args[0], "a number")
	}
	return args[0].Plain(), nil
}

// averageType is the result type of AVG and of the variances: that of the
// argument, DECIMAL(38, max(6, s)) for DECIMAL(p, s) (flink-sql 2.3).
func averageType(t types.Type) types.Type {
	if t.Kind == types.Decimal {
		return types.DecimalOf(38, max(6, t.Scale)).NotNull().OrNull(t.Nullable)
	}
	return t
}
