package logical

import (
	"strings"

	"fsql/expr"
	"fsql/types"
)

// Calc keeps the rows for which Cond is true (nil: all) and computes one
// column per expression: WHERE and SELECT in one step. Exprs and Cond are over
// the input.
type Calc struct {
	Input  Node
	Cond   expr.Node
	Exprs  []expr.Node
	schema *types.Schema
}

// NewCalc projects; names must be unique.
func NewCalc(in Node, cond expr.Node, exprs []expr.Node, names []string) *Calc {
	s := &types.Schema{Columns: make([]types.Column, len(exprs))}
	for i, e := range exprs {
		s.Columns[i] = types.Column{Name: names[i], Type: e.Type()}
	}
	return &Calc{Input: in, Cond: cond, Exprs: exprs, schema: s}
}

// NewFilter keeps the rows for which cond is true.
func NewFilter(in Node, cond expr.Node) *Calc {
	return &Calc{Input: in, Cond: cond, Exprs: Refs(in.Schema()), schema: in.Schema()}
}

// Names are the output names.
func (c *Calc) Names() []string { return Names(c.schema) }

// Names lists the column names of a schema.
func Names(s *types.Schema) []string {
	out := make([]string, len(s.Columns))
	for i := range out {
		out[i] = s.Columns[i].Name
	}
	return out
}

// Schema of the output.
func (c *Calc) Schema() *types.Schema { return c.schema }

// Inputs is the one input.
func (c *Calc) Inputs() []Node { return []Node{c.Input} }

// With replaces the input.
func (c *Calc) With(in []Node) Node { d := *c; d.Input = in[0]; return &d }

// String prints the expressions.
func (c *Calc) String() string {
	var b strings.Builder
	b.WriteString("Calc(select=[" + exprList(c.Exprs, c.Names()) + "]")
	if c.Cond != nil {
		b.WriteString(", where=[" + c.Cond.String() + "]")
	}
	return b.String() + ")"
}

func exprList(es []expr.Node, names []string) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
		if c, ok := e.(*expr.Column); !ok || c.Name != names[i] {
			parts[i] += " AS " + names[i]
		}
	}
	return strings.Join(parts, ", ")
}

// Recast is the calc over another input, with other expressions of the same
// columns: its schema stays, time attributes included.
func (c *Calc) Recast(in Node, cond expr.Node, exprs []expr.Node) *Calc {
	return &Calc{Input: in, Cond: cond, Exprs: exprs, schema: c.schema}
}
