package logical

import (
	"strings"

	"fsql/expr"
	"fsql/types"
)

// Values are constant rows.
type Values struct {
	Rows   [][]*expr.Literal
	schema *types.Schema
}

// NewValues makes rows of schema s; every row has its columns' types.
func NewValues(rows [][]*expr.Literal, s *types.Schema) *Values {
	return &Values{Rows: rows, schema: s}
}

// Schema of the output.
func (v *Values) Schema() *types.Schema { return v.schema }

// Inputs are none.
func (v *Values) Inputs() []Node { return nil }

// With returns the values themselves.
func (v *Values) With([]Node) Node { return v }

// Keep narrows the output to the columns kept, in order.
func (v *Values) Keep(cols []int) *Values {
	out := &Values{Rows: make([][]*expr.Literal, len(v.Rows)), schema: &types.Schema{}}
	for _, c := range cols {
		out.schema.Columns = append(out.schema.Columns, v.schema.Columns[c])
	}
	for i, r := range v.Rows {
		for _, c := range cols {
			out.Rows[i] = append(out.Rows[i], r[c])
		}
	}
	return out
}

// String prints the rows.
func (v *Values) String() string {
	rows := make([]string, len(v.Rows))
	for i, r := range v.Rows {
		parts := make([]string, len(r))
		for j, l := range r {
			parts[j] = l.String()
		}
		rows[i] = "(" + strings.Join(parts, ", ") + ")"
	}
	return "Values(" + strings.Join(rows, ", ") + ")"
}
