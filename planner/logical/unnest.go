package logical

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/relop"
	"fsql/types"
)

// Unnest gives a row for every element of the collection X, which is over the
// input: its columns, then those of the element (relop.Elements) under Names.
// Cond is over all of them and says which elements count; Outer keeps a row
// without one. Cols are the output columns.
type Unnest struct {
	Input      Node
	X          expr.Node
	Names      []string
	Outer      bool
	Ordinality bool
	Cond       expr.Node // nil: every element
	Cols       []int
	Pos        diag.Span
	schema     *types.Schema
}

// NewUnnest makes an unnest of all columns, under unique names.
func NewUnnest(u Unnest) *Unnest {
	both := u.Both()
	u.Cols = make([]int, len(both.Columns))
	for i := range u.Cols {
		u.Cols[i] = i
	}
	return u.output(UniqueNames(Names(both)))
}

// Elements are the columns of the elements.
func (u *Unnest) Elements() []types.Column {
	cols := relop.Elements(u.X.Type(), u.Ordinality)
	for i, name := range u.Names {
		cols[i].Name, cols[i].Type = name, cols[i].Type.Plain()
	}
	return cols
}

// Both are the columns of the input and of the elements.
func (u *Unnest) Both() *types.Schema {
	return &types.Schema{Columns: append(append([]types.Column(nil), u.Input.Schema().Columns...), u.Elements()...)}
}

// output derives the schema; names are by column of both.
func (u Unnest) output(names []string) *Unnest {
	both, left := u.Both(), len(u.Input.Schema().Columns)
	u.schema = &types.Schema{}
	for _, c := range u.Cols {
		t := both.Columns[c].Type
		u.schema.Columns = append(u.schema.Columns, types.Column{Name: names[c], Type: t.OrNull(u.Outer && c >= left)})
	}
	return &u
}

// Narrow is the unnest of x over an input with other columns: at is where the
// old ones went. Of the output the columns keep (numbers in the old output)
// stay, under their names.
func (u *Unnest) Narrow(in Node, x expr.Node, at, keep []int) *Unnest {
	v := *u
	v.Input, v.X = in, x
	now := len(in.Schema().Columns)
	to := append([]int(nil), at...)
	for i := range u.Elements() {
		to = append(to, now+i)
	}
	both := v.Both()
	if u.Cond != nil {
		v.Cond = Remap(u.Cond, to, both)
	}
	v.Cols = nil
	names := make([]string, len(both.Columns))
	for _, c := range keep {
		v.Cols = append(v.Cols, to[u.Cols[c]])
		names[to[u.Cols[c]]] = u.schema.Columns[c].Name
	}
	return v.output(names)
}

// Schema of the output.
func (u *Unnest) Schema() *types.Schema { return u.schema }

// Inputs is the one input.
func (u *Unnest) Inputs() []Node { return []Node{u.Input} }

// With replaces the input.
func (u *Unnest) With(in []Node) Node { v := *u; v.Input = in[0]; return &v }

// String prints the collection.
func (u *Unnest) String() string { return "Unnest(" + u.X.String() + ")" }
