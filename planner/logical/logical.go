// Package logical says what rows a query gives, not how they are made. Nodes
// are few and immutable; rules return new ones.
package logical

import (
	"slices"

	"fsql/types"
)

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

// Rule is one rewrite of a plan, given by its roots; the planner applies an
// ordered list of them and EXPLAIN prints the names of those that fired. A rule
// that changes nothing returns the roots as they are.
type Rule struct {
	Name  string
	Apply func(roots []Node) ([]Node, error)
}

// Each makes a rule of a rewrite of single nodes, applied bottom-up. A node
// that is the input of several others is visited once and stays shared.
func Each(name string, f func(Node) (Node, error)) Rule {
	return Rule{Name: name, Apply: func(roots []Node) ([]Node, error) {
		done := map[Node]Node{}
		out := make([]Node, len(roots))
		for i, r := range roots {
			n, err := transform(r, f, done)
			if err != nil {
				return nil, err
			}
			out[i] = n
		}
		return out, nil
	}}
}

func transform(n Node, f func(Node) (Node, error), done map[Node]Node) (Node, error) {
	if m, ok := done[n]; ok {
		return m, nil
	}
	ins := n.Inputs()
	changed := false
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

// Uses counts how many inputs every node is.
func Uses(roots []Node) map[Node]int {
	uses := map[Node]int{}
	var walk func(n Node)
	walk = func(n Node) {
		uses[n]++
		if uses[n] > 1 {
			return
		}
		for _, in := range n.Inputs() {
			walk(in)
		}
	}
	for _, r := range roots {
		walk(r)
	}
	return uses
}

// Order lists all nodes, readers before what they read.
func Order(roots []Node) []Node {
	var out []Node
	seen := map[Node]bool{}
	var walk func(n Node)
	walk = func(n Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, in := range n.Inputs() {
			walk(in)
		}
		out = append(out, n)
	}
	for _, r := range roots {
		walk(r)
	}
	slices.Reverse(out)
	return out
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
