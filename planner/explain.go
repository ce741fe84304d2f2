package planner

import (
	"fmt"
	"strings"

	"fsql/connector"
	"fsql/expr"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/types"
)

// Explain prints a plan: a tree of steps from the sinks down, each with how its
// rows get to its reader, the changes it sends, where it runs and what it
// keeps, and the rules that made it so. details are the words after EXPLAIN;
// the changes are always shown, the other details add nothing.
func Explain(p *Plan, details []string) string {
	x := &explainer{plan: p.Physical, seen: map[int]bool{}}
	x.b.WriteString("== Physical Plan ==\n")
	for _, n := range p.Physical.Nodes {
		if n.Sink != nil {
			x.node(n, nil, "", "")
		}
	}
	if len(p.fired) > 0 {
		x.b.WriteString("\n== Rules ==\n" + strings.Join(p.fired, ", ") + "\n")
	}
	return x.b.String()
}

type explainer struct {
	plan *physical.Plan
	seen map[int]bool
	b    strings.Builder
}

// node prints a step and what it reads. first and rest are the indents of its
// own line and of those below it.
func (x *explainer) node(n *physical.Node, edge *physical.Edge, first, rest string) {
	x.b.WriteString(first)
	if edge != nil {
		x.b.WriteString("[" + x.ship(*edge) + "] ")
	}
	again := x.seen[n.ID]
	x.seen[n.ID] = true
	x.b.WriteString(x.line(n))
	if again {
		x.b.WriteString(" (shared, see above)\n")
		return
	}
	x.b.WriteString("\n")
	for i := range n.Inputs {
		e := n.Inputs[i]
		child := x.plan.Nodes[e.From]
		last := i == len(n.Inputs)-1
		mark, below := ":- ", ":  "
		if last {
			mark, below = "+- ", "   "
		}
		if n.Chained {
			x.chained(child, rest+mark, rest+below)
			continue
		}
		x.node(child, &e, rest+mark, rest+below)
	}
}

// chained prints an input that runs in the same task as its reader.
func (x *explainer) chained(n *physical.Node, first, rest string) {
	x.node(n, nil, first+"[chain] ", rest)
}

// ship prints an exchange: hash(key), single, forward.
func (x *explainer) ship(e physical.Edge) string {
	if e.Ship != physical.Hash {
		return e.Ship.String()
	}
	s := x.plan.Nodes[e.From].Schema
	names := make([]string, len(e.Keys))
	for i, k := range e.Keys {
		names[i] = s.Columns[k].Name
	}
	return "hash(" + strings.Join(names, ", ") + ")"
}

func (x *explainer) line(n *physical.Node) string {
	var b strings.Builder
	state := ""
	switch {
	case n.Source != nil:
		b.WriteString(sourceText(n))
	case n.Sink != nil:
		fmt.Fprintf(&b, "Sink(table=[%s], fields=[%s])", n.Sink.Name, strings.Join(logical.Names(n.Schema), ", "))
	default:
		d := n.Spec.Describe()
		parts := make([]string, len(d.Args))
		for i, a := range d.Args {
			parts[i] = a[0] + "=" + bracketed(a[1])
		}
		b.WriteString(d.Name + "(" + strings.Join(parts, ", ") + ")")
		state = d.State
	}
	kinds := n.Kinds
	if n.Sink != nil {
		kinds = x.plan.Nodes[n.Inputs[0].From].Kinds
	}
	fmt.Fprintf(&b, ", changelogMode=%s, parallelism=%d", letters(kinds), n.Parallel)
	if state != "" {
		b.WriteString(", state=[" + state + "]")
	}
	return b.String()
}

func bracketed(s string) string {
	if strings.HasPrefix(s, "[") {
		return s
	}
	return "[" + s + "]"
}

// sourceText prints what a source reads and how it finds event time. Options
// are not printed: they may hold secrets.
func sourceText(n *physical.Node) string {
	s := n.Source
	var b strings.Builder
	fmt.Fprintf(&b, "Source(table=[%s]", s.Name)
	var read []string
	for i, c := range s.Table.Schema.Columns {
		if i < len(s.Table.Wanted) && s.Table.Wanted[i] {
			read = append(read, c.Name)
		}
	}
	fmt.Fprintf(&b, ", read=[%s]", strings.Join(read, ", "))
	if !plainColumns(s.Project, n.Schema) {
		sel := make([]string, len(s.Project))
		for i, e := range s.Project {
			sel[i] = e.String()
			if sel[i] != n.Schema.Columns[i].Name {
				sel[i] += " AS " + n.Schema.Columns[i].Name
			}
		}
		fmt.Fprintf(&b, ", select=[%s]", strings.Join(sel, ", "))
	}
	if s.Watermark != nil {
		fmt.Fprintf(&b, ", rowtime=[%s], watermark=[%s]", s.Rowtime, s.Watermark)
	}
	if s.IdleAfter > 0 {
		fmt.Fprintf(&b, ", idle=[%d ms]", s.IdleAfter)
	}
	if s.Partitions != nil {
		fmt.Fprintf(&b, ", partitions=[%s]", s.Partitions)
	}
	if d, ok := s.Source.(connector.Described); ok {
		b.WriteString(", " + d.Describe())
	}
	if s.Table.Limit >= 0 {
		fmt.Fprintf(&b, ", limit=[%d]", s.Table.Limit)
	}
	return b.String() + ")"
}

func plainColumns(exprs []expr.Node, s *types.Schema) bool {
	for i, e := range exprs {
		c, ok := e.(*expr.Column)
		if !ok || c.Name != s.Columns[i].Name {
			return false
		}
	}
	return true
}
