// Package logical says what rows a query gives, not how they are made. Nodes
// are few and immutable; rules return new ones.
package logical

import "fsql/types"

// Node is one step of a query. The names of its schema are unique, so that
// the texts of expressions over it tell columns apart.
type Node interface {
	Schema() *types.Schema
	Inputs() []Node
	// With returns the node over other inputs of the same schemas.
	With(inputs []Node) Node
	// String is one line, without the inputs.
	String() string
}

// Rule is one rewrite of a single node; the planner applies an ordered list of
// them, bottom-up, and EXPLAIN prints the names of those that fired.
type Rule struct {
	Name string
	// Apply returns the node that takes n's place, or n itself.
	Apply func(n Node) (Node, error)
}

// Transform rebuilds the tree bottom-up. A node that is the input of several
// others is visited once and stays shared.
func Transform(n Node, f func(Node) (Node, error)) (Node, error) {
	return transform(n, f, map[Node]Node{})
}

func transform(n Node, f func(Node) (Node, error), done map[Node]Node) (Node, error) {
	if m, ok := done[n]; ok {
		return m, nil
	}
	ins := n.Inputs()
	var changed bool
	now := make([]Node, len(ins))
	for i, in := range ins {
		m, err := transform(in, f, done)
		if err != nil {
			return nil, err
		}
		now[i], changed = m, changed || m != in
	}
	out := n
	if changed {
		out = n.With(now)
	}
	out, err := f(out)
	if err != nil {
		return nil, err
	}
	done[n] = out
	return out, nil
}

// UniqueNames numbers names that come twice, as Calcite does: k, k0, k1. The
// result is unique and names that are unique already stay as they are.
func UniqueNames(names []string) []string {
	taken := map[string]bool{}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = UniqueName(n, taken)
		taken[out[i]] = true
	}
	return out
}

// UniqueName returns name, or name with the first number that makes it new.
func UniqueName(name string, taken map[string]bool) string {
	if !taken[name] {
		return name
	}
	for i := 0; ; i++ {
		if n := name + itoa(i); !taken[n] {
			return n
		}
	}
}
