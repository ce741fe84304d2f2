package planner

import (
	"strings"

	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/row"
)

// demand finds out top-down who needs the old rows (-U) of updates: a sink that
// takes them, and every step that must find the row that an update replaces.
// What only passes rows on passes the demand on.
func (l *lowering) demand(roots []logical.Node) error {
	for _, r := range roots {
		s := r.(*logical.Sink)
		accepts, err := l.accepts(s)
		if err != nil {
			return place(err, s.Pos)
		}
		l.need(s.Input, accepts.Has(row.UpdateBefore) || !keyedAlike(s))
	}
	return nil
}

func (l *lowering) need(n logical.Node, old bool) {
	if seen, ok := l.old[n]; ok && (seen || !old) {
		return
	}
	l.old[n] = old
	for _, in := range n.Inputs() {
		switch n := n.(type) {
		case *logical.Calc:
			l.need(in, old || n.Cond != nil && !logical.ByKey(n.Cond, in))
		case *logical.Union, *logical.Window:
			l.need(in, old)
		case *logical.Normalize:
			l.need(in, false)
		case *logical.Join:
			switch {
			case n.Temporal == nil:
				l.need(in, true)
			case in == n.L:
				l.need(in, old) // its rows go on in their kinds
			default:
				l.need(in, false) // a version ends where the next one begins
			}
		case *logical.Rank:
			l.need(in, !l.updateFast(in, n.Partition, n.Keys))
		case *logical.Sort:
			l.need(in, n.Count < 0 || !l.updateFast(in, nil, n.Keys))
		default:
			l.need(in, true)
		}
	}
}

// letters prints a set of row kinds as Flink's plans do: [I,UB,UA,D].
func letters(k row.Kinds) string {
	var parts []string
	for _, l := range []struct {
		kind row.Kind
		name string
	}{{row.Insert, "I"}, {row.UpdateBefore, "UB"}, {row.UpdateAfter, "UA"}, {row.Delete, "D"}} {
		if k.Has(l.kind) {
			parts = append(parts, l.name)
		}
	}
	if len(parts) == 0 {
		return "[NONE]"
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// words says in words what a set of row kinds holds besides inserts.
func words(k row.Kinds) string {
	update := k.Has(row.UpdateBefore) || k.Has(row.UpdateAfter)
	switch {
	case update && k.Has(row.Delete):
		return "updates and deletes"
	case update:
		return "updates"
	case k.Has(row.Delete):
		return "deletes"
	}
	return "inserts"
}

// refused is the error for a sink that does not take all kinds that reach it.
func (l *lowering) refused(name string, accepts row.Kinds, in int, at diag.Span) error {
	n := l.plan.Nodes[in]
	over := n.Kinds &^ accepts
	e := diag.New(diag.ChangelogMode, at, "table '%s' takes only inserts (it is append-only), but %s sends %s as well", name, l.origin(in, over), words(over))
	if accepts != row.InsertOnly {
		e.Msg = "table '" + name + "' takes only " + letters(accepts) + " changes, but " + l.origin(in, over) + " sends " + words(over) + " as well"
	}
	return e.WithHint("aggregate per window, or write to a table that takes changes, such as print")
}

// origin names the step that first sends the kinds over.
func (l *lowering) origin(n int, over row.Kinds) string {
	node := l.plan.Nodes[n]
	for _, e := range node.Inputs {
		if l.plan.Nodes[e.From].Kinds&over != 0 {
			return l.origin(e.From, over)
		}
	}
	return title(node)
}

// title is the name of a step for people.
func title(n *physical.Node) string {
	switch {
	case n.Source != nil:
		return "the source " + n.Source.Name
	case n.Sink != nil:
		return "the sink " + n.Sink.Name
	}
	return "the " + n.Spec.Describe().Name
}
