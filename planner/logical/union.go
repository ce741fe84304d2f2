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
func (u *Union) With(in []Node) Node { return NewUnion(in, u.schema) }

// Repeated is the one input that all branches are calcs over, or are
// themselves; nil if there is none.
func (u *Union) Repeated() Node {
	candidates := []Node{u.Ins[0]}
	if c, ok := u.Ins[0].(*Calc); ok {
		candidates = append(candidates, c.Input)
	}
	for _, in := range candidates {
		if u.over(in) {
			return in
		}
	}
	return nil
}

func (u *Union) over(in Node) bool {
	for _, branch := range u.Ins {
		c, ok := branch.(*Calc)
		if branch != in && (!ok || c.Input != in) {
			return false
		}
	}
	return true
}

// String prints the number of branches.
func (u *Union) String() string { return "Union(" + itoa(len(u.Ins)) + " inputs)" }
