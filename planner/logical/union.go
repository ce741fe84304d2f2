package logical

import "fsql/types"

// Union is UNION ALL of inputs whose columns have equal types.
type Union struct {
	Ins    []Node
	schema *types.Schema
}

// NewUnion appends the rows of the inputs, under schema s.
func NewUnion(ins []Node, s *types.Schema) *Union { return &Union{Ins: ins, schema: s} }

// Schema of the output.
func (u *Union) Schema() *types.Schema { return u.schema }

// Inputs are the branches.
func (u *Union) Inputs() []Node { return u.Ins }

// With replaces the branches.
func (u *Union) With(in []Node) Node { return &Union{Ins: in, schema: u.schema} }

// String prints the number of branches.
func (u *Union) String() string { return "Union(" + itoa(len(u.Ins)) + " inputs)" }
