package builtin

import (
	"fsql/expr"
	"fsql/types"
)

// All is the registry of every built-in function and operator. The list is
// explicit: a function that is not here does not exist.
func All() *expr.Registry {
	var fs []*expr.Func
	for _, family := range [][]*expr.Func{
		comparisons(), logic(), conditional(), membership(), patterns(),
		arithmetic(), mathFunctions(),
		textFunctions(), trimFunctions(), findFunctions(), regexps(), encodings(), urls(), classes(),
		timeUnits(), timeArithmetic(), timeTexts(), clocks(), {toTimestampLTZ()},
		collections(), structured(), arrays(), mapFunctions(), hashes(),
		jsonReaders(), jsonWriters(), variants(), bitmaps(), {printf()},
	} {
		fs = append(fs, family...)
	}
	text := []types.Type{stringType}
	textThenNumber := []types.Type{stringType, stringType, intType}
	return expr.NewRegistry(bareNull(fs, map[string][]types.Type{
		"REGEXP_COUNT": text, "REGEXP_INSTR": text, "REGEXP_SUBSTR": text, "REGEXP_EXTRACT_ALL": textThenNumber,
		"SPLIT": text, "BTRIM": text, "STARTSWITH": text, "ENDSWITH": text, "URL_ENCODE": text, "URL_DECODE": text,
		"ARRAY_SORT": {anyType, boolType}, "ARRAY_SLICE": {anyType, intType}, "ARRAY_JOIN": {anyType, stringType},
		"UNHEX": text, "INET_ATON": text, "INET_NTOA": {bigType}, "ELT": {anyType, types.VarCharOf(1)}, "TO_TIMESTAMP_LTZ": {bigType, intType},
	})...)
}
