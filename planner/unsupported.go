package planner

import "fsql/internal/diag"

// construct names something that Flink runs and fsql does not yet.
type construct int

// The constructs. What is built leaves this list.
const (
	tableFunctions construct = iota
	nestedInsert
	batchMode
)

// constructs is the one place where they are described: what it is, and what
// to do instead, if anything.
var constructs = [...]struct{ what, hint string }{
	tableFunctions: {"table functions of models (ML_PREDICT, VECTOR_SEARCH)", ""},
	nestedInsert:   {"INSERT into fields of a ROW", "build the whole ROW in the query"},
	batchMode:      {"'execution.runtime-mode' = 'batch'", "bounded input ends by itself in streaming mode"},
}

// notYet is the error for a construct at a place.
func notYet(c construct, at diag.Span) *diag.Error {
	d := constructs[c]
	e := diag.New(diag.NotImplemented, at, "fsql does not run %s yet", d.what)
	if d.hint != "" {
		e.WithHint("%s", d.hint)
	}
	return e
}
