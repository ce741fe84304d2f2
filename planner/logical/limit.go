package logical

import (
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// Limit keeps Count rows after the first Offset ones, in order of arrival.
type Limit struct {
	Input         Node
	Count, Offset int64
	Pos           diag.Span
}

// Schema of the output.
func (l *Limit) Schema() *types.Schema { return l.Input.Schema() }

// Inputs is the one input.
func (l *Limit) Inputs() []Node { return []Node{l.Input} }

// With replaces the input.
func (l *Limit) With(in []Node) Node { m := *l; m.Input = in[0]; return &m }

// String prints the numbers.
func (l *Limit) String() string {
	s := "Limit(fetch=[" + itoa(int(l.Count)) + "]"
	if l.Offset > 0 {
		s += ", offset=[" + itoa(int(l.Offset)) + "]"
	}
	return s + ")"
}

// SortKey is one key of ORDER BY, a column of the input.
type SortKey = row.OrderBy

// Sort orders rows; with Count >= 0 only the first ones are kept (global
// Top-N).
type Sort struct {
	Input         Node
	Keys          []SortKey
	Count, Offset int64 // Count -1: all
	Pos           diag.Span
}

// Schema of the output.
func (s *Sort) Schema() *types.Schema { return s.Input.Schema() }

// Inputs is the one input.
func (s *Sort) Inputs() []Node { return []Node{s.Input} }

// With replaces the input.
func (s *Sort) With(in []Node) Node { t := *s; t.Input = in[0]; return &t }

// String prints the keys.
func (s *Sort) String() string {
	out := "Sort(orderBy=["
	for i, k := range s.Keys {
		if i > 0 {
			out += ", "
		}
		out += s.Input.Schema().Columns[k.Col].Name
		if k.Desc {
			out += " DESC"
		}
	}
	out += "]"
	if s.Count >= 0 {
		out += ", fetch=[" + itoa(int(s.Count)) + "]"
	}
	return out + ")"
}
