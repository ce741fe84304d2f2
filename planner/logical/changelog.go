package logical

import (
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// ToChangelog makes an inserted row of every change: a code, then the row.
type ToChangelog struct {
	Input  Node
	Codes  [4]*string // by kind of row; changes of kinds without one are left out
	schema *types.Schema
}

// NewToChangelog puts a column of codes before those of the input.
func NewToChangelog(in Node, code string, codes [4]*string) *ToChangelog {
	s := &types.Schema{Columns: []types.Column{{Name: code, Type: types.String()}}}
	s.Columns = append(s.Columns, in.Schema().Columns...)
	return &ToChangelog{Input: in, Codes: codes, schema: s}
}

// Schema of the output.
func (n *ToChangelog) Schema() *types.Schema { return n.schema }

// Inputs is the one input.
func (n *ToChangelog) Inputs() []Node { return []Node{n.Input} }

// With replaces the input.
func (n *ToChangelog) With(in []Node) Node { m := *n; m.Input = in[0]; return &m }

// String prints the column of codes.
func (n *ToChangelog) String() string {
	return "ToChangelog(op=[" + n.schema.Columns[0].Name + "])"
}

// FromChangelog makes the change of every inserted row that its code names, of
// the other columns.
type FromChangelog struct {
	Input  Node
	Code   int // column of the codes
	Kinds  map[string]row.Kind
	Names  []string // of the codes, as they are written
	Pos    diag.Span
	schema *types.Schema
}

// NewFromChangelog drops the column of codes.
func NewFromChangelog(f FromChangelog) *FromChangelog {
	cols := f.Input.Schema().Columns
	f.schema = &types.Schema{Columns: append(cols[:f.Code:f.Code], cols[f.Code+1:]...)}
	return &f
}

// Schema of the output.
func (n *FromChangelog) Schema() *types.Schema { return n.schema }

// Inputs is the one input.
func (n *FromChangelog) Inputs() []Node { return []Node{n.Input} }

// With replaces the input.
func (n *FromChangelog) With(in []Node) Node { m := *n; m.Input = in[0]; return &m }

// String prints the column of codes.
func (n *FromChangelog) String() string {
	return "FromChangelog(op=[" + n.Input.Schema().Columns[n.Code].Name + "])"
}
