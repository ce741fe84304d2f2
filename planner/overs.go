package planner

import (
	"strconv"
	"strings"

	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// overs collects the calls with OVER of one SELECT, while the expressions above
// them are bound. They become one step, logical.Over: all must have the same
// window (flink-sql 4.6).
type overs struct {
	calls []overCall
	at    map[string]int // by text
}

// overCall is a call with OVER; its expressions are over the input of the step.
type overCall struct {
	agg       aggCall
	rank      string // name of a ranking function, "" for an aggregate
	partition []expr.Node
	order     []orderExpr
	frame     logical.Frame
	pos       diag.Span
}

type orderExpr struct {
	node            expr.Node
	desc, nullsLast bool
}

// overRef stands for the result of a call.
type overRef struct {
	i    int
	t    types.Type
	text string
}

func (r *overRef) Type() types.Type                   { return r.t }
func (r *overRef) String() string                     { return r.text }
func (r *overRef) Children() []expr.Node              { return nil }
func (r *overRef) WithChildren([]expr.Node) expr.Node { return r }

// add keeps one call per text.
func (o *overs) add(c overCall) (expr.Node, error) {
	if len(o.calls) > 0 && o.calls[0].window() != c.window() {
		return nil, diag.New(diag.NotSupported, c.pos, "all OVER windows of a SELECT must be the same, this one differs from the first").
			WithHint("compute one of them in a subquery: ROW_NUMBER() has ROWS frames, all others have RANGE frames unless it is written")
	}
	text := c.agg.text + " OVER (" + c.window() + ")"
	i, ok := o.at[text]
	if !ok {
		if o.at == nil {
			o.at = map[string]int{}
		}
		i = len(o.calls)
		o.at[text] = i
		o.calls = append(o.calls, c)
	}
	return &overRef{i: i, t: c.agg.typ, text: text}, nil
}

// window is the text of a call's window.
func (c *overCall) window() string {
	var b strings.Builder
	b.WriteString("PARTITION BY")
	for _, n := range c.partition {
		b.WriteString(" " + n.String() + ",")
	}
	b.WriteString(" ORDER BY")
	for _, k := range c.order {
		b.WriteString(" " + k.node.String())
		if k.desc {
			b.WriteString(" DESC")
		}
		if k.nullsLast != k.desc {
			b.WriteString(" NULLS" + [2]string{" FIRST", " LAST"}[btoi(k.nullsLast)])
		}
		b.WriteString(",")
	}
	return b.String() + " " + c.frame.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// each replaces all expressions of the calls.
func (o *overs) each(f func(expr.Node) (expr.Node, error)) error {
	var err error
	change := func(n expr.Node) expr.Node {
		m, e := f(n)
		if e != nil && err == nil {
			err = e
		}
		return m
	}
	for i := range o.calls {
		c := &o.calls[i]
		for j, n := range c.agg.args {
			c.agg.args[j] = change(n)
		}
		for j, n := range c.partition {
			c.partition[j] = change(n)
		}
		for j := range c.order {
			c.order[j].node = change(c.order[j].node)
		}
	}
	return err
}

// over puts the step that computes the calls on top of in, whose columns stay
// where they are. It does nothing if there are no calls.
func (o *overs) over(in logical.Node, items []item) logical.Node {
	if len(o.calls) == 0 {
		return in
	}
	cols := &columns{at: map[string]int{}}
	for _, n := range logical.Refs(in.Schema()) {
		cols.add(n)
	}
	first := o.calls[0]
	n := logical.Over{Frame: first.frame, Pos: first.pos}
	for _, p := range first.partition {
		n.Partition = append(n.Partition, cols.add(p))
	}
	for _, k := range first.order {
		n.Keys = append(n.Keys, logical.SortKey{Col: cols.add(k.node), Desc: k.desc, NullsLast: k.nullsLast})
	}
	for _, c := range o.calls {
		call := logical.OverCall{Rank: c.rank, Pos: c.pos,
			Call: agg.Call{Fn: c.agg.fn, Filter: -1, Opts: c.agg.opts, Type: c.agg.typ, Name: c.agg.text}}
		for _, a := range c.agg.args {
			call.Args = append(call.Args, cols.add(a))
		}
		n.Calls = append(n.Calls, call)
	}
	cols.names = logical.UniqueNames(cols.names)
	if len(cols.exprs) > len(in.Schema().Columns) {
		in = logical.NewCalc(in, nil, cols.exprs, cols.names)
	}
	names := append([]string(nil), cols.names...)
	for i := range o.calls {
		name := "w0$o" + strconv.Itoa(i)
		for _, it := range items {
			if r, ok := it.node.(*overRef); ok && r.i == i {
				name = it.name
				break
			}
		}
		names = append(names, name)
	}
	return logical.NewOver(in, n, logical.UniqueNames(names)[len(cols.names):])
}

// results puts the columns of the step over in the place of the references.
func (o *overs) results(n expr.Node, over logical.Node) expr.Node {
	first := len(over.Schema().Columns) - len(o.calls)
	return logical.Rewrite(n, func(m expr.Node) expr.Node {
		if r, ok := m.(*overRef); ok {
			return logical.Ref(over.Schema(), first+r.i)
		}
		return nil
	})
}

// finish puts the step of the calls, QUALIFY and the select list on top of in.
func (x *exprs) finish(in logical.Node, items []item, qualify expr.Node) (*result, error) {
	node := x.overs.over(in, items)
	for i := range items {
		items[i].node = x.overs.results(items[i].node, node)
	}
	if qualify != nil {
		var err error
		if node, err = x.restricted(node, logical.Conjuncts(x.overs.results(qualify, node)), nil); err != nil {
			return nil, err
		}
	}
	return x.project(node, items)
}

// qualified binds QUALIFY, a filter that sees the results of window functions.
// It may name the aliases of the select list.
func (x *exprs) qualified(s *ast.Select, items []item) (expr.Node, error) {
	if s.Qualify == nil {
		return nil, nil
	}
	y := x.in("QUALIFY")
	y.named = map[string]expr.Node{}
	for i, it := range s.Items {
		if it.Alias.Text != "" && i < len(items) {
			for _, bound := range items {
				if bound.name == it.Alias.Text {
					y.named[it.Alias.Text] = bound.node
				}
			}
		}
	}
	n, err := y.condition(s.Qualify)
	if err != nil {
		return nil, err
	}
	if !logical.Any(n, func(m expr.Node) bool { _, ok := m.(*overRef); return ok }) {
		return nil, diag.New(diag.NotSupported, s.Qualify.Span(), "QUALIFY filters by a window function (OVER), there is none in it").
			WithHint("filter rows with WHERE, groups with HAVING")
	}
	return n, nil
}
