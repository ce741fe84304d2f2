package logical

import (
	"strconv"

	"fsql/expr"
	"fsql/types"
)

func itoa(i int) string { return strconv.Itoa(i) }

// Ref is a reference to column i of a schema.
func Ref(s *types.Schema, i int) expr.Node {
	return expr.NewColumn(i, s.Columns[i].Name, s.Columns[i].Type)
}

// Refs are references to all columns of a schema.
func Refs(s *types.Schema) []expr.Node {
	out := make([]expr.Node, len(s.Columns))
	for i := range out {
		out[i] = Ref(s, i)
	}
	return out
}

// Rewrite replaces subexpressions top-down: where f returns a node it is taken
// as it is, where it returns nil the operands are visited.
func Rewrite(n expr.Node, f func(expr.Node) expr.Node) expr.Node {
	if n == nil {
		return nil
	}
	if m := f(n); m != nil {
		return m
	}
	kids := n.Children()
	if len(kids) == 0 {
		return n
	}
	now, changed := make([]expr.Node, len(kids)), false
	for i, k := range kids {
		now[i] = Rewrite(k, f)
		changed = changed || now[i] != k
	}
	if !changed {
		return n
	}
	return n.WithChildren(now)
}

// Substitute puts the expression exprs[i] in the place of column i.
func Substitute(n expr.Node, exprs []expr.Node) expr.Node {
	return Rewrite(n, func(m expr.Node) expr.Node {
		if c, ok := m.(*expr.Column); ok {
			return exprs[c.Index]
		}
		return nil
	})
}

// Remap renumbers columns: column i becomes column to[i] of schema s.
func Remap(n expr.Node, to []int, s *types.Schema) expr.Node {
	return Rewrite(n, func(m expr.Node) expr.Node {
		if c, ok := m.(*expr.Column); ok {
			return expr.NewColumn(to[c.Index], s.Columns[to[c.Index]].Name, c.T)
		}
		return nil
	})
}

// MarkUsed sets used[i] for every column i that n reads.
func MarkUsed(n expr.Node, used []bool) {
	if n == nil {
		return
	}
	if c, ok := n.(*expr.Column); ok {
		used[c.Index] = true
		return
	}
	for _, k := range n.Children() {
		MarkUsed(k, used)
	}
}

// Any tells whether f holds for n or a subexpression.
func Any(n expr.Node, f func(expr.Node) bool) bool {
	if n == nil {
		return false
	}
	if f(n) {
		return true
	}
	for _, k := range n.Children() {
		if Any(k, f) {
			return true
		}
	}
	return false
}

// Volatile tells that evaluating n twice may give two values.
func Volatile(n expr.Node) bool {
	return Any(n, func(m expr.Node) bool {
		c, ok := m.(*expr.Call)
		return ok && c.Fn.Volatile
	})
}

// AsRef returns the column index when n is a plain reference, else -1.
func AsRef(n expr.Node) int {
	if c, ok := n.(*expr.Column); ok {
		return c.Index
	}
	return -1
}

// Identity tells that exprs are exactly the columns of s in order.
func Identity(exprs []expr.Node, s *types.Schema) bool {
	if len(exprs) != len(s.Columns) {
		return false
	}
	for i, e := range exprs {
		if AsRef(e) != i {
			return false
		}
	}
	return true
}
