// Package expr holds typed scalar expressions: how the planner leaves them
// (Node), how functions describe themselves (Func), and how they are compiled
// and run column by column (Program).
package expr

import (
	"fsql/row"
	"fsql/types"
)

// Node is a typed scalar expression as the planner leaves it: plain data,
// immutable, comparable by its text.
type Node interface {
	Type() types.Type
	// String prints the expression as EXPLAIN shows it; equal expressions
	// over the same input have equal texts.
	String() string
	// Children are the operands, in order; WithChildren copies the node with
	// other operands of the same types.
	Children() []Node
	WithChildren(kids []Node) Node
}

// Column is a column of the input.
type Column struct {
	Index int
	Name  string
	T     types.Type
}

// Literal is a constant: a column of one value (possibly NULL).
type Literal struct {
	T     types.Type
	Value *row.Vec
}

// Call is a function applied to operands that already have the types the
// signature wants (casts are calls too).
type Call struct {
	Fn   *Func
	Args []Node
	T    types.Type
	// Eval is the kernel that the signature chose for these operand types;
	// nil is the first operand itself, which has the layout of T.
	Eval Kernel
	// Safe tells that Eval cannot fail, costs little, and may run over rows
	// whose operands are NULL (it ignores what it computes there): such a
	// call is not held back for rows that do not need it.
	Safe bool
	// Extra is what the function's Resolve wants to keep, for instance a
	// compiled pattern or a unit. It must print in Text if it matters.
	Extra any
	Text  string // how it prints, {} for each operand in turn; "" for NAME(args)
}

// ReadsWatermark tells that n depends on the event time of its operator.
func ReadsWatermark(n Node) bool {
	if c, ok := n.(*Call); ok && c.Fn.Name == "CURRENT_WATERMARK" {
		return true
	}
	for _, k := range n.Children() {
		if ReadsWatermark(k) {
			return true
		}
	}
	return false
}
