package logical

import (
	"fsql/connector"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/types"
)

// Sink is a root of the plan: the rows of its input, written to a table or
// handed to the client.
type Sink struct {
	Input Node
	Name  string // full name of the table, "collect" for the client
	Pos   diag.Span
	// To takes the client's rows; nil for a table.
	To connector.Sink
	// Table with its options, hints applied, and the names of the columns
	// that are written.
	Table    *catalog.Table
	Options  []option.Entry
	Columns  []string
	Conflict string // ON CONFLICT: "", "NOTHING", "ERROR", "DEDUPLICATE"
}

// Schema of what is written.
func (s *Sink) Schema() *types.Schema { return s.Input.Schema() }

// Inputs is the one input.
func (s *Sink) Inputs() []Node { return []Node{s.Input} }

// With replaces the input.
func (s *Sink) With(in []Node) Node { t := *s; t.Input = in[0]; return &t }

// String prints the name.
func (s *Sink) String() string { return "Sink(table=[" + s.Name + "])" }
