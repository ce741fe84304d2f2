// Package builtin holds the built-in scalar functions, one family per file.
package builtin

import "fsql/expr"

// All returns the functions that are shipped.
func All() *expr.Registry {
	var list []*expr.Func
	for _, family := range [][]*expr.Func{
		arithmetic(),
		comparisons(),
		conditional(),
		patterns(),
		logic(),
		mathFunctions(),
		membership(),
		regexps(),
		textFunctions(),
		trimFunctions(),
		findFunctions(),
	} {
		list = append(list, family...)
	}
	return expr.NewRegistry(list...)
}
