package builtin

import "fsql/expr"

// All is the registry of every built-in function and operator. The list is
// explicit: a function that is not here does not exist.
func All() *expr.Registry {
	var fs []*expr.Func
	for _, family := range [][]*expr.Func{
		comparisons(), logic(), conditional(), membership(), patterns(),
		arithmetic(), mathFunctions(),
		textFunctions(), trimFunctions(), findFunctions(), regexps(), encodings(), urls(), classes(),
		timeUnits(), timeArithmetic(), timeTexts(), clocks(), {toTimestampLTZ()},
		collections(), arrays(), mapFunctions(), hashes(),
		jsonReaders(), jsonWriters(), variants(), bitmaps(), {printf()},
	} {
		fs = append(fs, family...)
	}
	return expr.NewRegistry(fs...)
}
