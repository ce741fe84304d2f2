package agg

import (
	"strings"

	"fsql/types"
)

// Fingerprint tells what the saved form of calls depends on: functions and
// types, not which columns they read.
func Fingerprint(in *types.Schema, calls []Call, retract bool) string {
	var b strings.Builder
	for _, c := range calls {
		b.WriteString("; " + c.Fn.Name + "(")
		if c.Opts.Distinct {
			b.WriteString("DISTINCT ")
		}
		for i, a := range c.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(in.Columns[a].Type.String())
		}
		b.WriteString(") " + c.Type.String())
		if c.Filter >= 0 {
			b.WriteString(" FILTER")
		}
		if c.Opts.AddsOnly {
			b.WriteString(" of added rows")
		}
	}
	if retract {
		b.WriteString("; takes rows back")
	}
	return b.String()
}
