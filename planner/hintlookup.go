package planner

import (
	"strconv"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/sql/ast"
)

// lookupOption is a value that the hint LOOKUP takes; others are ignored, as in
// Flink.
type lookupOption struct {
	check func(value string) bool
	wants string // what a value must be
}

var lookupOptions = map[string]lookupOption{
	"async":           {isBool, "true or false"},
	"output-mode":     {oneOf("ordered", "allow_unordered"), "one of ordered, allow_unordered"},
	"capacity":        {isPositive, "a positive whole number"},
	"timeout":         {isDuration, "a duration such as 30 s"},
	"retry-predicate": {oneOf("lookup_miss"), "lookup_miss"},
	"retry-strategy":  {oneOf("fixed_delay"), "fixed_delay"},
	"fixed-delay":     {isDuration, "a duration such as 10 s"},
	"max-attempts":    {isPositive, "a positive whole number"},
	"shuffle":         {isBool, "true or false"},
}

// retryOptions stand all together or not at all.
var retryOptions = []string{"retry-predicate", "retry-strategy", "fixed-delay", "max-attempts"}

// checkLookupHint refuses what Flink refuses of a hint LOOKUP; tables are those
// of the query. It changes nothing where no table is looked up.
func checkLookupHint(h ast.Hint, tables []string) error {
	given := map[string]ast.HintArg{}
	for _, a := range h.Args {
		if !a.Pair {
			return diag.New(diag.BadOption, a.Pos, "the hint LOOKUP takes 'key' = 'value' pairs").WithHint("LOOKUP('table' = '%s')", a.Value)
		}
		given[a.Key] = a
	}
	table, ok := given["table"]
	if !ok {
		return diag.New(diag.BadOption, h.Pos, "the hint LOOKUP needs the option 'table', which names the table that is looked up").WithHint("LOOKUP('table' = 'r', ..)")
	}
	for _, a := range h.Args {
		if o, ok := lookupOptions[a.Key]; ok && !o.check(a.Value) {
			return diag.New(diag.BadOption, a.Pos, "the option '%s' of the hint LOOKUP must be %s, not '%s'", a.Key, o.wants, a.Value)
		}
	}
	missing, some := "", false
	for _, k := range retryOptions {
		if _, ok := given[k]; ok {
			some = true
		} else if missing == "" {
			missing = k
		}
	}
	if some && missing != "" {
		return diag.New(diag.BadOption, h.Pos, "the hint LOOKUP lacks '%s': the options of a retry, %s, stand all together or not at all", missing, join(retryOptions))
	}
	if !contains(tables, table.Value) {
		return noHintTable(table, "LOOKUP", table.Value, tables)
	}
	return nil
}

// noHintTable is the error for a hint that names no table of its query.
func noHintTable(a ast.HintArg, hint, table string, tables []string) error {
	return diag.New(diag.UnknownTable, a.Pos, "the hint %s names '%s', which is no table or alias of this query", hint, table).
		WithHint("tables of this query: %s (a table with an alias goes by it)", join(tables))
}

func isBool(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }

func isPositive(s string) bool {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 32)
	return err == nil && n > 0
}

func isDuration(s string) bool {
	_, ok := option.ParseDuration(s)
	return ok
}

func oneOf(words ...string) func(string) bool {
	return func(s string) bool {
		for _, w := range words {
			if strings.EqualFold(s, w) {
				return true
			}
		}
		return false
	}
}
