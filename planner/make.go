package planner

import (
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/planner/logical"
	"fsql/types"
)

// maker makes expressions that nobody wrote: for the steps that a construct
// becomes. The first error stays, and nothing is made after it.
type maker struct {
	b   *binder
	err error
}

// call calls a function or an operator. A nil argument is left out.
func (m *maker) call(name string, args ...expr.Node) expr.Node {
	if m.err != nil {
		return nil
	}
	n, err := expr.NewCall(m.b.env.Funcs, name, args)
	m.err = err
	return n
}

// lit is a constant that is not NULL.
func (m *maker) lit(k types.Kind, text string) expr.Node {
	if m.err != nil {
		return nil
	}
	n, err := expr.NewLiteral(types.Of(k), text)
	m.err = err
	return n
}

// and is the condition that all parts are TRUE.
func (m *maker) and(parts ...expr.Node) expr.Node {
	if m.err != nil {
		return nil
	}
	n, err := logical.And(m.b.env.Funcs, parts)
	m.err = err
	return n
}

// agg aggregates column col of a schema; col -1: COUNT(*). empty tells that
// there may be a result without rows, which is then NULL.
func (m *maker) agg(name string, s *types.Schema, col int, empty bool) agg.Call {
	if m.err != nil {
		return agg.Call{}
	}
	c := aggCall{fn: m.b.env.Aggs.Lookup(name), opts: agg.Options{Star: col < 0}}
	if col >= 0 {
		c.args = []expr.Node{logical.Ref(s, col)}
	}
	x := &exprs{binder: m.b, group: &grouping{grouped: !empty}}
	if m.err = x.typed(&c); m.err != nil {
		return agg.Call{}
	}
	out := agg.Call{Fn: c.fn, Filter: -1, Opts: c.opts, Type: c.typ, Name: c.text}
	if col >= 0 {
		out.Args = []int{col}
	}
	return out
}
